// How a repricing is shown. Money is exact: finance will add it up.

import type { RepriceOutcome, RepricingRow } from '../../api/contract.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'
import { formatDifference } from './cost-view.ts'

const ROWS_SHOWN_MAX = 20

interface Sum {
  readonly calls: number
  readonly before_usd: string
  readonly after_usd: string
}

interface Shown {
  readonly isApplied: boolean
  /** The command that changes it. */
  readonly line: string
}

export function formatResult(outcome: RepriceOutcome, { isApplied, line }: Shown): string {
  const { calls, repricing } = outcome
  const lines = [...formatDiff(outcome), ...formatUnpriced(outcome)]
  if (repricing !== null) lines.push('', `Done. ${formatAuditLine(repricing)}`)
  const left = repricing === null ? 0 : (calls ?? 0) - repricing.calls
  if (left > 0) {
    lines.push(`${toCalls(left)} changed or were removed meanwhile, and were left alone.`)
  } else if (calls !== 0 && !isApplied) {
    lines.push('', 'Nothing was changed. To change it:', `  ${line}`)
  }
  return lines.join('\n')
}

function formatDiff(outcome: RepriceOutcome): string[] {
  const { calls, before_usd, after_usd, by_key: byKey, by_model: byModel } = outcome
  // Whoever may not read usage is told nothing of it.
  if (calls === null || before_usd === null || after_usd === null) return []
  if (calls === 0) return [`No cost would change; ${toCalls(outcome.checked ?? 0)} checked.`]
  const difference = formatDifference(before_usd, after_usd)
  return [
    ...(byKey === null ? [] : [formatGroups('KEY', byKey, (each) => each.api_key ?? '(none)'), '']),
    formatGroups('MODEL', byModel ?? [], ({ provider, model }) => `${provider} ${model}`),
    '',
    `${toCalls(calls)}: ${before_usd} USD before, ${after_usd} USD after (${difference}).`,
  ]
}

function formatGroups<Group extends Sum>(
  heading: string,
  groups: readonly Group[],
  nameOf: (group: Group) => string,
): string {
  const rows = groups
    .slice(0, ROWS_SHOWN_MAX)
    .map((group) => [
      cutCell(toPrintable(nameOf(group))),
      String(group.calls),
      group.before_usd,
      group.after_usd,
      formatDifference(group.before_usd, group.after_usd),
    ])
  const table = formatTable([[heading, 'CALLS', 'BEFORE', 'AFTER', 'DIFFERENCE'], ...rows])
  const left = groups.length - rows.length
  return left === 0 ? table : `${table}\n… and ${left} more; --json has all of them`
}

function formatUnpriced({ unpriced, kept }: RepriceOutcome): string[] {
  const all = unpriced ?? []
  const rows = all
    .slice(0, ROWS_SHOWN_MAX)
    .map(({ provider, model, reason, calls }) => [
      `  ${cutCell(toPrintable(`${provider} ${model ?? '(no model stated)'}`))}`,
      String(calls),
      toPrintable(reason),
    ])
  const left = all.length - rows.length
  return [
    ...(rows.length === 0 ? [] : ['', 'Still without a cost:', formatTable(rows)]),
    ...(left === 0 ? [] : [`  … and ${left} more; --json has all of them`]),
    ...(!kept ? [] : ['', `${toCalls(kept)} keep a cost whose price no longer exists.`]),
  ]
}

export function formatRepricings(rows: readonly RepricingRow[]): string {
  if (rows.length === 0) return 'Nothing has been repriced.'
  return rows.flatMap((row) => [formatAuditLine(row), ...formatMonths(row)]).join('\n')
}

function formatMonths({ months }: RepricingRow): string[] {
  if (months === null) {
    return ['  By an older version of Weir, which did not keep the months it changed.']
  }
  return months.map((sum) => `  ${sum.month}: ${describeMove(sum)}`)
}

function formatAuditLine(row: RepricingRow): string {
  const { id, at, who, what } = row
  return `Repricing ${id}, ${formatTime(at)}, by ${who}: ${describeMove(row)}; ${what}.`
}

function describeMove({ calls, before_usd: before, after_usd: after }: Sum): string {
  return `${toCalls(calls)}, ${before} → ${after} USD (${formatDifference(before, after)})`
}

function toCalls(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`
}
