// Which rates are in force for a provider's model at a moment: the operator's own rates, then their
// factors on listed prices; of corrections, imported data and the bundle, what was published last.
// What none of them knows is null, never zero. Repeated lookups cost two map reads.

import { bundledTables } from '../data/bundled-prices.ts'
import { createFileTables } from '../data/price-file.ts'
import type { PriceFile } from '../data/price-file.ts'
import { toRegionTier } from '../data/corrections.ts'
import { findCharged, toPlace } from './charged-price.ts'
import type { PricedModel, TierRegion } from './charged-price.ts'
import { createLocalTable } from './local-table.ts'
import { MODEL_LENGTH_MAX } from './model-match.ts'
import type { PriceRule } from '../../core/price-rule.ts'
import { listPeriods } from './price-history.ts'
import type { PricePeriod } from './price-history.ts'
import type {
  EffectivePrice,
  ListedModel,
  PriceEntry,
  PriceHours,
  PriceTable,
  PriceVersion,
} from './price-table.ts'
import { createRuleTable, toTier } from './rule-table.ts'
import { findMerged } from './table-order.ts'

export interface PriceQuestion {
  readonly provider: string
  readonly model: string
  /** As served; null means the ordinary one. */
  readonly serviceTier: string | null
  /** Where the call is processed; null or absent where that is not known. */
  readonly region?: string | null
  readonly atMs: number
}

export interface PriceTables {
  find(question: PriceQuestion): PriceEntry | null
}

type ModelMoment = Omit<PriceQuestion, 'serviceTier' | 'region'>

export interface PriceCatalog extends PriceTables {
  /** By service tier; empty where the model is unknown. */
  list(question: ModelMoment): readonly EffectivePrice[]
  listPeriods(question: ModelMoment): readonly PricePeriod[]
  /** A name for each listed model, without what only rules name. */
  listModels(): readonly ListedModel[]
}

export interface PriceTablesOptions {
  /** Ties are decided by this order. */
  readonly rules?: readonly PriceRule[]
  readonly imported?: PriceFile | null
  /** Providers that charge nothing where no list has a price. */
  readonly local?: ReadonlySet<string>
  /** By date, then in this order; replaces corrections, imported data and bundle. */
  readonly tables?: readonly PriceTable[]
  /** Names are callers' input, so the cache is bounded; when full, it is cleared. */
  readonly modelsCachedMax?: number
}

const MODELS_CACHED_MAX = 10_000
const DAY_MS = 86_400_000

interface KnownModel extends PricedModel {
  /** The last one in force is the right one. */
  readonly versions: readonly PriceVersion[]
  /** By start date, as nearly all are. */
  readonly isSorted: boolean
}

const UNKNOWN: KnownModel = {
  rules: null,
  versions: [],
  isSorted: true,
  made: { entry: null, next: new Map() },
}

export function createPriceTables(options: PriceTablesOptions = {}): PriceCatalog {
  const tables = options.tables ?? createTables(options)
  const rules = createRuleTable(options.rules ?? [])
  const modelsCachedMax = options.modelsCachedMax ?? MODELS_CACHED_MAX
  const cache = new Map<string, Map<string, KnownModel>>()
  let modelsCached = 0

  function lookUp(provider: string, model: string): KnownModel {
    const name = model.trim().toLowerCase()
    if (name.length > MODEL_LENGTH_MAX) return UNKNOWN
    const versions = findMerged(tables, provider, name)
    return {
      rules: rules.rulesFor(provider, name),
      versions,
      isSorted: versions.every(({ fromMs }, at) => fromMs >= (versions[at - 1]?.fromMs ?? fromMs)),
      made: { entry: null, next: new Map() },
    }
  }

  function know(provider: string, model: string): KnownModel {
    const known = cache.get(provider)?.get(model)
    if (known !== undefined) return known
    const found = lookUp(provider, model)
    if (modelsCached >= modelsCachedMax) {
      cache.clear()
      modelsCached = 0
    }
    const models = cache.get(provider) ?? new Map<string, KnownModel>()
    cache.set(provider, models.set(model, found))
    modelsCached += 1
    return found
  }

  return {
    find({ provider, model, serviceTier, region = null, atMs }) {
      const regionTier = region === null ? null : toRegionTier(provider, region)
      return findEntry(know(provider, model), toPlace(toTier(serviceTier), regionTier), atMs)
    },
    list: ({ provider, model, atMs }) => listEffective(know(provider, model), atMs),
    listPeriods: ({ provider, model, atMs }) => listPeriods(know(provider, model), atMs),
    listModels: () => tables.flatMap((table) => table.listModels()),
  }
}

function createTables({ imported = null, local }: PriceTablesOptions): readonly PriceTable[] {
  const { corrections, bundle } = bundledTables()
  return [
    corrections,
    ...(imported === null ? [] : createFileTables(imported)),
    bundle,
    ...(local === undefined ? [] : [createLocalTable(local)]),
  ]
}

function findEntry(known: KnownModel, place: TierRegion, atMs: number): PriceEntry | null {
  const version = findVersionInForce(known, atMs)
  return findCharged(known, { ...place, version, atMs })?.entry ?? null
}

function listEffective(known: KnownModel, atMs: number): readonly EffectivePrice[] {
  const version = findVersionInForce(known, atMs)
  const ruled = (known.rules?.rates ?? []).map(({ tier }) => tier)
  const tiers = new Set([...(version?.entries.keys() ?? []), ...ruled])
  return [...tiers].flatMap((tier): EffectivePrice[] => {
    const place = toPlace(tier, null)
    const charged = findCharged(known, { ...place, version, atMs })
    if (charged === null) return []
    const { entry, rule, isGiven } = charged
    const matched = rule?.model ?? version?.modelId ?? ''
    const ruledMs = rule?.effectiveFrom ?? -Infinity
    if (isGiven) return [{ tier, entry, fromMs: ruledMs, hours: null, matched }]
    // Later versions may differ in other tiers only.
    const first = known.versions.find((each) => {
      return findCharged(known, { ...place, version: each, atMs })?.entry === entry
    })
    const since = Math.max(first?.fromMs ?? -Infinity, ruledMs)
    const fromMs = Number.isFinite(since) ? since : null
    return [{ tier, entry, fromMs, hours: version?.hours ?? null, matched }]
  })
}

function findVersionInForce({ versions, isSorted }: KnownModel, atMs: number): PriceVersion | null {
  let index = isSorted ? lastStarted(versions, atMs) : versions.length - 1
  for (; index >= 0; index -= 1) {
    const version = versions[index] as PriceVersion
    if (atMs >= version.fromMs && isWithin(version.hours, atMs)) return version
  }
  return null
}

/** A binary search: a price that changes with the days of the week has hundreds of versions. */
function lastStarted(versions: readonly PriceVersion[], atMs: number): number {
  let low = 0
  let high = versions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((versions[middle] as PriceVersion).fromMs <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

function isWithin(hours: PriceHours | null, atMs: number): boolean {
  if (hours === null) return true
  const time = atMs % DAY_MS
  const { startMs, endMs } = hours
  return startMs <= endMs ? time >= startMs && time < endMs : time >= startMs || time < endMs
}
