// What one key, or a team, has spent: the figures of its calls alone, all of one moment.

import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KeySpend as KeySpendAnswer } from '../../../../src/api/contract.ts'
import { formatCount, formatShortCount } from '../../data/format-count.ts'
import { formatTime } from '../../data/format-time.ts'
import { formatShortUsd, formatUsd } from '../../data/format-usd.ts'
import { keySpendQuery } from '../../data/keys.ts'
import { toHref } from '../../data/search-values.ts'
import { formatCost, useUnpriced } from '../../data/unpriced.ts'
import { DAY_COST, toDayBars } from '../../data/analysis/usage-bars.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import { Chart } from '../../ui/charts/chart.tsx'

const SERIES = [{ id: DAY_COST, label: 'Cost' }]

/** By the names of the API's answer for a key. */
export interface Spend extends Pick<KeySpendAnswer, 'asOf'> {
  /** Null where it is not known any more; the same below. */
  readonly today_usd: number | null
  readonly yesterday_usd: number | null
  readonly month_to_date_usd: number | null
  readonly last_month_usd: number | null
  /** Of this month. */
  readonly counts?: { readonly requests: number; readonly tokens: number }
  readonly days: readonly { readonly label: string; readonly value: number }[]
}

export function KeySpend({ keyId }: { readonly keyId: string }) {
  const { data, error, refetch } = useQuery(keySpendQuery(keyId))
  return <SpendPanel spend={data} error={error} onRetry={() => void refetch()} />
}

interface SpendPanelProps {
  /** Undefined while it is loading. */
  readonly spend: Spend | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}

export function SpendPanel({ spend, error, onRetry }: SpendPanelProps) {
  return (
    <Panel
      heading="Spent"
      description={spend && `As of ${formatTime(spend.asOf)}. Days and months are UTC.`}
    >
      {error !== null && <Fault error={error} onRetry={onRetry} />}
      <Stats>
        <Stat label="Today" {...toFigure('today', spend?.today_usd)} />
        <Stat label="Yesterday" {...toFigure('yesterday', spend?.yesterday_usd)} />
        <Stat label="This month so far" {...toFigure('month', spend?.month_to_date_usd)} />
        <Stat label="Last month" {...toFigure('last-month', spend?.last_month_usd)} />
        {spend?.counts !== undefined && (
          <>
            <Stat label="Calls this month" value={formatCount(spend.counts.requests)} />
            <Stat label="Tokens this month" value={formatShortCount(spend.counts.tokens)} />
          </>
        )}
      </Stats>
      <Box mt="lg">
        <Trend spend={spend} />
      </Box>
    </Panel>
  )
}

function Trend({ spend }: Pick<SpendPanelProps, 'spend'>) {
  if (spend?.days.every(({ value }) => value === 0) === true) {
    return <p className="quiet">No cost in the last 30 days.</p>
  }
  return (
    <Chart
      label="Cost per day, last 30 days"
      heightPx={190}
      series={SERIES}
      points={spend && toDayBars({ rows: spend.days, asOf: spend.asOf })}
      format={formatUsd}
      formatShort={formatShortUsd}
      pointName="Day"
    />
  )
}

export function KeyModels({ keyId }: { readonly keyId: string }) {
  const { data, error } = useQuery(keySpendQuery(keyId))
  const question = {
    metric: 'cost_usd',
    window: 'month_to_date',
    dimension: 'model',
    api_key: keyId,
  } as const
  const isUnpriced = useUnpriced(question, data?.asOf)
  return (
    <Panel heading="Models" description="This month, most expensive first">
      {error === null ? (
        <BarList
          label="Models by cost this month"
          rows={data?.models.map((row) => ({
            id: row.label,
            label: row.label,
            value: row.value,
            text: formatCost(row.value, isUnpriced(row)),
            href: toHref('/requests', { api_key: keyId, model: row.label }),
          }))}
          empty="No cost this month."
        />
      ) : (
        <Fault error={error} />
      )}
    </Panel>
  )
}

function toFigure(name: string, value: number | null | undefined) {
  if (value === null) return { value: 'not kept' }
  return { value: value === undefined ? null : formatUsd(value), figure: { name, value } }
}
