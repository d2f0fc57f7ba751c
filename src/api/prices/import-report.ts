// What an import of price data changes, in JSON, for the API and the command line.

import { formatMoney } from '../../core/money.ts'
import { findImportDoubts } from '../../pricing/service/price-import.ts'
import type { CheckedImport, IgnoredName, RateChange } from '../../pricing/service/price-import.ts'
import type { PriceImpact } from '../../pricing/service/price-impact.ts'
import { toIso } from '../iso-time.ts'
import type { PriceImportReport } from './import-contract.ts'

export interface ReportedImport {
  readonly checked: CheckedImport
  /** Null where nothing changes. */
  readonly impact: PriceImpact | null
  readonly isImported: boolean
}

export function toImportReport({ checked, impact, isImported }: ReportedImport): PriceImportReport {
  const { diff, large, skipped, corrections } = checked
  return {
    imported: isImported && !checked.isUnchanged,
    is_unchanged: checked.isUnchanged,
    version: checked.version,
    published_at: toIso(checked.publishedAt),
    is_date_guessed: checked.isDateGuessed,
    ignored_units: checked.ignoredUnits.map(({ name }) => name),
    ignored: { units: toCounts(checked.ignoredUnits), fields: toCounts(checked.ignoredFields) },
    skipped: {
      other_providers: skipped.providers,
      other_models: skipped.models,
      unreadable_models: skipped.unreadable,
      examples: [...skipped.examples],
    },
    added: [...diff.added],
    removed: [...diff.removed],
    changed: diff.changed.map(toChange),
    corrections: { replaced: [...corrections.replaced], standing: [...corrections.standing] },
    large_moves: large.changes.map(toChange),
    impact: impact && toImpact(impact),
    needs_force: findImportDoubts(checked).length > 0,
  }
}

function toImpact(impact: PriceImpact): NonNullable<PriceImportReport['impact']> {
  const { days, calls, isEstimate, before, after, models } = impact
  return {
    days,
    calls,
    is_estimate: isEstimate,
    before_usd: formatMoney(before),
    after_usd: formatMoney(after),
    models: models.map((each) => ({
      provider: each.provider,
      model: each.model,
      calls: each.calls,
      before_usd: formatMoney(each.before),
      after_usd: formatMoney(each.after),
      unpriced_before: each.unpricedBefore,
      unpriced_after: each.unpricedAfter,
    })),
  }
}

function toCounts(names: readonly IgnoredName[]): Record<string, number> {
  return Object.fromEntries(names.map(({ name, models }) => [name, models]))
}

function toChange(change: RateChange): PriceImportReport['changed'][number] {
  const { provider, model, tier, unit, before, after, percent } = change
  return { provider, model, tier, unit, before_usd: before, after_usd: after, percent }
}
