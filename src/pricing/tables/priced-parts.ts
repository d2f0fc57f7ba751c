// A call split by the models that ran in it, each with its rates and charges. Must stay true:
// pricing and explaining split it in the same way, so that an explanation adds up to the cost.

import { divideHalfEven } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { isFault, toCharges } from './charges.ts'
import type { Charge, UsedUnits } from './charges.ts'
import { isUnknown, RATES_PER_MONEY } from './price-table.ts'
import type { PriceEntry } from './price-table.ts'
import type { UnpricedReason } from './unpriced-reason.ts'

export interface PricedPart {
  readonly model: string
  readonly charges: readonly Charge[]
  readonly entry: PriceEntry
}

interface Part extends Pick<UsageEvent, 'model' | 'tokens' | 'toolCalls'> {
  readonly largestInput?: number
  readonly isFeeElsewhere?: boolean
}

const NO_TOKENS = createTokenCounts({})

export type FindEntry = (model: string) => PriceEntry | null

/** The first part that cannot be priced is the reason for the whole. */
export function priceParts(
  event: UsageEvent,
  findEntry: FindEntry,
): readonly PricedPart[] | UnpricedReason {
  const priced: PricedPart[] = []
  for (const part of partsOf(event)) {
    const reason = pricePart(part, findEntry, priced)
    if (reason !== null) return reason
  }
  return priced
}

export function isReason(parts: readonly PricedPart[] | UnpricedReason): parts is UnpricedReason {
  return !Array.isArray(parts)
}

export function modelsOf(event: UsageEvent): readonly (string | null)[] {
  return [...new Set(partsOf(event).map(({ model }) => model))]
}

/** Each share is priced as its own model; what is billed per unit, as the call's model. */
function partsOf(event: UsageEvent): readonly Part[] {
  const { model, toolCalls, shares } = event
  if (!shares?.length) return [{ model, tokens: tokensOf(event), toolCalls }]
  const parts: Part[] = shares.map((share) => {
    return { ...share, model: share.model ?? model, toolCalls: {}, isFeeElsewhere: true }
  })
  const own = parts.findIndex((part) => part.model === model)
  // A fee per call is charged once: with the call's own model, else the tools, else the first
  // share.
  if (own === -1 && hasToolCalls(event)) parts.push({ model, tokens: NO_TOKENS, toolCalls })
  else {
    const carrier = Math.max(own, 0)
    parts[carrier] = { ...(parts[carrier] as Part), toolCalls, isFeeElsewhere: false }
  }
  return parts
}

/** Images and searches have no tokens; their number is all that is reported. */
function tokensOf(event: UsageEvent): TokenCounts | null {
  const isKnown = event.usage === 'reported' || event.usage === 'estimated'
  return event.tokens ?? (isKnown && hasToolCalls(event) ? NO_TOKENS : null)
}

function hasToolCalls({ toolCalls }: UsageEvent): boolean {
  for (const _ in toolCalls) return true
  return false
}

function pricePart(part: Part, findEntry: FindEntry, priced: PricedPart[]): UnpricedReason | null {
  const { model } = part
  if (model === null) return { kind: 'no-model' }
  const entry = findEntry(model)
  if (entry === null || isUnknown(entry.rates)) return { kind: 'no-price', model }
  if (entry.rates.isFree) {
    priced.push({ model, charges: [], entry })
    return null
  }
  if (!hasTokens(part)) return { kind: 'no-tokens' }
  const charges = toCharges(part, entry.rates)
  if (isFault(charges)) return { ...charges, model }
  priced.push({ model, charges, entry })
  return null
}

function hasTokens(part: Part): part is Part & UsedUnits {
  return part.tokens !== null
}

export function sumParts(parts: readonly PricedPart[]): Money {
  let total = 0n
  for (const { charges } of parts) {
    for (const { count, rate } of charges) total += BigInt(count) * rate
  }
  // Nearly every sum is a whole number of the smallest unit of money, with nothing to round.
  const whole = total / RATES_PER_MONEY
  return whole * RATES_PER_MONEY === total ? whole : divideHalfEven(total, RATES_PER_MONEY)
}
