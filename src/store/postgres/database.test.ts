import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sqlDatabaseContract } from '../../../test/contracts/sql/sql-database-contract.ts'
import {
  listPostgresPrograms,
  openTestDatabase,
} from '../../../test/fakes/postgres/test-database.ts'
import { StoreBusy } from '../store-busy.ts'
import { openPostgresDatabase } from './database.ts'
import { migratePostgres, readSchemaVersion, requireSchema } from './migrate.ts'

const OPTIONS = { name: 'settings store', lock: 7 }

for (const programs of listPostgresPrograms()) {
  sqlDatabaseContract(programs.title, async (context) => {
    const url = await openTestDatabase(context, programs)
    return [open(context, url), open(context, url)]
  })
}

function open(context: TestContext, url: string) {
  const database = openPostgresDatabase({ ...OPTIONS, url })
  context.after(() => database.close())
  return database
}

test('a NUL, which PostgreSQL refuses, is kept as the character for what is unknown', async (context) => {
  const database = open(context, await openTestDatabase(context))
  for (const values of [['a\0b'], { text: 'a\0b' }]) {
    const mark = Array.isArray(values) ? '?' : ':text'
    const row = await database.first<{ text: string }>(
      `SELECT CAST(${mark} AS TEXT) AS text`,
      values,
    )
    assert.equal(row?.text, 'a\uFFFDb')
  }
})

test('a server that is away is busy, and the message shows no password', async (context) => {
  const url = 'postgres://weir:secret@127.0.0.1:1/weir'
  const database = open(context, url)
  await assert.rejects(database.all('SELECT 1'), (error: unknown) => {
    assert.ok(error instanceof StoreBusy)
    assert.match(error.message, /settings store at 127\.0\.0\.1:1\/weir cannot be used/)
    assert.doesNotMatch(error.message, /secret/)
    return true
  })
})

test('a connection that breaks between two statements fails the transaction only', async (context) => {
  const url = await openTestDatabase(context)
  const [database, other] = [open(context, url), open(context, url)]
  const broken = database.transact(async (sql) => {
    const own = await sql.first<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const isGone = 'SELECT 1 FROM pg_stat_activity WHERE pid = ?'
    await other.all('SELECT pg_terminate_backend(?)', [own?.pid ?? 0])
    while ((await other.first(isGone, [own?.pid ?? 0])) !== null);
    return sql.all('SELECT 1')
  })
  await assert.rejects(broken, StoreBusy)
  assert.deepEqual(await database.all('SELECT 1 AS one'), [{ one: 1 }])
})

const SCHEMA = {
  name: 'settings' as const,
  steps: [
    { text: 'CREATE TABLE one (a INTEGER)', compatibleBackTo: 1 },
    { text: 'ALTER TABLE one ADD COLUMN b INTEGER', compatibleBackTo: 1 },
  ],
}

test('steps are taken once, also by two that migrate in the same instant', async (context) => {
  const url = await openTestDatabase(context)
  const [one, other] = [open(context, url), open(context, url)]
  await Promise.all([migratePostgres(one, SCHEMA), migratePostgres(other, SCHEMA)])
  assert.deepEqual(await readSchemaVersion(one, SCHEMA), { version: 2, compatibleBackTo: 1 })
  await requireSchema(other, SCHEMA)
})

test('tables that are missing or too old are refused with what to do', async (context) => {
  const database = open(context, await openTestDatabase(context))
  const hint = /Run weir migrate/
  await assert.rejects(requireSchema(database, SCHEMA), { message: /has no tables yet/, hint })
  await migratePostgres(database, { ...SCHEMA, steps: SCHEMA.steps.slice(0, 1) })
  await assert.rejects(requireSchema(database, SCHEMA), { message: /older version 1/, hint })
})

test('an older program works on newer tables until they are contracted', async (context) => {
  const database = open(context, await openTestDatabase(context))
  await migratePostgres(database, SCHEMA)
  const older = { ...SCHEMA, steps: SCHEMA.steps.slice(0, 1) }
  await requireSchema(database, older)
  const contracted = [
    ...SCHEMA.steps,
    { text: 'ALTER TABLE one DROP COLUMN a', compatibleBackTo: 2 },
  ]
  await migratePostgres(database, { ...SCHEMA, steps: contracted })
  await assert.rejects(requireSchema(database, older), { message: /works back to version 2/ })
})
