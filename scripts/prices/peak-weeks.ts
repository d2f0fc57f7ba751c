// Prices of hours that apply on working days only, as the list that price books know: every change
// between working days and others is a price with a first day of its own.

import type { CorrectedPrice, CorrectedRates } from '../../src/pricing/data/correction.ts'

type Hours = NonNullable<CorrectedPrice['hours']>

export interface Peaks {
  /** UTC. */
  readonly hours: readonly Hours[]
  readonly plannedUntil: string
  /** Whether peaks apply on them is unknown, so those hours have no price. */
  readonly doubtfulDays: ReadonlySet<string>
}

export interface PeakPrices {
  readonly from: string
  readonly quiet: CorrectedRates
  readonly peak: CorrectedRates
}

const DAY_MS = 86_400_000
const SUNDAY = 0
const SATURDAY = 6
const UNKNOWN: CorrectedRates = {}

export function withPeaks(
  { from, quiet, peak }: PeakPrices,
  hours: readonly Hours[],
): readonly CorrectedPrice[] {
  return [{ from, prices: quiet }, ...hours.map((own) => ({ from, hours: own, prices: peak }))]
}

/** Up to `until`; without one, peak hours after the planned days have no price. */
export function toWeeks(
  { from, ...rates }: PeakPrices,
  peaks: Peaks,
  until?: string,
): readonly CorrectedPrice[] {
  const prices: CorrectedPrice[] = []
  let kind = ''
  const end = Date.parse(until ?? peaks.plannedUntil)
  for (let at = Date.parse(from); at < end; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
    const next = toKind(day, peaks)
    if (next === kind) continue
    kind = next
    if (kind === 'quiet') prices.push({ from: day, prices: rates.quiet })
    else prices.push(...withPeaks({ ...toRates(kind, rates), from: day }, peaks.hours))
  }
  if (until !== undefined) return prices
  const last = { from: peaks.plannedUntil, ...rates, peak: UNKNOWN }
  return [...prices, ...withPeaks(last, peaks.hours)]
}

function toRates(kind: string, rates: Omit<PeakPrices, 'from'>): Omit<PeakPrices, 'from'> {
  return kind === 'working' ? rates : { ...rates, peak: UNKNOWN }
}

function toKind(day: string, { doubtfulDays }: Peaks): 'working' | 'quiet' | 'doubtful' {
  const weekday = new Date(day).getUTCDay()
  if (weekday === SATURDAY || weekday === SUNDAY) return 'quiet'
  return doubtfulDays.has(day) ? 'doubtful' : 'working'
}
