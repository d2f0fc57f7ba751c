// What the price book of a new installation says, beside what the second source says.

import { exactNames } from '../../src/pricing/tables/model-match.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { isUnknown, STANDARD_TIER } from '../../src/pricing/tables/price-table.ts'
import type { Rates } from '../../src/pricing/tables/price-table.ts'
import { formatRate } from '../../src/pricing/tables/rate-text.ts'
import { BUNDLE } from '../../src/pricing/data/bundle.ts'
import { toRates, toTokenUnit } from '../../src/pricing/data/genai-rates.ts'
import type { ModelPrice } from '../../src/pricing/data/model-price.ts'
import type { Choice } from './choices.ts'
import { compareRates } from './compare-rates.ts'
import type { MappedModel } from './litellm-map.ts'
import { findChoice } from './merge-sources.ts'

export interface ComparedName extends Pick<MappedModel, 'name' | 'provider' | 'model'> {
  readonly verdict: 'equal' | 'other standard rates' | 'other tiers only' | 'unpriced'
  /** `batch cache_read_mtok: 0.0375 there, 0.075 here`. */
  readonly differences: readonly string[]
  /** All of its differences are decided upon. */
  readonly isListed: boolean
  readonly choices: readonly Choice[]
}

export interface CompareOptions {
  readonly atMs: number
  readonly choices: readonly Choice[]
}

/** What calls are priced by token for; others are billed by units that the map has no names for. */
const MODES: ReadonlySet<string> = new Set(['chat', 'embedding', 'responses', 'realtime'])

export function comparePrices(
  map: readonly MappedModel[],
  { atMs, choices }: CompareOptions,
): readonly ComparedName[] {
  const priceTables = createPriceTables()
  return map
    .filter(({ mode, tiers }) => MODES.has(mode) && tiers.size > 0)
    .map((mapped) => {
      const { provider, model } = mapped
      const listed = priceTables.list({ provider, model, atMs })
      const known = listed.filter(({ entry }) => !isUnknown(entry.rates))
      const ours = new Map(known.map(({ tier, entry }) => [tier, entry.rates]))
      return compareName(mapped, ours, choices)
    })
}

function compareName(
  mapped: MappedModel,
  ours: ReadonlyMap<string, Rates>,
  all: readonly Choice[],
): ComparedName {
  const { name, provider, model } = mapped
  const differences: string[] = []
  const tiers: string[] = []
  for (const [tier, said] of mapped.tiers) {
    const found = compareTier(tier, said, ours.get(tier))
    if (found.length > 0) tiers.push(tier)
    differences.push(...found)
  }
  const choices = tiers.map((tier) => findChoice(all, mapped, tier))
  return {
    name,
    provider,
    model,
    verdict: toVerdict(mapped, ours, tiers),
    differences,
    isListed: choices.every((choice) => choice !== undefined),
    choices: choices.filter((choice) => choice !== undefined),
  }
}

function toVerdict(
  { tiers: said }: MappedModel,
  ours: ReadonlyMap<string, Rates>,
  different: readonly string[],
): ComparedName['verdict'] {
  if (different.length === 0) return 'equal'
  // A name of one region has that region's price only.
  const main = said.has(STANDARD_TIER) ? STANDARD_TIER : ([...said.keys()][0] ?? STANDARD_TIER)
  if (!ours.has(main)) return 'unpriced'
  return different.includes(main) ? 'other standard rates' : 'other tiers only'
}

function compareTier(tier: string, said: ModelPrice, ours: Rates | undefined): readonly string[] {
  if (ours === undefined) return [`${tier}: no price here`]
  const isStandard = tier === STANDARD_TIER
  return [...compareRates(said, ours, isStandard)]
    .filter(([, verdict]) => verdict !== 'equal')
    .map(([unit]) => {
      const kind = toTokenUnit(unit)
      const own = kind === null ? undefined : ours.tokens[kind]
      const there = kind === null ? undefined : toRates(said).tokens[kind]
      const toText = (rate: typeof own): string =>
        rate === undefined
          ? 'none'
          : [rate.base, ...rate.steps.map((step) => step.rate)].map(formatRate).join(', ')
      return `${tier} ${unit}: ${toText(there)} there, ${toText(own)} here`
    })
}

/** Neither a name of the map nor a figure that the bundle keeps beside its own needs it. */
export function findNeedless(
  compared: readonly ComparedName[],
  choices: readonly Choice[],
): readonly Choice[] {
  const needed = new Set<Choice | undefined>(compared.flatMap((name) => name.choices))
  for (const [provider, models] of Object.entries(BUNDLE.providers)) {
    for (const { id, match, others = [] } of models) {
      const names = [id, ...exactNames(match)]
      for (const { tier } of others) {
        for (const model of names) needed.add(findChoice(choices, { provider, model }, tier))
      }
    }
  }
  return choices.filter((choice) => !needed.has(choice))
}
