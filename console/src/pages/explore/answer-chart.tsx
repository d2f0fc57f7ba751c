// The chart for an answer: bars for the largest, an area for days, stacked columns for months. A
// pair of two things and a single number have none.

import { labelOf } from '../../../../src/core/usage-figures.ts'
import { toRowHref } from '../../data/row-links.ts'
import { toDayTrend, toMonthTrend } from '../../data/usage-trend.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatShortUsd, formatUsd } from '../../data/format-usd.ts'
import { formatCost } from '../../data/unpriced.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { TrendChart } from '../../ui/charts/trend-chart.tsx'
import type { AnswerViewProps } from './answer-view.ts'

const HEIGHT_PX = 300
/** With more bars it is shown as a table. */
const BARS_MAX = 50
const BARS_EXPECTED = 10

/** Only cost can be grouped, so all amounts are money. */
export function AnswerChart(props: AnswerViewProps) {
  const { label, question, answer, names, whole, isUnpriced } = props
  const isSeries = question.window === 'monthly_series'
  if (question.dimension === 'day' || isSeries) {
    const rows = answer?.rows ?? []
    const trend = isSeries ? toMonthTrend(rows) : toDayTrend(rows, labelOf(question.metric))
    return (
      <TrendChart
        label={label}
        kind={isSeries ? 'bar' : 'area'}
        series={trend.series}
        points={answer === undefined ? undefined : trend.points}
        format={formatUsd}
        formatShort={formatShortUsd}
        pointName={isSeries ? 'Month' : 'Day'}
        heightPx={HEIGHT_PX}
      />
    )
  }
  const rows = answer?.rows.slice(0, BARS_MAX).map((row) => {
    const name = names.get(row.label)
    const share = whole === null || whole <= 0 ? '' : ` · ${toShare(row.value, whole)}`
    return {
      id: row.label,
      label: name ?? row.label,
      note: name === undefined ? undefined : row.label,
      value: row.value,
      text: `${formatCost(row.value, isUnpriced(row))}${share}`,
      href: toRowHref({ question, row, asOf: answer.asOf }),
    }
  })
  return (
    <>
      <BarList label={label} rows={rows} empty="Nothing to show." expected={BARS_EXPECTED} />
      {(answer?.rows.length ?? 0) > BARS_MAX && (
        <p className="quiet">Only the first {BARS_MAX} are shown. The table has all of them.</p>
      )}
    </>
  )
}

export function toShare(value: number, whole: number): string {
  return formatShare(value / whole)
}
