// What one key has spent: the figures of /v1/usage for its calls alone.

import { useQuery } from '@tanstack/react-query'
import { formatDay, formatTime } from '../../data/format-time.ts'
import { formatShortUsd, formatUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { formatCost, useUnpriced } from '../../data/unpriced.ts'
import { toTotal, usageQuery } from '../../data/usage.ts'
import type { UsageAnswer } from '../../data/usage.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Stat, Stats } from '../../ui/charts/stat.tsx'
import { TrendChart } from '../../ui/charts/trend-chart.tsx'

const TOP_MODELS = 6
const SERIES = [{ id: 'cost', label: 'Cost' }]

export function KeySpend({ keyId }: { readonly keyId: string }) {
  const about = { metric: 'cost_usd', api_key: keyId } as const
  const today = useQuery(usageQuery({ ...about, window: 'today' }))
  const yesterday = useQuery(usageQuery({ ...about, window: 'yesterday' }))
  const month = useQuery(usageQuery({ ...about, window: 'month_to_date' }))
  const lastMonth = useQuery(usageQuery({ ...about, window: 'last_month' }))
  const days = useQuery(usageQuery({ ...about, window: 'last_30_days', dimension: 'day' }))
  const error = [today, yesterday, month, lastMonth, days].find((each) => each.error)?.error
  return (
    <Panel heading="Spent" description={month.data && `As of ${formatTime(month.data.asOf)}`}>
      {error !== undefined && error !== null && <Fault error={error} />}
      <Stats>
        <Stat label="Today" value={toText(today.data)} />
        <Stat label="Yesterday" value={toText(yesterday.data)} />
        <Stat label="This month so far" value={toText(month.data)} />
        <Stat label="Last month" value={toText(lastMonth.data)} />
      </Stats>
      <div className="key-trend">
        <KeyTrend days={days.data} />
      </div>
    </Panel>
  )
}

function KeyTrend({ days }: { readonly days: UsageAnswer | undefined }) {
  if (days?.rows.every(({ value }) => value === 0) === true) {
    return <p className="quiet">No cost in the last 30 days.</p>
  }
  return (
    <TrendChart
      label="Cost per day, last 30 days"
      kind="bar"
      heightPx={190}
      series={SERIES}
      points={days?.rows.map(({ label, value }) => ({
        label: formatDay(label),
        values: { cost: value },
      }))}
      format={formatUsd}
      formatShort={formatShortUsd}
      pointName="Day"
    />
  )
}

export function KeyModels({ keyId }: { readonly keyId: string }) {
  const question = {
    metric: 'cost_usd',
    window: 'month_to_date',
    dimension: 'model',
    limit: TOP_MODELS,
    api_key: keyId,
  } as const
  const { data, error } = useQuery(usageQuery(question))
  const isUnpriced = useUnpriced(question, data?.asOf)
  return (
    <Panel heading="Models" description="This month, most expensive first">
      {error === null ? (
        <BarList
          label="Models by cost this month"
          rows={data?.rows.map((row) => ({
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

function toText(answer: UsageAnswer | undefined): string | null {
  return answer === undefined ? null : formatUsd(toTotal(answer))
}
