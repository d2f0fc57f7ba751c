// Names of models that are like one without a price.

import { nearestWord } from '../../core/nearest-word.ts'
import type { PriceCatalog } from '../tables/price-tables.ts'

const NEAR_MAX = 5

/** Models of the provider whose names are like it: mistyped, or a part of one another. */
export function findNearModels(
  priceTables: PriceCatalog,
  { provider, model }: { readonly provider: string; readonly model: string },
): readonly string[] {
  const name = model.toLowerCase()
  const names = new Set(
    priceTables
      .listModels()
      .filter((each) => each.provider === provider)
      .map((each) => each.model),
  )
  const nearest = nearestWord(name, [...names])
  const related = [...names]
    .filter((each) => each !== nearest && (each.includes(name) || name.includes(each)))
    .toSorted((left, right) => right.length - left.length)
  return [...(nearest === null ? [] : [nearest]), ...related].slice(0, NEAR_MAX)
}
