// Names in sums as small integers. New ones are committed, and on the disk, before the batch that
// needs them: an id that is known here exists, whatever becomes of the batch and of the database.

import { assert } from '../../../../core/assert.ts'
import type { BulkTable, Sql, SqlDatabase } from '../../../sql/sql.ts'
import { OTHER_NAME } from '../../analysis-rows.ts'
import type { Dialect } from '../dialect.ts'

/** Dimension values come from callers and may be many. The cache is cleared when full. */
const CACHED_MAX = 200_000
/** The schema gives it. */
const EMPTY_NAME: readonly [string, number] = ['', 0]

const NAMES: BulkTable = { name: 'names', key: { name: 'text' }, others: { id: 'int' } }
const NEW_NAMES: BulkTable = { ...NAMES, others: {} }
const OTHER = 'SELECT id FROM names WHERE name = ?'

export interface Names {
  /** Before `idOf` is asked. Not within a transaction. */
  resolve(names: Iterable<string>): Promise<void>
  readonly idOf: (name: string) => number
}

export function createNames(
  database: SqlDatabase,
  { otherName, toText }: Pick<Dialect, 'otherName' | 'toText'>,
  cachedMax: number = CACHED_MAX,
): Names {
  const cache = new Map([EMPTY_NAME])

  /** Takes those that it finds out of `missing`. */
  async function look(sql: Sql, missing: Set<string>): Promise<void> {
    // Two names may be the same once they can be stored.
    const byStored = Map.groupBy(missing, toText)
    const keys = Array.from(byStored.keys(), (name) => [name])
    for (const row of await sql.findMany<{ id: number; name: string }>(NAMES, keys)) {
      for (const name of byStored.get(row.name) ?? []) {
        cache.set(name, row.id)
        missing.delete(name)
      }
    }
  }

  async function add(missing: Set<string>): Promise<void> {
    await database.transact(async (sql) => {
      // Others may have added some meanwhile.
      await look(sql, missing)
      const added = new Set([...missing].map(toText))
      await sql.insertMany({ into: NEW_NAMES, rows: Array.from(added, (name) => [name]) })
    })
    await look(database, missing)
    assert(missing.size === 0, 'every name has an id')
  }

  /** Which values are put together is known only when they are summed. */
  async function resolveOther(): Promise<void> {
    const find = (sql: Sql): Promise<{ id: number } | null> => sql.first(OTHER, [otherName])
    const known =
      (await find(database)) ??
      (await database.transact(async (sql) => {
        await sql.insertMany({ into: NEW_NAMES, rows: [[otherName]] })
        return find(sql)
      }))
    assert(known !== null, 'there is a name for all others')
    cache.set(OTHER_NAME, known.id)
  }

  return {
    async resolve(names) {
      const wanted = names instanceof Set ? (names as Set<string>) : new Set(names)
      if (!cache.has(OTHER_NAME)) await resolveOther()
      let missing = wanted.difference(cache)
      if (missing.size === 0) return
      if (cache.size + missing.size > cachedMax) {
        cache.clear()
        cache.set(...EMPTY_NAME)
        await resolveOther()
        missing = wanted.difference(cache)
      }
      await look(database, missing)
      if (missing.size > 0) await add(missing)
    },
    idOf(name) {
      const id = cache.get(name)
      assert(id !== undefined, 'a name is resolved before it is used')
      return id
    },
  }
}
