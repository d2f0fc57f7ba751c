// The drawing of stacked bars. A bar's whole column is its link and shows its figures, so that a
// thin bar can be hit.

import { useId, useState } from 'react'
import { useLink } from '../link.tsx'
import { fitsLabel, toBands, toLabelStep, toScale, toSegments } from './chart-layout.ts'
import { toSum } from './chart-figures.ts'
import type { ChartPoint, ColoredSeries, Earlier } from './chart-figures.ts'

export interface ChartPlotProps {
  readonly widthPx: number
  readonly heightPx: number
  readonly series: readonly ColoredSeries[]
  readonly points: readonly ChartPoint[]
  readonly earlier: Earlier | undefined
  readonly isWhole: boolean
  readonly format: (value: number) => string
  /** For the axis. */
  readonly formatShort: (value: number) => string
}

const LEFT_PX = 58
const TOP_PX = 10
const BOTTOM_PX = 26
const LABEL_BELOW_PX = 18
/** Beyond the middle a card lies at the left of its bar. */
const HALF = 0.5

export function ChartPlot(props: ChartPlotProps) {
  const { widthPx, heightPx, series, points, earlier, isWhole, formatShort } = props
  const [shown, setShown] = useState<number | null>(null)
  const hatch = useId()
  const innerPx = Math.max(widthPx - LEFT_PX, 1)
  const plotPx = heightPx - TOP_PX - BOTTOM_PX
  const scale = toScale(
    Math.max(...points.map(toSum), ...(earlier?.values ?? []).map((value) => value ?? 0), 0),
    isWhole,
  )
  const { bandPx, barPx } = toBands(points.length, innerPx)
  const labelStep = toLabelStep(
    points.map(({ tick }) => tick),
    bandPx,
  )
  const hasTick = ({ tick }: ChartPoint, place: number): boolean =>
    place % labelStep === 0 &&
    fitsLabel(tick, { middlePx: LEFT_PX + (place + HALF) * bandPx, widthPx })
  const toEarlierPx = (place: number): number | undefined => {
    const value = earlier?.values[place]
    return value === undefined ? undefined : yOf(value)
  }
  const yOf = (value: number): number => TOP_PX + plotPx * (1 - value / scale.max)
  const shownBar = shown === null ? undefined : points[shown]
  return (
    <>
      <svg
        width={widthPx}
        height={heightPx}
        className="chart-plot"
        onMouseLeave={() => setShown(null)}
      >
        <Hatch id={hatch} />
        <Ticks ticks={scale.ticks} widthPx={widthPx} yOf={yOf} format={formatShort} />
        {points.map((bar, place) => (
          <Column
            key={bar.id}
            bar={bar}
            earlierPx={toEarlierPx(place)}
            series={series}
            xPx={LEFT_PX + place * bandPx}
            bandPx={bandPx}
            barPx={barPx}
            plotPx={plotPx}
            max={scale.max}
            hatch={hatch}
            tick={hasTick(bar, place) ? bar.tick : null}
            isShown={place === shown}
            onShow={() => setShown(place)}
          />
        ))}
      </svg>
      {shownBar !== undefined && shown !== null && (
        <BarCard
          bar={shownBar}
          series={series}
          earlier={
            shown === null || earlier === undefined
              ? undefined
              : { label: earlier.label, value: earlier.values[shown] }
          }
          format={props.format}
          place={(LEFT_PX + (shown + HALF) * bandPx) / widthPx}
        />
      )}
    </>
  )
}

interface TicksProps {
  readonly ticks: readonly number[]
  readonly widthPx: number
  readonly yOf: (value: number) => number
  readonly format: (value: number) => string
}

function Ticks({ ticks, widthPx, yOf, format }: TicksProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line className="chart-grid" x1={LEFT_PX} x2={widthPx} y1={yOf(tick)} y2={yOf(tick)} />
      <text
        className="chart-tick chart-tick-y"
        x={LEFT_PX - 8}
        y={yOf(tick)}
        dy="0.32em"
        textAnchor="end"
      >
        {format(tick)}
      </text>
    </g>
  ))
}

