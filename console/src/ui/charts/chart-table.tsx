// The figures of a chart as a table, with the links of its points.

import { alignPoints } from '../align-points.ts'
import { TextLink } from '../link.tsx'
import { toSum } from './chart-figures.ts'
import type { ChartPoint, ChartSeries, Earlier } from './chart-figures.ts'

export interface ChartTableProps {
  readonly label: string
  /** What a row is: `Day`. */
  readonly pointName: string
  readonly series: readonly ChartSeries[]
  readonly points: readonly ChartPoint[]
  readonly earlier: Earlier | undefined
  readonly format: (value: number) => string
}

interface Column {
  readonly id: string
  readonly name: string
  readonly valueOf: (bar: ChartPoint) => number
  /** A part of a bar; its sum is not. */
  readonly isPart: boolean
}

export function ChartTable({ label, pointName, series, points, earlier, format }: ChartTableProps) {
  const before = earlier?.values.map((value) => (value === undefined ? '' : format(value))) ?? []
  const beforePlaces = alignPoints(before)
  const columns = toColumns(series).map((column) => {
    const texts = points.map((bar) => format(column.valueOf(bar)))
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
              {earlier !== undefined && (
                <th scope="col" className="cell-right">
                  {earlier.label}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {points.map((bar, row) => (
              <tr key={bar.id}>
                <th scope="row">
                  <BarName bar={bar} />
                </th>
                {columns.map(({ id, texts, places, ...column }) => (
                  <td key={id} className="cell-right" {...toFigure(column, bar)}>
                    <span style={places[row]}>{texts[row]}</span>
                  </td>
                ))}
                {earlier !== undefined && (
                  <td className="cell-right">
                    <span style={beforePlaces[row]}>{before[row]}</span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function toColumns(series: readonly ChartSeries[]): readonly Column[] {
  const parts = series.map(({ id, label }) => ({
    id,
    name: label,
    valueOf: ({ values }: ChartPoint) => values[id] ?? 0,
    isPart: true,
  }))
  const sum = { id: 'sum of all', name: 'Total', valueOf: toSum, isPart: false }
  return parts.length > 1 ? [...parts, sum] : parts
}

/** The exact number for programs that read the page. */
function toFigure({ name, valueOf, isPart }: Omit<Column, 'id'>, bar: ChartPoint) {
  if (!isPart) return {}
  return {
    'data-figure': 'bar',
    'data-bar': bar.id,
    'data-label': name,
    'data-value': valueOf(bar),
  }
}

function BarName({ bar }: { readonly bar: ChartPoint }) {
  return (
    <>
      {bar.href === undefined ? bar.label : <TextLink href={bar.href}>{bar.label}</TextLink>}
      {bar.isPartial === true && ' (so far)'}
    </>
  )
}
