// The drawing of a trend. Loaded separately by trend-chart.tsx, since the chart library is as large
// as all the rest.

import { AreaChart, BarChart } from '@mantine/charts'
import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/charts/styles.css'

export interface TrendPlotProps {
  readonly kind: 'area' | 'bar'
  readonly heightPx: number
  /** `at` is the label; the other members are the values of the series. */
  readonly points: readonly Readonly<Record<string, string | number>>[]
  readonly series: readonly {
    readonly name: string
    readonly label: string
    readonly color: string
  }[]
  readonly format: (value: number) => string
  readonly formatShort: (value: number) => string
}

// Its own keyboard layer would add a tab stop to what screen readers skip; they have the table.
const PLAIN = { accessibilityLayer: false } as const
const AXIS_GAP_PX = 28
const AXIS_WIDTH_PX = 64

export function TrendPlot({ kind, heightPx, points, series, format, formatShort }: TrendPlotProps) {
  const shape = {
    h: heightPx,
    data: points.map((point) => ({ ...point })),
    dataKey: 'at',
    series: series.map((one) => ({ ...one })),
    valueFormatter: format,
    withLegend: series.length > 1,
    gridAxis: 'x',
    tickLine: 'none',
    strokeDasharray: '3 4',
    xAxisProps: { minTickGap: AXIS_GAP_PX, interval: 'preserveStartEnd' },
    yAxisProps: { width: AXIS_WIDTH_PX, tickFormatter: formatShort },
  } as const
  if (kind === 'bar')
    return <BarChart {...shape} barChartProps={PLAIN} type="stacked" maxBarWidth={36} />
  const type = series.length > 1 ? 'stacked' : 'default'
  return (
    <AreaChart
      {...shape}
      areaChartProps={PLAIN}
      type={type}
      curveType="monotone"
      withDots={false}
      strokeWidth={2}
    />
  )
}
