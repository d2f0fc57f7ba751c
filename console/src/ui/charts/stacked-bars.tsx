// Figures as bars, each a stack of its parts. A bar that is not over yet is hatched, and a bar may
// be a link. The same figures, and the same links, are in a table below, for readers who cannot see
// the chart, use no pointer, or want them exact.

import { Skeleton } from '@mantine/core'
import { BarsPlot } from './bars-plot.tsx'
import { BarsTable } from './bars-table.tsx'
import { toColored } from './bar-figures.ts'
import type { Bar, BarSeries, ColoredSeries } from './bar-figures.ts'
import { useCallback, useState } from 'react'

export interface StackedBarsProps {
  /** What is drawn: `Cost per day, last 30 days`. */
  readonly label: string
  /** From the bottom of a bar to its top. */
  readonly series: readonly BarSeries[]
  /** In their order. Undefined while they are loading. */
  readonly bars: readonly Bar[] | undefined
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

export function StackedBars(props: StackedBarsProps) {
  const { label, bars, format, heightPx = HEIGHT_PX } = props
  const [room, width] = useWidth()
  const series = toColored(props.series)
  const hasPartial = bars?.some(({ isPartial }) => isPartial === true) ?? false
  return (
    <figure className="bars" aria-label={label}>
      <div ref={room} aria-hidden="true" className="bars-room" style={{ height: heightPx }}>
        {bars === undefined ? (
          <Skeleton h={heightPx} />
        ) : (
          width > 0 && (
            <BarsPlot
              widthPx={width}
              heightPx={heightPx}
              series={series}
              bars={bars}
              format={format}
              formatShort={props.formatShort}
              isWhole={props.isWhole ?? false}
            />
          )
        )}
      </div>
      {bars !== undefined && (series.length > 1 || hasPartial) && (
        <Legend series={series.length > 1 ? series : []} hasPartial={hasPartial} />
      )}
      {bars !== undefined && (
        <BarsTable
          label={label}
          pointName={props.pointName}
          series={series}
          bars={bars}
          format={format}
        />
      )}
    </figure>
  )
}

interface LegendProps {
  readonly series: readonly ColoredSeries[]
  readonly hasPartial: boolean
}

function Legend({ series, hasPartial }: LegendProps) {
  return (
    <ul className="bars-legend">
      {series.map(({ id, label, color }) => (
        <li key={id}>
          <svg width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill={color} />
          </svg>
          <span className="bars-name">{label}</span>
        </li>
      ))}
      {hasPartial && (
        <li className="bars-partial">
          <span className="bars-hatched" aria-hidden="true" />
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
