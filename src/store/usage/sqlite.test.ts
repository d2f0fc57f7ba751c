import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { usageStoreContract } from '../../../test/contracts/usage-store-contract.ts'
import { MIGRATIONS } from './sqlite-migrations.ts'
import { toRecordRow } from './sqlite-record-row.ts'
import { openSqliteUsage } from './sqlite.ts'

async function withDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-usage-'))
  try {
    await run(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

usageStoreContract('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'weir-usage-'))
  return {
    open: () => openSqliteUsage({ file: join(directory, 'usage.db') }),
    remove: () => rm(directory, { recursive: true }),
  }
})

test('the database and what lies beside it are readable by their owner only', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const store = await openSqliteUsage({ file })
    for (const name of [file, `${file}-wal`, `${file}-shm`]) {
      assert.equal((await stat(name)).mode & 0o777, 0o600)
    }
    await store.close()
  })
})

test('a database of a newer Weir is refused and left as it is', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const newer = new DatabaseSync(file)
    newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
    newer.close()
    await assert.rejects(openSqliteUsage({ file }), {
      code: 'store_unusable',
      message: /newer Weir/,
    })
    await assert.rejects(openSqliteUsage({ file, readOnly: true }), { code: 'store_unusable' })
    const after = new DatabaseSync(file)
    assert.equal(after.prepare('SELECT COUNT(*) AS n FROM sqlite_schema').get()?.['n'], 0)
    after.close()
  })
})

test('a database of the first version is brought up to date, its records as they were', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const older = new DatabaseSync(file)
    older.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1`)
    const record = createRecord()
    const columns = 28
    const row = toRecordRow(record).slice(0, columns)
    older.prepare(`INSERT INTO records VALUES (${row.map(() => '?').join(', ')})`).run(...row)
    older.close()
    const store = await openSqliteUsage({ file })
    assert.deepEqual(await store.readRecord(record.event.id), record)
    await store.close()
  })
})

test('a file that is no database is refused', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    await writeFile(file, 'certainly not a database '.repeat(100))
    await assert.rejects(openSqliteUsage({ file }), { code: 'store_unusable' })
  })
})

test('a reader sees what the writer stored, and cannot write', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    await assert.rejects(openSqliteUsage({ file, readOnly: true }), { code: 'store_unusable' })
    const writer = await openSqliteUsage({ file })
    const reader = await openSqliteUsage({ file, readOnly: true })
    const record = createRecord()
    const batch = batchOf(record)
    await writer.write(batch)
    assert.deepEqual(await reader.readRecord(record.event.id), record)
    assert.equal(await reader.check(), null)
    await assert.rejects(reader.write(batch), { code: 'store_unusable' })
    await reader.close()
    await writer.close()
  })
})

test('a store that was closed says so when it is checked', async () => {
  await withDirectory(async (directory) => {
    const store = await openSqliteUsage({ file: join(directory, 'usage.db') })
    await store.close()
    assert.match((await store.check()) ?? '', /cannot be used/)
  })
})
