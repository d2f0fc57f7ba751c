// How an import of price data is shown, whether the data came from a file or from an address.

import type { PriceImportAnswer } from '../../api/contract.ts'
import { describeStanding, STANDING_REASONS } from '../../pricing/data/standing-reason.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'
import { formatDifference } from './cost-view.ts'

const LINES_SHOWN_MAX = 20
const EXAMPLES_SHOWN_MAX = 3
const NAMES_SHOWN_MAX = 8

type ListedModel = PriceImportAnswer['added'][number]
type RateChange = PriceImportAnswer['changed'][number]

export function formatImport(
  report: PriceImportAnswer,
  { isTrial }: { readonly isTrial: boolean },
): string {
  return listLines(report, isTrial).map(toPrintable).join('\n')
}

function listLines(report: PriceImportAnswer, isTrial: boolean): readonly string[] {
  const { added, removed, changed } = report
  const head = `Price data ${report.version}, published ${formatTime(report.published_at)}:`
  if (report.is_unchanged) {
    return [head, '  It is imported already, exactly as it is here. Nothing was changed.']
  }
  const doubts = isTrial ? report.doubts : []
  return [
    head,
    `  ${added.length} models added, ${removed.length} removed, ${changed.length} rates changed.`,
    ...(report.is_date_guessed
      ? ['  The file does not say when; its modification time was used. --published WHEN sets it.']
      : []),
    ...formatLeftOut(report),
    ...cut(added.map((model) => `  + ${toName(model)}`)),
    ...cut(removed.map((model) => `  - ${toName(model)}`)),
    ...cut(changed.map((change) => `  ~ ${describeChange(change)}`)),
    ...formatCorrections(report),
    ...(report.impact === null ? [] : ['', ...formatImpact(report.impact)]),
    ...(doubts.length > 0 ? ['', 'Importing this needs --force:', ...doubts] : []),
    '',
    isTrial
      ? 'Nothing was changed.'
      : 'It applies to calls that end from now on. Recorded calls keep their cost (see weir reprice).',
  ]
}

export function formatImpact(impact: PriceImportAnswer['impact']): readonly string[] {
  if (impact === null) return []
  const { days, calls, before_usd: before, after_usd: after, models } = impact
  if (calls === 0) return [`No call was recorded in the last ${days} days.`]
  const how = impact.is_estimate ? ', projected from a part of them' : ''
  const moved = `${before} → ${after} USD (${formatDifference(before, after)})`
  const rows = models
    .slice(0, LINES_SHOWN_MAX)
    .map((each) => [
      cutCell(`${each.provider} ${each.model || '(no model stated)'}`),
      String(each.calls),
      each.unpriced_before === each.calls ? 'unpriced' : each.before_usd,
      each.unpriced_after === each.calls ? 'unpriced' : each.after_usd,
      formatDifference(each.before_usd, each.after_usd),
    ])
  const left = models.length - rows.length
  return [
    `The ${calls} calls of the last ${days} days${how}: ${moved}.`,
    ...(rows.length === 0
      ? ['No model that was used changes.']
      : formatTable([['MODEL', 'CALLS', 'BEFORE', 'AFTER', 'DIFFERENCE'], ...rows]).split('\n')),
    ...(left > 0 ? [`… and ${left} more; --json has all of them`] : []),
  ]
}

function formatLeftOut({ skipped, ignored }: PriceImportAnswer): string[] {
  const { other_providers: providers, other_models: models, unreadable_models } = skipped
  const named = skipped.examples.slice(0, EXAMPLES_SHOWN_MAX).join(', ')
  const units = describeCounts(ignored.units)
  const fields = describeCounts(ignored.fields)
  return [
    ...(providers > 0
      ? [`  Skipped: ${models} models of ${providers} providers that Weir does not use.`]
      : []),
    ...(unreadable_models > 0
      ? [
          `  Skipped: ${unreadable_models} models that cannot be represented here, such as ${named}.`,
        ]
      : []),
    ...(units === '' ? [] : [`  Ignored, because no call reports them: ${units}.`]),
    ...(fields === '' ? [] : [`  Ignored, because their meaning is not known here: ${fields}.`]),
  ]
}

function formatCorrections({ corrections }: PriceImportAnswer): readonly string[] {
  const { replaced, standing } = corrections
  return [
    ...(replaced.length > 0
      ? [`  Weir's corrections that it replaces, ${replaced.length}: ${toNames(replaced)}.`]
      : []),
    ...STANDING_REASONS.flatMap((why) => {
      const models = standing.filter((each) => each.why === why)
      const reason = `because the data ${describeStanding(why)}`
      return models.length === 0
        ? []
        : [`  Weir's corrections that stand, ${models.length}, ${reason}: ${toNames(models)}.`]
    }),
  ]
}

function toName({ provider, model }: ListedModel): string {
  return `${provider} ${model}`
}

function toNames(models: readonly ListedModel[]): string {
  const left = models.length - NAMES_SHOWN_MAX
  const more = left > 0 ? [`and ${left} more (--json has all)`] : []
  return [...models.slice(0, NAMES_SHOWN_MAX).map(toName), ...more].join(', ')
}

function describeCounts(models: Readonly<Record<string, number>>): string {
  return Object.entries(models)
    .map(([name, count]) => `${name} (${count} models)`)
    .join(', ')
}

function describeChange(change: RateChange): string {
  const { tier, unit, before_usd: before, after_usd: after, percent } = change
  const moved = `${before ?? 'none'} → ${after ?? 'none'} USD`
  const by = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`
  return `${toName(change)} (${tier}) ${unit}: ${moved}${by}`
}

function cut(lines: readonly string[]): readonly string[] {
  const left = lines.length - LINES_SHOWN_MAX
  return left <= 0
    ? lines
    : [...lines.slice(0, LINES_SHOWN_MAX), `  … and ${left} more; --json has all of them`]
}
