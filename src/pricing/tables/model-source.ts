// A model of a price list, on its way into a table: its names, and its rates by time and service
// tier. Must stay true: a tier that is not mentioned has no rates.

import { assert } from '../../core/assert.ts'
import type { MatchLogic } from '../data/model-price.ts'
import type {
  UnitPriceRule,
  CorrectedRates,
  ModelIds,
  TierPrice,
  TierRule,
} from '../data/correction.ts'
import { UNIT_PRICE_RULES, TIER_PERCENT } from '../data/corrections.ts'
import { toUnitRate, toRates, toTokenUnit } from '../data/genai-rates.ts'
import { FREE_RATES, isUnknown, scaleTokenRates, STANDARD_TIER } from './price-table.ts'
import type { PriceHours, PriceOrigin, Rate, Rates } from './price-table.ts'

export interface ModelSource {
  readonly id: string
  readonly match: MatchLogic
  /** Of a correction: the last moment of the day whose data it corrects. */
  readonly against?: number
  /** Read on first use: most of a list is never used. */
  readonly readVersions: () => readonly SourceVersion[]
  /** What its first source alone says, where another one added to it. */
  readonly readFirstSource?: (() => readonly SourceVersion[]) | undefined
}

export interface SourceVersion {
  readonly fromMs: number
  readonly hours: PriceHours | null
  readonly label: string
  readonly tiers: ReadonlyMap<string, Rates>
  readonly originOf?: ((tier: string) => PriceOrigin) | undefined
}

export type ModelSources = ReadonlyMap<string, readonly ModelSource[]>

export interface PriceMoment {
  /** A (UTC) day. */
  readonly from: string | null
  readonly hours: { readonly start: string; readonly end: string } | null
}

export function toVersionFrame({ from, hours }: PriceMoment): Omit<SourceVersion, 'tiers'> {
  return {
    fromMs: from === null ? -Infinity : requireMs(`${from}T00:00:00Z`),
    hours: hours === null ? null : { startMs: toDayMs(hours.start), endMs: toDayMs(hours.end) },
    label: `${from === null ? '' : `@${from}`}${hours === null ? '' : `T${hours.start}`}`,
  }
}

/** Data of the same day is what was corrected, so the correction comes after all of it. */
export function toAgainst(day: string): number {
  return requireMs(`${day}T00:00:00Z`) + DAY_MS - 1
}

const DAY_MS = 86_400_000
/** `00:30`, `00:30:00`, `00:30:00Z`. */
const TIME_OF_DAY = /^(\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:\d{2})?$/

function toDayMs(time: string): number {
  const [, clock = '', zone = 'Z'] = TIME_OF_DAY.exec(time) ?? []
  return ((requireMs(`1970-01-01T${clock}${zone}`) % DAY_MS) + DAY_MS) % DAY_MS
}

function requireMs(text: string): number {
  const ms = Date.parse(text)
  assert(Number.isFinite(ms), `moment ${text} of a price`)
  return ms
}

/** A model that costs nothing costs nothing in any tier. */
export function toFreeTiers(provider: string): ReadonlyMap<string, Rates> {
  const tiers = [STANDARD_TIER, ...Object.keys(ownMember(TIER_PERCENT, provider) ?? {})]
  return new Map(tiers.map((tier) => [tier, FREE_RATES]))
}

export interface ListedPrice {
  readonly provider: string
  readonly modelId: string
  readonly rates: Rates
  readonly tiers?: Readonly<Record<string, CorrectedRates>>
}

/** With the fees and the service tiers that our corrections add. */
export function toTiers({ provider, modelId, rates, tiers = {} }: ListedPrice): Map<string, Rates> {
  const standard = withFees(rates, ownMember(UNIT_PRICE_RULES, provider) ?? [], modelId)
  const all = new Map([[STANDARD_TIER, standard]])
  for (const [tier, price] of Object.entries(ownMember(TIER_PERCENT, provider) ?? {})) {
    const tierRates = atTier(standard, price, modelId)
    if (tierRates !== null) all.set(tier, tierRates)
  }
  for (const [tier, prices] of Object.entries(tiers)) {
    const own = toRates(prices)
    const toolCalls = { ...standard.toolCalls, ...own.toolCalls }
    all.set(tier, { ...own, toolCalls, request: own.request ?? standard.request })
  }
  return all
}

// Where a model's price is not known, a fee alone would look like the whole price.
export function withFees(rates: Rates, rules: readonly UnitPriceRule[], modelId: string): Rates {
  if (isUnknown(rates)) return rates
  const fees: Record<string, Rate> = {}
  for (const { kind, price, models } of rules) {
    const isMeant = models === undefined || isNamed(models, modelId)
    if (isMeant && !Object.hasOwn(fees, kind)) fees[kind] = toUnitRate(price)
  }
  return { ...rates, toolCalls: { ...fees, ...rates.toolCalls } }
}

export function atTier(rates: Rates, price: TierPrice, modelId: string): Rates | null {
  const rule: Omit<TierRule, 'models'> | undefined =
    typeof price === 'number'
      ? { percent: price }
      : price.find(({ models }) => isNamed(models, modelId))
  if (rule === undefined) return null
  const { percent, except = [] } = rule
  const kept = except.map(toTokenUnit).filter((unit) => unit !== null)
  return scaleTokenRates(rates, { numerator: BigInt(percent), denominator: 100n }, kept)
}

function isNamed(models: ModelIds, modelId: string): boolean {
  return models.some((pattern) => isGlobMatch(pattern.split('*'), modelId))
}

/** Each part is matched at its first position: if any positions match, these do. */
export function isGlobMatch(parts: readonly string[], name: string): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** Provider ids come from the configuration, and one may have the name of an inherited property. */
function ownMember<Value>(
  table: Readonly<Record<string, Value>>,
  provider: string,
): Value | undefined {
  return Object.hasOwn(table, provider) ? table[provider] : undefined
}
