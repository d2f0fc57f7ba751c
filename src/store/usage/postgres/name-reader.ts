// Names of the sums by their ids. A stored name never changes, so each is read once.

import { toTextArray } from '../../postgres/array-text.ts'
import { ofEpoch } from '../../sql/sql.ts'
import type { Epoch, Sql } from '../../sql/sql.ts'
import { POSTGRES } from './dialect.ts'
import { fromStoredName, toStoredName } from './stored-name.ts'

/** Dimension values come from callers and may be many. The cache is cleared when full. */
const NAMES_CACHED_MAX = 200_000

export interface NameReader {
  /** Of these ids, in the moment of `sql`; an id without a name has an empty one. */
  read(sql: Sql, ids: Iterable<number>): Promise<(id: number) => string>
  /** Ids by name; a name that no call has had is absent. */
  find(sql: Sql, names: readonly string[]): Promise<ReadonlyMap<string, number>>
}

interface NameRow {
  readonly id: number
  readonly name: string
}

export function createNameReader(epoch: Epoch, cachedMax: number = NAMES_CACHED_MAX): NameReader {
  const cacheOf = ofEpoch(epoch, () => new Map<number, string>())

  return {
    async read(sql, ids) {
      const cache = cacheOf()
      const names = new Map<number, string>()
      const missing = new Set<number>()
      for (const id of ids) {
        const cached = cache.get(id)
        if (cached !== undefined) names.set(id, cached)
        else if (id !== 0) missing.add(id)
      }
      for (const { id, name: stored } of await readRows(sql, [...missing])) {
        const name = fromStoredName(stored)
        if (cache.size >= cachedMax) cache.clear()
        cache.set(id, name)
        names.set(id, name)
      }
      return (id) => names.get(id) ?? ''
    },
    async find(sql, names) {
      if (names.length === 0) return new Map()
      // A hash index finds one name at a time, hence the join.
      const text = `SELECT names.id, names.name FROM unnest(?::text[]) AS wanted (name)
        JOIN names ON names.name = wanted.name COLLATE "C"`
      const rows = await sql.all<NameRow>(text, [toTextArray(names.map(toStoredName))])
      return new Map(rows.map(({ id, name }) => [fromStoredName(name), id]))
    },
  }
}

async function readRows(sql: Sql, ids: readonly number[]): Promise<readonly NameRow[]> {
  if (ids.length === 0) return []
  const { sql: isAmong, parameters } = POSTGRES.isAmong('id', ids)
  return sql.all<NameRow>(`SELECT id, name FROM names WHERE ${isAmong}`, parameters)
}
