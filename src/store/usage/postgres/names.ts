// Names in sums as small integers, on PostgreSQL. New ones are committed, and on the server's disk,
// before the batch that needs them: an id that is known here exists, whatever becomes of the batch
// and of the server.

import { assert } from '../../../core/assert.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { toTextArray } from '../../postgres/array-text.ts'
import { OTHER_NAME } from '../analysis-rows.ts'
import { fromStoredName, toStoredName } from './stored-name.ts'

/** Dimension values come from callers and may be many. The cache is cleared when full. */
const CACHED_MAX = 200_000
/** The schema gives it. */
const EMPTY_NAME: readonly [string, number] = ['', 0]

export interface PostgresNames {
  /** Before `idOf` is asked. Not within a transaction. */
  resolve(names: Iterable<string>): Promise<void>
  readonly idOf: (name: string) => number
}

interface NameRow {
  readonly id: number
  readonly name: string
}

// A hash index finds one name at a time, hence the joins.
const WANTED = 'unnest(?::text[]) AS wanted (name)'
const SELECT = `SELECT names.id, names.name FROM ${WANTED}
  JOIN names ON names.name = wanted.name COLLATE "C"`
const INSERT = `INSERT INTO names (name) SELECT wanted.name FROM ${WANTED} WHERE NOT EXISTS
  (SELECT 1 FROM names WHERE names.name = wanted.name COLLATE "C") ON CONFLICT DO NOTHING`

export function createPostgresNames(
  database: SqlDatabase,
  cachedMax: number = CACHED_MAX,
): PostgresNames {
  const cache = new Map([EMPTY_NAME])

  async function look(missing: Set<string>): Promise<void> {
    const rows = await database.all<NameRow>(SELECT, [toStoredNames(missing)])
    for (const row of rows) {
      const name = fromStoredName(row.name)
      cache.set(name, row.id)
      missing.delete(name)
    }
  }

  return {
    async resolve(names) {
      const wanted = names instanceof Set ? (names as Set<string>) : new Set(names)
      // Which values are put together is known only when they are summed.
      if (!cache.has(OTHER_NAME)) await look(new Set([OTHER_NAME]))
      let missing = wanted.difference(cache)
      if (missing.size === 0) return
      if (cache.size + missing.size > cachedMax) {
        cache.clear()
        cache.set(...EMPTY_NAME)
        missing = new Set(wanted).add(OTHER_NAME).difference(cache)
      }
      await look(missing)
      if (missing.size === 0) return
      await database.transact((sql) => sql.run(INSERT, [toStoredNames(missing)]))
      await look(missing)
      assert(missing.size === 0, 'every name has an id')
    },
    idOf(name) {
      const id = cache.get(name)
      assert(id !== undefined, 'a name is resolved before it is used')
      return id
    },
  }
}

function toStoredNames(names: ReadonlySet<string>): string {
  return toTextArray([...names].map(toStoredName))
}
