// Reads the data that genai-prices publishes, of any later version. Must stay true: what Weir does
// not use or does not know is left out and counted, and never a reason to refuse the rest; a known
// figure that cannot be a price is a fault of the whole file.

import { z } from 'zod'
import {
  countEach,
  NAME_CHARS_MAX,
  NAMES_SHOWN_MAX,
  readPrices,
  readVariants,
} from './genai-prices.ts'
import type { SourceLocation, Tally } from './genai-prices.ts'
import { GENAI_IDS_USED } from './genai-source.ts'
import { toConditions } from './model-price.ts'
import type { GenaiModel, GenaiProvider } from './model-price.ts'
import { label, match, MODELS_MAX, PROVIDERS_MAX, toFaults } from './price-file-schema.ts'

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

/** Null where nothing of it can be used. */
function readModel(model: Record<string, unknown>, place: SourceLocation): GenaiModel | null {
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

function toNames(counts: ReadonlyMap<string, number>): readonly IgnoredName[] {
  return [...counts].map(([name, models]) => ({ name, models }))
}
