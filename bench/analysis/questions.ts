// Questions for GET /v1/analysis, drawn at random: any hours of two years, any interval, up to two
// fields, up to two filters, with latencies or without. What Weir refuses is not asked: two fields
// with latencies, or over all months, would have more sums than an answer may have.

import type { Random } from '../../test/torture/random.ts'
import { MONTHS, PROVIDERS } from '../query/two-years.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const SPAN_DAYS_MAX = 31
const FIELDS = ['provider', 'model', 'api_key', 'status', 'source', 'dim:team', 'dim:app'] as const
const FILTERS = [
  (random: Random) => `provider=${PROVIDERS[random(PROVIDERS.length)] as string}`,
  (random: Random) => `dim:team=team-${random(50)}`,
  (random: Random) => `dim:team!=team-${random(50)}`,
  (random: Random) => `dim:user!=user-${random(1500)}`,
  () => 'status=delivered',
  () => 'dim:team=',
] as const

/** Within 31 days that lie anywhere before the end. */
export function drawQuestion(random: Random, endMs: number): string {
  const hours = 1 + random(SPAN_DAYS_MAX * DAY_HOURS)
  const lastHour = Math.floor(endMs / HOUR_MS)
  const from = lastHour - hours - random(MONTHS * 30 * DAY_HOURS - hours)
  const search = new URLSearchParams({
    from: toTime(from),
    to: toTime(from + hours),
    // More points than an answer may have are refused: hours of a long span are asked as days.
    interval: pick(random, hours > DAY_HOURS ? ['none', 'day', 'week'] : ['none', 'hour', 'day']),
    limit: String(pick(random, [10, 100])),
  })
  const fieldsMax = random(3)
  if (fieldsMax < 2) search.set('latency', String(random(2) === 0))
  return addFields(search, fieldsMax, random)
}

/** All months, by month. */
export function drawMonths(random: Random, endMs: number): string {
  const end = new Date(endMs)
  const from = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - MONTHS + 1))
  const search = new URLSearchParams({
    from: from.toISOString(),
    to: toTime(Math.floor(endMs / HOUR_MS)),
    interval: 'month',
    limit: String(10 + random(90)),
    latency: String(random(3) === 0),
  })
  return addFields(search, random(2), random)
}

function addFields(search: URLSearchParams, fieldsMax: number, random: Random): string {
  const fields = new Set(Array.from({ length: fieldsMax }, () => pick(random, FIELDS)))
  for (const field of fields) search.append('group_by', field)
  for (let left = random(3); left > 0; left -= 1) {
    search.append('filter', pick(random, FILTERS)(random))
  }
  return `/v1/analysis?${search.toString()}`
}

function toTime(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[random(values.length)] as Value
}
