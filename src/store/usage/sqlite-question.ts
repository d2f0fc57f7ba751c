// A usage question as SQL over the rollups. Must stay true: no question reads the records, and a
// question without a key reads only the rows that hold all keys together.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { WeirError } from '../../core/weir-error.ts'
import type { Period, UsageGrouping, UsageQuestion, UsageSum } from './usage-store.ts'

/** How many days or months one question may span. */
export const PERIOD_BUCKETS_MAX = 1000

const PICO = 10n ** 12n
// The empty name's id, which stands for all keys together.
const ALL_KEYS_ID = 0

export interface SumQuery {
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

interface Shape {
  readonly table: string
  /** What the answer's rows are told apart by; empty for a total. */
  readonly label: string | null
  readonly model: string | null
  readonly bucket: string | null
}

export function toSumQuery({ period, grouping, keyId }: UsageQuestion): SumQuery {
  const shape = shapeOf(grouping, period.grain)
  // Periods are listed, not compared: each is then a seek to the wanted key, where a range of
  // periods would walk over all keys' rows.
  const conditions = ['period IN (SELECT value FROM json_each(?))']
  const parameters: SQLInputValue[] = [JSON.stringify(listBuckets(period).map(toPeriodNumber))]
  if (keyId === null && grouping.by === 'api_key') {
    conditions.push(`key_id > ${ALL_KEYS_ID}`)
  } else if (keyId === null) {
    conditions.push(`key_id = ${ALL_KEYS_ID}`)
  } else {
    conditions.push('key_id = (SELECT id FROM names WHERE name = ?)')
    parameters.push(keyId)
  }
  if ('dimKey' in grouping) {
    conditions.push('dim_key = (SELECT id FROM names WHERE name = ?)')
    parameters.push(grouping.dimKey)
  }
  const groups = [shape.label, shape.model, shape.bucket].filter((column) => column !== null)
  const sql = `SELECT ${nameOf(shape.label)} AS label, ${nameOf(shape.model)} AS model,
    ${shape.bucket ?? 'NULL'} AS bucket, SUM(cost_usd) AS cost_usd, SUM(cost_pico) AS cost_pico,
    SUM(requests) AS requests, SUM(tokens) AS tokens, SUM(unpriced) AS unpriced
    FROM ${shape.table} WHERE ${conditions.join(' AND ')}${
      groups.length === 0 ? ' HAVING COUNT(*) > 0' : ` GROUP BY ${groups.join(', ')}`
    }`
  return { sql: sql.replaceAll(/\s+/g, ' '), parameters }
}

/** Looked up once a row of the answer, after the grouping. */
function nameOf(column: string | null): string {
  return column === null ? 'NULL' : `(SELECT name FROM names WHERE id = ${column})`
}

/** `2026-10-15` as 20261015, `2026-10` as 202610. */
export function toPeriodNumber(period: string): number {
  return Number(period.slice(0, 4) + period.slice(5, 7) + period.slice(8))
}

function fromPeriodNumber(period: SQLOutputValue | undefined): string | null {
  if (typeof period !== 'bigint') return null
  const digits = period.toString()
  const month = `${digits.slice(0, 4)}-${digits.slice(4, 6)}`
  return digits.length === 6 ? month : `${month}-${digits.slice(6)}`
}

function shapeOf(grouping: UsageGrouping, grain: Period['grain']): Shape {
  const shape: Shape = { table: 'total_rollup', label: null, model: null, bucket: null }
  switch (grouping.by) {
    case 'total':
      return shape
    case 'provider':
      return { ...shape, label: 'provider' }
    case 'api_key':
      return { ...shape, label: 'key_id' }
    case 'bucket':
      return { ...shape, bucket: 'period' }
    case 'bucket_provider':
      return { ...shape, label: 'provider', bucket: 'period' }
    case 'model':
      requireMonths(grouping, grain)
      return { ...shape, table: 'model_rollup', label: 'model' }
    case 'dim':
      requireMonths(grouping, grain)
      return { ...shape, table: 'dim_rollup', label: 'dim_value' }
    case 'dim_model':
      requireMonths(grouping, grain)
      return { ...shape, table: 'dim_rollup', label: 'dim_value', model: 'model' }
  }
}

function requireMonths(grouping: UsageGrouping, grain: Period['grain']): void {
  if (grain === 'month') return
  throw new WeirError('invalid_parameter', `Usage by ${grouping.by} is kept by month, not by day.`)
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

/** Expects integers as bigints: dollars and remainder are put together again without loss. */
export function fromSumRow(row: Record<string, SQLOutputValue>): UsageSum {
  return {
    // A model that is not known is stored as an empty word.
    label: (row['label'] as string | null) || null,
    bucket: fromPeriodNumber(row['bucket']),
    model: (row['model'] as string | null) || null,
    cost: (row['cost_usd'] as bigint) * PICO + (row['cost_pico'] as bigint),
    requests: Number(row['requests']),
    tokens: Number(row['tokens']),
    unpriced: Number(row['unpriced']),
  }
}
