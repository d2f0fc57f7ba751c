// Reads the prices of one model in the data of genai-prices. What has an unknown form is left out
// and counted.

import { z } from 'zod'
import { isKnownPrice } from './genai-rates.ts'
import type { GenaiCondition, ModelPrice, TierVariant } from './model-price.ts'
import { day, PRICES_MAX, tierName, timeOfDay, USD_MAX } from './price-file-schema.ts'
import { STEPS_MAX } from '../tables/rule-faults.ts'
import { toTier } from '../tables/rule-table.ts'

export const NAMES_SHOWN_MAX = 20
export const NAME_CHARS_MAX = 64

export interface Tally {
  readonly faults: string[]
  readonly examples: string[]
  readonly units: Map<string, number>
  readonly fields: Map<string, number>
  unreadable: number
}

export interface SourceLocation {
  readonly tally: Tally
  readonly provider: string
  readonly path: string
}

const constraintSchema = z
  .strictObject({
    type: z.unknown().optional(),
    start_date: day.optional(),
    start_time: timeOfDay.optional(),
    end_time: timeOfDay.optional(),
  })
  .refine(({ start_time: start, end_time: end }) => (start === undefined) === (end === undefined))
const variantSchema = z.strictObject({
  when: z.record(z.string().max(NAME_CHARS_MAX), z.string().max(NAME_CHARS_MAX)),
  prices: z.record(z.string(), z.unknown()),
  constraint: z.strictObject({ type: z.unknown().optional(), start_date: day }).optional(),
})
const stepsSchema = z.strictObject({
  base: z.number(),
  tiers: z.array(z.strictObject({ start: z.int().min(0), price: z.number() })).max(STEPS_MAX),
})

/** Those that differ by service tier; others are left out and counted, by what they differ in. */
export function readVariants(variants: unknown, place: SourceLocation): readonly TierVariant[] {
  if (!Array.isArray(variants) || variants.length > PRICES_MAX) return []
  const others = new Set<string>()
  const units = new Set<string>()
  const read = variants.flatMap((each: unknown): TierVariant[] => {
    const variant = variantSchema.safeParse(each)
    const tier = variant.success ? toVariantTier(variant.data.when) : null
    const prices = tier === null ? null : readUnits(variant.data?.prices ?? {}, units, place)
    if (tier !== null && prices !== null) {
      if (Object.keys(prices).length === 0) return []
      return [{ tier, from: variant.data?.constraint?.start_date, prices }]
    }
    const when = variant.success ? Object.keys(variant.data.when).join(', ') : 'unreadable'
    others.add(`price_variants by ${when}`)
    return []
  })
  countEach(place.tally.fields, others)
  countEach(place.tally.units, units)
  return read
}

function toVariantTier(when: Readonly<Record<string, string>>): string | null {
  const [condition, ...more] = Object.entries(when)
  if (condition === undefined || more.length > 0) return null
  const [by, value] = condition
  if (!tierName.safeParse(value).success) return null
  if (by === 'service_tier') return toTier(value)
  return by === 'processing' ? value : null
}

/** Null where a condition or a price has a form that is not known. */
export function readPrices(
  prices: unknown,
  place: SourceLocation,
): readonly GenaiCondition[] | null {
  const list: readonly unknown[] = Array.isArray(prices) ? prices : [{ prices }]
  if (list.length > PRICES_MAX) return null
  const units = new Set<string>()
  const conditions = list.map((each) => readCondition(each, units, place))
  countEach(place.tally.units, units)
  return conditions.every((condition) => condition !== null) ? conditions : null
}

function readCondition(
  each: unknown,
  units: Set<string>,
  place: SourceLocation,
): GenaiCondition | null {
  if (!isObject(each) || !isObject(each['prices'])) return null
  const limits = constraintSchema.nullish().safeParse(each['constraint'])
  // A condition of a new kind would apply where it should not.
  const isKnown = Object.keys(each).every((name) => name === 'constraint' || name === 'prices')
  if (!limits.success || !isKnown) return null
  const known = readUnits(each['prices'], units, place)
  if (known === null) return null
  const { start_date, start_time, end_time } = limits.data ?? {}
  return {
    prices: known,
    ...(limits.data == null
      ? {}
      : {
          constraint: {
            ...(start_date === undefined ? {} : { start_date }),
            ...(start_time === undefined ? {} : { start_time }),
            ...(end_time === undefined ? {} : { end_time }),
          },
        }),
  }
}

function readUnits(
  prices: Readonly<Record<string, unknown>>,
  units: Set<string>,
  place: SourceLocation,
): ModelPrice | null {
  const known: Record<string, ModelPrice[string]> = {}
  for (const [unit, price] of Object.entries(prices)) {
    if (price === null) continue
    if (!isKnownPrice(unit)) {
      units.add(unit.slice(0, NAME_CHARS_MAX))
      // Its name stays: a model that is billed by it alone has a price, which is not known here.
      known[unit] = typeof price === 'number' ? price : 0
      continue
    }
    const read = readPrice(price)
    if (read === null) return null
    if (read.some((usd) => !(usd >= 0 && usd <= USD_MAX))) {
      place.tally.faults.push(`${place.path}.prices: ${unit} is not between 0 and ${USD_MAX} USD`)
    }
    known[unit] = price as ModelPrice[string]
  }
  return known
}

/** Its figures; null for a form that is not known. */
function readPrice(price: unknown): readonly number[] | null {
  if (typeof price === 'number') return [price]
  const steps = stepsSchema.safeParse(price)
  if (!steps.success) return null
  return [steps.data.base, ...steps.data.tiers.map((tier) => tier.price)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function countEach(counts: Map<string, number>, names: Iterable<string>): void {
  for (const name of names) {
    const short = name.slice(0, NAME_CHARS_MAX)
    if (counts.has(short) || counts.size < NAMES_SHOWN_MAX) {
      counts.set(short, (counts.get(short) ?? 0) + 1)
    }
  }
}
