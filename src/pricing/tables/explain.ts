// How a cost was calculated: units × rates, line by line. Must stay true: the lines are exact, and
// their sum, rounded once, is the cost.

import { formatMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { UsageEvent, UsageKnowledge } from '../../core/usage-event.ts'
import type { Cost, CostSource, StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import type { PriceTables } from './price-tables.ts'
import { priceByBook, priceUse, versionsOf } from './price.ts'
import { fromStoredPrice } from './price-sheet.ts'
import { RATE_DIGITS } from './price-table.ts'
import type { PriceEntry } from './price-table.ts'
import { isReason, modelsOf, priceParts, sumParts } from './priced-parts.ts'
import type { PricedPart } from './priced-parts.ts'
import { formatDecimal, formatRate } from './rate-text.ts'
import { describeReason } from './unpriced-reason.ts'
import type { UnpricedReason } from './unpriced-reason.ts'

export interface Explanation {
  readonly lines: readonly ExplanationLine[]
  readonly cost: Money | null
  readonly source: CostSource
  readonly priceVersion: string | null
  readonly usage: UsageKnowledge
  readonly text: string
}

export interface ExplanationLine {
  readonly model: string | null
  /** As price rules name it: `cache_read`, `web_search`. */
  readonly unit: string
  readonly count: number
  /** USD for one, exactly. */
  readonly rateUsd: string
  /** Exact: only the sum is rounded. */
  readonly costUsd: string
  readonly version: string
}

export function quoteUse(event: UsageEvent, priceTables: PriceTables): Explanation {
  const { cost, reason } = priceUse(event, priceTables)
  const parts = isComputed(cost) ? priceByBook(event, priceTables) : []
  const lines = isReason(parts) ? [] : toLines(parts)
  return toExplanation(event, cost, { lines, why: reason === null ? null : toSentence(reason) })
}

/** By the prices that were stored with the record, whatever today's price tables say. */
export function explainRecord(
  { event, cost }: UsageRecord,
  prices: readonly StoredPrice[],
): Explanation {
  if (cost.source === 'unpriced') {
    return toExplanation(event, cost, { lines: [], why: guessReason(event) })
  }
  if (!isComputed(cost)) return toExplanation(event, cost, { lines: [], why: null })
  const parts = findParts(event, cost, prices)
  if (typeof parts === 'string') return toExplanation(event, cost, { lines: [], why: parts })
  const total = sumParts(parts)
  const why =
    total === cost.amount
      ? null
      : `The lines add up to ${formatMoney(total)} USD, which is not what was recorded.`
  return toExplanation(event, cost, { lines: toLines(parts), why })
}

function isComputed({ source }: Cost): boolean {
  return source === 'price-book' || source === 'override'
}

function findParts(
  event: UsageEvent,
  { priceVersion }: Cost,
  prices: readonly StoredPrice[],
): readonly PricedPart[] | string {
  const versions = versionsOf(priceVersion)
  const models = modelsOf(event)
  if (versions.length !== models.length) {
    return (
      `The call ran ${models.length} models and its record names ${versions.length} prices: ` +
      'which price belongs to which model was not stored.'
    )
  }
  const entries = new Map<string, PriceEntry>()
  for (const [index, version] of versions.entries()) {
    const stored = prices.find((price) => price.version === version)
    const entry = stored === undefined ? null : fromStoredPrice(stored)
    if (entry === null) return `The rates of the price version ${version} were not stored.`
    entries.set(models[index] ?? '', entry)
  }
  const parts = priceParts(event, (model) => entries.get(model) ?? null)
  return isReason(parts) ? `The stored rates do not fit the call: ${describeReason(parts)}.` : parts
}

function toLines(parts: readonly PricedPart[]): readonly ExplanationLine[] {
  return parts.flatMap(({ model, charges, entry }) =>
    charges.map(({ unit, count, rate }) => ({
      model,
      unit,
      count,
      rateUsd: formatRate(rate),
      costUsd: formatDecimal(BigInt(count) * rate, RATE_DIGITS),
      version: entry.version,
    })),
  )
}

function toExplanation(
  event: UsageEvent,
  cost: Cost,
  { lines, why }: { lines: readonly ExplanationLine[]; why: string | null },
): Explanation {
  const { amount, source, priceVersion } = cost
  const sentences = [
    describeSource(event, cost),
    why,
    describeUsage(event, cost),
    describeMarket(event),
  ]
  const text = sentences.filter((sentence) => sentence !== null).join(' ')
  return { lines, cost: amount, source, priceVersion, usage: event.usage, text }
}

function describeSource(event: UsageEvent, { source, priceVersion }: Cost): string {
  switch (source) {
    case 'gateway':
    case 'provider':
      return 'The cost was taken from the response.'
    case 'byok-zero':
      return "The call was made with the caller's own provider key, and charged to it."
    case 'plan':
      return 'A subscription paid for the call: nothing was charged for it.'
    case 'price-book':
      return 'The cost was computed from list prices.'
    case 'override':
      return "The cost was computed from the operator's prices."
    case 'unpriced':
      return 'The cost is not known.'
    case 'free':
      if (event.status === 'denied') return 'Weir refused the call: nothing was forwarded.'
      return priceVersion === null
        ? 'Calls of this kind are not charged.'
        : 'The provider charges nothing for this model.'
  }
}

function describeUsage({ usage, status, tokens }: UsageEvent, cost: Cost): string | null {
  if (!isComputed(cost)) return null
  if (usage === 'estimated') {
    const how = tokens === null ? 'what was asked for is counted' : 'the tokens were estimated'
    return `The provider did not report usage: ${how}.`
  }
  if (usage !== 'partial') return null
  return status === 'delivered'
    ? 'Only a part of the usage is known: the cost is at least this.'
    : 'The call ended early: what was reported until then is counted.'
}

function describeMarket({ billing }: UsageEvent): string | null {
  return billing?.isMarketCostAbsurd === true
    ? 'The market cost in the response is more than a call can cost, and is left out.'
    : null
}

function toSentence(reason: UnpricedReason): string {
  const text = describeReason(reason)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** From the facts alone; which prices were missing at the time was not recorded. */
function guessReason(event: UsageEvent): string {
  const { model, serviceTier, tokens, usage, billing, shares } = event
  if ((billing?.cost ?? null) !== null) return toSentence({ kind: 'beyond-limit' })
  if (model === null && !shares?.length) return toSentence({ kind: 'no-model' })
  const isPerUnit =
    (usage === 'reported' || usage === 'estimated') && Object.keys(event.toolCalls).length > 0
  const hasUse = tokens !== null || isPerUnit
  if (!hasUse) return toSentence({ kind: 'no-tokens' })
  const tier = serviceTier === null ? '' : ` in the service tier ${serviceTier}`
  return `When it was recorded, no price for all that ${model ?? 'it'} used${tier} was known.`
}
