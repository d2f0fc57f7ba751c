// One pure function from event to cost. Must stay true: a cost that the provider states is taken as
// it is, and an unknown cost is null, never zero.

import { CALL_COST_MAX } from '../../core/usage-event.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { Cost } from '../../core/usage-record.ts'
import type { PriceTables } from './price-tables.ts'
import { isUnknown } from './price-table.ts'
import type { PriceEntry } from './price-table.ts'
import { isReason, priceParts, sumParts } from './priced-parts.ts'
import type { PricedPart } from './priced-parts.ts'
import type { UnpricedReason } from './unpriced-reason.ts'

export type { UnpricedReason } from './unpriced-reason.ts'

/** One per model of a call: at most 64 reported shares, and one for what is billed per unit. */
export const VERSIONS_MAX = 65
const VERSIONS_JOINT = ' + '

export interface PricedUse {
  readonly cost: Cost
  readonly entries: readonly PriceEntry[]
  readonly reason: UnpricedReason | null
}

const FREE: Cost = Object.freeze({ amount: 0n, source: 'free', priceVersion: null })
const BYOK_ZERO: Cost = Object.freeze({ amount: 0n, source: 'byok-zero', priceVersion: null })
const PLAN: Cost = Object.freeze({ amount: 0n, source: 'plan', priceVersion: null })
const UNPRICED: Cost = Object.freeze({ amount: null, source: 'unpriced', priceVersion: null })
const FREE_USE: PricedUse = Object.freeze({ cost: FREE, entries: [], reason: null })
const PLAN_USE: PricedUse = Object.freeze({ cost: PLAN, entries: [], reason: null })
const BYOK_USE: PricedUse = Object.freeze({ cost: BYOK_ZERO, entries: [], reason: null })

export function priceEvent(event: UsageEvent, priceTables: PriceTables): Cost {
  return priceUse(event, priceTables).cost
}

export function priceUse(event: UsageEvent, priceTables: PriceTables): PricedUse {
  if (event.status === 'denied') return FREE_USE
  if (event.billing?.isByok === true) return BYOK_USE
  const amount = event.billing?.cost ?? null
  if (amount !== null) {
    return toUse({ amount, source: event.billing?.statedBy ?? 'gateway', priceVersion: null }, [])
  }
  if (!event.chargeable) return FREE_USE
  if (event.billing?.isPlan === true) return PLAN_USE
  const parts = priceByBook(event, priceTables)
  return isReason(parts) ? toUnpriced(parts) : toUse(toCost(parts), toEntries(parts))
}

/** Of a call that a subscription pays for: with what it would have cost, where that is known. */
export function withListPrice(event: UsageEvent, priceTables: PriceTables): UsageEvent {
  const { billing } = event
  if (billing?.isPlan !== true || billing.marketCost !== null || !event.chargeable) return event
  const parts = priceByBook(event, priceTables)
  if (isReason(parts)) return event
  const marketCost = sumParts(parts)
  return marketCost > CALL_COST_MAX ? event : { ...event, billing: { ...billing, marketCost } }
}

/** A part of unknown cost makes the cost of the whole unknown. */
export function priceByBook(
  event: UsageEvent,
  priceTables: PriceTables,
): readonly PricedPart[] | UnpricedReason {
  const { provider, serviceTier, endedAt: atMs } = event
  const region = event.region ?? null
  const parts = priceParts(event, (model) =>
    priceTables.find({ provider, model, serviceTier, region, atMs }),
  )
  if (!isReason(parts) || parts.kind !== 'no-price' || serviceTier === null) return parts
  // If the model has a standard price, it is the tier that has none.
  const { model } = parts
  const ordinary = priceTables.find({ provider, model, serviceTier: null, region, atMs })
  if (ordinary === null || isUnknown(ordinary.rates)) return parts
  return { kind: 'no-tier', model, tier: serviceTier }
}

function toUse(
  cost: Cost & { readonly amount: bigint },
  entries: readonly PriceEntry[],
): PricedUse {
  const isSane = cost.amount <= CALL_COST_MAX && cost.amount >= -CALL_COST_MAX
  return isSane ? { cost, entries, reason: null } : toUnpriced({ kind: 'beyond-limit' })
}

function toUnpriced(reason: UnpricedReason): PricedUse {
  return { cost: UNPRICED, entries: [], reason }
}

function toCost(parts: readonly PricedPart[]): Cost & { readonly amount: bigint } {
  const priceVersion = toVersion(parts)
  if (parts.every(({ entry }) => entry.rates.isFree)) {
    return { amount: 0n, source: 'free', priceVersion }
  }
  const isOverridden = parts.some(({ entry }) => entry.source === 'override')
  const source = isOverridden ? 'override' : 'price-book'
  return { amount: sumParts(parts), source, priceVersion }
}

function toEntries(parts: readonly PricedPart[]): readonly PriceEntry[] {
  if (parts.length === 1) return [(parts[0] as PricedPart).entry]
  return [...new Set(parts.map(({ entry }) => entry))]
}

// One for each model, in the order of the parts, which an explanation relies on.
function toVersion(parts: readonly PricedPart[]): string {
  if (parts.length === 1) return (parts[0] as PricedPart).entry.version
  const versions = new Map(parts.map(({ model, entry }) => [model, entry.version]))
  return [...versions.values()].slice(0, VERSIONS_MAX).join(VERSIONS_JOINT)
}

/** In the order of the call's parts. */
export function versionsOf(priceVersion: string | null): readonly string[] {
  return priceVersion === null ? [] : priceVersion.split(VERSIONS_JOINT)
}
