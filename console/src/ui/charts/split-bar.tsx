// One whole and its parts as a bar. It only repeats the words and figures beside it.

import { toChartColor } from './chart-figures.ts'

export interface SplitPart {
  readonly id: string
  readonly value: number
  /** Place in the palette; it distinguishes the parts. */
  readonly color: number
}

const WIDTH = 1000
/** What is not zero stays visible. */
const WIDTH_MIN = 6

export function SplitBar({ parts }: { readonly parts: readonly SplitPart[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const widths = parts.map(({ value }) => Math.max((value / total) * WIDTH, WIDTH_MIN))
  const whole = widths.reduce((sum, width) => sum + width, 0)
  const starts = widths.map((_, place) => widths.slice(0, place).reduce((sum, w) => sum + w, 0))
  return (
    <svg
      className="split-bar"
      viewBox={`0 0 ${whole} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {parts.map(({ id, color }, place) => (
        <rect
          key={id}
          x={starts[place]}
          width={widths[place]}
          height="10"
          fill={toChartColor(color)}
        />
      ))}
    </svg>
  )
}

/** The colour of a part, beside its name. */
export function SplitMark({ color }: { readonly color: number }) {
  return (
    <svg className="split-mark" viewBox="0 0 10 10" aria-hidden="true" focusable="false">
      <rect width="10" height="10" rx="2.5" fill={toChartColor(color)} />
    </svg>
  )
}
