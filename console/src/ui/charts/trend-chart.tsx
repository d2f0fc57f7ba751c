// Figures over time, drawn. The same figures are in a table below, for readers who cannot see the
// chart or want them exact. The chart's code is loaded separately, so that no figure waits for it.

import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { alignPoints } from '../align-points.ts'
import { toChartColor } from './chart-palette.ts'

const TrendPlot = lazy(async () => ({ default: (await import('./trend-plot.tsx')).TrendPlot }))

export interface TrendSeries {
  readonly id: string
  readonly label: string
}

export interface TrendPoint {
  /** The day or month, ready to show. Unique. */
  readonly label: string
  /** By the id of a series; what is missing is 0. */
  readonly values: Readonly<Record<string, number>>
}

export interface TrendChartProps {
  /** What is drawn: `Cost per day, last 30 days`. */
  readonly label: string
  readonly kind: 'area' | 'bar'
  readonly series: readonly TrendSeries[]
  /** In order of time. Undefined while they are loading. */
  readonly points: readonly TrendPoint[] | undefined
  readonly format: (value: number) => string
  /** For the axis, where there is little room. */
  readonly formatShort: (value: number) => string
  /** What the first column of the table is: `Day`. */
  readonly pointName: string
  readonly heightPx?: number
}

const HEIGHT_PX = 240

export function TrendChart(props: TrendChartProps) {
  const { label, series, points, heightPx = HEIGHT_PX } = props
  const waiting = <Skeleton h={heightPx} aria-hidden="true" />
  return (
    <figure className="trend">
      <div role="img" aria-label={`${label}. The figures are in the table below.`}>
        <div aria-hidden="true" style={{ height: heightPx }}>
          {points === undefined ? (
            waiting
          ) : (
            <Suspense fallback={waiting}>
              <TrendPlot
                kind={props.kind}
                heightPx={heightPx}
                points={points.map(({ label: at, values }) => ({ ...values, at }))}
                series={series.map(({ id, label: name }, place) => ({
                  name: id,
                  label: name,
                  color: toChartColor(place),
                }))}
                format={props.format}
                formatShort={props.formatShort}
              />
            </Suspense>
          )}
        </div>
      </div>
      <TrendTable {...props} points={points ?? []} />
    </figure>
  )
}

function TrendTable({
  label,
  series,
  points,
  format,
  pointName,
}: TrendChartProps & { readonly points: readonly TrendPoint[] }) {
  const columns = series.map(({ id }) => {
    const texts = points.map(({ values }) => format(values[id] ?? 0))
    return { id, texts, places: alignPoints(texts) }
  })
  return (
    <details className="trend-table">
      <summary>Show as a table</summary>
      <div className="table-frame" role="group" aria-label={`${label}, as a table`} tabIndex={0}>
        <table className="table">
          <caption className="unseen">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{pointName}</th>
              {series.map(({ id, label: name }) => (
                <th key={id} scope="col" className="cell-right">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, row) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                {columns.map(({ id, texts, places }) => (
                  <td key={id} className="cell-right">
                    <span style={places[row]}>{texts[row]}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
