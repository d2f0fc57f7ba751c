// Formats money. Must stay true: an amount that is not zero is never shown as zero.

const PLAIN = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

// One call may cost a fraction of a cent: three significant digits.
const SMALL = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 12,
  maximumSignificantDigits: 3,
  roundingPriority: 'lessPrecision',
})

const SMALL_BELOW_USD = 0.1

export function formatUsd(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < SMALL_BELOW_USD
  return (isSmall ? SMALL : PLAIN).format(value)
}

const SHORT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
})

/** `$12.3K`, for axes, with the exact figure nearby. */
export function formatShortUsd(value: number): string {
  return Math.abs(value) < 1000 ? formatUsd(value).replace(/\.00$/, '') : SHORT.format(value)
}

/** An exact amount of the API, `0.000123400000`, to its last digit that is not zero. */
export function formatExactUsd(text: string): string {
  const [, sign = '', whole = '0', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const kept = digits.replace(/0+$/, '').padEnd(2, '0')
  return `${sign}$${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${kept}`
}
