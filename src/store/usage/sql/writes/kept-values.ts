// The places of dimensions and their values in the sums of a month, given in the order
// in which they came to any node. Decided and committed, to the disk, before the batch that
// needs them. Must stay true: what is known here of a place never becomes wrong.

import type { BulkTable, Sql, SqlDatabase } from '../../../sql/sql.ts'
import { DIMS_PER_MONTH_MAX } from '../../analysis.ts'
import type { NameIds, SlotAsker } from '../../analysis-rows.ts'
import { createKeptPlaces, NAMES } from '../../kept-slots.ts'
import type { KeptSlot, KeptSlots, SLOT_LIMITS } from '../../kept-slots.ts'
import type { Dialect } from '../dialect.ts'

/** Of other months calls come late and few. Each has places for refused calls besides. */
const MONTHS_CACHED_MAX = 6

export interface KeptValues extends Omit<NameIds, 'idOf'> {
  /** Whether `resolve` must be called before the value is asked for. */
  isKnown(asker: SlotAsker, dim: number, value: number): boolean
  /**
   * Not within a transaction. Values in the order in which they came; known ones may be left out,
   * but `months` are all that will be asked for. `reserved` are names that get a place in any case.
   */
  resolve(
    values: readonly DimValue[],
    months: ReadonlySet<number>,
    reserved?: readonly number[],
  ): Promise<void>
}

export interface DimValue extends SlotAsker {
  /** Of a dimension that gets a place now, even if its name was refused the asker. */
  readonly isFact?: boolean
  readonly dim: number
  readonly value: number
}

interface Month {
  readonly places: KeptSlots
  /** The dimensions whose stored places were read. */
  readonly read: Set<number>
  /** Given, but not stored yet. */
  readonly given: KeptSlot[]
}

export interface KeptValuesOptions {
  readonly dialect: Pick<Dialect, 'isAmong' | 'isShared'>
  readonly limits?: typeof SLOT_LIMITS
}

export function createKeptValues(
  database: SqlDatabase,
  { dialect, limits }: KeptValuesOptions,
): KeptValues {
  const months = new Map<number, Month>()

  function createMonth(): Month {
    const given: KeptSlot[] = []
    const places = createKeptPlaces((place) => given.push(place), limits)
    return { places, read: new Set(), given }
  }

  function isKnown({ month, key }: SlotAsker, dim: number, value: number): boolean {
    const places = months.get(month)?.places
    const hasDim = places?.find(NAMES, dim, key) ?? null
    return hasDim === false || (hasDim === true && places?.find(dim, value, key) !== null)
  }

  /** Adds what there is room for, to the month and to the table. */
  async function decide(
    sql: Sql,
    month: number,
    { wanted, reserved }: { wanted: readonly DimValue[]; reserved: readonly number[] },
  ): Promise<void> {
    const known = months.get(month) ?? createMonth()
    months.set(month, known)
    const { places, given } = known
    const dims = [NAMES, ...wanted.map(({ dim }) => dim)]
    await readPlaces(sql, month, { known, dims, dialect })
    places.reserveFacts(wanted.filter(({ isFact }) => isFact === true).map(({ dim }) => dim))
    places.reserve(reserved)
    for (const { key, dim, value } of wanted) {
      if (places.take(NAMES, dim, key)) places.take(dim, value, key)
    }
    await storePlaces(
      sql,
      given.splice(0).map((place) => ({ month, ...place })),
    )
  }

  return {
    isKnown,
    async resolve(values, needed, reserved = []) {
      const unknown = values.filter(
        (wanted) => wanted.isFact === true || !isKnown(wanted, wanted.dim, wanted.value),
      )
      if (unknown.length === 0) return
      // Those of this batch stay, however many they are.
      if (months.size > MONTHS_CACHED_MAX) {
        for (const month of months.keys()) if (!needed.has(month)) months.delete(month)
      }
      const decided = Map.groupBy(unknown, ({ month }) => month)
      try {
        await database.transact(async (sql) => {
          for (const [month, wanted] of decided) await decide(sql, month, { wanted, reserved })
        })
      } catch (error) {
        for (const month of decided.keys()) months.delete(month)
        throw error
      }
    },
    hasDim: ({ month, key }, dim) => months.get(month)?.places.find(NAMES, dim, key) === true,
    isKept: ({ month, key }, dim, value) =>
      months.get(month)?.places.find(dim, value, key) === true,
  }
}

interface SlotsToRead {
  readonly known: Month
  readonly dims: readonly number[]
  readonly dialect: KeptValuesOptions['dialect']
}

/** Other nodes give places, too; where there are none, what was read once is all there is. */
async function readPlaces(
  sql: Sql,
  month: number,
  { known: { places, read }, dims, dialect }: SlotsToRead,
): Promise<void> {
  const asked = new Set(dialect.isShared ? dims : dims.filter((dim) => !read.has(dim)))
  if (asked.size === 0) return
  const isAsked = dialect.isAmong('dim', [...asked])
  const stored = await sql.all<KeptSlot>(
    `SELECT dim, value, key, place FROM analysis_values WHERE month = ? AND ${isAsked.sql}`,
    [month, ...isAsked.parameters],
  )
  places.load(asked, stored)
  for (const dim of asked) read.add(dim)
  if (asked.has(NAMES) && stored.length === 0) places.reserve(await readCarriedNames(sql, month))
}

/** Names that had a place in the last month before and were used there, oldest first. */
const CARRIED = `SELECT value FROM analysis_values AS kept WHERE dim = 0
  AND month = (SELECT MAX(month) FROM analysis_values WHERE month > 0 AND month < ?)
  AND EXISTS (SELECT 1 FROM dim_key_rollup WHERE period = kept.month AND dim_key = kept.value)
  ORDER BY place LIMIT ${DIMS_PER_MONTH_MAX}`

/** For a month that has nothing yet. */
export async function readCarriedNames(sql: Sql, month: number): Promise<readonly number[]> {
  const rows = await sql.all<{ value: number }>(CARRIED, [Math.abs(month)])
  return rows.map(({ value }) => value)
}

const PLACES: BulkTable = {
  name: 'analysis_values',
  key: { month: 'int', dim: 'int', value: 'int' },
  others: { key: 'int', place: 'int' },
}

export async function storePlaces(
  sql: Sql,
  places: readonly (KeptSlot & { readonly month: number })[],
): Promise<void> {
  const rows = places.map(({ month, dim, value, key, place }) => [month, dim, value, key, place])
  await sql.insertMany({ into: PLACES, rows })
}
