// Names in sums as small integers, on PostgreSQL. New ones are committed before the batch that
// needs them: an id that is known here exists, whatever becomes of the batch.

import { assert } from '../../../core/assert.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { toTextArray } from '../../postgres/array-text.ts'
import { OTHER_NAME } from '../analysis-rows.ts'

/** Dimension values come from callers and may be many. The cache is cleared when full. */
const CACHED_MAX = 200_000
/** The schema gives these; the second stands for a name with a character that cannot be stored. */
const FIXED: readonly (readonly [string, number])[] = [
  ['', 0],
  [OTHER_NAME, 1],
]

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
  const cache = new Map(FIXED)

  async function look(missing: Set<string>): Promise<void> {
    const rows = await database.all<NameRow>(SELECT, [toTextArray(missing)])
    for (const { id, name } of rows) {
      cache.set(name, id)
      missing.delete(name)
    }
  }

  return {
    async resolve(names) {
      const wanted = names instanceof Set ? (names as Set<string>) : new Set(names)
      let missing = wanted.difference(cache)
      if (missing.size === 0) return
      if (cache.size + missing.size > cachedMax) {
        cache.clear()
        for (const [name, id] of FIXED) cache.set(name, id)
        missing = wanted.difference(cache)
      }
      await look(missing)
      if (missing.size === 0) return
      await database.transact(async (sql) => {
        // The batch's own commit brings it to the disk before the ids are of use.
        await sql.run('SET LOCAL synchronous_commit = off')
        await sql.run(INSERT, [toTextArray(missing)])
      })
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
