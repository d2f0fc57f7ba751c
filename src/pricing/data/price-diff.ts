// What an import changes in the price tables at a moment. Figures are compared exactly; only the
// percentage, for display, is a float.

import type { RuleRates } from '../../core/price-rule.ts'
import type { PriceCatalog } from '../tables/price-tables.ts'
import type { EffectivePrice } from '../tables/price-table.ts'
import { isUnknown, WHOLE_UNITS } from '../tables/price-table.ts'
import type { ListedModel, Rates } from '../tables/price-table.ts'
import { parseRate, tokenUnitOf, toRuleRates, UNIT_NAMES } from '../tables/rate-text.ts'

export interface RateChange extends ListedModel {
  readonly tier: string
  /** As price rules name it; `input above 200000` for a step. */
  readonly unit: string
  /** USD per million tokens, or per unit. Null: no such rate. */
  readonly before: string | null
  readonly after: string | null
  /** Null where there is nothing to compare with. */
  readonly percent: number | null
  /** More than three times, or less than a third, of what it was. */
  readonly isLarge: boolean
}

export interface PriceDiff {
  readonly added: readonly ListedModel[]
  readonly removed: readonly ListedModel[]
  readonly changed: readonly RateChange[]
  readonly modelsBefore: number
}

export function diffPrices(before: PriceCatalog, after: PriceCatalog, atMs: number): PriceDiff {
  const added: ListedModel[] = []
  const removed: ListedModel[] = []
  const changed: RateChange[] = []
  let modelsBefore = 0
  for (const listed of unite(before.listModels(), after.listModels())) {
    const old = toRatesByTier(before.list({ ...listed, atMs }))
    const fresh = toRatesByTier(after.list({ ...listed, atMs }))
    if (old.size > 0) modelsBefore += 1
    if (old.size === 0 && fresh.size > 0) added.push(listed)
    else if (old.size > 0 && fresh.size === 0) removed.push(listed)
    else changed.push(...compareTiers(listed, old, fresh))
  }
  return { added, removed, changed, modelsBefore }
}

function unite(...lists: readonly (readonly ListedModel[])[]): Iterable<ListedModel> {
  const models = new Map<string, ListedModel>()
  for (const { provider, model } of lists.flat()) {
    const name = model.toLowerCase()
    models.set(JSON.stringify([provider, name]), { provider, model: name })
  }
  return models.values()
}

type RatesByTier = ReadonlyMap<string, Rates>

function toRatesByTier(effective: readonly EffectivePrice[]): RatesByTier {
  const known = effective.filter(({ entry }) => !isUnknown(entry.rates))
  return new Map(known.map(({ tier, entry }) => [tier, entry.rates]))
}

function compareTiers(
  listed: ListedModel,
  before: RatesByTier,
  after: RatesByTier,
): readonly RateChange[] {
  const tiers = new Set([...before.keys(), ...after.keys()])
  return [...tiers].flatMap((tier) => {
    const [old, fresh] = [before.get(tier), after.get(tier)]
    const oldTexts = toTexts(old)
    const freshTexts = toTexts(fresh)
    const units = new Set([...oldTexts.keys(), ...freshTexts.keys()])
    return [...units].flatMap((unit): RateChange[] => {
      // What is free has no rates, and is compared as if all of them were zero.
      const one = oldTexts.get(unit) ?? (old?.isFree === true ? '0' : null)
      const other = freshTexts.get(unit) ?? (fresh?.isFree === true ? '0' : null)
      if (one === other) return []
      const isStep = unit.includes(STEP_JOINT)
      const charged = one ?? (isStep ? fallBack(unit, oldTexts) : null)
      const isLarge = isLargeMove(charged, other ?? fallBack(unit, freshTexts))
      const percent = toPercent(one, other)
      return [{ ...listed, tier, unit, before: one, after: other, percent, isLarge }]
    })
  })
}

function toTexts(rates: Rates | undefined): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const all: RuleRates = rates === undefined ? {} : toRuleRates(rates)
  for (const [unit, rate] of Object.entries(all)) {
    if (typeof rate === 'string') {
      texts.set(unit, rate)
      continue
    }
    texts.set(unit, rate.base)
    for (const step of rate.steps) texts.set(`${unit}${STEP_JOINT}${step.above}`, step.rate)
  }
  return texts
}

/** Prices of AI models do fall by half; a change beyond this waits for a person. */
const LARGE_FACTOR = 3n

const STEP_JOINT = ' above '

function wholeOf(name: string): string | undefined {
  const unit = tokenUnitOf(name)
  const whole = unit === undefined ? undefined : WHOLE_UNITS[unit]
  return whole === undefined ? undefined : UNIT_NAMES[whole]
}

/** The rate used in place of a missing one: without it, cached reads cost ten times as much. */
function fallBack(unit: string, texts: ReadonlyMap<string, string>): string | null {
  const [base = '', above] = unit.split(STEP_JOINT)
  let text = texts.get(base)
  if (text === undefined) {
    const whole = wholeOf(base)
    if (whole === undefined) return null
    const instead = above === undefined ? whole : `${whole}${STEP_JOINT}${above}`
    return texts.get(instead) ?? fallBack(instead, texts)
  }
  let last = -1
  for (const [name, rate] of texts) {
    const start = name.startsWith(base + STEP_JOINT) ? Number(name.split(STEP_JOINT)[1]) : -1
    if (start <= last || start > Number(above ?? -1)) continue
    last = start
    text = rate
  }
  return text
}

function toPercent(before: string | null, after: string | null): number | null {
  const [old, fresh] = [Number(before ?? 0), Number(after)]
  if (after === null || old === 0) return null
  return Math.round(((fresh - old) / old) * 1000) / 10
}

export interface LargeMoves {
  readonly changes: readonly RateChange[]
  /** More than a tenth of the models would be gone. */
  readonly isShrunk: boolean
}

export function largeMoves(diff: PriceDiff): LargeMoves {
  return {
    changes: diff.changed.filter(({ isLarge }) => isLarge),
    isShrunk: diff.removed.length * 10 > diff.modelsBefore,
  }
}

function isLargeMove(before: string | null, after: string | null): boolean {
  const old = parseRate(before, 1n)
  const fresh = parseRate(after, 1n)
  if (old === null || fresh === null) return false
  return fresh > old * LARGE_FACTOR || fresh * LARGE_FACTOR < old
}
