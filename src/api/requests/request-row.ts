// A record as the API shows it, flat. Must stay true: money is exact, and unknown is null, never 0.

import { formatMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { splitFacts } from '../../core/teams/team.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { ERROR_KINDS } from '../../core/weir-error.ts'
import type { WeirErrorCode } from '../../core/weir-error.ts'
import type { Explanation } from '../../pricing/tables/explain.ts'
import type { CallDifference } from '../../pricing/tables/source-differences.ts'
import type { ExplanationAnswer, RequestRow } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import { nameOf } from '../known-names.ts'
import type { KnownNames } from '../known-names.ts'
import { toDifferenceAnswer } from '../prices/price-rows.ts'

export function toRequestRow({ event, cost }: UsageRecord, names: KnownNames): RequestRow {
  const { billing } = event
  const { teamId, personId, tool, toolVersion, repository, dims } = splitFacts(event.dims)
  const { agent } = event
  return {
    id: event.id,
    started_at: toIso(event.startedAt),
    first_byte_at: toIsoOrNull(event.firstByteAt),
    ended_at: toIso(event.endedAt),
    // The clock may have been set back.
    duration_ms: Math.max(0, event.endedAt - event.startedAt),
    own_ms: event.ownMicros === undefined ? null : event.ownMicros / 1000,
    api_key: event.keyId,
    provider: event.provider,
    operation: event.operation,
    requested_model: event.requestedModel,
    model: event.model,
    status: event.status,
    http_status: event.httpStatus ?? toDeniedStatus(event),
    error_code: event.errorCode,
    streamed: event.streamed,
    request_bytes: event.requestBytes,
    response_bytes: event.responseBytes,
    usage: event.usage,
    ...toTokenColumns(event.tokens),
    tool_calls: { ...event.toolCalls },
    service_tier: event.serviceTier,
    cost_usd: toUsd(cost.amount),
    market_cost_usd: toUsd(billing?.marketCost ?? null),
    is_byok: billing?.isByok ?? null,
    generation_id: billing?.generationId ?? null,
    source: cost.source,
    price_version: cost.priceVersion,
    dims,
    violation: event.violation ?? null,
    region: event.region ?? null,
    provider_error: event.providerError ?? null,
    team_id: teamId,
    team: nameOf(teamId, names),
    person_id: personId,
    person: nameOf(personId, names),
    tool,
    tool_version: agent?.toolVersion ?? toolVersion,
    session: agent?.session ?? null,
    agent: agent?.agent ?? null,
    parent_agent: agent?.parentAgent ?? null,
    device: agent?.device ?? null,
    account: agent?.account ?? null,
    repository,
    retry: agent?.retry ?? null,
  }
}

export function toExplanationAnswer(
  { lines, cost, text }: Explanation,
  differences: readonly CallDifference[],
): ExplanationAnswer {
  return {
    lines: lines.map(({ model, unit, count, rateUsd, costUsd, version }) => ({
      model,
      unit,
      count,
      rate_usd: rateUsd,
      cost_usd: costUsd,
      price_version: version,
    })),
    total_usd: toUsd(cost),
    text,
    differs: differences.map((each) => ({ model: each.model, ...toDifferenceAnswer(each) })),
  }
}

/** Denied calls from before their status was recorded: a code has had one status ever since. */
function toDeniedStatus({ status, errorCode }: UsageEvent): number | null {
  if (status !== 'denied' || errorCode === null || !Object.hasOwn(ERROR_KINDS, errorCode)) {
    return null
  }
  return ERROR_KINDS[errorCode as WeirErrorCode].status
}

function toTokenColumns(tokens: TokenCounts | null) {
  return {
    input_tokens: tokens?.input ?? null,
    output_tokens: tokens?.output ?? null,
    cache_read_tokens: tokens?.cacheRead ?? null,
    cache_write_5m_tokens: tokens?.cacheWrite5m ?? null,
    cache_write_1h_tokens: tokens?.cacheWrite1h ?? null,
    input_audio_tokens: tokens?.inputAudio ?? null,
    input_image_tokens: tokens?.inputImage ?? null,
    reasoning_tokens: tokens?.reasoning ?? null,
    output_audio_tokens: tokens?.outputAudio ?? null,
    output_image_tokens: tokens?.outputImage ?? null,
    cache_read_audio_tokens: tokens === null ? null : (tokens.cacheReadAudio ?? 0),
    cache_read_image_tokens: tokens === null ? null : (tokens.cacheReadImage ?? 0),
  }
}

function toUsd(amount: Money | null): string | null {
  return amount === null ? null : formatMoney(amount)
}
