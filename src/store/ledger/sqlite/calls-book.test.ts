import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openSqliteFile, SqliteFile } from '../../sqlite/file.ts'
import { createSnapshots } from '../../sqlite/snapshots.ts'
import { CountedSince, createSqliteCallsBook, runConfirmation } from './calls-book.ts'
import { MIGRATIONS } from './migrations.ts'

async function openBook(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'weir-numbers-'))
  const options = {
    file: join(dir, 'usage.db'),
    name: 'usage store',
    migrations: MIGRATIONS,
    busyTimeoutMs: 1000,
  }
  const file = await openSqliteFile(options, (opened) => opened)
  const snapshots = createSnapshots(() => new SqliteFile({ ...options, readOnly: true }))
  t.after(() => {
    snapshots.close()
    file.close()
    rmSync(dir, { recursive: true })
  })
  const book = createSqliteCallsBook(file, snapshots)
  const readBatches = () => book.readTogether((sql) => book.readBatches(sql))
  const confirm = (batch: number) => book.readTogether((sql) => book.confirm(sql, batch))
  return { file, book, readBatches, confirm }
}

test('a number is hidden until its transaction is committed', async (t) => {
  const { file, book, readBatches, confirm } = await openBook(t)
  assert.deepEqual([await book.take(), await book.take()], [1, 2])
  const { statements } = await confirm(1)
  assert.deepEqual(await readBatches(), {
    last: 2,
    hidden: [
      { from: 1, to: 1 },
      { from: 2, to: 2 },
    ],
  })
  file.transact(() => runConfirmation(file, statements))
  assert.deepEqual(await readBatches(), { last: 2, hidden: [{ from: 2, to: 2 }] })
})

test('a number does not count where another has since it was looked for', async (t) => {
  const { file, book, readBatches, confirm } = await openBook(t)
  const [one, two] = [await book.take(), await book.take()]
  const early = await confirm(one)
  const other = await confirm(two)
  file.transact(() => runConfirmation(file, other.statements))
  const late = (): void => file.transact(() => runConfirmation(file, early.statements))
  assert.throws(late, CountedSince)
  assert.deepEqual(await readBatches(), { last: 2, hidden: [{ from: one, to: one }] })
  const again = await confirm(one)
  // A number that is only taken changes nothing.
  await book.take()
  file.transact(() => runConfirmation(file, again.statements))
  assert.deepEqual(await readBatches(), { last: 3, hidden: [{ from: 3, to: 3 }] })
  const forgotten = await confirm(one)
  assert.throws(() => runConfirmation(file, forgotten.statements), CountedSince)
})

test('numbers that are skipped never count, and no later one is among them', async (t) => {
  const { book, readBatches } = await openBook(t)
  await book.take()
  await book.skip(5)
  await book.skip(3)
  assert.equal(await book.take(), 6)
  const hidden = [
    { from: 1, to: 1 },
    { from: 2, to: 5 },
    { from: 6, to: 6 },
  ]
  assert.deepEqual(await readBatches(), { last: 6, hidden })
})

test('which sums count is changed by one of two that knew the same', async (t) => {
  const { book } = await openBook(t)
  const readSums = () => book.readTogether((sql) => book.readSums(sql))
  assert.equal(await readSums(), null)
  assert.deepEqual(
    [await book.replaceSums(null, 'one'), await book.replaceSums(null, 'other')],
    [true, false],
  )
  assert.equal(await readSums(), 'one')
  assert.equal(await book.replaceSums('one', 'two'), true)
  assert.equal(await readSums(), 'two')
})
