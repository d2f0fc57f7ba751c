// Figures over time, or by group, as stacked bars or as lines. A bar that is not over yet is
// hatched, and a point may be a link. The same figures, and the same links, are in a table below,
// for readers who cannot see the chart, use no pointer, or want them exact. Must stay true: what is
// below the chart is where it was before its figures came.

import { Skeleton } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { CSSProperties } from 'react'
import { EARLIER_DASH, toColored } from './chart-figures.ts'
import type { ChartPoint, ChartSeries, Earlier } from './chart-figures.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { ChartTable } from './chart-table.tsx'
import { NONE_OFF } from './shown-series.ts'

export interface ChartProps {
  /** What is drawn: `Cost per day, last 30 days`. */
  readonly label: string
  /** Lines are for what does not add up: times and shares. Bars are the default. */
  readonly shape?: 'bars' | 'lines'
  /** From the bottom of a bar to its top. Empty while several, not known yet, are loading. */
  readonly series: readonly ChartSeries[]
  /** In their order. Undefined while they are loading. */
  readonly points: readonly ChartPoint[] | undefined
  /** Drawn as a mark across each bar or as a line: the sum of the series that are switched on. */
  readonly earlier?: Earlier | undefined
  readonly format: (value: number) => string
  /** For the axis, where there is little room. */
  readonly formatShort: (value: number) => string
  /** Of counts there are no halves. */
  readonly isWhole?: boolean
  /** What the first column of the table is: `Day`. */
  readonly pointName: string
  /** At the beginning of the axis: the zone of its days and hours. */
  readonly axisNote?: string | undefined
  readonly heightPx?: number
}

const HEIGHT_PX = 260

export function Chart(props: ChartProps) {
  const { label, points, format, shape = 'bars', heightPx = HEIGHT_PX } = props
  const [room, widthPx] = useWidth()
  const [off, setOff] = useState(NONE_OFF)
  const [lit, setLit] = useState<string | null>(null)
  const [hasEarlier, setHasEarlier] = useState(true)
  const series = toColored(props.series)
  const shown = series.filter(({ id }) => series.length === 1 || !off.has(id))
  const isSingle = series.length === 1
  return (
    <figure className="chart" aria-label={label}>
      <div
        className={isSingle ? 'chart-body' : 'chart-body chart-grouped'}
        style={{ '--chart-height': `${heightPx}px` } as CSSProperties}
      >
        <div ref={room} className="chart-room">
          {points === undefined && <Skeleton h={heightPx} />}
          {points !== undefined && widthPx > 0 && (
            <ChartPlot
              label={label}
              shape={shape}
              size={{ widthPx, heightPx }}
              series={shown}
              points={points}
              earlier={hasEarlier ? props.earlier : undefined}
              lit={lit}
              isWhole={props.isWhole ?? false}
              axisNote={props.axisNote}
              format={format}
              formatShort={props.formatShort}
            />
          )}
        </div>
        {!isSingle && (
          <ChartLegend
            series={series}
            isLine={shape === 'lines'}
            off={off}
            onOff={setOff}
            onLit={setLit}
            format={format}
          />
        )}
      </div>
      <div className="chart-foot">
        {(shape === 'bars' || props.earlier !== undefined) && (
          <Notes
            earlier={props.earlier}
            isLine={shape === 'lines'}
            isOn={hasEarlier}
            onEarlier={() => setHasEarlier(!hasEarlier)}
            hasPartial={shape === 'bars' && points?.some(({ isPartial }) => isPartial) === true}
          />
        )}
        <ChartTable {...props} shape={shape} series={series} />
      </div>
    </figure>
  )
}

interface NotesProps {
  readonly earlier: Earlier | undefined
  readonly isLine: boolean
  readonly isOn: boolean
  readonly onEarlier: () => void
  readonly hasPartial: boolean
}

function Notes({ earlier, isLine, isOn, onEarlier, hasPartial }: NotesProps) {
  return (
    <ul className="chart-notes">
      {earlier !== undefined && (
        <li>
          <button type="button" className="chart-key" aria-pressed={isOn} onClick={onEarlier}>
            <svg className="chart-mark chart-earlier" width="22" height="10" aria-hidden="true">
              <path d="M1 5h20" strokeDasharray={isLine ? EARLIER_DASH : undefined} />
            </svg>
            <span className="chart-name">{earlier.label}</span>
          </button>
        </li>
      )}
      {hasPartial && (
        <li>
          <span className="chart-hatched" aria-hidden="true" />
          Not over yet
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
