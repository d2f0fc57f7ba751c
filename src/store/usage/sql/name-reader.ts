// Names of the sums by their ids. A stored name never changes, so each is read once.

import { ofEpoch } from '../../sql/sql.ts'
import type { BulkTable, Epoch, Sql } from '../../sql/sql.ts'
import { OTHER_NAME } from '../analysis-rows.ts'
import type { Dialect } from './dialect.ts'

/** Dimension values come from callers and may be many. The cache is cleared when full. */
const NAMES_CACHED_MAX = 200_000

export interface NameReader {
  /** Of these ids, in the moment of `sql`; an id without a name has an empty one. */
  read(sql: Sql, ids: readonly number[]): Promise<(id: number) => string>
  /** Ids by name; a name that no call has had is absent. */
  find(sql: Sql, names: readonly string[]): Promise<ReadonlyMap<string, number>>
}

interface NameRow {
  readonly id: number
  readonly name: string
}

export function createNameReader(
  epoch: Epoch,
  dialect: Dialect,
  cachedMax: number = NAMES_CACHED_MAX,
): NameReader {
  const remember = ofEpoch(epoch, () => ({ names: new Map<number, string>() }))

  return {
    async read(sql, ids) {
      const memory = remember()
      let { names } = memory
      const missing = new Set<number>()
      for (const id of ids) if (id !== 0 && !names.has(id)) missing.add(id)
      const rows = await readRows(sql, [...missing], dialect)
      if (names.size + rows.length > cachedMax) names = memory.names = pick(names, ids)
      for (const { id, name } of rows) {
        names.set(id, name === dialect.otherName ? OTHER_NAME : name)
      }
      return (id) => names.get(id) ?? ''
    },
    find: (sql, names) => findNames(sql, names, dialect),
  }
}

/** The full one stays with whoever reads by it. */
function pick(names: ReadonlyMap<number, string>, ids: readonly number[]): Map<number, string> {
  const picked = new Map<number, string>()
  for (const id of ids) {
    const name = names.get(id)
    if (name !== undefined) picked.set(id, name)
  }
  return picked
}

async function readRows(
  sql: Sql,
  ids: readonly number[],
  dialect: Dialect,
): Promise<readonly NameRow[]> {
  if (ids.length === 0) return []
  const { sql: isAmong, parameters } = dialect.isAmong('id', ids)
  return sql.all<NameRow>(`SELECT id, name FROM names WHERE ${isAmong}`, parameters)
}

const NAMES: BulkTable = { name: 'names', key: { name: 'text' }, others: { id: 'int' } }

/** Ids by name; a name that no call has had is absent. */
export async function findNames(
  sql: Sql,
  names: Iterable<string>,
  { otherName }: Pick<Dialect, 'otherName'>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = Array.from(names, (name) => [name === OTHER_NAME ? otherName : name])
  if (wanted.length === 0) return new Map()
  const rows = await sql.findMany<NameRow>(NAMES, wanted)
  return new Map(rows.map(({ id, name }) => [name === otherName ? OTHER_NAME : name, id]))
}
