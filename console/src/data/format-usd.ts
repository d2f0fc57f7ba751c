// Money for the eye. Must stay true: an amount that is not zero is never shown as zero.

const PLAIN = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

// One call may cost a fraction of a cent: three digits, wherever they begin.
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
