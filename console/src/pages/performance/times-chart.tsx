// One of the times as bars over the period. Percentiles are of all calls of a bar, never of
// percentiles.

import { SegmentedControl } from '@mantine/core'
import { Chart } from '../../ui/charts/chart.tsx'
import { formatDuration, formatShortDuration } from '../../data/format-duration.ts'
import { toHref } from '../../data/search-values.ts'
import { Panel } from '../../ui/panel.tsx'
import { toBarRange } from '../analysis/links.ts'
import { TIME_NAMES, toTimeMs, toTotalBars } from './performance-figures.ts'
import type { PerformanceProps } from './performance-search.ts'
import { PERCENTILES, TIMES } from './performance-search.ts'

const SERIES_ID = 'value'
const EXPLAINED = {
  first_byte: 'From the request to the provider’s first byte.',
  total: 'From the request to the end of its response.',
  own: 'What Weir itself took before the request went on.',
} as const
const POINT_NAMES = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month', none: '' } as const

export function TimesChart(props: PerformanceProps) {
  const { search, question, answer, onChange } = props
  const { time = 'first_byte', percentile = 'p95' } = search
  const label = `${TIME_NAMES[time]}, ${percentile}`
  const bars = answer && toTotalBars(answer, (figures) => toTimeMs(figures, time, percentile))
  const isUnknown = answer !== undefined && toTimeMs(answer.total, time, percentile) === null
  return (
    <Panel
      heading={label}
      description={`${EXPLAINED[time]} Days, weeks and months are UTC.`}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Time"
            data={TIMES.map((value) => ({ value, label: TIME_NAMES[value] }))}
            value={time}
            onChange={(value) => onChange({ time: value })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Percentile"
            data={[...PERCENTILES]}
            value={percentile}
            onChange={(value) => onChange({ percentile: value })}
          />
        </>
      }
    >
      {isUnknown ? (
        <p className="quiet">No call of this period has this time.</p>
      ) : (
        <Chart
          label={label}
          series={[{ id: SERIES_ID, label: TIME_NAMES[time] }]}
          points={bars?.map((bar) => ({ ...bar, href: toBarHref(props, bar.id) }))}
          format={formatDuration}
          formatShort={formatShortDuration}
          pointName={POINT_NAMES[question.interval]}
        />
      )}
    </Panel>
  )
}

/** The same page for the hours of a bar. */
function toBarHref(props: PerformanceProps, start: string): string | undefined {
  const range = toBarRange(props, Date.parse(start), props.question.interval)
  return range === null ? undefined : toHref('/performance', { ...props.search, ...range })
}
