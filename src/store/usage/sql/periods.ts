// Days and months as the sums number them, and those of a period.

import { WeirError } from '../../../core/weir-error.ts'
import type { Period } from '../usage-store.ts'

export const PERIOD_BUCKETS_MAX = 1000

/** `2026-10-15` as 20261015, `2026-10` as 202610. */
export function toPeriodNumber(period: string): number {
  return Number(period.slice(0, 4) + period.slice(5, 7) + period.slice(8))
}

export function fromPeriodNumber(period: number): string {
  const digits = String(period)
  const month = `${digits.slice(0, 4)}-${digits.slice(4, 6)}`
  return digits.length === 6 ? month : `${month}-${digits.slice(6)}`
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const MONTH = /^(\d{4})-(\d{2})$/

/** Every day or month of the period in order; none when it ends before it begins. */
export function listBuckets({ grain, from, to }: Period): readonly string[] {
  const start = (grain === 'day' ? DAY : MONTH).exec(from)
  const isWhole = start !== null && (grain === 'day' ? DAY : MONTH).test(to)
  if (!isWhole) {
    throw new WeirError('invalid_parameter', `Not a period of ${grain}s: ${from} to ${to}.`)
  }
  const [year, month, day] = [Number(start[1]), Number(start[2]), Number(start[3] ?? 1)]
  const buckets: string[] = []
  for (let index = 0; ; index += 1) {
    const at =
      grain === 'day'
        ? Date.UTC(year, month - 1, day + index)
        : Date.UTC(year, month - 1 + index, 1)
    const bucket = new Date(at).toISOString().slice(0, grain === 'day' ? 10 : 7)
    if (bucket > to) return buckets
    if (index >= PERIOD_BUCKETS_MAX) {
      const limit = `at most ${PERIOD_BUCKETS_MAX} ${grain}s`
      throw new WeirError('invalid_parameter', `The period ${from} to ${to} is too long: ${limit}.`)
    }
    buckets.push(bucket)
  }
}
