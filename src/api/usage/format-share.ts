// Shares and rates for people, in the console and in a terminal. Imports nothing. Must stay true:
// what is not zero is never shown as zero, and what is not all never as 100 %.

const TWO_DIGITS = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } as const
const SMALL = new Intl.NumberFormat('en-US', TWO_DIGITS)
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
/** Below it nobody counts. */
const PERCENT_MIN = 0.0001
/** From here on, as exact as the first digit of what is missing. */
const NEARLY_ALL = 99

/** A part of 1 to two digits: `12 %`, `1.2 %`, `0.012 %`, `99.95 %`; beyond all of it, whole. */
export function formatShare(share: number): string {
  const percent = share * 100
  const size = Math.abs(percent)
  if (size === 0 || size === 100) return `${WHOLE.format(percent)} %`
  if (size < PERCENT_MIN) return `${percent < 0 ? '> -' : '< '}${PERCENT_MIN} %`
  if (size < NEARLY_ALL) return `${SMALL.format(percent)} %`
  if (size > 100) return `${WHOLE.format(percent)} %`
  const missing = 100 - size
  if (missing < PERCENT_MIN) return `> ${100 - PERCENT_MIN} %`
  return `${percent.toFixed(Math.max(0, -Math.floor(Math.log10(missing))))} %`
}
