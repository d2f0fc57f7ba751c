// The models that ran without a price, and whether they would have one by now.

import type { PriceBook } from '../book/price-book.ts'
import { isUnknown } from '../book/price-table.ts'
import type { UnpricedModel } from '../../store/usage/usage-upkeep.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'

export interface MissingPrice extends UnpricedModel {
  /**
   * price    it has no price
   * reprice  it has a price by now: recorded calls can be repriced
   * nothing  the calls named no model, so no price can apply
   */
  readonly wants: 'price' | 'reprice' | 'nothing'
}

export async function listMissingPrices(
  usage: Pick<UsageStore, 'upkeep'>,
  book: PriceBook,
  nowMs: number,
): Promise<readonly MissingPrice[]> {
  const unpriced = await usage.upkeep.listUnpriced()
  return unpriced.map((each) => ({ ...each, wants: toWants(each, book, nowMs) }))
}

function toWants(
  { provider, model, lastMonth }: UnpricedModel,
  book: PriceBook,
  nowMs: number,
): MissingPrice['wants'] {
  if (model === null) return 'nothing'
  // The last call ended before the month did; a price from then on does not fit it.
  const [year, month] = lastMonth.split('-').map(Number) as [number, number]
  const atMs = Math.min(nowMs, Date.UTC(year, month, 1) - 1)
  const entry = book.find({ provider, model, serviceTier: null, atMs })
  return entry === null || isUnknown(entry.rates) ? 'price' : 'reprice'
}
