// Times and rates over the period as lines. A percentile is of all calls of a point, never of
// percentiles. A point narrows the page to its hours.

import { NativeSelect, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Figures } from '../../data/analysis/analysis.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatDuration, formatShortDuration } from '../../data/format-duration.ts'
import { toHref } from '../../data/search-values.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import type { ChartSeries } from '../../ui/charts/chart-figures.ts'
import { Panel } from '../../ui/panel.tsx'
import { toBarRange } from '../analysis/links.ts'
import {
  formatSpeed,
  TIME_NAMES,
  toErrorShare,
  toLinePoints,
  toTimeMs,
} from './performance-figures.ts'
import type { PerformanceProps, Rate } from './performance-search.ts'
import { PERCENTILES, RATES, TIMES } from './performance-search.ts'

const PERCENTILE_LINES = PERCENTILES.map((percentile) => ({ id: percentile, label: percentile }))
const EXPLAINED = {
  first_byte: 'From the request to the provider’s first byte, of streamed calls.',
  unstreamed: 'From the request to the end of its response, of calls that were not streamed.',
  total: 'From the request to the end of its response.',
  own: 'What Weir itself took before the request went on.',
} as const
const POINT_NAMES = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month', none: '' } as const

export function TimesChart(props: PerformanceProps) {
  const { time = 'first_byte' } = props.search
  return (
    <LinesPanel
      {...props}
      heading={TIME_NAMES[time]}
      description={EXPLAINED[time]}
      choice={
        <NativeSelect
          size="xs"
          aria-label="Time"
          data={TIMES.map((value) => ({ value, label: TIME_NAMES[value] }))}
          value={time}
          onChange={({ currentTarget: { value } }) =>
            props.onChange({ time: TIMES.find((each) => each === value) })
          }
        />
      }
      series={PERCENTILE_LINES}
      toValues={(figures) =>
        PERCENTILES.map((percentile) => [percentile, toTimeMs(figures, time, percentile)])
      }
      format={formatDuration}
      formatShort={formatShortDuration}
    />
  )
}

const RATE_LINES: Readonly<
  Record<
    Rate,
    {
      readonly name: string
      readonly explained: string
      readonly toValue: (figures: Figures) => number | null
      readonly format: (value: number) => string
    }
  >
> = {
  errors: {
    name: 'Errors',
    explained: 'Calls that failed, of all calls.',
    toValue: toErrorShare,
    format: formatShare,
  },
  caches: {
    name: 'From caches',
    explained: 'Input tokens that came from a cache, of all input tokens.',
    toValue: (figures) => figures.cache_hit_share,
    format: formatShare,
  },
  speed: {
    name: 'Output speed',
    explained: 'Output tokens per second of delivered calls.',
    toValue: (figures) => figures.output_tokens_per_second,
    format: formatSpeed,
  },
}

export function RatesChart(props: PerformanceProps) {
  const { rate = 'errors' } = props.search
  const { name, explained, toValue, format } = RATE_LINES[rate]
  return (
    <LinesPanel
      {...props}
      heading={name}
      description={explained}
      choice={
        <SegmentedControl
          size="xs"
          aria-label="Rate"
          data={RATES.map((value) => ({ value, label: RATE_LINES[value].name }))}
          value={rate}
          onChange={(value) => props.onChange({ rate: value })}
        />
      }
      series={[{ id: rate, label: name }]}
      toValues={(figures) => [[rate, toValue(figures)]]}
      format={format}
      formatShort={(value) => format(value).replace(' tokens', '')}
    />
  )
}

interface LinesPanelProps extends PerformanceProps {
  readonly heading: string
  readonly description: string
  readonly choice: ReactNode
  readonly series: readonly ChartSeries[]
  readonly toValues: Parameters<typeof toLinePoints>[1]
  readonly format: (value: number) => string
  readonly formatShort: (value: number) => string
}

function LinesPanel(props: LinesPanelProps) {
  const { heading, question, answer, toValues } = props
  const points = answer && toLinePoints(answer, toValues)
  return (
    <Panel heading={heading} description={props.description} actions={props.choice}>
      {points?.every(({ values }) => Object.keys(values).length === 0) === true ? (
        <p className="quiet">No call of this period has this figure.</p>
      ) : (
        <Chart
          label={heading}
          shape="lines"
          series={props.series}
          points={points?.map((point) => ({ ...point, href: toPointHref(props, point.id) }))}
          format={props.format}
          formatShort={props.formatShort}
          pointName={POINT_NAMES[question.interval]}
          axisNote="UTC"
        />
      )}
    </Panel>
  )
}

/** The same page for the hours of a point. */
function toPointHref(props: PerformanceProps, start: string): string | undefined {
  const range = toBarRange(props, Date.parse(start), props.question.interval)
  return range === null ? undefined : toHref('/performance', { ...props.search, ...range })
}
