// The price list that comes with Weir and our corrections, as tables.

import { BUNDLE, BUNDLE_PUBLISHED_AT, BUNDLE_VERSION } from './bundle.ts'
import type { CorrectedModel } from './correction.ts'
import { CORRECTIONS, CORRECTIONS_VERSION } from './corrections.ts'
import { toRates } from './genai-rates.ts'
import { toModelSources } from './genai-versions.ts'
import { createListTable } from '../tables/list-table.ts'
import { toAgainst, toFreeTiers, toTiers, toVersionFrame } from '../tables/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../tables/model-source.ts'
import type { PriceTable } from '../tables/price-table.ts'

export function readBundledSources(): readonly [corrections: ModelSources, bundle: ModelSources] {
  const source = BUNDLE.sources[0]?.name
  const models = Object.entries(BUNDLE.providers).map(([provider, list]) => {
    return [provider, list.map((model) => ({ source, ...model }))] as const
  })
  return [toCorrectedSources(CORRECTIONS), toModelSources(new Map(models))]
}

export interface BundledTables {
  readonly corrections: PriceTable
  readonly bundle: PriceTable
}

let tables: BundledTables | null = null

/** The same for all price tables of a process: each would work out the same prices from them. */
export function bundledTables(): BundledTables {
  tables ??= createTables()
  return tables
}

function createTables(): BundledTables {
  const [corrections, bundle] = readBundledSources()
  return {
    corrections: createListTable(CORRECTIONS_VERSION, corrections, "Weir's corrections"),
    bundle: { ...createListTable(BUNDLE_VERSION, bundle), publishedAt: BUNDLE_PUBLISHED_AT },
  }
}

export function toCorrectedSources(
  corrections: Readonly<Record<string, readonly CorrectedModel[]>>,
): ModelSources {
  const entries = Object.entries(corrections).map(([provider, models]) => {
    return [provider, models.map((model) => toSource(provider, model))] as const
  })
  return new Map(entries)
}

function toSource(provider: string, { id, match, against, prices }: CorrectedModel): ModelSource {
  const readAll = (): readonly SourceVersion[] => readVersions(provider, id, prices)
  return { id, match, against: toAgainst(against), readVersions: readAll }
}

function readVersions(
  provider: string,
  modelId: string,
  prices: CorrectedModel['prices'],
): readonly SourceVersion[] {
  if (prices === null) {
    return [{ ...toVersionFrame({ from: null, hours: null }), tiers: toFreeTiers(provider) }]
  }
  return prices.map(({ from = null, hours = null, prices: own, perUnit, tiers = {} }) => {
    const rates = toRates(own, perUnit)
    const all = toTiers({ provider, modelId, rates, tiers })
    return { ...toVersionFrame({ from, hours }), tiers: all }
  })
}
