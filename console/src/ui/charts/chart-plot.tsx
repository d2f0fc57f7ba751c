// The drawing of a chart: axes, bars or lines, and the earlier period. A point's whole column is
// its link, so that a thin bar can be hit. It is hidden from screen readers, which have the table.

import { useId } from 'react'
import { useLink } from '../link.tsx'
import { EARLIER_DASH, toEarlierSum, toLook } from './chart-figures.ts'
import type { ChartPoint, ColoredSeries, Earlier } from './chart-figures.ts'
import { ChartHover } from './chart-hover.tsx'
import { fitsLabel, toFrame, toLabelStep, toPath, toScale, toSegments } from './chart-layout.ts'
import type { Frame, Size, Spot } from './chart-layout.ts'

export interface ChartPlotProps {
  readonly label: string
  readonly shape: 'bars' | 'lines'
  readonly size: Size
  /** Those that are switched on. */
  readonly series: readonly ColoredSeries[]
  readonly points: readonly ChartPoint[]
  readonly earlier: Earlier | undefined
  /** The series that stands out, as its legend is pointed at. */
  readonly lit: string | null
  readonly isWhole: boolean
  readonly axisNote: string | undefined
  readonly format: (value: number) => string
  /** For the axis. */
  readonly formatShort: (value: number) => string
}

/** What is drawn, with the places of figures. */
interface Drawing extends Pick<ChartPlotProps, 'series' | 'points' | 'earlier'> {
  readonly frame: Frame
  readonly yOf: (value: number) => number
  readonly opacityOf: (id: string) => number | undefined
  readonly max: number
}

const LABEL_BELOW_PX = 18
const UNLIT = 0.2
const PART_PX_MIN = 3
const MARK_BESIDE_PX = 8

export function ChartPlot(props: ChartPlotProps) {
  const { label, shape, size, series, points, earlier, lit, format } = props
  const isLines = shape === 'lines'
  const frame = toFrame(points.length, size)
  const { ticks, max } = toScale(findLargest(props), props.isWhole)
  const yOf = (value: number): number => frame.topPx + frame.plotPx * (1 - value / max)
  const opacityOf = (id: string) => (lit === null || lit === id ? undefined : UNLIT)
  const drawing = { series, points, earlier, frame, yOf, opacityOf, max }
  return (
    <ChartHover
      label={label}
      frame={frame}
      series={series}
      points={points}
      earlier={earlier}
      format={format}
      {...(isLines && { yOf })}
    >
      <svg width={size.widthPx} height={size.heightPx} className="chart-plot" aria-hidden="true">
        <Axes {...drawing} ticks={ticks} note={props.axisNote} format={props.formatShort} />
        {isLines && <Lines {...drawing} />}
        <Columns {...drawing} isLines={isLines} />
        <EarlierMarks {...drawing} isLines={isLines} />
      </svg>
    </ChartHover>
  )
}

/** Of bars their sum counts, of lines each. */
function findLargest({ shape, series, points, earlier }: ChartPlotProps): number {
  const heights = points.flatMap(({ values }) => {
    const parts = series.map(({ id }) => values[id] ?? 0)
    return shape === 'lines' ? parts : [parts.reduce((sum, part) => sum + part, 0)]
  })
  const before = points.map((_, place) => toEarlierSum(earlier, place, series) ?? 0)
  return Math.max(...heights, ...before, 0)
}

interface AxesProps extends Drawing {
  readonly ticks: readonly number[]
  readonly note: string | undefined
  readonly format: (value: number) => string
}

function Axes({ frame, points, yOf, ticks, note, format }: AxesProps) {
  const { leftPx, topPx, plotPx, widthPx, bandPx, middleOf } = frame
  const step = toLabelStep(
    points.map(({ tick }) => tick),
    bandPx,
  )
  const below = topPx + plotPx + LABEL_BELOW_PX
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="chart-grid" x1={leftPx} x2={widthPx} y1={yOf(tick)} y2={yOf(tick)} />
          <text
            className="chart-tick chart-tick-y"
            x={leftPx - 8}
            y={yOf(tick)}
            dy="0.32em"
            textAnchor="end"
          >
            {format(tick)}
          </text>
        </g>
      ))}
      {points.map(
        ({ id, tick }, place) =>
          place % step === 0 &&
          fitsLabel(tick, { middlePx: middleOf(place), widthPx }) && (
            <text
              key={id}
              className="chart-tick chart-tick-x"
              x={middleOf(place)}
              y={below}
              textAnchor="middle"
            >
              {tick}
            </text>
          ),
      )}
      {note !== undefined && (
        <text className="chart-tick" y={below}>
          {note}
        </text>
      )}
    </>
  )
}