function Hatch({ id }: { readonly id: string }) {
  const turned = { patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' } as const
  return (
    <defs>
      <pattern id={id} width="6" height="6" {...turned}>
        <line x1="0" y1="0" x2="0" y2="6" className="chart-hatch" />
      </pattern>
    </defs>
  )
}

interface ColumnProps {
  readonly bar: ChartPoint
  readonly series: readonly ColoredSeries[]
  readonly earlierPx: number | undefined
  readonly xPx: number
  readonly bandPx: number
  readonly barPx: number
  readonly plotPx: number
  readonly max: number
  readonly hatch: string
  /** Null where there is no room for it. */
  readonly tick: string | null
  readonly isShown: boolean
  readonly onShow: () => void
}

function Column(props: ColumnProps) {
  const { bar, series, xPx, bandPx, barPx, plotPx, max, tick } = props
  const Link = useLink()
  const colors = new Map(series.map(({ id, color }) => [id, color]))
  const segments = toSegments([...colors.keys()], bar.values, { heightPx: plotPx, max })
  const x = xPx + (bandPx - barPx) / 2
  const topPx = segments.at(-1)?.yPx ?? plotPx
  const drawn = (
    <>
      <rect
        className={props.isShown ? 'chart-column chart-shown' : 'chart-column'}
        x={xPx}
        y={TOP_PX}
        width={bandPx}
        height={plotPx}
      />
      {segments.map(({ id, yPx, heightPx }) => (
        <rect
          key={id}
          x={x}
          y={TOP_PX + yPx}
          width={barPx}
          height={heightPx}
          fill={colors.get(id)}
        />
      ))}
      {bar.isPartial === true && (
        <rect
          x={x}
          y={TOP_PX + topPx}
          width={barPx}
          height={plotPx - topPx}
          fill={`url(#${props.hatch})`}
        />
      )}
      {props.earlierPx !== undefined && (
        <line
          className="chart-earlier"
          x1={xPx}
          x2={xPx + bandPx}
          y1={props.earlierPx}
          y2={props.earlierPx}
        />
      )}
      {tick !== null && (
        <text
          className="chart-tick chart-tick-x"
          x={xPx + bandPx / 2}
          y={TOP_PX + plotPx + LABEL_BELOW_PX}
          textAnchor="middle"
        >
          {tick}
        </text>
      )}
    </>
  )
  return (
    <g onMouseEnter={props.onShow} data-bar={bar.id}>
      {bar.href === undefined ? (
        drawn
      ) : (
        // Keyboards and screen readers have the links of the table.
        <Link href={bar.href} tabIndex={-1}>
          {drawn}
        </Link>
      )}
    </g>
  )
}

interface BarCardProps {
  readonly bar: ChartPoint
  readonly earlier: { readonly label: string; readonly value: number | undefined } | undefined
  readonly series: readonly ColoredSeries[]
  readonly format: (value: number) => string
  /** From 0, the left edge, to 1. */
  readonly place: number
}

function BarCard({ bar, series, earlier, format, place }: BarCardProps) {
  const parts = series.filter(({ id }) => (bar.values[id] ?? 0) > 0)
  const side = place > HALF ? { right: `${(1 - place) * 100}%` } : { left: `${place * 100}%` }
  return (
    <div className="chart-card" style={side}>
      <strong>
        {bar.label}
        {bar.isPartial === true && ', so far'}
      </strong>
      <dl>
        {parts.toReversed().map(({ id, label, color }) => (
          <div key={id}>
            <dt>
              <svg width="10" height="10">
                <rect width="10" height="10" rx="2" fill={color} />
              </svg>
              <span className="chart-name">{label}</span>
            </dt>
            <dd>{format(bar.values[id] ?? 0)}</dd>
          </div>
        ))}
        {parts.length !== 1 && (
          <div>
            <dt>Total</dt>
            <dd>{format(toSum(bar))}</dd>
          </div>
        )}
        {earlier?.value !== undefined && (
          <div>
            <dt>{earlier.label}</dt>
            <dd>{format(earlier.value)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}
