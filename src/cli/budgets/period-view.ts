// How the periods of a budget are shown: a line each, with bars on one scale.

import type { BudgetPeriod } from '../../../client/weir-client.js'
import { formatColumns, toColumn } from '../table.ts'
import { alignAmounts, alignRight, formatUsd } from '../usage/usage-amounts.ts'
import { formatBar } from '../usage/usage-bars.ts'
import { formatPercent } from './budget-view.ts'

const BAR_CELLS = 20
const DATE_CHARS = 10

export function formatPeriods(rows: readonly BudgetPeriod[], isPlain: boolean): string {
  const percents = rows.map(({ spent_percent: percent }) => percent ?? 0)
  const max = Math.max(100, ...percents)
  const columnOf = (heading: string, toCell: (row: BudgetPeriod) => string) =>
    toColumn(heading, rows, toCell)
  const columns = [
    columnOf('FROM', ({ period_start: start }) => start.slice(0, DATE_CHARS)),
    columnOf('TO', ({ period_end: end }) => toLastDay(end)),
    alignAmounts(columnOf('SPENT', ({ spent_usd: spent }) => toUsd(spent))),
    alignAmounts(columnOf('OF USD', ({ limit_usd: limit }) => formatUsd(limit))),
    alignRight(columnOf('USED', ({ spent_percent: used }) => toPercent(used))),
    columnOf('', ({ spent_percent: used }) =>
      formatBar(used ?? 0, { max, width: BAR_CELLS, isPlain }),
    ),
    columnOf('', describe),
  ]
  return formatColumns(columns)
}

/** The end is the first moment behind the period. */
function toLastDay(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString().slice(0, DATE_CHARS)
}

function toUsd(spent: number | null): string {
  return spent === null ? '' : formatUsd(spent)
}

function toPercent(percent: number | null): string {
  return percent === null ? '' : formatPercent(percent)
}

function describe(row: BudgetPeriod): string {
  if (row.spent_usd === null) return 'no longer on record'
  const state = row.is_exceeded === true ? 'exceeded' : ''
  const words = [row.is_running ? 'running' : '', state, describeUnpriced(row)]
  return words.filter((word) => word !== '').join(', ')
}

function describeUnpriced({ unpriced_requests: calls }: BudgetPeriod): string {
  if (calls === null || calls === 0) return ''
  return `${calls} ${calls === 1 ? 'call' : 'calls'} without a price`
}
