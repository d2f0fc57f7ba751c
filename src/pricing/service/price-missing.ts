// The models that ran without a price, and whether they would have one by now.

import type { PriceTables } from '../tables/price-tables.ts'
import { isUnknown } from '../tables/price-table.ts'
import type { UnpricedModel } from '../../store/usage/usage-upkeep.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { Config } from '../../config/config.ts'
import { readProviderCosts } from '../../config/provider-costs.ts'
import { readUnpricedUse, toUseName } from './unpriced-use.ts'
import type { UnpricedUse } from './unpriced-use.ts'

export interface MissingPrice extends Omit<UnpricedModel, 'priced'> {
  /** Of the calls without a cost only. */
  readonly tokens: number
  /** Not all of these calls could be read: there are more tokens. */
  readonly isPartial: boolean
  /** What a price has to cover, as price rules name it. */
  readonly units: readonly string[]
  /**
   * price    it has no price
   * reprice  it has a price by now: recorded calls can be repriced
   * nothing  the calls named no model, so no price can apply; or responses state the cost
   */
  readonly wants: 'price' | 'reprice' | 'nothing'
}

export interface MissingOptions {
  readonly usage: Pick<UsageStore, 'upkeep' | 'requests'>
  readonly priceTables: PriceTables
  readonly config: Pick<Config, 'providers'>
  readonly nowMs: number
}

const DAY_MS = 86_400_000

export async function listMissingPrices(options: MissingOptions): Promise<readonly MissingPrice[]> {
  const { usage, config } = options
  const unpriced = await usage.upkeep.listUnpriced()
  if (unpriced.length === 0) return []
  // A call that ended in the first month may have started the day before.
  const firstMonth = unpriced.reduce(
    (first, each) => (each.firstMonth < first ? each.firstMonth : first),
    '9999-12',
  )
  const uses = await readUnpricedUse(usage.requests, Date.parse(`${firstMonth}-01`) - DAY_MS)
  const { stating } = readProviderCosts(config)
  return unpriced.map(({ priced, ...each }) => {
    const use = uses.get(toUseName(each.provider, each.model))
    // Sums have all tokens of a model: they are right where none of its calls has a cost.
    const known = priced === 0 ? null : (use ?? { calls: 0, tokens: 0 })
    return {
      ...each,
      tokens: known?.tokens ?? each.tokens,
      isPartial: known !== null && known.calls < each.requests,
      units: toUnits(use),
      wants: toWants(each, { ...options, stating }),
    }
  })
}

function toUnits(use: UnpricedUse | undefined): readonly string[] {
  const units = [...(use?.units ?? [])]
  const tokens = TOKEN_UNITS.filter((unit) => units.includes(unit))
  const kinds = units.filter((unit) => !TOKEN_UNITS.includes(unit)).toSorted()
  return units.length === 0 ? TOKEN_UNITS : [...tokens, ...kinds]
}

const TOKEN_UNITS: readonly string[] = ['input', 'output']

function toWants(
  { provider, model, lastMonth }: Pick<UnpricedModel, 'provider' | 'model' | 'lastMonth'>,
  {
    priceTables,
    nowMs,
    stating,
  }: Pick<MissingOptions, 'priceTables' | 'nowMs'> & { readonly stating: ReadonlySet<string> },
): MissingPrice['wants'] {
  if (model === null) return 'nothing'
  // The last call ended before the month did; a price from then on does not fit it.
  const [year, month] = lastMonth.split('-').map(Number) as [number, number]
  const atMs = Math.min(nowMs, Date.UTC(year, month, 1) - 1)
  const entry = priceTables.find({ provider, model, serviceTier: null, atMs })
  if (entry !== null && !isUnknown(entry.rates)) return 'reprice'
  return stating.has(provider) ? 'nothing' : 'price'
}
