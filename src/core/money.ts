// Money in USD as integers of 1e-12 (a pico-dollar), so that sums are exact in any order.
// Must stay true: no amount is ever a float, and rounding happens in this file only.

export type Money = bigint

const PICO_DIGITS = 12
const PICO = 10n ** 12n

// The exponent is bounded so that a hostile "1e999999999" cannot make us build a gigabyte of zeros.
const EXPONENT_MAX = 40
const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,3}))?$/

/** Integers of that many digits, and every product on the way to them, are below 2^53. */
const EXACT_DIGITS_MAX = 15
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS_MAX + 1 }, (_, power) => 10 ** power)
const ZERO = 0x30
const NINE = 0x39
const POINT = 0x2e

/** Reads a decimal as providers write it: `6.7368e-05`, `"0.00000008"`, a number; else null. */
export function parseMoney(value: unknown): Money | null {
  if (typeof value === 'number') {
    if (value === 0) return 0n
    return Number.isFinite(value) ? parsePlain(String(value)) : null
  }
  return typeof value === 'string' ? parsePlain(value) : null
}

/** Digits with at most one point, few enough to be exact: a third of the cost of a match. */
function parsePlain(text: string): Money | null {
  let digits = 0
  let point = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) digits = digits * 10 + (code - ZERO)
    else if (code === POINT && point === -1 && at > 0) point = at
    else return parseDecimal(text)
  }
  const shift = PICO_DIGITS - (point === -1 ? 0 : text.length - point - 1)
  const isExact = shift >= 0 && text.length > 0 && text.length + shift <= EXACT_DIGITS_MAX
  return isExact ? BigInt(digits * (POWERS_OF_TEN[shift] as number)) : parseDecimal(text)
}

function parseDecimal(text: string): Money | null {
  const match = DECIMAL.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > EXPONENT_MAX) return null
  const amount = scale(whole + fraction, PICO_DIGITS + exponent - fraction.length)
  return sign === '-' ? -amount : amount
}

/** Digits times a power of ten. Nearly every amount is small enough for one exact product. */
function scale(digits: string, shift: number): bigint {
  if (shift >= 0 && digits.length + shift <= EXACT_DIGITS_MAX) {
    return BigInt(Number(digits) * (POWERS_OF_TEN[shift] as number))
  }
  const integer = BigInt(digits)
  return shift >= 0
    ? integer * 10n ** BigInt(shift)
    : divideHalfEven(integer, 10n ** BigInt(-shift))
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
  // Most calls cost less than a dollar, and then there is nothing to divide.
  const whole = magnitude < PICO ? 0n : magnitude / PICO
  const fraction = toFraction(magnitude < PICO ? magnitude : magnitude % PICO)
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function toFraction(picos: bigint): string {
  const digits = picos.toString()
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--
  return end === 0 ? '' : '0'.repeat(PICO_DIGITS - digits.length) + digits.slice(0, end)
}

/** For responses only: USD as a number, rounded half-even to 1e-9. Never calculate with it. */
export function toAnswerUsd(amount: Money): number {
  const nanos = divideHalfEven(amount, 1000n)
  const count = Number(nanos)
  // Dividing two exact numbers gives the nearest number, as parsing the digits would, but faster.
  if (Number.isSafeInteger(count)) return count / NANOS_PER_USD
  return Number(formatMoney(nanos * 1000n))
}

const NANOS_PER_USD = 1e9