type ColumnsProps = Drawing & { readonly isLines: boolean }

function Columns({ frame, series, points, max, opacityOf, isLines }: ColumnsProps) {
  const Link = useLink()
  const hatch = useId()
  const { bandPx, barPx, topPx, plotPx, leftPx } = frame
  const looks = new Map(series.map((one) => [one.id, toLook(one)]))
  return (
    <>
      <Hatch id={hatch} />
      {points.map(({ id: pointId, values, href, isPartial = false }, place) => {
        const scale = { heightPx: plotPx, max }
        const segments = isLines ? [] : toSegments([...looks.keys()], values, scale)
        const stackPx = segments.at(-1)?.yPx ?? plotPx
        const bar = { x: frame.middleOf(place) - barPx / 2, width: barPx }
        const drawn = (
          <>
            <rect
              className="chart-column"
              x={leftPx + place * bandPx}
              y={topPx}
              width={bandPx}
              height={plotPx}
            />
            {segments.map(({ id, yPx, heightPx }, part) => (
              <rect
                key={id}
                {...bar}
                y={topPx + yPx}
                // Parts are apart by a line of the surface where there is room for it.
                height={part > 0 && heightPx > PART_PX_MIN ? heightPx - 1 : heightPx}
                {...looks.get(id)}
                opacity={opacityOf(id)}
              />
            ))}
            {isPartial && stackPx < plotPx && (
              <rect
                {...bar}
                y={topPx + stackPx}
                height={plotPx - stackPx}
                fill={`url(#${hatch})`}
              />
            )}
          </>
        )
        return (
          <g key={pointId} data-bar={pointId}>
            {href === undefined ? (
              drawn
            ) : (
              // Keyboards have the point that is shown, screen readers the links of the table.
              <Link href={href} tabIndex={-1}>
                {drawn}
              </Link>
            )}
          </g>
        )
      })}
    </>
  )
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

/** The way to a point that is not over is drawn fainter. */
function Lines({ frame, series, points, yOf, opacityOf }: Drawing) {
  return series.map(({ id, color, dash }) => {
    const spots = points.map(({ values }, place) => toSpot(values[id], place, { frame, yOf }))
    const look = { stroke: color, strokeDasharray: dash, opacity: opacityOf(id) }
    const end = points.at(-1)?.isPartial === true ? -1 : spots.length
    return (
      <g key={id} className="chart-line" data-series={id}>
        <path {...look} d={toPath(spots.slice(0, end))} />
        {end === -1 && <path {...look} d={toPath(spots.slice(-2))} strokeOpacity={0.45} />}
      </g>
    )
  })
}

function EarlierMarks({ frame, series, points, earlier, yOf, isLines }: ColumnsProps) {
  if (earlier === undefined) return null
  const { middleOf, bandPx, barPx } = frame
  const markPx = Math.min(bandPx, barPx + MARK_BESIDE_PX)
  const values = points.map((_, place) => toEarlierSum(earlier, place, series))
  const path = isLines
    ? toPath(values.map((value, place) => toSpot(value, place, { frame, yOf })))
    : values
        .map((value, place) =>
          value === undefined || value === 0
            ? ''
            : `M${middleOf(place) - markPx / 2} ${yOf(value)}h${markPx}`,
        )
        .join('')
  return (
    <g className="chart-earlier">
      <path className="chart-halo" d={path} />
      <path d={path} strokeDasharray={isLines ? EARLIER_DASH : undefined} />
    </g>
  )
}

function toSpot(
  value: number | undefined,
  place: number,
  { frame, yOf }: Pick<Drawing, 'frame' | 'yOf'>,
): Spot | null {
  return value === undefined ? null : { xPx: frame.middleOf(place), yPx: yOf(value) }
}
