// How those are shown who have a limit for themselves: a line each, with bars on one scale.

import type { Budget, BudgetMember, NearestMemberList } from '../../../client/weir-client.js'
import { toPrintable } from '../printable.ts'
import { cutCell, formatColumns, toColumn } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatUsd } from '../usage/usage-amounts.ts'
import { formatBar } from '../usage/usage-bars.ts'
import { formatPercent } from './budget-view.ts'

const NAME_CHARS_MAX = 40
const BAR_CELLS = 10

export function formatMembers(
  rows: readonly BudgetMember[],
  { each, blocking }: Budget,
  isPlain: boolean,
): string {
  const name = toColumn(each.toUpperCase(), rows, toName)
  const rest = toColumn('', rows, (row) => describe(row, blocking))
  return formatColumns([name, ...toFigureColumns(rows, isPlain), rest])
}

/** Of several budgets. */
export function formatNearest(rows: NearestMemberList['rows'], isPlain: boolean): string {
  return formatColumns([
    toColumn('BUDGET', rows, ({ budget_name: name }) => cutCell(toPrintable(name), NAME_CHARS_MAX)),
    toColumn('EACH', rows, ({ kind }) => kind),
    toColumn('NAME', rows, toName),
    ...toFigureColumns(rows, isPlain),
  ])
}

function toName({ name, id }: BudgetMember): string {
  return cutCell(toPrintable(name ?? id), NAME_CHARS_MAX)
}

function toFigureColumns(rows: readonly BudgetMember[], isPlain: boolean) {
  const columnOf = (heading: string, toCell: (row: BudgetMember) => string) =>
    toColumn(heading, rows, toCell)
  return [
    columnOf('ID', ({ id }) => toPrintable(id)),
    alignAmounts(columnOf('SPENT', ({ spent_usd: spent }) => formatUsd(spent))),
    alignAmounts(columnOf('OF USD', ({ limit_usd: limit }) => formatUsd(limit))),
    alignRight(columnOf('USED', ({ spent_percent: used }) => formatPercent(used))),
    columnOf('', ({ spent_percent: used }) =>
      formatBar(used, { max: 100, width: BAR_CELLS, isPlain }),
    ),
  ]
}

function describe(row: BudgetMember, isBlocking: boolean): string {
  const { spent_usd: spent, unknown_cost_usd: unknown, unpriced_requests: calls } = row
  const isOver = spent + (unknown ?? 0) >= row.limit_usd
  const gaps = `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'} without a price`
  return [isOver ? (isBlocking ? 'blocked' : 'over') : '', calls === 0 ? '' : gaps]
    .filter((word) => word !== '')
    .join(', ')
}
