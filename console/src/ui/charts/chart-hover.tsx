// The exact figures of one point of a chart, beside it: under the pointer, at a tap, and by the
// arrow keys. For screen readers it is a slider whose value is the point in words. A tap shows a
// point; a second one, like a click or Enter, follows its link.

import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { formatShare } from '../../data/format-count.ts'
import { toEarlierSum } from './chart-figures.ts'
import type { ChartPoint, ColoredSeries, Earlier } from './chart-figures.ts'
import type { Frame } from './chart-layout.ts'
import { SeriesMark } from './chart-legend.tsx'

export interface ChartHoverProps {
  readonly label: string
  readonly frame: Frame
  readonly series: readonly ColoredSeries[]
  readonly points: readonly ChartPoint[]
  readonly earlier: Earlier | undefined
  readonly format: (value: number) => string
  /** Of lines: where a figure is. Their figures are no parts of a sum. */
  readonly yOf?: (value: number) => number
  /** The drawing, which stays as it is while the point changes. */
  readonly children: ReactNode
}

/** Beyond the middle the figures are at the left of their point. */
const HALF = 0.5

export function ChartHover(props: ChartHoverProps) {
  const { label, frame, points, children } = props
  const room = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  const tapped = useRef<number | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const shown = points[chosen ?? -1] === undefined ? null : chosen
  const placeOf = (event: PointerEvent): number | null =>
    frame.placeOf(event.clientX - (room.current?.getBoundingClientRect().left ?? 0))
  const follow = (place: number): void => {
    const link = room.current?.querySelectorAll('[data-bar]')[place]?.querySelector('a')
    link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  }
  return (
    <div
      ref={room}
      className="chart-hover"
      onPointerMove={(event) => setChosen(placeOf(event))}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
      onPointerDown={(event) => {
        const place = event.pointerType === 'mouse' ? null : placeOf(event)
        tapped.current = place === shown ? null : place
        if (place !== null) setChosen(place)
      }}
      onClickCapture={(event) => {
        if (tapped.current === null) return
        event.preventDefault()
        event.stopPropagation()
        slider.current?.focus({ preventScroll: true })
        setChosen(tapped.current)
        tapped.current = null
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setChosen(null)
      }}
    >
      <Marks {...props} place={shown} />
      {children}
      <div
        ref={slider}
        className="chart-slider"
        role="slider"
        tabIndex={0}
        aria-label={`${label}: figures`}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={(shown ?? points.length - 1) + 1}
        aria-valuetext={describe(props, shown ?? points.length - 1)}
        onFocus={() => setChosen((place) => place ?? points.length - 1)}
        onKeyDown={(event) => {
          const next = toNext(event, shown, points.length)
          if (next !== undefined) event.preventDefault()
          if (next !== undefined) setChosen(next)
          if (event.key === 'Enter' && shown !== null) follow(shown)
        }}
      />
      {shown !== null && <Card {...props} place={shown} />}
    </div>
  )
}

/** Undefined where the key has no meaning here. */
function toNext({ key }: KeyboardEvent, shown: number | null, count: number) {
  const last = count - 1
  const place = shown ?? last
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(place - 1, 0)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(place + 1, last)
  if (key === 'Home') return 0
  if (key === 'End') return last
  return key === 'Escape' ? null : undefined
}

type AtPoint = ChartHoverProps & { readonly place: number | null }

/** Behind the drawing: the column of the point, and a dot for each line. */
function Marks({ frame, series, points, yOf, place }: AtPoint) {
  const point = points[place ?? -1]
  if (place === null || point === undefined) return null
  return (
    <svg width={frame.widthPx} height={frame.heightPx} className="chart-plot" aria-hidden="true">
      <rect
        className="chart-shown"
        x={frame.leftPx + place * frame.bandPx}
        y={frame.topPx}
        width={frame.bandPx}
        height={frame.plotPx}
      />
      {yOf !== undefined &&
        series.map(({ id, color }) => {
          const value = point.values[id]
          if (value === undefined) return null
          return <circle key={id} cx={frame.middleOf(place)} cy={yOf(value)} r="5" fill={color} />
        })}
    </svg>
  )
}

interface CardRow extends ColoredSeries {
  readonly value: number
  readonly text: string
  readonly share: string
}

/** The largest first. What has no figure is left out. */
function readPoint({ series, points, earlier, format, yOf }: ChartHoverProps, place: number) {
  const point = points[place]
  const given = series.flatMap((one) => {
    const value = point?.values[one.id]
    return value === undefined || (value === 0 && yOf === undefined) ? [] : [{ ...one, value }]
  })
  const total = given.reduce((sum, { value }) => sum + value, 0)
  const isSum = yOf === undefined && series.length > 1
  const rows = given
    .toSorted((one, other) => other.value - one.value)
    .map((row): CardRow => ({
      ...row,
      text: format(row.value),
      share: isSum ? formatShare(row.value / total) : '',
    }))
  const before = toEarlierSum(earlier, place, series)
  return {
    title: `${point?.label ?? ''}${point?.isPartial === true ? ', so far' : ''}`,
    rows,
    isSum,
    total: isSum || (yOf === undefined && rows.length === 0) ? format(total) : null,
    earlier:
      before === undefined
        ? null
        : { label: earlier?.points[place]?.label ?? '', text: format(before) },
  }
}

function describe(props: ChartHoverProps, place: number): string {
  const { title, rows, total, earlier } = readPoint(props, place)
  const parts = [
    ...(total === null ? [] : [`Total ${total}`]),
    ...rows.map(({ label, text }) => `${label} ${text}`),
    ...(earlier === null ? [] : [`${earlier.label} ${earlier.text}`]),
  ]
  return `${title}: ${parts.join(', ') || 'nothing'}`
}

function Card(props: ChartHoverProps & { readonly place: number }) {
  const { frame, place } = props
  const { title, rows, isSum, total, earlier } = readPoint(props, place)
  const at = frame.middleOf(place) / frame.widthPx
  const side = at > HALF ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` }
  return (
    <div className="chart-card" style={side} aria-hidden="true">
      <strong>{title}</strong>
      <dl className={isSum ? 'chart-shares' : undefined}>
        {rows.map(({ text, share, ...row }) => (
          <div key={row.id}>
            <dt>
              <SeriesMark series={row} isLine={props.yOf !== undefined} />
              <span className="chart-name">{row.label}</span>
            </dt>
            <dd>{text}</dd>
            {isSum && <dd className="chart-share">{share}</dd>}
          </div>
        ))}
        {total !== null && (
          <div className="chart-total">
            <dt>Total</dt>
            <dd>{total}</dd>
          </div>
        )}
        {earlier !== null && (
          <div className="chart-before">
            <dt>{earlier.label}</dt>
            <dd>{earlier.text}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}
