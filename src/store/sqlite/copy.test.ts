import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf, everyAnswer, findFaults, NOON } from '../../../test/contracts/usage-scene.ts'
import { openSqliteLedger } from '../ledger/sqlite/store.ts'
import { copySqliteFile } from './copy.ts'

async function createFile(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-copy-'))
  context.after(() => rm(directory, { recursive: true }))
  return join(directory, 'usage.db')
}

test('a copy is a store of its own with the same figures', async (context) => {
  const file = await createFile(context)
  const store = await openSqliteLedger({ file })
  const call = createCall(NOON, { dims: { team: 'a' } })
  await store.writeBatch(batchOf(call))
  const before = await everyAnswer(store)
  const progress: [number, number][] = []
  await copySqliteFile({
    from: file,
    to: `${file}.copy`,
    onProgress: (done, total) => progress.push([done, total]),
  })
  await store.writeBatch(batchOf(createCall(NOON)))
  await store.close()
  const copy = await openSqliteLedger({ file: `${file}.copy` })
  assert.deepEqual(await everyAnswer(copy), before)
  assert.deepEqual(await copy.usage.readRecord(call.event.id), call)
  assert.deepEqual(await findFaults(copy), [])
  for (const [done, total] of progress) assert.ok(done <= total)
  await copy.close()
})

test('a copy is private, made beside writes, and never over a file', async (context) => {
  const from = await createFile(context)
  const store = await openSqliteLedger({ file: from })
  context.after(() => store.close())
  await store.writeBatch(batchOf(createCall(NOON)))
  const to = `${from}.copy`
  const copied = copySqliteFile({ from, to })
  await store.writeBatch(batchOf(createCall(NOON)))
  await copied
  assert.equal((await stat(to)).mode & 0o777, 0o600)
  await writeFile(`${from}.empty`, '')
  for (const taken of [to, `${from}.empty`, join(from, 'none', 'copy.db')]) {
    await assert.rejects(copySqliteFile({ from, to: taken }), { code: 'invalid_argument' })
  }
})
