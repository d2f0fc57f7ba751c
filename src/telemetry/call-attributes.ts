// What spans and metrics say of a call, in the words of OpenTelemetry's conventions for generative
// AI. Must stay true: facts of the record alone, and so no prompt and no completion.

import type { Attributes } from '@opentelemetry/api'
import { splitFacts } from '../core/teams/team.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import { formatMoney } from '../core/money.ts'
import { toGenAiOperation, toGenAiProvider } from '../providers/gen-ai-names.ts'

export interface ServerAddress {
  readonly address: string
  readonly port: number
}

/** By provider id; those without a known address are left out. */
export type Servers = ReadonlyMap<string, ServerAddress>

type Draft = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Of spans and metrics: values that come from few. */
export function toCommonAttributes(event: UsageEvent, servers: Servers): Attributes {
  const server = servers.get(event.provider)
  return withoutGaps({
    'gen_ai.operation.name': toGenAiOperation(event.operation),
    'gen_ai.provider.name': toGenAiProvider(event.provider),
    'gen_ai.request.model': event.requestedModel,
    'gen_ai.response.model': hasResponse(event) ? event.model : null,
    'server.address': server?.address,
    'server.port': server?.port,
    'error.type': toErrorType(event),
  })
}

/** Of spans alone: values of which each call may have its own. */
export function toCallAttributes({ event, cost }: UsageRecord): Attributes {
  const { tokens, firstByteAt } = event
  const { teamId, personId, tool, dims } = splitFacts(event.dims)
  return withoutGaps({
    'gen_ai.request.stream': event.streamed,
    'gen_ai.response.id': event.billing?.generationId,
    'gen_ai.usage.input_tokens': tokens?.input,
    'gen_ai.usage.output_tokens': tokens?.output,
    'gen_ai.usage.cache_read.input_tokens': toPart(tokens?.cacheRead),
    'gen_ai.usage.cache_creation.input_tokens': toPart(
      tokens === null ? 0 : tokens.cacheWrite5m + tokens.cacheWrite1h,
    ),
    'gen_ai.usage.reasoning.output_tokens': toPart(tokens?.reasoning),
    'http.response.status_code': event.httpStatus,
    'weir.request.id': event.id,
    'weir.key.id': event.keyId,
    'weir.team.id': teamId,
    'weir.person.id': personId,
    'weir.tool': tool,
    'weir.session.id': event.agent?.session,
    'weir.status': event.status,
    'weir.usage': event.usage,
    'weir.cost.usd': toUsd(cost),
    'weir.cost.source': cost.source,
    'weir.cost.price_version': cost.priceVersion,
    'weir.service_tier': event.serviceTier,
    'weir.region': event.region,
    'weir.provider_error': event.providerError,
    'weir.time_to_first_byte': firstByteAt === null ? null : secondsBetween(event, firstByteAt),
    ...toDimAttributes(event, Object.keys(dims)),
  })
}

export function toDimAttributes({ dims }: UsageEvent, names: readonly string[]): Attributes {
  const known = names.filter((name) => Object.hasOwn(dims, name))
  return Object.fromEntries(known.map((name) => [`weir.dim.${name}`, dims[name]]))
}

/** Null for a call that ended well. Each is an HTTP status, a code of Weir's, or a status. */
export function toErrorType({ status, httpStatus, errorCode }: UsageEvent): string | null {
  if (status === 'refused' && httpStatus !== null) return String(httpStatus)
  return errorCode ?? (status === 'delivered' ? null : status)
}

/** In seconds. A clock that was set back in between must not give a negative one. */
export function secondsBetween({ startedAt }: UsageEvent, at: number): number {
  return Math.max(0, at - startedAt) / 1000
}

/** Null where it is not known. The nearest number: sums that must be exact are in the record. */
export function toUsd({ amount }: UsageRecord['cost']): number | null {
  return amount === null ? null : Number(formatMoney(amount))
}

/** Before that, `model` is what was asked for. */
function hasResponse({ status, usage }: UsageEvent): boolean {
  return status === 'delivered' || usage !== 'none'
}

/** Parts that most calls do not have are left out where there are none. */
function toPart(tokens: number | undefined): number | null {
  return tokens === undefined || tokens === 0 ? null : tokens
}

function withoutGaps(draft: Draft): Attributes {
  const known: Attributes = {}
  for (const [name, value] of Object.entries(draft)) {
    if (value !== null && value !== undefined) known[name] = value
  }
  return known
}
