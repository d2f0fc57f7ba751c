// Which dimensions a month has, and which of their values it keeps apart, on PostgreSQL: the first
// that came to any node. Decided and committed, to the disk, before the batch that needs it. Must
// stay true: a value that a month has once kept, or has not, it treats alike ever after, so what is
// known here never becomes wrong.

import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { toNumberArray } from '../../postgres/array-text.ts'
import { DIM_VALUES_PER_MONTH_MAX, DIMS_PER_MONTH_MAX } from '../analysis.ts'
import type { NameIds } from '../analysis-rows.ts'

/** Of other months calls come late and few. */
const MONTHS_CACHED_MAX = 3

/** The values of a month's dimensions. */
type Month = Map<number, Set<number>>

export interface PostgresKeptValues extends Omit<NameIds, 'idOf'> {
  /** Whether `resolve` must be called before the value is asked for. */
  isKnown(month: number, dim: number, value: number): boolean
  /**
   * Not within a transaction. Values in the order in which they came; known ones may be left out,
   * but `months` are all that will be asked for.
   */
  resolve(values: readonly DimValue[], months: ReadonlySet<number>): Promise<void>
}

export interface DimValue {
  readonly month: number
  readonly dim: number
  readonly value: number
}

export interface KeptLimits {
  readonly valuesMax?: number
  readonly dimsMax?: number
}

export function createPostgresKeptValues(
  database: SqlDatabase,
  { valuesMax = DIM_VALUES_PER_MONTH_MAX, dimsMax = DIMS_PER_MONTH_MAX }: KeptLimits = {},
): PostgresKeptValues {
  const months = new Map<number, Month>()

  function isKnown(month: number, dim: number, value: number): boolean {
    const dims = months.get(month)
    if (dims === undefined) return false
    const values = dims.get(dim)
    if (values === undefined) return dims.size >= dimsMax
    return values.has(value) || values.size >= valuesMax
  }

  /** Adds what there is room for, to the month and to the table. */
  async function decide(sql: Sql, month: number, wanted: readonly DimValue[]): Promise<Month> {
    const dims = await readMonth(sql, month, { wanted, known: months.get(month) })
    const added: DimValue[] = []
    for (const { dim, value } of wanted) {
      const values = dims.get(dim) ?? new Set()
      const hasRoom = dims.has(dim) || dims.size < dimsMax
      if (!hasRoom || values.has(value) || values.size >= valuesMax) continue
      dims.set(dim, values.add(value))
      added.push({ month, dim, value })
    }
    if (added.length > 0) {
      await sql.run('INSERT INTO analysis_values SELECT ?, * FROM unnest(?::int[], ?::int[])', [
        month,
        toNumberArray(added.map(({ dim }) => dim)),
        toNumberArray(added.map(({ value }) => value)),
      ])
    }
    return dims
  }

  return {
    isKnown,
    async resolve(values, needed) {
      const unknown = values.filter(({ month, dim, value }) => !isKnown(month, dim, value))
      if (unknown.length === 0) return
      const decided = await database.transact(async (sql) => {
        const list: [number, Month][] = []
        for (const [month, wanted] of Map.groupBy(unknown, ({ month: name }) => name)) {
          list.push([month, await decide(sql, month, wanted)])
        }
        return list
      })
      // Those of this batch stay, however many they are.
      if (months.size > MONTHS_CACHED_MAX) {
        for (const month of months.keys()) if (!needed.has(month)) months.delete(month)
      }
      for (const [month, dims] of decided) months.set(month, dims)
    },
    hasDim: (month, dim) => months.get(month)?.has(dim) === true,
    isKept: (month, dim, value) => months.get(month)?.get(dim)?.has(value) === true,
  }
}

interface MonthRead {
  readonly wanted: readonly DimValue[]
  readonly known: Month | undefined
}

/** All of a month, or only the dimensions in question where it is known which there are. */
async function readMonth(sql: Sql, month: number, { wanted, known }: MonthRead): Promise<Month> {
  const asked = new Set(wanted.map(({ dim }) => dim))
  const isPartial = known !== undefined && [...asked].every((dim) => known.has(dim))
  const condition = isPartial ? 'AND dim = ANY (?::int[])' : ''
  const rows = await sql.all<{ dim: number; value: number }>(
    `SELECT dim, value FROM analysis_values WHERE month = ? ${condition}`,
    isPartial ? [month, toNumberArray([...asked])] : [month],
  )
  const dims: Month = new Map(isPartial ? known : [])
  for (const dim of asked) if (isPartial) dims.set(dim, new Set())
  for (const { dim, value } of rows) dims.set(dim, (dims.get(dim) ?? new Set()).add(value))
  return dims
}
