// Figures as text for people. Must stay true: what is not zero is never shown as zero.

import { formatShare as toShareText } from '../../api/usage/format-share.ts'

const CENTS_DIGITS = 2
/** For amounts below a dollar. */
const SIGNIFICANT_DIGITS = 3
/** What the API rounds to. */
const DIGITS_MAX = 9

/** `1,234.50`, `0.0123`, `0.00000042`, `0.00`. */
export function formatUsd(value: number): string {
  const size = Math.abs(value)
  const zeros = size > 0 && size < 1 ? -Math.floor(Math.log10(size)) - 1 : 0
  const digits = size > 0 && size < 1 ? zeros + SIGNIFICANT_DIGITS : CENTS_DIGITS
  return value.toLocaleString('en-US', {
    minimumFractionDigits: CENTS_DIGITS,
    maximumFractionDigits: Math.min(digits, DIGITS_MAX),
  })
}

export function formatCount(value: number): string {
  return value.toLocaleString('en-US')
}

/** Empty where the total is zero. */
export function formatShare(value: number, total: number): string {
  return total <= 0 ? '' : toShareText(value / total)
}

export function alignAmounts(cells: readonly string[]): string[] {
  const fraction = (cell: string): number => {
    const point = /^[-+]?[\d,]+\.\d+$/.test(cell) ? cell.indexOf('.') : -1
    return point === -1 ? 0 : cell.length - point
  }
  const widest = Math.max(0, ...cells.map(fraction))
  return alignRight(
    cells.map((cell) => (fraction(cell) === 0 ? cell : cell + ' '.repeat(widest - fraction(cell)))),
  )
}

export function alignRight(cells: readonly string[]): string[] {
  const width = Math.max(0, ...cells.map((cell) => cell.length))
  return cells.map((cell) => cell.padStart(width))
}
