// A usage question as SQL over the rollups. Must stay true: no question reads the records, and one
// without a key reads only the rows of all keys together.

import { WeirError } from '../../../core/weir-error.ts'
import type { SqlValue } from '../../sql/sql.ts'
import { FIGURE_COLUMNS, fromColumns, sumColumns } from './figure-columns.ts'
import type { Period, UsageGrouping, UsageQuestion, UsageSum } from '../usage-store.ts'
import type { Dialect } from './dialect.ts'
import { fromPeriodNumber, listBuckets, toPeriodNumber } from './periods.ts'

// The empty name's id, which stands for all keys together.
const ALL_KEYS_ID = 0

export interface SumQuery {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

interface Shape {
  readonly table: string
  /** The column that tells the rows apart; empty for a total. */
  readonly label: string | null
  readonly model: string | null
  readonly bucket: string | null
  /** Stored per key too, not only for all keys together. */
  readonly isByKey: boolean
}

export interface SumQueryOptions {
  readonly dialect: Dialect
  /** Include all rows that cost as much as the last: it takes twice as long. */
  readonly hasTies?: boolean
}

/** Within one month each pair of value and model is one row, so nothing needs adding. */
function isOneRowEach({ grouping, period }: UsageQuestion): boolean {
  return grouping.by === 'dim_model' && period.from === period.to
}

export function toSumQuery(question: SummedQuestion, options: SumQueryOptions): SumQuery {
  const { dialect, hasTies = false } = options
  const { period, grouping, keyId, largest, isCostOnly = false } = question
  const shape = shapeOf(grouping, period.grain)
  const buckets = listBuckets(period).map(toPeriodNumber)
  const [only = 0] = buckets
  // Periods are listed, not compared: each is then a seek to the wanted key, where a range would
  // walk over all keys' rows. A single one keeps the rows in order, so grouping needs no sort.
  const periods =
    buckets.length === 1
      ? { sql: 'period = ?', parameters: [only] }
      : dialect.isAmong('period', buckets)
  const conditions = [periods.sql]
  const parameters: SqlValue[] = [...periods.parameters]
  if (!shape.isByKey) {
    requireAllKeys(question)
  } else if (keyId === null && grouping.by === 'api_key') {
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
  const isRow = isOneRowEach(question)
  const figures = isRow ? FIGURES : sumColumns(dialect, isCostOnly ? ['cost'] : undefined)
  const grouped = groups.length === 0 ? ' HAVING COUNT(*) > 0' : ` GROUP BY ${groups.join(', ')}`
  const sums = `SELECT ${shape.label ?? 'NULL'} AS label, ${shape.model ?? 'NULL'} AS model,
    ${shape.bucket ?? 'NULL'} AS bucket, ${figures} FROM ${shape.table}
    WHERE ${conditions.join(' AND ')}${isRow ? '' : grouped}`
  const isCut = largest !== undefined
  // Ties read the sums twice, so they are materialized; stored rows need no copy.
  const sql = `WITH sums AS ${isRow || !hasTies ? 'NOT MATERIALIZED' : 'MATERIALIZED'} (${sums}),
    cut AS (SELECT * FROM sums${isCut ? (hasTies ? WITH_TIES : ONE_MORE) : ''})
    SELECT label, model, bucket, ${FIGURES} FROM cut`
  if (isCut) parameters.push(hasTies ? largest : largest + 1)
  return { sql: sql.replaceAll(/\s+/g, ' '), parameters }
}

const FIGURES = FIGURE_COLUMNS.join(', ')
/** The sum keeps the plan: SQLite plans again for every number that stands by itself. */
const AT_MOST = 'LIMIT ? + 0'
/** One more than is wanted shows whether the last row has ties. */
const ONE_MORE = ` ORDER BY cost_usd DESC, cost_pico DESC ${AT_MOST}`
/** At least as much as the smallest of the largest, or of all where there are fewer. */
const WITH_TIES = ` WHERE (cost_usd, cost_pico) >= (SELECT usd, pico FROM (
    SELECT cost_usd AS usd, cost_pico AS pico FROM sums ORDER BY usd DESC, pico DESC ${AT_MOST}
  ) AS largest ORDER BY usd, pico LIMIT 1)`

const TOTAL: Shape = {
  table: 'total_rollup',
  label: null,
  model: null,
  bucket: null,
  isByKey: true,
}

/** Repricings have a table of their own. */
export type SummedGrouping = Exclude<UsageGrouping, { readonly by: 'repriced' }>
export type SummedQuestion = UsageQuestion & { readonly grouping: SummedGrouping }

export function isSummed(question: UsageQuestion): question is SummedQuestion {
  return question.grouping.by !== 'repriced'
}

function shapeOf(grouping: SummedGrouping, grain: Period['grain']): Shape {
  const shape: Shape = { ...TOTAL }
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
      return {
        ...shape,
        table: 'dim_rollup',
        label: 'dim_value',
        model: 'model',
      }
    case 'usage':
      requireMonths(grouping, grain)
      return { ...shape, table: 'usage_rollup', label: 'usage', isByKey: false }
    case 'dim_key':
      requireMonths(grouping, grain)
      return { ...shape, table: 'dim_key_rollup', label: 'dim_key', isByKey: false }
  }
}

function requireMonths(grouping: UsageGrouping, grain: Period['grain']): void {
  if (grain === 'month') return
  throw new WeirError('invalid_parameter', `Usage by ${grouping.by} is kept by month, not by day.`)
}

function requireAllKeys({ grouping, keyId }: UsageQuestion): void {
  if (keyId === null) return
  throw new WeirError('invalid_parameter', `Usage by ${grouping.by} is kept for all keys together.`)
}

/** Label and model are ids of names. */
export type SumRow = readonly [
  label: number | null,
  model: number | null,
  bucket: number | null,
  ...figures: number[],
]

export function fromSumRow(row: SumRow, nameOf: (id: number) => string): UsageSum {
  const [label, model, bucket, ...figures] = row
  return {
    // An unknown model is stored as an empty name.
    label: label === null ? null : nameOf(label) || null,
    bucket: bucket === null ? null : fromPeriodNumber(bucket),
    model: model === null ? null : nameOf(model) || null,
    ...fromColumns(figures),
  }
}
