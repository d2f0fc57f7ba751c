import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { SQLITE_LEDGER } from '../../ledger/sqlite/schema.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import { createSqliteDatabase } from '../../sqlite/database.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import { DIMS_PER_KEY_MAX } from '../analysis.ts'
import type { AnalysisQuestion } from '../analysis.ts'
import { decodePart } from '../block-bytes.ts'
import { analyze } from '../sql/analysis/analysis.ts'
import { createNameReader } from '../sql/name-reader.ts'
import { SQLITE } from './dialect.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MIDNIGHT = NOON - (NOON % DAY_MS)
const OCTOBER_MS = Date.parse('2026-10-01T00:00:00Z')
const NOVEMBER_MS = Date.parse('2026-11-01T00:00:00Z')

const INSERT_AGAIN = `INSERT INTO analysis_parts (period, tier, rows, part)
  SELECT period, tier, rows, part FROM analysis_parts`

function ask(fromMs: number, toMs: number, interval: AnalysisQuestion['interval'] = 'none') {
  return { fromMs, toMs, interval, groupBy: [], filters: [], hasLatencies: false } as const
}

async function openScene(context: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'weir-analysis-'))
  context.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'usage.db')
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  return { file, store }
}

test('hours go with their calls, months stay', async (context) => {
  const { store } = await openScene(context)
  const before = createCall(MIDNIGHT - HOUR_MS, {}, { amount: 3n })
  await store.writeBatch(batchOf(before, createCall(NOON, {}, { amount: 5n })))
  const { upkeep } = store.usage
  assert.equal(await upkeep.removeRecords(MIDNIGHT, 10), 1)
  const month = ask(OCTOBER_MS, NOVEMBER_MS)
  const later = ask(MIDNIGHT, MIDNIGHT + DAY_MS, 'hour')
  const answers = await store.usage.analyze([month, later])
  assert.deepEqual(
    answers.map(({ total }) => total.cost),
    [8n, 5n],
  )
  const gone = ask(MIDNIGHT - DAY_MS, MIDNIGHT + DAY_MS)
  await assert.rejects(
    store.usage.analyze([gone]),
    /^WeirError: Sums by hour are kept as long as the calls are, since 2026-10-15\. Begin there or later; or ask for whole months/,
  )
  assert.equal((await upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
})

test('an hour that is cut is taken whole where it has too many calls, and the answer says so', async (context) => {
  const { file, store } = await openScene(context)
  const ends = [NOON, NOON + 60_000, NOON + 120_000]
  await store.writeBatch(
    batchOf(
      ...ends.map((endedAt, place) =>
        createCall(endedAt, { endedAt }, { amount: 1n << BigInt(place) }),
      ),
    ),
  )
  const question = ask(MIDNIGHT, NOON + 120_000)
  const [cut] = await store.usage.analyze([question])
  assert.deepEqual([cut?.total.cost, cut?.toMs], [3n, NOON + 120_000])
  const fixed = { name: 'usage store', ...SQLITE_LEDGER, busyTimeoutMs: 1000 }
  const database = await openSqliteFile({ file, ...fixed }, createSqliteDatabase)
  context.after(() => database.close())
  const options = { dialect: SQLITE, names: createNameReader(database.epoch, SQLITE) }
  for (const [callsMax, cost, toMs] of [
    [3, 3n, NOON + 120_000],
    [2, 7n, NOON + HOUR_MS],
  ] as const) {
    const answer = await database.readSnapshot((sql) =>
      analyze(sql, question, { ...options, cutHourCallsMax: callsMax }),
    )
    assert.deepEqual([answer.total.cost, answer.toMs], [cost, toMs])
  }
})

test('batches are merged, and answers stay the same', async (context) => {
  const { file, store } = await openScene(context)
  for (let index = 0; index < 80; index += 1) {
    await store.writeBatch(batchOf(createCall(NOON, {}, { amount: 10n ** 12n - 1n })))
  }
  const [{ total } = assert.fail()] = await store.usage.analyze([ask(MIDNIGHT, NOVEMBER_MS, 'day')])
  assert.deepEqual([total.cost, total.requests], [80n * (10n ** 12n - 1n), 80])
  const database = new DatabaseSync(file, { readOnly: true })
  const parts = database.prepare('SELECT period, COUNT(*) AS n FROM analysis_parts GROUP BY period')
  assert.deepEqual(
    parts.all().map((row) => row['n']),
    [3, 3],
  )
  database.close()
})

for (const [title, sql, words] of [
  ['are gone', 'DELETE FROM analysis_parts', '2 sums for analysis differ'],
  ['were counted twice', INSERT_AGAIN, '2 sums for analysis differ'],
  ['of a month are gone', 'DELETE FROM analysis_parts WHERE period = 202610', '2026-10: 2 sums'],
] as const) {
  test(`sums that ${title} are made again`, async (context) => {
    const { file, store } = await openScene(context)
    const calls = [createCall(NOON, { dims: { team: 'a' } }), createCall(NOON, { model: 'else' })]
    await store.writeBatch(batchOf(...calls))
    const questions = [ask(MIDNIGHT, MIDNIGHT + DAY_MS), ask(OCTOBER_MS, NOVEMBER_MS)]
    const right = await store.usage.analyze(questions)
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
    assert.notDeepEqual(await store.usage.analyze(questions), right)
    const { examples } = await store.usage.upkeep.rebuildRollups({ isTrial: false })
    assert.ok(examples.some((example) => example.includes(words)))
    assert.deepEqual(await store.usage.analyze(questions), right)
    assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
  })
}

test('callers that make up dimensions make no more columns, and their calls are summed', async (context) => {
  const { file, store } = await openScene(context)
  const calls = Array.from({ length: 300 }, (_, index) =>
    createCall(NOON, { dims: { [`made-up-${index}`]: 'x' } }, { amount: 2n }),
  )
  await store.writeBatch(batchOf(...calls))
  const [answer] = await store.usage.analyze([ask(MIDNIGHT, MIDNIGHT + DAY_MS)])
  assert.deepEqual([answer?.total.cost, answer?.total.requests], [600n, 300])
  assert.equal(answer?.capped, 300 - DIMS_PER_KEY_MAX)
  const database = new DatabaseSync(file, { readOnly: true })
  for (const row of database.prepare('SELECT part FROM analysis_parts').all()) {
    const { names } = decodePart(row['part'] as Uint8Array)
    const dims = [...names.keys()].filter((name) => name.startsWith('dim:'))
    // And one for what is left out.
    assert.equal(dims.length, DIMS_PER_KEY_MAX + 1)
  }
  database.close()
  // Which dimensions those are stays the same, so that nothing differs when it is summed again.
  assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
})
