// Bars and sparklines. Must stay true: they are proportional from zero, and non-zero is visible.

export interface Terminal {
  readonly columns: number
  /** ASCII only. */
  readonly isPlain: boolean
}

export const COLUMNS_DEFAULT = 80

const EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█']
const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const PLAIN_CELL = '#'
const PLAIN_LEVELS = ['_', '.', ':', '-', '=', '+', '*', '#']

export interface BarScale {
  /** The value of a full bar. */
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

/** Only zero gets the lowest sign. */
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
