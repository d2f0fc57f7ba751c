// Figures as bars, each a stack of its parts. A bar that is not over yet is hatched, and a bar may
// be a link. The same figures, and the same links, are in a table below, for readers who cannot see
// the chart, use no pointer, or want them exact.

import { Skeleton } from '@mantine/core'
import { ChartPlot } from './chart-plot.tsx'
import { ChartTable } from './chart-table.tsx'
import { toColored } from './chart-figures.ts'
import type { ChartPoint, ChartSeries, ColoredSeries, Earlier } from './chart-figures.ts'
import { useCallback, useState } from 'react'

export interface ChartProps {
  /** What is drawn: `Cost per day, last 30 days`. */
  readonly label: string
  /** From the bottom of a bar to its top. */
  readonly series: readonly ChartSeries[]
  /** In their order. Undefined while they are loading. */
  readonly points: readonly ChartPoint[] | undefined
  /** Drawn as a mark across each bar, and named in the legend. */
  readonly earlier?: Earlier | undefined
  readonly format: (value: number) => string
  /** For the axis, where there is little room. */
  readonly formatShort: (value: number) => string
  /** Of counts there are no halves. */
  readonly isWhole?: boolean
  /** What the first column of the table is: `Day`. */
  readonly pointName: string
  readonly heightPx?: number
}

const HEIGHT_PX = 260

export function Chart(props: ChartProps) {
  const { label, points, format, heightPx = HEIGHT_PX } = props
  const [room, width] = useWidth()
  const series = toColored(props.series)
  const hasPartial = points?.some(({ isPartial }) => isPartial === true) ?? false
  return (
    <figure className="chart" aria-label={label}>
      <div ref={room} aria-hidden="true" className="chart-room" style={{ height: heightPx }}>
        {points === undefined ? (
          <Skeleton h={heightPx} />
        ) : (
          width > 0 && (
            <ChartPlot
              widthPx={width}
              heightPx={heightPx}
              series={series}
              points={points}
              earlier={props.earlier}
              format={format}
              formatShort={props.formatShort}
              isWhole={props.isWhole ?? false}
            />
          )
        )}
      </div>
      {points !== undefined && (series.length > 1 || hasPartial || props.earlier !== undefined) && (
        <Legend
          series={series.length > 1 ? series : []}
          earlier={props.earlier}
          hasPartial={hasPartial}
        />
      )}
      {points !== undefined && (
        <ChartTable
          label={label}
          pointName={props.pointName}
          series={series}
          points={points}
          earlier={props.earlier}
          format={format}
        />
      )}
    </figure>
  )
}

interface LegendProps {
  readonly series: readonly ColoredSeries[]
  readonly earlier: Earlier | undefined
  readonly hasPartial: boolean
}

function Legend({ series, earlier, hasPartial }: LegendProps) {
  return (
    <ul className="chart-legend">
      {series.map(({ id, label, color }) => (
        <li key={id}>
          <svg width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill={color} />
          </svg>
          <span className="chart-name">{label}</span>
        </li>
      ))}
      {earlier !== undefined && (
        <li>
          <svg width="16" height="10" aria-hidden="true">
            <line className="chart-earlier" x2="16" y1="5" y2="5" />
          </svg>
          <span className="chart-name">{earlier.label}</span>
        </li>
      )}
      {hasPartial && (
        <li className="chart-partial">
          <span className="chart-hatched" aria-hidden="true" />
          Hatched: only a part of it, so far
        </li>
      )}
    </ul>
  )
}

/** In whole pixels, also when it changes; 0 until it is known. */
function useWidth(): readonly [(element: Element | null) => void, number] {
  const [width, setWidth] = useState(0)
  const watch = useCallback((element: Element | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry?.contentRect.width ?? 0))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [watch, width]
}
