// All past, current and known future prices of a model, by tier. Must stay true: for every moment
// it shows what the price tables find.

import { findCharged, toPlace } from './charged-price.ts'
import type { PricedModel } from './charged-price.ts'
import { STANDARD_TIER } from './price-table.ts'
import type { EffectivePrice, PriceHours, PriceVersion } from './price-table.ts'

export interface PricePeriod extends EffectivePrice {
  /** In force now, or at other hours of this day. */
  readonly isCurrent: boolean
}

export interface HistorySource extends PricedModel {
  /** The last one in force is the right one. */
  readonly versions: readonly PriceVersion[]
}

/** The standard tier first, each tier newest first. A period ends where the next one begins. */
export function listPeriods(source: HistorySource, nowMs: number): readonly PricePeriod[] {
  const moments = listMoments(source)
  return listTiers(source).flatMap((tier) => {
    const periods: EffectivePrice[] = []
    let effective: readonly EffectivePrice[] = []
    let current: readonly EffectivePrice[] = []
    for (const atMs of moments) {
      const before = effective
      effective = listFrom(source, tier, atMs).map(
        (price) => before.find((each) => isSame(each, price)) ?? price,
      )
      periods.push(...effective.filter((price) => !before.includes(price)))
      if (atMs <= nowMs) current = effective
    }
    return periods.map((price) => ({ ...price, isCurrent: current.includes(price) })).toReversed()
  })
}

/** When something changes; what is before the epoch counts as at the epoch. */
function listMoments({ rules, versions }: HistorySource): readonly number[] {
  const starts = [
    ...versions.map(({ fromMs }) => fromMs),
    ...[...(rules?.rates ?? []), ...(rules?.factors ?? [])].map(({ rule }) => rule.effectiveFrom),
  ]
  return [...new Set(starts.map((ms) => Math.max(0, ms)))].toSorted((one, other) => one - other)
}

function listTiers({ rules, versions }: HistorySource): readonly string[] {
  const named = new Set([
    ...versions.flatMap(({ entries }) => [...entries.keys()]),
    ...(rules?.rates ?? []).map(({ tier }) => tier),
  ])
  const others = [...named].filter((tier) => tier !== STANDARD_TIER).toSorted()
  return named.has(STANDARD_TIER) ? [STANDARD_TIER, ...others] : others
}

/** What is in force from a moment on: one price, or several at different hours. */
function listFrom(source: HistorySource, tier: string, atMs: number): readonly EffectivePrice[] {
  const fromMs = atMs <= 0 ? null : atMs
  const prices: EffectivePrice[] = []
  const inForce = listInForce(source.versions, atMs)
  for (const version of inForce.length === 0 ? [null] : inForce) {
    const charged = findCharged(source, { ...toPlace(tier, null), version, atMs })
    if (charged === null) continue
    const { entry, rule, isGiven } = charged
    const matched = rule?.model ?? version?.modelId ?? ''
    if (isGiven) return [{ tier, entry, fromMs, hours: null, matched }]
    prices.push({ tier, entry, fromMs, hours: version?.hours ?? null, matched })
  }
  return prices
}

/** The one for the whole day comes last: nothing before it is ever used. */
function listInForce(versions: readonly PriceVersion[], atMs: number): readonly PriceVersion[] {
  const inForce: PriceVersion[] = []
  for (const version of versions.toReversed()) {
    if (version.fromMs > atMs) continue
    const isHidden = inForce.some(({ hours }) => isSameHours(hours, version.hours))
    if (!isHidden) inForce.push(version)
    if (version.hours === null) break
  }
  return inForce
}

function isSame(one: EffectivePrice, other: EffectivePrice): boolean {
  return one.entry === other.entry && isSameHours(one.hours, other.hours)
}

function isSameHours(one: PriceHours | null, other: PriceHours | null): boolean {
  return one?.startMs === other?.startMs && one?.endMs === other?.endMs
}
