// The tables of a store on PostgreSQL, brought up to date by numbered steps while older programs
// still use them. Must stay true: a step adds what the next version needs (expand); what the
// version before needs is removed only by a later version's step (contract), which raises
// `compatibleBackTo`, and a program older than that number refuses to work.

import { WeirError } from '../../core/weir-error.ts'
import type { Sql, SqlDatabase } from '../sql/sql.ts'

export interface PostgresStep {
  readonly text: string
  /** The oldest number of steps a program may know and still work on the tables after this one. */
  readonly compatibleBackTo: number
}

export type StoreName = 'settings' | 'usage' | 'nodes' | 'limits'

/** The step at index n leads from version n to n + 1. A released step is never edited. */
export interface PostgresSchema {
  readonly name: StoreName
  readonly steps: readonly PostgresStep[]
}

export interface SchemaVersion {
  readonly version: number
  readonly compatibleBackTo: number
}

const CREATE = `CREATE TABLE IF NOT EXISTS weir_schema (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  compatible_back_to INTEGER NOT NULL
)`

/** Every step is a transaction of its own, so a failed one leaves those before it. */
export async function migratePostgres(
  database: SqlDatabase,
  schema: PostgresSchema,
): Promise<{ readonly before: number; readonly after: number }> {
  // Two that create it at once collide; under the lock they do not.
  await database.transact((sql) => sql.run(CREATE))
  const before = (await readVersion(database, schema.name)).version
  for (;;) {
    const isDone = await database.transact((sql) => takeStep(sql, schema))
    if (isDone) break
  }
  return { before, after: (await readVersion(database, schema.name)).version }
}

async function takeStep(sql: Sql, { name, steps }: PostgresSchema): Promise<boolean> {
  const { version } = await readVersion(sql, name)
  const step = steps[version]
  if (step === undefined) return true
  await sql.run(step.text)
  await sql.run(
    `INSERT INTO weir_schema (name, version, compatible_back_to) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET version = excluded.version,
        compatible_back_to = excluded.compatible_back_to`,
    [name, version + 1, step.compatibleBackTo],
  )
  return false
}

async function readVersion(sql: Sql, name: StoreName): Promise<SchemaVersion> {
  const row = await sql.first<{ version: number; compatible_back_to: number }>(
    'SELECT version, compatible_back_to FROM weir_schema WHERE name = ?',
    [name],
  )
  return { version: row?.version ?? 0, compatibleBackTo: row?.compatible_back_to ?? 0 }
}

/** The tables' version; 0 where there are none yet. */
export async function readSchemaVersion(
  database: SqlDatabase,
  { name }: PostgresSchema,
): Promise<SchemaVersion> {
  // The first statement of whoever opens a store: what is remembered from here on is of this epoch.
  const found = await database.first<{ table: string | null; epoch: string }>(
    `SELECT to_regclass('weir_schema')::text AS "table", ${database.epoch.sql} AS epoch`,
  )
  database.epoch.note(found?.epoch ?? '')
  if (found?.table === null) return { version: 0, compatibleBackTo: 0 }
  return readVersion(database, name)
}

/** Throws where this program cannot work on the tables as they are. */
export async function requireSchema(database: SqlDatabase, schema: PostgresSchema): Promise<void> {
  const { version, compatibleBackTo } = await readSchemaVersion(database, schema)
  const known = schema.steps.length
  if (version < known) {
    const state = version === 0 ? 'has no tables yet' : `has the older version ${version}`
    throw new WeirError('store_unusable', `${database.title} ${state}.`, {
      hint: `Run weir migrate once with this version of Weir: it brings the tables to version ${known}.`,
    })
  }
  if (known >= compatibleBackTo) return
  throw new WeirError(
    'store_unusable',
    `${database.title} has version ${version}, which works back to version ${compatibleBackTo}; this Weir knows version ${known}.`,
    { hint: 'Install a newer Weir here.' },
  )
}
