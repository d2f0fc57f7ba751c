// How a figure compares with an earlier one, in words, because an arrow or a colour alone says
// nothing to some readers. Must stay true: there is no percentage of nothing.

export interface Change {
  readonly direction: 'up' | 'down' | 'same'
  /** `12 % more`, `3 times as much`, `the same`, `nothing before` */
  readonly text: string
}

const PERCENT_MAX = 200
const ONE_DIGIT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

export function toChange(now: number, before: number): Change {
  if (now === before) return { direction: 'same', text: 'the same' }
  const direction = now > before ? 'up' : 'down'
  if (before <= 0) return { direction, text: direction === 'up' ? 'nothing before' : 'less' }
  const percent = Math.abs(now / before - 1) * 100
  if (direction === 'up' && percent > PERCENT_MAX) {
    return { direction, text: `${ONE_DIGIT.format(now / before)} times as much` }
  }
  const word = direction === 'up' ? 'more' : 'less'
  return { direction, text: percent < 1 ? `< 1 % ${word}` : `${Math.round(percent)} % ${word}` }
}

const TWO_DIGITS = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 0,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
})

/** Each null where there were no calls. */
export interface Changed {
  readonly now: number | null
  readonly before: number | null
}

/** `+12 %`, `−1.5 %`, `new`, `gone`; empty where nothing changed, or there is no percentage. */
export function toChangeShare({ now, before }: Changed): string {
  if (now === null) return before === null ? '' : 'gone'
  if (before === null) return 'new'
  if (now === before || before <= 0) return ''
  const percent = (now / before - 1) * 100
  return `${percent > 0 ? '+' : '−'}${TWO_DIGITS.format(Math.abs(percent))} %`
}

/** `+$12.30`, `−$0.04`; empty where nothing changed. */
export function toChangeAmount(
  { now, before }: Changed,
  format: (amount: number) => string,
): string {
  const difference = (now ?? 0) - (before ?? 0)
  if (difference === 0) return ''
  return `${difference > 0 ? '+' : '−'}${format(Math.abs(difference))}`
}
