// The pinned data of genai-prices, and our corrections, as tables. Its calculator is not used: it
// works in floats, takes 22 to 125 microseconds and throws on unusual usage. Its updater, which
// would use the network, is never started.

import { findProvider } from '@pydantic/genai-prices'
import { assert } from '../../core/assert.ts'
import type { CorrectedModel, CorrectedPrice } from './correction.ts'
import { CORRECTIONS, CORRECTIONS_VERSION } from './corrections.ts'
import { toRates } from './genai-rates.ts'
import { GENAI_IDS, toGenaiSources } from './genai-source.ts'
import { createListTable } from '../book/list-table.ts'
import { toFreeTiers, toTiers, toVersionFrame } from '../book/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../book/model-source.ts'
import type { PriceTable } from '../book/price-table.ts'

/** The installed package does not export its version; a test compares this with package.json. */
export const BUNDLE_VERSION = 'genai-prices@0.1.8'

/** The age of prices is counted from here. */
export const BUNDLE_PUBLISHED_AT = Date.parse('2026-09-23T00:00:00Z')

/** Corrections first, then the bundle. */
export function readBundledSources(): readonly [corrections: ModelSources, bundle: ModelSources] {
  for (const id of Object.values(GENAI_IDS)) {
    assert(findProvider({ providerId: id })?.id === id, `no bundled provider ${id}`)
  }
  return [
    toCorrectedSources(CORRECTIONS),
    toGenaiSources((id) => {
      const provider = findProvider({ providerId: id })
      // The package also finds similar names, which is not wanted here.
      return provider?.id === id ? provider : undefined
    }),
  ]
}

export interface BundledTables {
  readonly corrections: PriceTable
  readonly bundle: PriceTable
}

/** Imported data comes between the two. */
export function createBundledTables(): BundledTables {
  const [corrections, bundle] = readBundledSources()
  return {
    corrections: createListTable(CORRECTIONS_VERSION, [corrections]),
    bundle: createListTable(BUNDLE_VERSION, [bundle]),
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

function toSource(provider: string, { id, match, prices }: CorrectedModel): ModelSource {
  return { id, match, readVersions: () => readVersions(provider, id, prices) }
}

function readVersions(
  provider: string,
  modelId: string,
  prices: CorrectedModel['prices'],
): readonly SourceVersion[] {
  if (prices === null) {
    return [{ ...toVersionFrame({ from: null, hours: null }), tiers: toFreeTiers(provider) }]
  }
  return toPrices(prices).map(({ from = null, hours = null, prices: own, perUnit, tiers = {} }) => {
    const rates = toRates(own, perUnit)
    const all = toTiers({ provider, modelId, rates, tiers })
    return { ...toVersionFrame({ from, hours }), tiers: all }
  })
}

function toPrices(prices: Exclude<CorrectedModel['prices'], null>): readonly CorrectedPrice[] {
  return isList(prices) ? prices : [{ prices }]
}

function isList(
  prices: Exclude<CorrectedModel['prices'], null>,
): prices is readonly CorrectedPrice[] {
  return Array.isArray(prices)
}
