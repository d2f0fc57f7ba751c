import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, everyAnswer, NOON, total } from '../../../../test/contracts/usage-scene.ts'
import { isInScope, toScope } from '../sql/rebuild-scope.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import type { LedgerStore } from '../../ledger/ledger-store.ts'

interface Scene {
  readonly file: string
  readonly store: LedgerStore
  /** Changes the file behind the store's back. */
  readonly tamper: (sql: string) => void
}

async function openScene(context: TestContext): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-rebuild-'))
  context.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'usage.db')
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  await store.writeBatch(
    batchOf(
      createCall(NOON, { dims: { team: 'a' } }, { amount: 1_500_000_000_000n }),
      createCall(NOON, { keyId: null, model: null }, { amount: -3n }),
      createCall(NOON, { provider: 'south', dims: { team: 'b', app: 'x' } }),
    ),
  )
  const tamper = (sql: string): void => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  return { file, store, tamper }
}

const DAMAGES: readonly (readonly [string, string, number])[] = [
  ['a cost that is too high', 'UPDATE total_rollup SET cost_usd = cost_usd + 5', 8],
  ['a remainder that is too low', 'UPDATE dim_rollup SET cost_pico = cost_pico - 7', 6],
  ['counts', 'UPDATE model_rollup SET requests = 9, tokens = 0, unpriced = 1 WHERE key_id > 0', 2],
  ['rows that are missing', 'DELETE FROM total_rollup', 8],
  [
    'rows that nothing is behind',
    `INSERT INTO total_rollup
      (period, key_id, provider, cost_usd, cost_pico, requests, tokens, unpriced)
      SELECT period + 1, key_id, provider, 1, 2, 3, 4, 5 FROM total_rollup`,
    8,
  ],
  ['how usage is known', 'UPDATE usage_rollup SET requests = 0, cost_pico = 5', 1],
  // The row of the dimension itself is one that nothing is behind, and one that is missing; so are
  // the two rows that have it in the sums for analysis, by hour and by month.
  ['names that are gone', "DELETE FROM names WHERE name = 'team'; DELETE FROM dim_rollup", 16],
]

for (const [title, sql, rowsChanged] of DAMAGES) {
  test(`mends ${title}`, async (context) => {
    const { store, tamper } = await openScene(context)
    const right = await everyAnswer(store)
    tamper(sql)
    const wrong = await everyAnswer(store)
    const revision = await store.usage.readCostRevision()
    const trial = await store.usage.upkeep.rebuildRollups({ isTrial: true })
    assert.deepEqual([trial.records, trial.rowsChanged], [3, rowsChanged])
    assert.deepEqual(await everyAnswer(store), wrong)
    assert.equal(await store.usage.readCostRevision(), revision)
    assert.equal(trial.examples.length, Math.min(5, rowsChanged))
    assert.deepEqual(await store.usage.upkeep.rebuildRollups({ isTrial: false }), trial)
    assert.deepEqual(await everyAnswer(store), right)
    assert.notEqual(await store.usage.readCostRevision(), revision)
    assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
  })
}

test('says in words what was wrong', async (context) => {
  const { store, tamper } = await openScene(context)
  tamper('UPDATE total_rollup SET requests = 5, cost_usd = 2, unpriced = 1 WHERE key_id = 0')
  const { examples } = await store.usage.upkeep.rebuildRollups({ isTrial: true })
  assert.equal(
    examples.find((example) => example.startsWith('2026-10-15') && example.includes('south')),
    '2026-10-15, all keys, provider south: cost $0.000000001, 1 requests, 0 unpriced requests in the records; ' +
      'cost $2.000000001, 5 requests, 1 unpriced requests in the rollups',
  )
})

test('what is stored while it sums is neither lost nor counted twice', async (context) => {
  const { file, store, tamper } = await openScene(context)
  tamper('UPDATE total_rollup SET requests = requests + 1; DELETE FROM model_rollup')
  const ledger = await openSqliteLedger({ file })
  const late = createCall(NOON, { dims: { team: 'a' } })
  const written: Promise<void>[] = []
  await store.usage.upkeep.rebuildRollups({
    isTrial: false,
    // Called in the middle of it; the write is done when it returns.
    onProgress: () => void written.push(ledger.writeBatch(batchOf(late))),
  })
  await Promise.all(written)
  await ledger.close()
  assert.equal((await total(store))?.requests, 4)
  assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
})

test('of two at once, the second to end changes nothing and says so', async (context) => {
  const { file, store, tamper } = await openScene(context)
  const right = await everyAnswer(store)
  tamper('UPDATE total_rollup SET requests = requests + 1')
  const other = await openSqliteLedger({ file })
  const first: Promise<unknown>[] = []
  const onProgress = (): void =>
    void first.push(other.usage.upkeep.rebuildRollups({ isTrial: false }))
  await assert.rejects(store.usage.upkeep.rebuildRollups({ isTrial: false, onProgress }), {
    code: 'store_unusable',
    message: /meanwhile/,
  })
  await Promise.all(first)
  await other.close()
  assert.deepEqual(await everyAnswer(store), right)
  assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: false })).rowsChanged, 0)
})

for (const [removedBefore, inScope, outOfScope] of [
  ['2026-10-15', ['2026-10-15', '2026-11-01', '2026-11'], ['2026-10-14', '2026-10', '2025-12']],
  ['2026-10-01', ['2026-10-01', '2026-10'], ['2026-09-30', '2026-09']],
  ['2026-12-31', ['2026-12-31', '2027-01'], ['2026-12', '2026-12-30']],
] as const) {
  test(`knows which days and months are whole since ${removedBefore}`, () => {
    const scope = toScope(Date.parse(`${removedBefore}T00:00:00Z`))
    for (const period of inScope) assert.equal(isInScope(period, scope), true, period)
    for (const period of outOfScope) assert.equal(isInScope(period, scope), false, period)
  })
}
