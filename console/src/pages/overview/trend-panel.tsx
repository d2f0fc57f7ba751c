// The last 30 days by the chosen field, with as many before. A day leads to who it was.

import { NativeSelect } from '@mantine/core'
import type { Overview } from '../../../../src/api/contract.ts'
import {
  toDimField,
  toFieldName,
  toInnerFieldName,
  toMemberName,
} from '../../data/analysis/fields.ts'
import { formatBucket, formatTick } from '../../data/analysis/interval.ts'
import { nameSpan } from '../../data/analysis/span-name.ts'
import { DAY_COST, toDayBars } from '../../data/analysis/usage-bars.ts'
import { formatShortUsd, formatUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import type { ChartPoint, ChartSeries, Earlier } from '../../ui/charts/chart-figures.ts'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toDayHref } from './overview-links.ts'

const HEIGHT_PX = 280

export interface TrendPanelProps {
  readonly overview: Overview | undefined
  /** As it was asked for: the answer may be on its way. */
  readonly groupBy: string
  readonly onGroupBy: (field: string) => void
}

export function TrendPanel({ overview, groupBy, onGroupBy }: TrendPanelProps) {
  const canReadKeys = useCan('read:keys')
  const drawn = overview === undefined ? undefined : toTrend(overview)
  const fields = new Set([
    'model',
    'provider',
    ...(canReadKeys ? ['api_key', 'team'] : []),
    ...(overview?.dim_keys ?? []).map(toDimField),
    groupBy,
  ])
  return (
    <Panel
      heading="Last 30 days"
      description={`Cost per day by ${toInnerFieldName(groupBy)}, UTC`}
      actions={
        <>
          <NativeSelect
            aria-label="Group by"
            size="xs"
            data={Array.from(fields, (value) => ({ value, label: `By ${toFieldName(value)}` }))}
            value={groupBy}
            onChange={({ currentTarget: { value } }) => onGroupBy(value)}
          />
          <TextLink
            href={toHref('/explore', { range: 'last_30_days', interval: 'day', group_by: groupBy })}
            label="Explore: last 30 days"
          >
            Explore
          </TextLink>
        </>
      }
    >
      <Chart
        label="Cost per day, last 30 days"
        series={drawn?.series ?? []}
        points={drawn?.points.map((point) => ({
          ...point,
          href: toDayHref(point.id, canReadKeys),
        }))}
        earlier={drawn?.earlier}
        format={formatUsd}
        formatShort={formatShortUsd}
        pointName="Day"
        heightPx={HEIGHT_PX}
      />
    </Panel>
  )
}

interface Trend {
  readonly series: readonly ChartSeries[]
  readonly points: readonly ChartPoint[]
  readonly earlier?: Earlier
}

/** Without groups where single hours are no longer kept. */
function toTrend({ asOf, figures, breakdown }: Overview): Trend {
  const days = breakdown?.days ?? null
  if (days === null) {
    return {
      series: [{ id: DAY_COST, label: 'Cost' }],
      points: toDayBars({ asOf, rows: figures.days }),
    }
  }
  const series = days.groups.map((group) => ({
    id: `${group.kind} ${group.value ?? ''}`,
    label: toMemberName(group),
    kind: group.kind,
  }))
  const toPoints = ({ buckets, costs }: Pick<typeof days, 'buckets' | 'costs'>) =>
    buckets.map(({ start, is_partial: isPartial }, place) => ({
      id: start.slice(0, 10),
      label: formatBucket(Date.parse(start), 'day'),
      tick: formatTick(Date.parse(start), 'day'),
      values: Object.fromEntries(series.map(({ id }, row) => [id, costs[place]?.[row] ?? 0])),
      isPartial,
    }))
  const { before } = days
  return {
    // Without a call there is no group, and one series has no legend.
    series: series.length === 0 ? [{ id: DAY_COST, label: 'Cost' }] : series,
    points: toPoints(days),
    ...(before !== null && { earlier: { label: nameSpan(before), points: toPoints(before) } }),
  }
}
