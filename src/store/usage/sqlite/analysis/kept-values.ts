// The places of dimensions and their values in the sums of a month, on SQLite.

import type { DatabaseSync } from 'node:sqlite'
import type { NameIds } from '../../analysis-rows.ts'
import { createKeptPlaces, NAMES } from '../../kept-places.ts'
import type { KeptPlace, KeptPlaces, PLACE_LIMITS } from '../../kept-places.ts'
import { selectCarriedNames } from '../../sql/carried-names.ts'

/** Of other months calls come late and few. Each has places for refused calls besides. */
const MONTHS_CACHED_MAX = 6

/** Asked inside a transaction, as a new place is stored. */
export interface KeptValues extends Omit<NameIds, 'idOf'> {
  /** Names of dimensions that get a place in every month that is asked for from now on. */
  reserve(names: readonly number[]): void
  /** To be called when a transaction failed. */
  forget(): void
}

export interface KeptValuesOptions {
  readonly table?: 'analysis_values' | 'temp.staged_values'
  readonly limits?: typeof PLACE_LIMITS
}

export function createKeptValues(
  database: DatabaseSync,
  { table = 'analysis_values', limits }: KeptValuesOptions = {},
): KeptValues {
  const select = database.prepare(`SELECT dim, value, key, place FROM ${table} WHERE month = ?`)
  const carried = database.prepare(selectCarriedNames(table))
  // A rebuild in another process may have stored it meanwhile.
  const insert = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?, ?, ?, ?, ?)`)
  const months = new Map<number, KeptPlaces>()
  let reserved: readonly number[] = []

  function readMonth(month: number): KeptPlaces {
    const places = createKeptPlaces(
      ({ dim, value, key, place }) => insert.run(month, dim, value, key, place),
      limits,
    )
    const stored = select.all(month) as unknown as readonly KeptPlace[]
    places.load([], stored)
    if (stored.length === 0) {
      places.reserve(carried.all(Math.abs(month)).map((row) => Number(row['value'])))
    }
    places.reserve(reserved)
    if (months.size >= MONTHS_CACHED_MAX) months.clear()
    months.set(month, places)
    return places
  }

  return {
    hasDim: ({ month, key }, dim) => (months.get(month) ?? readMonth(month)).take(NAMES, dim, key),
    isKept: ({ month, key }, dim, value) =>
      (months.get(month) ?? readMonth(month)).take(dim, value, key),
    reserve(names) {
      reserved = names
      for (const places of months.values()) places.reserve(names)
    },
    forget() {
      months.clear()
      reserved = []
    },
  }
}
