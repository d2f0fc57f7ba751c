// How a recorded call is shown: what it was, what it used, and units × rates = cost.

import type { RequestDetail } from '../../../client/weir-client.js'
import { describeDifference } from '../../api/prices/difference-words.ts'
import { CALL_WORDS, toReason } from '../../api/requests/call-words.ts'
import { formatCostLines } from './cost-view.ts'
import type { CostLines } from './cost-view.ts'
import { toPrintable } from '../printable.ts'
import { formatTable } from '../table.ts'

export function formatExplained(detail: RequestDetail): string {
  const { explanation } = detail
  const facts = [...describeCall(detail), ...describeUsage(detail)]
  const cost = detail.cost_usd === null ? 'not known' : `${detail.cost_usd} USD`
  return [
    formatTable(facts.map(([name, value]) => [name, toPrintable(value)])),
    '',
    `Cost: ${cost} (${detail.source}). ${toPrintable(explanation.text)}`,
    ...(explanation.lines.length === 0 ? [] : formatCostLines(toCostLines(explanation))),
    ...(detail.price_version === null ? [] : [`Price: ${toPrintable(detail.price_version)}`]),
    ...describeDifferences(detail),
    describeToday(detail.today),
  ].join('\n')
}

function toCostLines({ lines, total_usd: total }: RequestDetail['explanation']): CostLines {
  return {
    cost: total,
    lines: lines.map(({ model, unit, count, rate_usd: rateUsd, cost_usd: costUsd }) => {
      return { model, unit, count, rateUsd, costUsd }
    }),
  }
}

type Fact = readonly [name: string, value: string]

function describeCall(detail: RequestDetail): readonly Fact[] {
  const reason = toReason(detail) ?? detail.http_status
  const why = reason === null ? '' : `: ${reason}`
  const asked = detail.requested_model === detail.model ? null : detail.requested_model
  return keepKnown([
    ['request', detail.id],
    ['started', detail.started_at],
    ['first byte', detail.first_byte_at],
    ['ended', `${detail.ended_at} (${detail.duration_ms} ms)`],
    ['in Weir', detail.own_ms === null ? null : `${detail.own_ms} ms before it was forwarded`],
    ['key', detail.api_key],
    ['team', detail.team],
    ['person', detail.person],
    ['provider', detail.provider],
    ['operation', detail.operation],
    ['model', detail.model ?? '(not stated)'],
    ['asked for', asked],
    ['policy', detail.violation === null ? null : `violated: ${detail.violation} ran`],
    ['status', `${CALL_WORDS[detail.status].label}${why}${detail.streamed ? ', streamed' : ''}`],
    ['bytes', `${detail.request_bytes} sent, ${detail.response_bytes} received`],
    ['dimensions', formatPairs(detail.dims)],
    ['service tier', detail.service_tier],
    ['region', detail.region],
    ['generation', detail.generation_id],
    ['own key', detail.is_byok === null ? null : detail.is_byok ? 'yes' : 'no'],
    ['list price', detail.market_cost_usd === null ? null : `${detail.market_cost_usd} USD`],
  ])
}

function describeUsage(detail: RequestDetail): readonly Fact[] {
  const parts = (names: readonly (readonly [string, number | null])[]): string =>
    names
      .filter(([, count]) => (count ?? 0) > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')
  const whole = (count: number | null, list: string): string | null =>
    count === null ? null : `${count}${list === '' ? '' : ` (${list})`}`
  return keepKnown([
    ['usage', detail.usage],
    [
      'input tokens',
      whole(
        detail.input_tokens,
        parts([
          ['read from cache', detail.cache_read_tokens],
          ['of that audio', detail.cache_read_audio_tokens],
          ['of that images', detail.cache_read_image_tokens],
          ['written to cache for 5 minutes', detail.cache_write_5m_tokens],
          ['written to cache for an hour', detail.cache_write_1h_tokens],
          ['audio', detail.input_audio_tokens],
          ['images', detail.input_image_tokens],
        ]),
      ),
    ],
    [
      'output tokens',
      whole(
        detail.output_tokens,
        parts([
          ['reasoning', detail.reasoning_tokens],
          ['audio', detail.output_audio_tokens],
          ['images', detail.output_image_tokens],
        ]),
      ),
    ],
    ['per unit', formatPairs(detail.tool_calls)],
  ])
}

function keepKnown(facts: readonly (readonly [string, string | null])[]): readonly Fact[] {
  return facts.filter((fact): fact is Fact => fact[1] !== null)
}

function formatPairs(pairs: Readonly<Record<string, string | number>>): string | null {
  const list = Object.entries(pairs).map(([key, value]) => `${key}=${value}`)
  return list.length === 0 ? null : list.join(', ')
}

/** Of several models, each line says which one it is about. */
function describeDifferences({ explanation, model: own }: RequestDetail): readonly string[] {
  return explanation.differs.map(({ model, ...difference }) => {
    const subject = model === own ? '' : ` about ${toPrintable(model)}`
    return `Sources differ${subject}: ${describeDifference(difference)}.`
  })
}

function describeToday(today: RequestDetail['today']): string {
  const { cost_usd: cost, source, price_version: priceVersion, is_same: isSame } = today
  if (isSame) return "Today's prices give the same cost."
  const amount = cost === null ? 'not known' : `${cost} USD`
  const version = priceVersion === null ? '' : `, ${toPrintable(priceVersion)}`
  return `By today's prices: ${amount} (${source}${version}). weir reprice updates the record.`
}
