// The drawing of a trend. Loaded separately by trend-chart.tsx, since the chart library is as large
// as all the rest.

import { AreaChart, BarChart } from '@mantine/charts'
import { useElementSize } from '@mantine/hooks'
import { toEvenTicks } from './even-ticks.ts'
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
// The outermost labels of the axes need the margin: they would be moved or cut off.
const PLAIN = { accessibilityLayer: false, margin: { top: 10, right: 16 } } as const
const AXIS_WIDTH_PX = 64

export function TrendPlot(props: TrendPlotProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref}>
      <Plot {...props} widthPx={Math.max(0, width - AXIS_WIDTH_PX)} />
    </div>
  )
}

function Plot({ widthPx, ...props }: TrendPlotProps & { readonly widthPx: number }) {
  const { kind, heightPx, points, series, format, formatShort } = props
  const labels = points.map(({ at }) => String(at))
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
    xAxisProps: { ticks: [...toEvenTicks(labels, widthPx)], interval: 0 },
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
