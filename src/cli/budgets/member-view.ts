// How those are shown who have a limit for themselves: a line each, with bars on one scale.

import type { Budget, BudgetMember } from '../../../client/weir-client.js'
import { toPrintable } from '../printable.ts'
import { cutCell, formatColumns, toColumn } from '../table.ts'
import { alignAmounts, alignRight, formatCount, formatUsd } from '../usage/usage-amounts.ts'
import { formatBar } from '../usage/usage-bars.ts'
import { formatPercent } from './budget-view.ts'

const NAME_CHARS_MAX = 40
const BAR_CELLS = 10

export function formatMembers(
  rows: readonly BudgetMember[],
  { each, limit_usd: limit, blocking }: Budget,
  isPlain: boolean,
): string {
  const columnOf = (heading: string, toCell: (row: BudgetMember) => string) =>
    toColumn(heading, rows, toCell)
  const columns = [
    columnOf(each.toUpperCase(), ({ name, id }) =>
      cutCell(toPrintable(name ?? id), NAME_CHARS_MAX),
    ),
    columnOf('ID', ({ id }) => toPrintable(id)),
    alignAmounts(columnOf('SPENT', ({ spent_usd: spent }) => formatUsd(spent))),
    alignAmounts(columnOf('OF USD', () => formatUsd(limit))),
    alignRight(columnOf('USED', ({ spent_percent: used }) => formatPercent(used))),
    columnOf('', ({ spent_percent: used }) =>
      formatBar(used, { max: 100, width: BAR_CELLS, isPlain }),
    ),
    columnOf('', (row) => describe(row, { limit, blocking })),
  ]
  return formatColumns(columns)
}

function describe(
  { spent_usd: spent, unknown_cost_usd: unknown, unpriced_requests: calls }: BudgetMember,
  { limit, blocking }: { readonly limit: number; readonly blocking: boolean },
): string {
  const isOver = spent + (unknown ?? 0) >= limit
  const gaps = `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'} without a price`
  return [isOver ? (blocking ? 'blocked' : 'over') : '', calls === 0 ? '' : gaps]
    .filter((word) => word !== '')
    .join(', ')
}
