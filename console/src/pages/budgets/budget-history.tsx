// What a budget spent in its periods, each against the limit of its time.

import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BudgetRow } from '../../../../src/api/contract.ts'
import { budgetPeriodsQuery } from './budgets.ts'
import { SPENT, toPeriodPoints } from './period-words.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatShortUsd, formatUsd } from '../../data/format-usd.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import { Fault } from '../../ui/fault.tsx'

const SERIES = [{ id: SPENT, label: 'Spent' }]
const HEIGHT_PX = 150

export function BudgetHistory({ budget }: { readonly budget: BudgetRow }) {
  const { data, error, refetch } = useQuery(budgetPeriodsQuery(budget.id))
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  const periods = data && toPeriodPoints(data.rows, budget.period)
  return (
    <section aria-label={`History of ${budget.name}`}>
      <Chart
        label={`Periods of ${budget.name}`}
        heightPx={HEIGHT_PX}
        series={SERIES}
        points={periods?.points}
        // The sum of many is no share of what each may spend.
        {...(budget.each === 'none' && {
          earlier: { label: 'Limit', points: periods?.limits ?? [] },
        })}
        format={formatUsd}
        formatShort={formatShortUsd}
        pointName="Period"
      />
      {periods !== undefined && periods.missing > 0 && (
        <Text size="sm" c="dimmed">
          What {formatCounted(periods.missing, 'older period')} spent is no longer on record.
        </Text>
      )}
    </section>
  )
}
