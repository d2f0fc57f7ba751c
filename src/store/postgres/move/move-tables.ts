// Whole tables from a SQLite store into the tables of the same names: everything but the records,
// which are many. Must stay true: what a table had before is replaced, in one transaction for all.

import type { DatabaseSync } from 'node:sqlite'
import type { PoolClient } from 'pg'
import { WeirError } from '../../../core/weir-error.ts'
import { isRepeat } from '../faults.ts'
import { copyRows } from './copy-rows.ts'
import type { CopiedValue } from './copy-rows.ts'

interface Column {
  readonly name: string
  readonly type: string
  /** Numbers that the database gives by itself. */
  readonly isIdentity: boolean
}

export interface MovedTables {
  readonly except: readonly string[]
  /** A value as the target has it, by `table.column`. */
  readonly converted: Readonly<Record<string, (value: CopiedValue) => CopiedValue>>
  /** Tables where of rows that become the same, as texts without U+0000, one is enough. */
  readonly once: readonly string[]
}

/** Returns how many rows each table has. */
export async function moveTables(
  source: DatabaseSync,
  client: PoolClient,
  moved: MovedTables,
): Promise<ReadonlyMap<string, number>> {
  const tables = (await listTables(source, client)).filter((name) => !moved.except.includes(name))
  await client.query(`TRUNCATE ${tables.join(', ')}`)
  const counts = new Map<string, number>()
  for (const table of tables) {
    const columns = await listColumns(client, table)
    counts.set(table, await moveTable(source, client, { table, columns, moved }))
    await continueNumbers(client, table, columns)
  }
  return counts
}

interface MovedTable {
  readonly table: string
  readonly columns: readonly Column[]
  readonly moved: MovedTables
}

async function moveTable(
  source: DatabaseSync,
  client: PoolClient,
  { table, columns: wanted, moved }: MovedTable,
): Promise<number> {
  const there = new Set(
    source
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map((row) => row['name']),
  )
  const copied = wanted.flatMap((column) => {
    const convert = moved.converted[`${table}.${column.name}`] ?? toConversion(column)
    return there.has(column.name) ? [{ ...column, convert }] : []
  })
  const names = copied.map(({ name }) => `"${name}"`).join(', ')
  const select = source.prepare(`SELECT ${names} FROM ${table}`)
  select.setReadBigInts(true)
  select.setReturnArrays(true)
  function* rows(): Generator<CopiedValue[]> {
    for (const row of select.iterate()) {
      const values = row as unknown as CopiedValue[]
      yield values.map((value, at) => (copied[at]?.convert ?? same)(value))
    }
  }
  const columns = copied.map(({ name }) => name)
  try {
    if (!moved.once.includes(table)) return await copyRows(client, { table, columns, rows: rows() })
    await client.query(`CREATE TEMPORARY TABLE moved (LIKE ${table}) ON COMMIT DROP`)
    await copyRows(client, { table: 'moved', columns, rows: rows() })
    const insert = `INSERT INTO ${table} SELECT * FROM moved ON CONFLICT DO NOTHING`
    return (await client.query(insert)).rowCount ?? 0
  } catch (error) {
    throw toMoveError(table, error)
  }
}

function toMoveError(table: string, cause: unknown): unknown {
  if (!isRepeat(cause)) return cause
  const text = `Two rows of ${table} are the same in PostgreSQL, where U+0000 becomes U+FFFD`
  const { detail = '' } = cause as { readonly detail?: string }
  return new WeirError('store_unusable', `${text}. ${detail}`, {
    hint: 'Change or remove one of them, then run this again. The data directory was not changed.',
    cause,
  })
}

function toConversion({ type }: Column): (value: CopiedValue) => CopiedValue {
  return type === 'uuid' ? toUuidText : same
}

function toUuidText(value: CopiedValue): CopiedValue {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

function same(value: CopiedValue): CopiedValue {
  return value
}

/** Of both stores, in the order in which the source made them: what others refer to comes first. */
async function listTables(source: DatabaseSync, client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
  )
  const there = new Set(rows.map(({ name }) => name))
  const made = source.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
  return made.all().flatMap(({ name }) => (there.has(name as string) ? [name as string] : []))
}

async function listColumns(client: PoolClient, table: string): Promise<Column[]> {
  const { rows } = await client.query<{ name: string; type: string; identity: string }>(
    `SELECT column_name AS name, data_type AS type, is_identity AS identity
      FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1
        AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name, type, identity }) => ({ name, type, isIdentity: identity === 'YES' }))
}

async function continueNumbers(
  client: PoolClient,
  table: string,
  columns: readonly Column[],
): Promise<void> {
  for (const { name } of columns.filter(({ isIdentity }) => isIdentity)) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2),
        (SELECT COALESCE(MAX("${name}"), 0) + 1 FROM ${table}), false)`,
      [table, name],
    )
  }
}
