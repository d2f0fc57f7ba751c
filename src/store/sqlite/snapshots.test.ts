import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openSqliteFile, SqliteFile } from './file.ts'
import { createSnapshots } from './snapshots.ts'
import type { Snapshot } from './snapshots.ts'

async function openScene(t: TestContext, connectionsMax = 8) {
  const dir = mkdtempSync(join(tmpdir(), 'weir-snapshots-'))
  const migrations = ['CREATE TABLE words (word TEXT)']
  const options = { file: join(dir, 'a.db'), name: 'word store', migrations, busyTimeoutMs: 1000 }
  const file = await openSqliteFile(options, (opened) => opened)
  const opened: SqliteFile[] = []
  const snapshots = createSnapshots(() => {
    const connection = new SqliteFile({ ...options, readOnly: true })
    opened.push(connection)
    return connection
  }, connectionsMax)
  t.after(() => {
    snapshots.close()
    file.close()
    rmSync(dir, { recursive: true })
  })
  return { file, snapshots, opened }
}

async function count({ sql }: Snapshot): Promise<number | undefined> {
  return (await sql.first<{ words: number }>('SELECT COUNT(*) AS words FROM words'))?.words
}

test('what is written while a read waits is not in it, and is in the next', async (t) => {
  const { file, snapshots, opened } = await openScene(t)
  const insert = file.prepare('INSERT INTO words VALUES (?)')
  await snapshots.read(async (snapshot) => {
    assert.equal(await count(snapshot), 0)
    file.transact(() => insert.run('one'))
    await turn()
    assert.equal(await count(snapshot), 0)
  })
  assert.equal(await snapshots.read(count), 1)
  assert.equal(opened.length, 1)
})

test('reads beyond the number of connections wait for one, also after a failure', async (t) => {
  const { snapshots, opened } = await openScene(t, 2)
  const waits = [1, 2, 3].map(() => Promise.withResolvers<void>())
  let begun = 0
  const reads = waits.map(({ promise }) =>
    snapshots.read(async (snapshot) => {
      begun += 1
      await promise
      return count(snapshot)
    }),
  )
  await turn()
  assert.equal(begun, 2)
  waits[0]?.reject(new Error('a defect'))
  await assert.rejects(reads[0] ?? assert.fail(), /a defect/)
  await turn()
  assert.equal(begun, 3)
  for (const { resolve } of waits) resolve()
  assert.deepEqual(await Promise.all(reads.slice(1)), [0, 0])
  assert.equal(opened.length, 2)
})

test('a connection that is in use is closed when its read has ended', async (t) => {
  const { snapshots, opened } = await openScene(t)
  await snapshots.read(async (snapshot) => {
    snapshots.close()
    assert.equal(await count(snapshot), 0)
  })
  assert.equal(opened[0]?.database.isOpen, false)
})
