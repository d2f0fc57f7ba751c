// The course of a figure in the height of a line of text. It only repeats what a chart or a table
// says, and a screen reader is not told.

import { toPath } from './chart-layout.ts'

const WIDTH = 100
const HEIGHT = 24
/** So that the line is not cut off at the top and the bottom. */
const INSET = 2

/** One value for each step, in order; undefined while they are loading. Zero is the bottom. */
export function Sparkline({ values = [] }: { readonly values: readonly number[] | undefined }) {
  const largest = Math.max(...values, 0) || 1
  const line = toPath(
    values.map((value, place) => ({
      xPx: (place / Math.max(values.length - 1, 1)) * WIDTH,
      yPx: HEIGHT - INSET - (value / largest) * (HEIGHT - 2 * INSET),
    })),
  )
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.length > 0 && <path className="sparkline-area" d={`${line}V${HEIGHT}H0Z`} />}
      <path className="sparkline-line" d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
