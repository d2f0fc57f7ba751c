// What an update of the price data changes, or has changed, as the API shows it.

import type { PriceUpdateAnswer } from '../contract.ts'
import { describeUpdate } from '../../pricing/service/price-update.ts'
import type { UpdateOutcome } from '../../pricing/service/price-update.ts'
import type { PriceImpact } from '../../pricing/service/price-impact.ts'
import { PRICE_UPDATE_ROWS_MAX } from './price-contract.ts'
import { toSumAnswer } from './price-rows.ts'

export function toUpdateAnswer(outcome: UpdateOutcome): PriceUpdateAnswer {
  const { kind: result } = outcome
  const words = describeUpdate(result, 'reason' in outcome ? outcome.reason : null)
  if (!('checked' in outcome)) return { result, words, ...NOTHING_FOUND }
  const { version, diff, corrections } = outcome.checked
  return {
    result,
    words,
    version,
    added: diff.added.length,
    removed: diff.removed.length,
    changed: diff.changed.length,
    added_models: diff.added.slice(0, PRICE_UPDATE_ROWS_MAX).map(toModel),
    removed_models: diff.removed.slice(0, PRICE_UPDATE_ROWS_MAX).map(toModel),
    changed_rates: diff.changed
      // Those to look at come first, so that no limit hides them.
      .toSorted((one, other) => Number(other.isLarge) - Number(one.isLarge))
      .slice(0, PRICE_UPDATE_ROWS_MAX)
      .map(({ provider, model, tier, unit, before, after, isLarge }) => {
        const rate = { tier, unit, before_usd: before, after_usd: after, is_large: isLarge }
        return { provider, model, ...rate }
      }),
    corrections: {
      replaced: corrections.replaced.length,
      standing: corrections.standing.length,
      replaced_models: corrections.replaced.slice(0, PRICE_UPDATE_ROWS_MAX).map(toModel),
      standing_models: corrections.standing
        .slice(0, PRICE_UPDATE_ROWS_MAX)
        .map(({ why, ...each }) => ({ ...toModel(each), why })),
    },
    doubts: [...outcome.doubts],
    impact: outcome.impact && toImpactAnswer(outcome.impact),
  }
}

function toImpactAnswer(impact: PriceImpact): NonNullable<PriceUpdateAnswer['impact']> {
  return {
    days: impact.days,
    is_estimate: impact.isEstimate,
    ...toSumAnswer(impact),
    by_model: impact.models
      .slice(0, PRICE_UPDATE_ROWS_MAX)
      .map(({ provider, model, ...sum }) => ({ provider, model, ...toSumAnswer(sum) })),
  }
}

const NOTHING_FOUND = {
  version: null,
  added: 0,
  removed: 0,
  changed: 0,
  added_models: [],
  removed_models: [],
  changed_rates: [],
  corrections: { replaced: 0, standing: 0, replaced_models: [], standing_models: [] },
  doubts: [],
  impact: null,
}

const toModel = ({ provider, model }: { readonly provider: string; readonly model: string }) => ({
  provider,
  model,
})
