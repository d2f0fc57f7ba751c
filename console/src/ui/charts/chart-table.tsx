// The figures of a chart as a table, with the links of its points.

import { alignPoints } from '../align-points.ts'
import { TextLink } from '../link.tsx'
import { toEarlierSum, toSum } from './chart-figures.ts'
import type { ChartPoint, ChartSeries, Earlier } from './chart-figures.ts'

export interface ChartTableProps {
  readonly label: string
  readonly shape: 'bars' | 'lines'
  /** What a row is: `Day`. */
  readonly pointName: string
  readonly series: readonly ChartSeries[]
  /** Undefined while they are loading. */
  readonly points: readonly ChartPoint[] | undefined
  readonly earlier?: Earlier | undefined
  readonly format: (value: number) => string
}

interface Column {
  readonly id: string
  readonly name: string
  /** Of a line, undefined where it has a gap. */
  readonly valueOf: (point: ChartPoint, row: number) => number | undefined
  /** A part of a point; its sum is not, nor is what was before. */
  readonly isPart: boolean
}

export function ChartTable(props: ChartTableProps) {
  const { label, pointName, points, format } = props
  const columns = toColumns(props).map((column) => {
    const texts = (points ?? []).map((point, row) => {
      const value = column.valueOf(point, row)
      return value === undefined ? '' : format(value)
    })
    return { ...column, texts, places: alignPoints(texts) }
  })
  return (
    <details className="chart-table">
      <summary>Show as a table</summary>
      <div className="table-frame" role="group" aria-label={`${label}, as a table`} tabIndex={0}>
        <table className="table">
          <caption className="unseen">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{pointName}</th>
              {columns.map(({ id, name }) => (
                <th key={id} scope="col" className="cell-right">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points?.map((point, row) => (
              <tr key={point.id}>
                <th scope="row">
                  <PointName point={point} />
                </th>
                {columns.map(({ id, texts, places, ...column }) => (
                  <td key={id} className="cell-right" {...toFigure(column, point, row)}>
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

function toColumns({ series, shape, earlier }: ChartTableProps): readonly Column[] {
  const isSum = shape === 'bars'
  const parts = series.map(({ id, label }) => ({
    id,
    name: label,
    valueOf: ({ values }: ChartPoint) => values[id] ?? (isSum ? 0 : undefined),
    isPart: true,
  }))
  const sum = { id: 'sum of all', name: 'Total', valueOf: toSum, isPart: false }
  const before = (_: ChartPoint, row: number) => toEarlierSum(earlier, row, series)
  return [
    ...parts,
    ...(isSum && parts.length > 1 ? [sum] : []),
    ...(earlier === undefined
      ? []
      : [{ id: 'earlier period', name: earlier.label, valueOf: before, isPart: false }]),
  ]
}

/** The exact number for programs that read the page. */
function toFigure({ name, valueOf, isPart }: Omit<Column, 'id'>, point: ChartPoint, row: number) {
  if (!isPart) return {}
  return {
    'data-figure': 'bar',
    'data-bar': point.id,
    'data-label': name,
    'data-value': valueOf(point, row),
  }
}

function PointName({ point }: { readonly point: ChartPoint }) {
  return (
    <>
      {point.href === undefined ? (
        point.label
      ) : (
        <TextLink href={point.href}>{point.label}</TextLink>
      )}
      {point.isPartial === true && ' (so far)'}
    </>
  )
}
