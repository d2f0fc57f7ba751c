// Reads the data that genai-prices publishes, of any later version. Must stay true: what Weir does
// not use or does not know is left out and counted, and never a reason to refuse the rest; a known
// figure that cannot be a price is a fault of the whole file.

import type { ModelPrice } from './model-price.ts'
import { z } from 'zod'
import { isKnownPrice } from './genai-rates.ts'
import { GENAI_IDS_USED, toConditions } from './genai-source.ts'
import type { GenaiCondition, GenaiModel, GenaiProvider, TierVariant } from './genai-source.ts'
import { toTier } from '../book/rule-table.ts'
import {
  day,
  label,
  match,
  MODELS_MAX,
  PRICES_MAX,
  PROVIDERS_MAX,
  tierName,
  timeOfDay,
  toFaults,
  USD_MAX,
} from './price-file-schema.ts'
import { STEPS_MAX } from '../book/rule-faults.ts'

/** A unit or a field that is not used, and how many models have it. */
export interface IgnoredName {
  readonly name: string
  readonly models: number
}

export interface SkippedEntries {
  /** Providers that Weir does not use, and their models. */
  readonly providers: number
  readonly models: number
  /** Models of providers that it uses, with an id, a match or a price that it cannot represent. */
  readonly unreadable: number
  /** Some of the unreadable ones. */
  readonly examples: readonly string[]
}

export const NOTHING_SKIPPED: SkippedEntries = {
  providers: 0,
  models: 0,
  unreadable: 0,
  examples: [],
}

export interface GenaiFile {
  readonly providers: ReadonlyMap<string, GenaiProvider>
  readonly skipped: SkippedEntries
  readonly ignoredUnits: readonly IgnoredName[]
  readonly ignoredFields: readonly IgnoredName[]
  readonly faults: readonly string[]
}

const NAMES_SHOWN_MAX = 20
const NAME_CHARS_MAX = 64

/** Known, whether they say something about prices or not. */
const MODEL_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'match',
  'prices',
  'name',
  'description',
  'context_window',
  'price_comments',
  'price_variants',
  'deprecated',
])

const listSchema = z
  .array(z.looseObject({ id: z.string().min(1), models: z.unknown() }))
  .min(1)
  .max(PROVIDERS_MAX)
const modelsSchema = z.array(z.looseObject({})).max(MODELS_MAX)
const namedSchema = z.object({ id: label, match })
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

interface Tally {
  readonly faults: string[]
  readonly examples: string[]
  readonly units: Map<string, number>
  readonly fields: Map<string, number>
  unreadable: number
}

export function readGenaiFile(json: unknown): GenaiFile {
  const tally: Tally = {
    faults: [],
    examples: [],
    units: new Map(),
    fields: new Map(),
    unreadable: 0,
  }
  const providers = new Map<string, GenaiProvider>()
  const parsed = listSchema.safeParse(json)
  if (!parsed.success) tally.faults.push(...toFaults(parsed.error))
  const entries = parsed.success ? parsed.data : []
  let otherProviders = 0
  let otherModels = 0
  for (const [at, entry] of entries.entries()) {
    if (!GENAI_IDS_USED.has(entry.id)) {
      otherProviders += 1
      otherModels += Array.isArray(entry.models) ? entry.models.length : 0
      continue
    }
    const models = modelsSchema.safeParse(entry.models)
    if (!models.success) {
      tally.faults.push(...toFaults(models.error, [at, 'models']))
      continue
    }
    const read = models.data.map((model, index) =>
      readModel(model, { tally, provider: entry.id, path: `${at}.models.${index}` }),
    )
    providers.set(entry.id, {
      id: entry.id,
      models: read.filter((model) => model !== null),
    })
  }
  const { faults, examples, unreadable } = tally
  if (faults.length === 0 && ![...providers.values()].some(hasPrices)) {
    faults.push('has no prices of a known provider')
  }
  return {
    providers,
    skipped: { providers: otherProviders, models: otherModels, unreadable, examples },
    ignoredUnits: toNames(tally.units),
    ignoredFields: toNames(tally.fields),
    faults,
  }
}

function hasPrices({ models }: GenaiProvider): boolean {
  return models.some(({ prices }) => toConditions(prices).length > 0)
}

interface Place {
  readonly tally: Tally
  readonly provider: string
  readonly path: string
}

/** Null where nothing of it can be used. */
function readModel(model: Record<string, unknown>, place: Place): GenaiModel | null {
  const { tally, provider } = place
  const named = namedSchema.safeParse({ id: model['id'], match: model['match'] })
  const prices = readPrices(model['prices'], place)
  if (!named.success || prices === null) {
    tally.unreadable += 1
    if (tally.examples.length < NAMES_SHOWN_MAX) {
      tally.examples.push(`${provider} ${String(model['id']).slice(0, NAME_CHARS_MAX)}`)
    }
  }
  if (!named.success) return null
  countEach(
    tally.fields,
    Object.keys(model).filter((field) => !MODEL_FIELDS.has(field)),
  )
  const variants = readVariants(model['price_variants'], place)
  // Without prices it stays in the list: a pattern of other models must not match its name.
  return {
    ...named.data,
    prices: prices ?? [],
    ...(variants.length === 0 ? {} : { variants }),
  }
}

/** Those that differ by service tier; others are left out and counted, by what they differ in. */
function readVariants(variants: unknown, place: Place): readonly TierVariant[] {
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
function readPrices(prices: unknown, place: Place): readonly GenaiCondition[] | null {
  const list: readonly unknown[] = Array.isArray(prices) ? prices : [{ prices }]
  if (list.length > PRICES_MAX) return null
  const units = new Set<string>()
  const conditions = list.map((each) => readCondition(each, units, place))
  countEach(place.tally.units, units)
  return conditions.every((condition) => condition !== null) ? conditions : null
}

function readCondition(each: unknown, units: Set<string>, place: Place): GenaiCondition | null {
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
  place: Place,
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

function countEach(counts: Map<string, number>, names: Iterable<string>): void {
  for (const name of names) {
    const short = name.slice(0, NAME_CHARS_MAX)
    if (counts.has(short) || counts.size < NAMES_SHOWN_MAX) {
      counts.set(short, (counts.get(short) ?? 0) + 1)
    }
  }
}

function toNames(counts: ReadonlyMap<string, number>): readonly IgnoredName[] {
  return [...counts].map(([name, models]) => ({ name, models }))
}
