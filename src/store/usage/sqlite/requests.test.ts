import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { sortAll } from '../../../../test/contracts/request-order-contract.ts'
import { ALL_REQUESTS } from '../request-log.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { createSqliteDatabase } from '../../sqlite/database.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import type { RequestLog } from '../request-log.ts'
import { SQLITE_LEDGER } from '../../ledger/sqlite/schema.ts'
import { toIdRange, toLikePattern } from '../sql/log/request-filter.ts'
import { createRequests } from '../sql/log/requests.ts'
import { SQLITE } from './dialect.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'

const EXAMINED_MAX = 4
const LIMITS = { examinedMax: EXAMINED_MAX, scannedMax: 9 }

/** Ten calls, the oldest of them the only one of its provider. */
async function openLog(context: TestContext): Promise<RequestLog> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-log-'))
  context.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'usage.db')
  const store = await openSqliteLedger({ file })
  const calls = Array.from({ length: 10 }, (_, at) =>
    createCall(NOON + at, { provider: at === 0 ? 'rare' : 'north' }),
  )
  await store.writeBatch(batchOf(...calls))
  await store.close()
  const fixed = { name: 'usage store', ...SQLITE_LEDGER, busyTimeoutMs: 0 }
  const database = await openSqliteFile({ file, ...fixed }, createSqliteDatabase)
  context.after(() => database.close())
  return createRequests(database, SQLITE, LIMITS)
}

test('a page looks at so many calls and says where it stopped', async (context) => {
  const log = await openLog(context)
  const filter = { ...ALL_REQUESTS, provider: 'rare' }
  const counts: number[] = []
  let before: string | null = null
  do {
    const page = await log.list(filter, { before, rowsMax: 2 })
    counts.push(page.records.length)
    before = page.next
  } while (before !== null)
  assert.deepEqual(counts, [0, 0, 1])
})

test('a page that is full before its limit goes on behind its last row', async (context) => {
  const log = await openLog(context)
  const page = await log.list(ALL_REQUESTS, { before: null, rowsMax: 2 })
  assert.equal(page.next, page.records[1]?.event.id)
})

test('a page that fills up with the last call it may look at is not the end', async (context) => {
  const log = await openLog(context)
  const page = await log.list(ALL_REQUESTS, { before: null, rowsMax: EXAMINED_MAX })
  assert.equal(page.records.length, EXAMINED_MAX)
  assert.equal(page.next, page.records.at(-1)?.event.id)
})

test('a page has at least one row and at most a thousand', async (context) => {
  const log = await openLog(context)
  const page = await log.list(ALL_REQUESTS, { before: null, rowsMax: 0 })
  assert.equal(page.records.length, 1)
  const large = await log.list(ALL_REQUESTS, { before: null, rowsMax: 1e9 })
  assert.equal(large.records.length, EXAMINED_MAX)
})

test('a count looks at so many calls and says that there may be more', async (context) => {
  const log = await openLog(context)
  // Call n costs 1000 × 1e-12 USD; the oldest of the ten is not looked at.
  const all = { denied: 0, unpriced: 0 }
  const some = { ...all, calls: 9, cost: 9000n, isComplete: false }
  assert.deepEqual(await log.summarize(ALL_REQUESTS), some)
  const whole = { ...ALL_REQUESTS, fromMs: NOON + 1 }
  assert.deepEqual(await log.summarize(whole), { ...some, isComplete: true })
  const rare = { ...ALL_REQUESTS, provider: 'rare' }
  assert.deepEqual(await log.summarize(rare), { ...some, calls: 0, cost: 0n })
})

test('sorting so many calls is refused with the moment from which on it is not', async (context) => {
  const log = await openLog(context)
  const page = { order: { by: 'time', isAscending: true }, after: null, rowsMax: 3 } as const
  const refused = await log.listSorted(ALL_REQUESTS, page)
  // The ninth began one millisecond after NOON; ten minutes before the moment are read as well.
  assert.deepEqual(refused, { kind: 'too many', fromMs: NOON + 600_002, callsMax: 9 })
  const listed = await log.listSorted({ ...ALL_REQUESTS, endedFromMs: refused.fromMs }, page)
  assert.deepEqual(listed, { kind: 'page', records: [], next: null })
  const order = { by: 'cost', isAscending: false } as const
  const fitting = { fromMs: NOON + 1 }
  assert.equal((await sortAll(log, fitting, { order, rowsMax: 2 })).length, 9)
})

for (const [model, pattern] of [
  ['plain', 'plain'],
  ['a*', 'a%'],
  ['***', '%'],
  ['50%_\\*', '50\\%\\_\\\\%'],
] as const) {
  test(`the model ${model} becomes the pattern ${pattern}`, () => {
    assert.equal(toLikePattern(model), pattern)
  })
}

test('a model longer than any is refused', () => {
  assert.throws(() => toLikePattern('*'.repeat(257)), { code: 'invalid_parameter' })
})

test('times beyond what ids can express are its ends', () => {
  const { from, to } = toIdRange({ ...ALL_REQUESTS, fromMs: -5, toMs: Number.MAX_SAFE_INTEGER })
  assert.equal(from.toString('hex'), '0'.repeat(32))
  assert.equal(to.toString('hex'), 'f'.repeat(12) + '0'.repeat(20))
})

test('records have the id of a long value, or the text where an older Weir wrote them', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'weir-log-'))
  context.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'usage.db')
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  const dims = Object.fromEntries(
    Array.from({ length: 16 }, (_, at) => [`dim-${at}`, `${at}`.padEnd(200, ' long')]),
  )
  const calls = [NOON + 1, NOON].map((at) => createCall(at, { dims }))
  await store.writeBatch(batchOf(...calls))
  const database = new DatabaseSync(file)
  const lengths = database.prepare('SELECT MAX(LENGTH(dims)) AS longest FROM records')
  assert.ok(Number(lengths.get()?.['longest']) < 300)
  const update = database.prepare('UPDATE records SET dims = ? WHERE started_at = ?')
  update.run(JSON.stringify(dims), NOON)
  database.close()
  const dim = { key: 'dim-7', value: dims['dim-7'] ?? '' }
  const page = await store.usage.requests.list(
    { ...ALL_REQUESTS, dim },
    { before: null, rowsMax: 9 },
  )
  assert.deepEqual(page.records, calls)
})
