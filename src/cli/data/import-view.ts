// How an import of price data is shown, whether the data came from a file or from an address.

import {
  describeMove,
  describeStanding,
  findImportDoubts,
  STANDING_REASONS,
} from '../../pricing/service/price-import.ts'
import type {
  CheckedImport,
  CorrectionReport,
  IgnoredName,
  RateChange,
} from '../../pricing/service/price-import.ts'
import type { PriceImpact } from '../../pricing/service/price-impact.ts'
import { formatMoney } from '../../core/money.ts'
import { formatDifference } from '../prices/cost-view.ts'
import { toIso } from '../../api/iso-time.ts'
import { cutCell, formatMoment, formatTable } from '../table.ts'

const LINES_SHOWN_MAX = 20
const EXAMPLES_SHOWN_MAX = 3
const NAMES_SHOWN_MAX = 8
const CELL_CHARS_MAX = 60

export interface ShownImport {
  readonly checked: CheckedImport
  /** Null where nothing changes. */
  readonly impact: PriceImpact | null
  readonly isTrial: boolean
}

export function toImportJson({ checked, impact, isTrial }: ShownImport): Record<string, unknown> {
  const { diff, large, skipped } = checked
  return {
    imported: !isTrial && !checked.isUnchanged,
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
      examples: skipped.examples,
    },
    added: diff.added,
    removed: diff.removed,
    changed: diff.changed.map(toChangeJson),
    corrections: checked.corrections,
    large_moves: large.changes.map(toChangeJson),
    impact: impact === null ? null : toImpactJson(impact),
    needs_force: findImportDoubts(checked).length > 0,
  }
}

function toImpactJson(impact: PriceImpact): Record<string, unknown> {
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

function toChangeJson(change: RateChange): Record<string, unknown> {
  const { provider, model, tier, unit, before, after, percent } = change
  return { provider, model, tier, unit, before_usd: before, after_usd: after, percent }
}

export function formatImport({ checked, impact, isTrial }: ShownImport): readonly string[] {
  const { version, publishedAt, diff } = checked
  const head = `Price data ${version}, published ${formatMoment(publishedAt)}:`
  if (checked.isUnchanged) {
    return [head, '  It is imported already, exactly as it is here. Nothing was changed.']
  }
  const { added, removed, changed } = diff
  const doubts = isTrial ? findImportDoubts(checked) : []
  return [
    head,
    `  ${added.length} models added, ${removed.length} removed, ${changed.length} rates changed.`,
    ...(checked.isDateGuessed
      ? ['  The file does not say when; its modification time was used. --published WHEN sets it.']
      : []),
    ...formatLeftOut(checked),
    ...cut(added.map(({ provider, model }) => `  + ${provider} ${model}`)),
    ...cut(removed.map(({ provider, model }) => `  - ${provider} ${model}`)),
    ...cut(changed.map((change) => `  ~ ${describeMove(change)}${toPercent(change)}`)),
    ...formatCorrections(checked.corrections),
    ...(impact === null ? [] : ['', ...formatImpact(impact)]),
    ...(doubts.length > 0 ? ['', 'Importing this needs --force:', ...doubts] : []),
    '',
    isTrial
      ? 'Nothing was changed.'
      : 'It applies to calls that end from now on. Recorded calls keep their cost (see weir reprice).',
  ]
}

export function formatImpact(impact: PriceImpact | null): readonly string[] {
  if (impact === null) return []
  const { days, calls, isEstimate, before, after, models } = impact
  if (calls === 0) return [`No call was recorded in the last ${days} days.`]
  const how = isEstimate ? ', projected from a part of them' : ''
  const moved = `${formatMoney(before)} → ${formatMoney(after)} USD`
  const rows = models
    .slice(0, LINES_SHOWN_MAX)
    .map((each) => [
      cutCell(`${each.provider} ${each.model || '(no model stated)'}`, CELL_CHARS_MAX),
      String(each.calls),
      each.unpricedBefore === each.calls ? 'unpriced' : formatMoney(each.before),
      each.unpricedAfter === each.calls ? 'unpriced' : formatMoney(each.after),
      formatDifference(each.before, each.after),
    ])
  const left = models.length - rows.length
  return [
    `The ${calls} calls of the last ${days} days${how}: ${moved} (${formatDifference(before, after)}).`,
    ...(rows.length === 0
      ? ['No model that was used changes.']
      : formatTable([['MODEL', 'CALLS', 'BEFORE', 'AFTER', 'DIFFERENCE'], ...rows]).split('\n')),
    ...(left > 0 ? [`… and ${left} more; --json has all of them`] : []),
  ]
}

function formatLeftOut({ skipped, ignoredUnits, ignoredFields }: CheckedImport): string[] {
  const { providers, models, unreadable, examples } = skipped
  const named = examples.slice(0, EXAMPLES_SHOWN_MAX).join(', ')
  return [
    ...(providers > 0
      ? [`  Skipped: ${models} models of ${providers} providers that Weir does not use.`]
      : []),
    ...(unreadable > 0
      ? [`  Skipped: ${unreadable} models that cannot be represented here, such as ${named}.`]
      : []),
    ...(ignoredUnits.length > 0
      ? [`  Ignored, because no call reports them: ${toText(ignoredUnits)}.`]
      : []),
    ...(ignoredFields.length > 0
      ? [`  Ignored, because their meaning is not known here: ${toText(ignoredFields)}.`]
      : []),
  ]
}

function formatCorrections({ replaced, standing }: CorrectionReport): readonly string[] {
  const groups = STANDING_REASONS.map((why) => ({
    why,
    models: standing.filter((each) => each.why === why),
  }))
  return [
    ...(replaced.length > 0
      ? [`  Weir's corrections that it replaces, ${replaced.length}: ${toNames(replaced)}.`]
      : []),
    ...groups.flatMap(({ why, models }) => {
      const reason = `because the data ${describeStanding(why)}`
      return models.length === 0
        ? []
        : [`  Weir's corrections that stand, ${models.length}, ${reason}: ${toNames(models)}.`]
    }),
  ]
}

function toNames(models: CorrectionReport['replaced']): string {
  const names = models.slice(0, NAMES_SHOWN_MAX).map(({ provider, model }) => {
    return `${provider} ${model}`
  })
  const left = models.length - names.length
  return [...names, ...(left > 0 ? [`and ${left} more (--json has all)`] : [])].join(', ')
}

function toText(names: readonly IgnoredName[]): string {
  return names.map(({ name, models }) => `${name} (${models} models)`).join(', ')
}

function toPercent({ percent }: RateChange): string {
  return percent === null ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`
}

function cut(lines: readonly string[]): readonly string[] {
  const left = lines.length - LINES_SHOWN_MAX
  return left <= 0
    ? lines
    : [...lines.slice(0, LINES_SHOWN_MAX), `  … and ${left} more; --json has all of them`]
}
