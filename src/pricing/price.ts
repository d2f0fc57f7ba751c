// One pure function from event to cost. Must stay true: a cost that the provider states is taken as
// it stands, and a cost that nobody knows is null, never zero.

import { divideHalfEven } from '../core/money.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import type { TokenCounts } from '../core/token-counts.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { Cost } from '../core/usage-record.ts'
import { toCharges } from './charges.ts'
import type { Charge } from './charges.ts'
import type { PriceBook } from './price-book.ts'
import { RATE_UNITS } from './price-table.ts'
import type { PriceEntry } from './price-table.ts'

// A million dollars. Beyond it an upstream is talking nonsense, and one such figure would make
// every sum worthless and, larger still, not fit the store. The event keeps what was said.
export const CALL_COST_MAX = 1_000_000n * 10n ** 12n

const FREE: Cost = Object.freeze({ amount: 0n, source: 'free', priceVersion: null })
const BYOK_ZERO: Cost = Object.freeze({ amount: 0n, source: 'byok-zero', priceVersion: null })
const NO_TOKENS = createTokenCounts({})
/** Named in a cost; the models of a large batch may have more. */
const VERSIONS_MAX = 8
const UNPRICED: Cost = Object.freeze({ amount: null, source: 'unpriced', priceVersion: null })

export function priceEvent(event: UsageEvent, book: PriceBook): Cost {
  if (event.status === 'denied') return FREE
  if (event.billing?.isByok === true) return BYOK_ZERO
  const stated = event.billing?.cost ?? null
  if (stated !== null) return toCost(stated, 'gateway', null)
  if (!event.chargeable) return FREE
  return priceByBook(event, book)
}

/** What is charged by the rates of one model. */
interface Part extends Pick<UsageEvent, 'model' | 'tokens' | 'toolCalls'> {
  readonly largestInput?: number
}

interface PricedPart {
  readonly charges: readonly Charge[]
  readonly entry: PriceEntry
}

/** A part whose cost nobody knows leaves the cost of the whole unknown. */
function priceByBook(event: UsageEvent, book: PriceBook): Cost {
  const charges: Charge[] = []
  const entries: PriceEntry[] = []
  for (const part of partsOf(event)) {
    const priced = pricePart(part, event, book)
    if (priced === null) return UNPRICED
    charges.push(...priced.charges)
    entries.push(priced.entry)
  }
  const priceVersion = toVersion(entries)
  if (entries.every(({ rates }) => rates.isFree)) return { ...FREE, priceVersion }
  const isOverridden = entries.some(({ source }) => source === 'override')
  return toCost(sumCharges(charges), isOverridden ? 'override' : 'price-book', priceVersion)
}

/** Shares are priced each as its own model; what is billed apiece, as the call's own. */
function partsOf(event: UsageEvent): readonly Part[] {
  const { model, toolCalls, shares } = event
  if (!shares?.length) return [{ model, tokens: tokensOf(event), toolCalls }]
  const parts: Part[] = shares.map((share) => {
    return { ...share, model: share.model ?? model, toolCalls: {} }
  })
  if (!hasToolCalls(event)) return parts
  const own = parts.findIndex((part) => part.model === model)
  // A fee per call is due with the model's own share; where it has none, the tools carry it.
  if (own === -1) parts.push({ model, tokens: NO_TOKENS, toolCalls })
  else parts[own] = { ...(parts[own] as Part), toolCalls }
  return parts
}

/** Images and searches have no tokens, and are told in full by their number. */
function tokensOf(event: UsageEvent): TokenCounts | null {
  const isToldApiece = event.usage === 'reported' && hasToolCalls(event)
  return event.tokens ?? (isToldApiece ? NO_TOKENS : null)
}

function hasToolCalls({ toolCalls }: UsageEvent): boolean {
  for (const _ in toolCalls) return true
  return false
}

function pricePart(part: Part, event: UsageEvent, book: PriceBook): PricedPart | null {
  const { model, tokens } = part
  if (model === null) return null
  const { provider, serviceTier, endedAt } = event
  const entry = book.find({ provider, model, serviceTier, atMs: endedAt })
  if (entry === null) return null
  if (entry.rates.isFree) return { charges: [], entry }
  if (tokens === null) return null
  const charges = toCharges({ ...part, tokens }, entry.rates)
  return charges === null ? null : { charges, entry }
}

function toVersion(entries: readonly PriceEntry[]): string | null {
  if (entries.length === 1) return (entries[0] as PriceEntry).version
  const versions = [...new Set(entries.map(({ version }) => version))]
  return versions.length === 0 ? null : versions.slice(0, VERSIONS_MAX).join(' + ')
}

function toCost(amount: bigint, source: Cost['source'], priceVersion: string | null): Cost {
  const isSane = amount <= CALL_COST_MAX && amount >= -CALL_COST_MAX
  return isSane ? { amount, source, priceVersion } : UNPRICED
}

/** Rounded once, after the last addition. */
export function sumCharges(charges: readonly Charge[]): bigint {
  let total = 0n
  for (const { count, rate } of charges) total += BigInt(count) * rate
  return divideHalfEven(total, RATE_UNITS)
}
