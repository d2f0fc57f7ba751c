// The series of a chart, each a button that switches it off and on. A double click, a click with
// Alt, or the button beside it, which the keyboard reaches as well, shows one alone.

import { toLook } from './chart-figures.ts'
import type { ColoredSeries } from './chart-figures.ts'
import { isAlone, isolate, toggle } from './shown-series.ts'
import type { Off } from './shown-series.ts'

export interface ChartLegendProps {
  readonly series: readonly ColoredSeries[]
  readonly isLine: boolean
  readonly off: Off
  readonly onOff: (off: Off) => void
  /** A series is pointed at, or none any longer. */
  readonly onLit: (id: string | null) => void
  readonly format: (value: number) => string
}

export function ChartLegend({ series, isLine, off, onOff, onLit, format }: ChartLegendProps) {
  const all = series.map(({ id }) => id)
  return (
    <ul className="chart-legend" onPointerLeave={() => onLit(null)}>
      {series.map((one) => {
        const { id, label, total } = one
        const isOn = !off.has(id)
        const only = isAlone(off, id, all)
        return (
          <li key={id} onPointerEnter={() => onLit(isOn ? id : null)}>
            <button
              type="button"
              className="chart-key"
              aria-pressed={isOn}
              title={label}
              onClick={({ altKey }) => onOff((altKey ? isolate : toggle)(off, id, all))}
              // Its two clicks have switched the series off and on again.
              onDoubleClick={() => onOff(isolate(off, id, all))}
            >
              <SeriesMark series={one} isLine={isLine} />
              <span className="chart-name">{label}</span>
              {total !== undefined && <span className="chart-sum">{format(total)}</span>}
            </button>
            <button
              type="button"
              className="chart-only"
              aria-pressed={only}
              aria-label={`Only ${label}`}
              title={only ? 'All series again' : 'Only this series'}
              onClick={() => onOff(isolate(off, id, all))}
            >
              {only ? 'all' : 'only'}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

interface SeriesMarkProps {
  readonly series: ColoredSeries
  readonly isLine: boolean
}

/** What a series looks like in the chart. */
export function SeriesMark({ series, isLine }: SeriesMarkProps) {
  const { color, dash } = series
  return isLine ? (
    <svg className="chart-mark" width="22" height="10" aria-hidden="true">
      <line x1="1" x2="21" y1="5" y2="5" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
    </svg>
  ) : (
    <svg className="chart-mark" width="10" height="10" aria-hidden="true">
      <rect x="0.5" y="0.5" width="9" height="9" rx="2" {...toLook(series)} />
    </svg>
  )
}
