// What a budget spent in its periods: small bars on one scale, and the figures in a table. Asked
// for when it is opened.

import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BudgetPeriodRow, BudgetRow } from '../../../../src/api/contract.ts'
import { budgetPeriodsQuery } from './budgets.ts'
import { toPeriodBars, toPeriodName, toPeriodState } from './period-words.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableColumn } from '../../ui/data-table.tsx'
import { Fault } from '../../ui/fault.tsx'

export interface BudgetHistoryProps {
  readonly budget: BudgetRow
}

export function BudgetHistory({ budget }: BudgetHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="budget-history"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        History<span className="unseen"> of {budget.name}</span>
      </summary>
      {isOpen && <Periods budget={budget} />}
    </details>
  )
}

function Periods({ budget }: BudgetHistoryProps) {
  const { data, error, refetch } = useQuery(budgetPeriodsQuery(budget.id))
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={160} mt="sm" />
  return (
    <>
      <Bars rows={data.rows} />
      <DataTable
        caption={`Periods of ${budget.name}`}
        columns={toColumns(budget)}
        rows={data.rows}
        rowKey={(row) => row.period_start}
        empty="No period yet."
      />
    </>
  )
}

const WIDTH = 100
const HEIGHT = 100
/** Few periods are not drawn as walls. */
const PLACES_MIN = 12
const BAR_PART = 0.7

function Bars({ rows }: { readonly rows: readonly BudgetPeriodRow[] }) {
  const { bars, limit, scale } = toPeriodBars(rows)
  const step = WIDTH / Math.max(PLACES_MIN, bars.length)
  return (
    <figure className="period-bars">
      <svg aria-hidden="true" preserveAspectRatio="none" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {bars.map(({ id, height, tone, isRunning }, place) => (
          <rect
            key={id}
            className={`period-${tone}${isRunning ? ' period-running' : ''}`}
            x={place * step}
            y={HEIGHT - height}
            width={step * BAR_PART}
            height={height}
          />
        ))}
        <line className="period-limit" x1="0" x2={WIDTH} y1={HEIGHT - limit} y2={HEIGHT - limit} />
      </svg>
      <Text component="figcaption" size="sm" c="dimmed">
        {scale}
      </Text>
    </figure>
  )
}

function toColumns({ period }: BudgetRow): readonly TableColumn<BudgetPeriodRow>[] {
  return [
    {
      id: 'period',
      header: 'Period',
      cell: (row) => (
        <>
          {toPeriodName(row, period)}
          <span className="cell-under">{toPeriodState(row)}</span>
        </>
      ),
    },
    {
      id: 'spent',
      header: 'Spent',
      align: 'right',
      cell: ({ spent_usd: spent }) => (spent === null ? '' : formatUsd(spent)),
    },
    {
      id: 'limit',
      header: 'Limit',
      align: 'right',
      cell: ({ limit_usd: limit }) => formatUsd(limit),
    },
    {
      id: 'share',
      header: 'Share',
      align: 'right',
      cell: ({ spent_percent: percent }) => (percent === null ? '' : formatShare(percent / 100)),
    },
  ]
}
