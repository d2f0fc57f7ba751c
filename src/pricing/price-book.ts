// The price book: which rates hold for a provider's model at a moment. Tables are asked in order,
// so an operator's prices come before corrections and those before the bundle; what no table knows
// is null, never zero. After a model's first look-up, the next ones cost two map reads.

import { createBundledTables } from './bundled-prices.ts'
import { STANDARD_TIER_NAMES } from './corrections.ts'
import { MODEL_LENGTH_MAX } from './model-match.ts'
import { STANDARD_TIER } from './price-table.ts'
import type { PriceEntry, PriceTable, PriceVersion } from './price-table.ts'

export interface PriceQuestion {
  readonly provider: string
  readonly model: string
  /** As served; null means the ordinary one. */
  readonly serviceTier: string | null
  readonly atMs: number
}

export interface PriceBook {
  find(question: PriceQuestion): PriceEntry | null
}

export interface PriceBookOptions {
  /** In order of precedence; the bundled prices when left out. */
  readonly tables?: readonly PriceTable[]
  /** Names are callers' input, so the memory for them is bounded; when full it starts afresh. */
  readonly modelsCachedMax?: number
}

const MODELS_CACHED_MAX = 10_000
const DAY_MS = 86_400_000

/** What each table that knows the model has for it, in the tables' order. */
type Candidates = readonly (readonly PriceVersion[])[]

export function createPriceBook(options: PriceBookOptions = {}): PriceBook {
  const tables = options.tables ?? createBundledTables()
  const modelsCachedMax = options.modelsCachedMax ?? MODELS_CACHED_MAX
  const cache = new Map<string, Map<string, Candidates>>()
  let modelsCached = 0

  function candidatesFor(provider: string, model: string): Candidates {
    const known = cache.get(provider)?.get(model)
    if (known !== undefined) return known
    const name = model.trim().toLowerCase()
    const found =
      name.length > MODEL_LENGTH_MAX
        ? []
        : tables.map((table) => table.findVersions(provider, name)).filter((hit) => hit !== null)
    if (modelsCached >= modelsCachedMax) {
      cache.clear()
      modelsCached = 0
    }
    const models = cache.get(provider) ?? new Map<string, Candidates>()
    cache.set(provider, models.set(model, found))
    modelsCached += 1
    return found
  }

  return {
    find({ provider, model, serviceTier, atMs }) {
      const tier =
        serviceTier === null || STANDARD_TIER_NAMES.has(serviceTier) ? STANDARD_TIER : serviceTier
      for (const versions of candidatesFor(provider, model)) {
        const entry = findHolding(versions, atMs)?.entries.get(tier)
        if (entry !== undefined) return entry
      }
      return null
    },
  }
}

function findHolding(versions: readonly PriceVersion[], atMs: number): PriceVersion | null {
  for (let index = versions.length - 1; index >= 0; index -= 1) {
    const version = versions[index] as PriceVersion
    if (atMs >= version.fromMs && isWithin(version.hours, atMs)) return version
  }
  return null
}

function isWithin(hours: PriceVersion['hours'], atMs: number): boolean {
  if (hours === null) return true
  const time = atMs % DAY_MS
  const { startMs, endMs } = hours
  return startMs <= endMs ? time >= startMs && time < endMs : time >= startMs || time < endMs
}
