// How much of a database's disk the tables of some schemas take, with their indexes, their
// partitions and what is stored beside them. Other tables of the database do not count.

import type { SqlDatabase } from '../sql/sql.ts'
import type { PostgresSchema } from './migrate.ts'

/** A table that is being attached or dropped is locked: the figure can wait for the next time. */
const LOCK_MS_MAX = 500
const TABLE = /CREATE (?:UNLOGGED )?TABLE (\w+)/g

/** Null where there are none of the tables. */
export function measureTables(
  database: SqlDatabase,
  schemas: readonly PostgresSchema[],
): Promise<number | null> {
  const names = listTables(schemas)
  return database.readSnapshot(async (sql) => {
    await sql.run(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`)
    const row = await sql.first<{ bytes: number | null }>(
      `SELECT CAST(SUM(pg_total_relation_size(oid)) AS BIGINT) AS bytes FROM pg_class
        WHERE relkind = 'r' AND COALESCE(pg_partition_root(oid), oid) IN
          (SELECT to_regclass(name) FROM json_array_elements_text(CAST(? AS JSON)) AS name)`,
      [JSON.stringify(names)],
    )
    return row?.bytes ?? null
  })
}

/** Those that the schemas create, without the partitions of a month. */
export function listTables(schemas: readonly PostgresSchema[]): readonly string[] {
  const texts = schemas.flatMap(({ steps }) => steps.map(({ text }) => text))
  return texts.flatMap((text) => [...text.matchAll(TABLE)].map(([, name]) => name as string))
}
