// A model of the bundle on whose price the sources differ, whichever the last build has: no figure
// of it is written down in a test.

import assert from 'node:assert/strict'
import { exactNames } from '../../src/pricing/tables/model-match.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { STANDARD_TIER } from '../../src/pricing/tables/price-table.ts'
import { BUNDLE, BUNDLE_VERSION } from '../../src/pricing/data/bundle.ts'

export interface DifferingPrice {
  readonly provider: string
  readonly model: string
  /** The one that is followed, and the other. */
  readonly source: string
  readonly other: string
  readonly unit: 'input' | 'output'
  /** USD for a million. */
  readonly listedUsd: string
  readonly otherUsd: string
}

const UNITS = { input: 'input_mtok', output: 'output_mtok' } as const

/** At the standard tier; in force at that moment, and not replaced by a correction. */
export function findDifferingPrice(atMs: number): DifferingPrice {
  const priceTables = createPriceTables()
  for (const [provider, models] of Object.entries(BUNDLE.providers)) {
    for (const { match, prices, variants = [], others = [], source } of models) {
      const [model] = exactNames(match)
      const other = others.find(({ tier, from, until }) => {
        return tier === STANDARD_TIER && from === undefined && until === undefined
      })
      const isWhole = Object.values(UNITS).every((unit) => Object.hasOwn(prices, unit))
      const isPlain = isWhole && !variants.some(({ tier }) => tier === STANDARD_TIER)
      if (model === undefined || other === undefined || !isPlain) continue
      const entry = priceTables.find({ provider, model, serviceTier: null, atMs })
      if (entry?.version.startsWith(`${BUNDLE_VERSION} `) !== true) continue
      for (const [unit, name] of Object.entries(UNITS)) {
        const [listed, said] = [Object(prices)[name] as unknown, other.prices[name]]
        if (typeof listed !== 'number' || typeof said !== 'number') continue
        return {
          provider,
          model,
          source: source ?? BUNDLE.sources[0]?.name ?? '',
          other: other.source,
          unit: unit as DifferingPrice['unit'],
          listedUsd: String(listed),
          otherUsd: String(said),
        }
      }
    }
  }
  assert.fail('no model of the bundle has sources that differ')
}
