// One pure function from event to cost. Must stay true: a cost that the provider states is taken as
// it stands, and a cost that nobody knows is null, never zero.

import { divideHalfEven } from '../core/money.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { Cost } from '../core/usage-record.ts'
import { toCharges } from './charges.ts'
import type { Charge } from './charges.ts'
import type { PriceBook } from './price-book.ts'
import { RATE_UNITS } from './price-table.ts'

// A million dollars. Beyond it an upstream is talking nonsense, and one such figure would make
// every sum worthless and, larger still, not fit the store. The event keeps what was said.
export const CALL_COST_MAX = 1_000_000n * 10n ** 12n

const FREE: Cost = Object.freeze({ amount: 0n, source: 'free', priceVersion: null })
const BYOK_ZERO: Cost = Object.freeze({ amount: 0n, source: 'byok-zero', priceVersion: null })
const UNPRICED: Cost = Object.freeze({ amount: null, source: 'unpriced', priceVersion: null })

export function priceEvent(event: UsageEvent, book: PriceBook): Cost {
  if (event.status === 'denied') return FREE
  if (event.billing?.isByok === true) return BYOK_ZERO
  const stated = event.billing?.cost ?? null
  if (stated !== null) return toCost(stated, 'gateway', null)
  if (!event.chargeable) return FREE
  return priceByBook(event, book)
}

function priceByBook(event: UsageEvent, book: PriceBook): Cost {
  const { provider, model, serviceTier, endedAt, tokens, toolCalls } = event
  if (model === null) return UNPRICED
  const entry = book.find({ provider, model, serviceTier, atMs: endedAt })
  if (entry === null) return UNPRICED
  if (entry.rates.isFree) return { ...FREE, priceVersion: entry.version }
  if (tokens === null) return UNPRICED
  const charges = toCharges({ tokens, toolCalls }, entry.rates)
  return charges === null ? UNPRICED : toCost(sumCharges(charges), entry.source, entry.version)
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
