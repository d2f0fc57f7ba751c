// The price list that comes with Weir, bundle.json, and our corrections, as tables. The list is
// built by scripts/build-prices.ts, and says of every price where it is from.

import { readFileSync } from 'node:fs'
import type { CorrectedModel, CorrectedPrice, DatedModel } from './correction.ts'
import { CORRECTIONS, CORRECTIONS_VERSION } from './corrections.ts'
import { toRates } from './genai-rates.ts'
import { toModelSources } from './genai-versions.ts'
import type { GenaiModel } from './model-price.ts'
import { createListTable } from '../book/list-table.ts'
import { toAgainst, toFreeTiers, toTiers, toVersionFrame } from '../book/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../book/model-source.ts'
import type { PriceTable } from '../book/price-table.ts'

export interface Bundle {
  /** A day. */
  readonly publishedAt: string
  /** The first is that of all models which do not say another. */
  readonly sources: readonly { readonly name: string; readonly version: string }[]
  /** By our provider ids. */
  readonly providers: Readonly<Record<string, readonly GenaiModel[]>>
}

export const BUNDLE = JSON.parse(
  readFileSync(new URL('bundle.json', import.meta.url), 'utf8'),
) as Bundle

export const BUNDLE_VERSION = `bundle@${BUNDLE.publishedAt}`

/** The age of prices is counted from here. */
export const BUNDLE_PUBLISHED_AT = Date.parse(`${BUNDLE.publishedAt}T00:00:00Z`)

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

/** The same for all price books of a process: each would work out the same prices from them. */
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
  corrections: Readonly<Record<string, readonly DatedModel[]>>,
): ModelSources {
  const entries = Object.entries(corrections).map(([provider, models]) => {
    return [provider, models.map((model) => toSource(provider, model))] as const
  })
  return new Map(entries)
}

function toSource(provider: string, { id, match, against, prices }: DatedModel): ModelSource {
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
