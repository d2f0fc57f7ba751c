// Figures as bars, each a stack of its parts. A bar that is not over yet is hatched, and a bar may
// be a link. The same figures, and the same links, are in a table below, for readers who cannot see
// the chart, use no pointer, or want them exact.

import { Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { TextLink } from '../link.tsx'
import { BarsPlot } from './bars-plot.tsx'
import { toColored, toSum } from './bar-figures.ts'
import type { Bar, BarSeries, ColoredSeries } from './bar-figures.ts'

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
  const { ref, width } = useElementSize()
  const series = toColored(props.series)
  const hasPartial = bars?.some(({ isPartial }) => isPartial === true) ?? false
  return (
    <figure className="bars" aria-label={label}>
      <div ref={ref} aria-hidden="true" className="bars-room" style={{ height: heightPx }}>
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
      {bars !== undefined && <BarsTable {...props} bars={bars} />}
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

function BarsTable(props: StackedBarsProps & { readonly bars: readonly Bar[] }) {
  const { label, series, bars, format, pointName } = props
  const hasSum = series.length > 1
  return (
    <details className="bars-table">
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
              {hasSum && (
                <th scope="col" className="cell-right">
                  Total
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.id}>
                <th scope="row">
                  {bar.href === undefined ? (
                    bar.label
                  ) : (
                    <TextLink href={bar.href}>{bar.label}</TextLink>
                  )}
                  {bar.isPartial === true && ' (so far)'}
                </th>
                {series.map(({ id }) => (
                  <td key={id} className="cell-right">
                    {format(bar.values[id] ?? 0)}
                  </td>
                ))}
                {hasSum && <td className="cell-right">{format(toSum(bar))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
