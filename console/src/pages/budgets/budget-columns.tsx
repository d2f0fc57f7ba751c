// The columns of budgets, wherever they are listed: names, one scale and figures below each other.

import type { BudgetRow } from '../../../../src/api/contract.ts'
import { toBudgetState, toForecastPercent } from './budget-words.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatShortTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { Meter } from '../../ui/charts/meter.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import './budgets.css'

/** `toTerms`: its period and what it counts, in words. */
export function toBudgetColumns<Row extends BudgetRow>(
  toTerms: (row: Row) => string,
): readonly TableColumn<Row>[] {
  return [
    {
      id: 'name',
      header: 'Budget',
      grow: 1,
      cell: (row) => (
        <>
          {row.name}
          <span className="cell-under">{toTerms(row)}</span>
        </>
      ),
    },
    { id: 'used', header: 'Used', cell: (row) => <Used budget={row} /> },
    toAmount('spent', 'Spent', ({ spent_usd: spent }) => spent),
    toAmount('limit', 'Limit', ({ limit_usd: limit }) => limit),
    {
      ...toAmount('forecast', 'Forecast', ({ forecast_usd: forecast }) => forecast),
      isExtra: true,
    },
    {
      id: 'resets',
      header: 'Resets',
      isWideOnly: true,
      cell: ({ period_end: end }) => formatShortTime(end),
    },
    { id: 'state', header: 'State', isWideOnly: true, cell: (row) => <State budget={row} /> },
  ]
}

function toAmount(
  id: string,
  header: string,
  usdOf: (row: BudgetRow) => number | null,
): TableColumn<BudgetRow> {
  const write = (row: BudgetRow): string | null => {
    const usd = usdOf(row)
    return usd === null ? null : formatUsd(usd)
  }
  return { id, header, align: 'right', isWideOnly: true, cell: write, amount: write }
}

interface BudgetProps {
  readonly budget: BudgetRow
}

export function Used({ budget }: BudgetProps) {
  const { tone, text } = toBudgetState(budget)
  const { spent_percent: percent } = budget
  return (
    <>
      <div className="budget-used">
        <Meter percent={percent} expected={toForecastPercent(budget)} tone={tone} />
        <span data-figure="spent" data-value={budget.spent_usd}>
          {formatShare(percent / 100)}
        </span>
      </div>
      <span className="cell-under narrow-only">{text}</span>
    </>
  )
}

function State({ budget }: BudgetProps) {
  const { tone, text } = toBudgetState(budget)
  return (
    <>
      {tone === 'good' ? text : <StatusBadge tone={tone}>{text}</StatusBadge>}
      <span className="cell-under">{budget.blocking ? 'Blocks at the limit' : 'Alerts only'}</span>
    </>
  )
}
