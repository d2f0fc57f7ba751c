// How an import of price data is shown, whether the data came from a file or from an address.

import { describeMove, findImportDoubts } from '../../pricing/service/price-import.ts'
import type { CheckedImport, IgnoredName, RateChange } from '../../pricing/service/price-import.ts'
import { toIso } from '../keys/key-view.ts'
import { formatMoment } from '../table.ts'

const LINES_SHOWN_MAX = 20
const EXAMPLES_SHOWN_MAX = 3

export function toImportJson(checked: CheckedImport, isTrial: boolean): Record<string, unknown> {
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
    large_moves: large.changes.map(toChangeJson),
    needs_force: findImportDoubts(checked).length > 0,
  }
}

function toCounts(names: readonly IgnoredName[]): Record<string, number> {
  return Object.fromEntries(names.map(({ name, models }) => [name, models]))
}

function toChangeJson(change: RateChange): Record<string, unknown> {
  const { provider, model, tier, unit, before, after, percent } = change
  return { provider, model, tier, unit, before_usd: before, after_usd: after, percent }
}

export function formatImport(checked: CheckedImport, isTrial: boolean): readonly string[] {
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
    ...(doubts.length > 0 ? ['', 'Importing this needs --force:', ...doubts] : []),
    '',
    isTrial
      ? 'Nothing was changed.'
      : 'It applies to calls that end from now on. Recorded calls keep their cost (see weir reprice).',
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
