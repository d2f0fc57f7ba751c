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
