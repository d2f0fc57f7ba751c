// Money in USD as integers of 1e-12 (a pico-dollar), so that sums are exact in any order.
// Must stay true: no amount is ever a float, and rounding happens in this file only.

/** USD in units of 1e-12. */
export type Money = bigint

const PICO_DIGITS = 12
const PICO = 10n ** 12n

// The exponent is bounded so that a hostile "1e999999999" cannot make us build a gigabyte of zeros.
const EXPONENT_MAX = 40
const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,3}))?$/

/** Reads a decimal as providers write it: `6.7368e-05`, `"0.00000008"`, a JSON number. Null where it is none. */
export function parseMoney(value: unknown): Money | null {
  if (typeof value === 'number') return Number.isFinite(value) ? parseDecimal(String(value)) : null
  if (typeof value === 'string') return parseDecimal(value)
  return null
}

function parseDecimal(text: string): Money | null {
  const match = DECIMAL.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > EXPONENT_MAX) return null
  const digits = BigInt(whole + fraction)
  const shift = PICO_DIGITS + exponent - fraction.length
  const amount =
    shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfEven(digits, 10n ** BigInt(-shift))
  return sign === '-' ? -amount : amount
}

/** Rounds to the nearest integer, ties to the even one. The divisor must be positive. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n
  const magnitude = negative ? -dividend : dividend
  const quotient = magnitude / divisor
  const twice = (magnitude % divisor) * 2n
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n)
  const rounded = isUp ? quotient + 1n : quotient
  return negative ? -rounded : rounded
}

/** The exact decimal in USD without trailing zeros: `0.0000042`, `12`. */
export function formatMoney(amount: Money): string {
  const negative = amount < 0n
  const magnitude = negative ? -amount : amount
  const whole = magnitude / PICO
  const fraction = (magnitude % PICO).toString().padStart(PICO_DIGITS, '0').replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** For answers only: USD as a number, rounded half-even to 1e-9. Never to be calculated with. */
export function toAnswerUsd(amount: Money): number {
  return Number(formatMoney(divideHalfEven(amount, 1000n) * 1000n))
}
