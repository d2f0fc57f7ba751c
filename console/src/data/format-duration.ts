// Formats lengths of time. Must stay true: what took time is never shown as none.

const ONE_DIGIT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `0.4 ms`, `320 ms`, `1.5 s`, `2 min 5 s`, `3 h 20 min`, `12 d 3 h` */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 0.1) return '< 0.1 ms'
  if (ms < 10) return `${ONE_DIGIT.format(ms)} ms`
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`
  if (ms < MINUTE_MS) return `${ONE_DIGIT.format(ms / SECOND_MS)} s`
  if (ms < HOUR_MS) return formatPair({ ms, big: MINUTE_MS, small: SECOND_MS }, 'min', 's')
  if (ms < DAY_MS) return formatPair({ ms, big: HOUR_MS, small: MINUTE_MS }, 'h', 'min')
  return formatPair({ ms, big: DAY_MS, small: HOUR_MS }, 'd', 'h')
}

/** In one unit, for the axis of a chart and for times beside each other: `320 ms`, `80 s`. */
export function formatShortDuration(ms: number): string {
  return ms < SECOND_MS ? formatDuration(ms) : `${ONE_DIGIT.format(ms / SECOND_MS)} s`
}

interface Split {
  readonly ms: number
  readonly big: number
  readonly small: number
}

function formatPair({ ms, big, small }: Split, bigName: string, smallName: string): string {
  const rest = Math.floor((ms % big) / small)
  const whole = `${Math.floor(ms / big)} ${bigName}`
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`
}
