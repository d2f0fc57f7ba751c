// Formats counts, tokens, bytes and shares. Must stay true: what is not zero is never shown as
// zero.

export { formatShare } from '../../../src/api/usage/format-share.ts'

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const SHORT = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 3,
})
const ONE_DIGIT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** `12,345` */
export function formatCount(value: number): string {
  return WHOLE.format(value)
}

/** `12.3K`, `4.56M`; whole below a thousand. */
export function formatShortCount(value: number): string {
  return Math.abs(value) < 1000 ? WHOLE.format(value) : SHORT.format(value)
}

/** `1 call`, `12,345 calls` */
export function formatCounted(value: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(value)} ${value === 1 ? one : many}`
}

/** `20 of 1,234 keys`, `12 keys` where all are shown. */
export function formatShown(shown: number, total: number, one: string): string {
  const all = formatCounted(total, one)
  return shown === total ? all : `${WHOLE.format(shown)} of ${all}`
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const BYTES_STEP = 1000

/** `1.5 MB`, in steps of a thousand. */
export function formatBytes(value: number): string {
  let amount = value
  let step = 0
  while (Math.abs(amount) >= BYTES_STEP && step < BYTE_UNITS.length - 1) {
    amount /= BYTES_STEP
    step += 1
  }
  return `${ONE_DIGIT.format(amount)} ${BYTE_UNITS[step] ?? 'B'}`
}
