// How a repricing is shown. Money is exact: finance will add it up.

import { toRepriceAnswer, toSumAnswer } from '../../api/prices/price-rows.ts'
import { describeReason } from '../../pricing/service/price-reprice.ts'
import type {
  DiffSum,
  RepriceDiff,
  RepricedMonth,
  RepriceResult,
  Repricing,
} from '../../pricing/service/price-reprice.ts'
import { formatMoney } from '../../core/money.ts'
import { formatDifference } from '../prices/cost-view.ts'
import { toIso } from '../../api/iso-time.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatMoment, formatTable } from '../table.ts'

const ROWS_SHOWN_MAX = 20
const CELL_CHARS_MAX = 60

export function toResultJson(result: RepriceResult): Record<string, unknown> {
  const { repricing } = result
  return {
    ...toRepriceAnswer(result),
    repricing: repricing === null ? null : toRepricingJson(repricing),
  }
}

export function toRepricingJson(repricing: Repricing): Record<string, unknown> {
  const { id, at, who, what, records, before, after, months } = repricing
  return {
    id,
    at: toIso(at),
    who,
    what,
    ...toSumAnswer({ calls: records, before, after }),
    // Null: an older version kept no months.
    months: isWithoutMonths(repricing) ? null : months.map(toMonthJson),
  }
}

function toMonthJson({ month, records, before, after }: RepricedMonth): Record<string, unknown> {
  return { month, ...toSumAnswer({ calls: records, before, after }) }
}

function isWithoutMonths({ months, records }: Repricing): boolean {
  return months.length === 0 && records > 0
}

interface Shown {
  readonly isApplied: boolean
  readonly line: string
}

export function formatResult(result: RepriceResult, shown: Shown): string {
  const { diff, meant, repricing } = result
  const { total } = diff
  const lines =
    total.calls === 0
      ? [`No cost would change; ${toCalls(meant)} checked.`]
      : [
          formatGroups('KEY', diff.byKey, ({ keyId }) => keyId ?? '(none)'),
          '',
          formatGroups('MODEL', diff.byModel, ({ provider, model }) => `${provider} ${model}`),
          '',
          `${toCalls(total.calls)}: ${formatMoney(total.before)} USD before, ${formatMoney(total.after)} USD after (${formatDifference(total.before, total.after)}).`,
        ]
  lines.push(...formatUnpriced(diff))
  if (repricing !== null) lines.push('', `Done. ${formatAuditLine(repricing)}`)
  const left = repricing === null ? 0 : total.calls - repricing.records
  if (left > 0)
    lines.push(`${toCalls(left)} changed or were removed meanwhile, and were left alone.`)
  else if (total.calls > 0 && !shown.isApplied) {
    lines.push('', 'Nothing was changed. To change it:', `  ${shown.line}`)
  }
  return lines.join('\n')
}

function formatGroups<Group extends DiffSum>(
  heading: string,
  groups: readonly Group[],
  nameOf: (group: Group) => string,
): string {
  const rows = groups
    .slice(0, ROWS_SHOWN_MAX)
    .map((group) => [
      cutCell(toPrintable(nameOf(group)), CELL_CHARS_MAX),
      String(group.calls),
      formatMoney(group.before),
      formatMoney(group.after),
      formatDifference(group.before, group.after),
    ])
  const table = formatTable([[heading, 'CALLS', 'BEFORE', 'AFTER', 'DIFFERENCE'], ...rows])
  const left = groups.length - rows.length
  return left === 0 ? table : `${table}\n… and ${left} more; --json has all of them`
}

function formatUnpriced({ unpriced, kept }: RepriceDiff): string[] {
  const rows = unpriced
    .slice(0, ROWS_SHOWN_MAX)
    .map(({ provider, model, reason, calls }) => [
      `  ${cutCell(toPrintable(`${provider} ${model ?? '(no model stated)'}`), CELL_CHARS_MAX)}`,
      String(calls),
      toPrintable(describeReason(reason)),
    ])
  const left = unpriced.length - rows.length
  return [
    ...(rows.length === 0 ? [] : ['', 'Still without a cost:', formatTable(rows)]),
    ...(left === 0 ? [] : [`  … and ${left} more; --json has all of them`]),
    ...(kept === 0 ? [] : ['', `${toCalls(kept)} keep a cost whose price no longer exists.`]),
  ]
}

export function formatRepricings(rows: readonly Repricing[]): string {
  if (rows.length === 0) return 'Nothing has been repriced.'
  return rows.flatMap((row) => [formatAuditLine(row), ...formatMonths(row)]).join('\n')
}

function formatMonths(repricing: Repricing): string[] {
  if (isWithoutMonths(repricing)) {
    return ['  By an older version of Weir, which did not keep the months it changed.']
  }
  return repricing.months.map(({ month, records, before, after }) => {
    const moved = `${formatMoney(before)} → ${formatMoney(after)} USD (${formatDifference(before, after)})`
    return `  ${month}: ${toCalls(records)}, ${moved}`
  })
}

function formatAuditLine(line: Repricing): string {
  const { id, at, who, what, records, before, after } = line
  const moved = `${formatMoney(before)} → ${formatMoney(after)} USD (${formatDifference(before, after)})`
  return `Repricing ${id}, ${formatMoment(at)}, by ${who}: ${toCalls(records)}, ${moved}; ${what}.`
}

function toCalls(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`
}
