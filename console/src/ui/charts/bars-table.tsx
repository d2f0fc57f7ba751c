// The figures of a chart as a table, with the links of its bars.

import { alignPoints } from '../align-points.ts'
import { TextLink } from '../link.tsx'
import { toSum } from './bar-figures.ts'
import type { Bar, BarSeries } from './bar-figures.ts'

export interface BarsTableProps {
  readonly label: string
  /** What a row is: `Day`. */
  readonly pointName: string
  readonly series: readonly BarSeries[]
  readonly bars: readonly Bar[]
  readonly format: (value: number) => string
}

interface Column {
  readonly id: string
  readonly name: string
  readonly valueOf: (bar: Bar) => number
  /** A part of a bar; its sum is not. */
  readonly isPart: boolean
}

export function BarsTable({ label, pointName, series, bars, format }: BarsTableProps) {
  const columns = toColumns(series).map((column) => {
    const texts = bars.map((bar) => format(column.valueOf(bar)))
    return { ...column, texts, places: alignPoints(texts) }
  })
  return (
    <details className="bars-table">
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
            {bars.map((bar, row) => (
              <tr key={bar.id}>
                <th scope="row">
                  <BarName bar={bar} />
                </th>
                {columns.map(({ id, texts, places, ...column }) => (
                  <td key={id} className="cell-right" {...toFigure(column, bar)}>
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

function toColumns(series: readonly BarSeries[]): readonly Column[] {
  const parts = series.map(({ id, label }) => ({
    id,
    name: label,
    valueOf: ({ values }: Bar) => values[id] ?? 0,
    isPart: true,
  }))
  const sum = { id: 'sum of all', name: 'Total', valueOf: toSum, isPart: false }
  return parts.length > 1 ? [...parts, sum] : parts
}

/** The exact number for programs that read the page. */
function toFigure({ name, valueOf, isPart }: Omit<Column, 'id'>, bar: Bar) {
  if (!isPart) return {}
  return {
    'data-figure': 'bar',
    'data-bar': bar.id,
    'data-label': name,
    'data-value': valueOf(bar),
  }
}

function BarName({ bar }: { readonly bar: Bar }) {
  return (
    <>
      {bar.href === undefined ? bar.label : <TextLink href={bar.href}>{bar.label}</TextLink>}
      {bar.isPartial === true && ' (so far)'}
    </>
  )
}
