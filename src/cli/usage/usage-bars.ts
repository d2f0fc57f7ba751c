// Figures as lengths: a bar for each row, and a trend in one line. Must stay true: lengths are
// proportional, starting at zero, and what is not zero is visible.

/** What the terminal can show. */
export interface Terminal {
  readonly columns: number
  /** Letters and signs of ASCII only. */
  readonly isPlain: boolean
}

export const COLUMNS_DEFAULT = 80

/** From one eighth of a cell to a whole one. */
const EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█']
const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const PLAIN_CELL = '#'
const PLAIN_LEVELS = ['_', '.', ':', '-', '=', '+', '*', '#']

export interface BarScale {
  /** What the whole width stands for. */
  readonly max: number
  readonly width: number
  readonly isPlain: boolean
}

export function formatBar(value: number, { max, width, isPlain }: BarScale): string {
  if (value <= 0 || max <= 0 || width <= 0) return ''
  const length = (Math.min(value, max) / max) * width
  if (isPlain) return PLAIN_CELL.repeat(Math.max(1, Math.round(length)))
  const eighths = Math.max(1, Math.round(length * EIGHTHS.length))
  const rest = eighths % EIGHTHS.length
  const whole = '█'.repeat(Math.floor(eighths / EIGHTHS.length))
  return rest === 0 ? whole : `${whole}${EIGHTHS[rest - 1]}`
}

/** A sign for each value. Only zero is at the lowest. */
export function formatSparkline(values: readonly number[], isPlain: boolean): string {
  const levels = isPlain ? PLAIN_LEVELS : LEVELS
  const max = Math.max(0, ...values)
  return values
    .map((value) => {
      if (value <= 0 || max === 0) return levels[0]
      return levels[Math.max(1, Math.round((value / max) * (levels.length - 1)))]
    })
    .join('')
}
