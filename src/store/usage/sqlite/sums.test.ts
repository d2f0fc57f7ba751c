import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { batchOf, createRecord, OCTOBER } from '../../../../test/contracts/usage-scene.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import type { UsageQuestion } from '../usage-store.ts'

const TOTAL: UsageQuestion = { period: OCTOBER, grouping: { by: 'total' }, keyId: null }

test('answers are of one moment, whatever another process writes between them', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-sums-'))
  const file = join(dir, 'usage.sqlite')
  const store = await openSqliteLedger({ file })
  const beside = await openSqliteLedger({ file })
  t.after(async () => {
    await beside.close()
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const write = () => beside.writeBatch(batchOf(createRecord()))
  await write()
  const writing: Promise<unknown>[] = []
  const second: UsageQuestion = {
    ...TOTAL,
    // Read when the first question has its answer.
    get period() {
      if (writing.length === 0) writing.push(write())
      return OCTOBER
    },
  }
  const questions = [TOTAL, second]
  const { sums: answers } = await store.usage.readSnapshot({ questions, spans: [] })
  assert.equal(writing.length, 1)
  await Promise.all(writing)
  assert.deepEqual(
    answers.map(([sum]) => sum?.requests),
    [1, 1],
  )
  const [now] = await store.usage.sum(TOTAL)
  assert.equal(now?.requests, 2)
})
