// What rebuilding must mend, whatever the engine, and that it counts nothing twice beside writers.
// Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { createCall } from '../request-log-contract.ts'
import { batchOf, everyAnswer, NOON, total } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

export interface TamperedPlace extends UsageStoreLocation {
  /** Changes the tables behind the store's back. */
  tamper(sql: string): Promise<void>
}

interface Scene {
  readonly store: LedgerStore
  /** Another process's store of the same place. */
  readonly other: LedgerStore
  readonly tamper: TamperedPlace['tamper']
}

const MONTH_MS = 31 * 86_400_000

/** How many rows differ; and of them in the sums for analysis, where such are kept. */
const DAMAGES: readonly (readonly [string, string, number, number?])[] = [
  ['a cost that is too high', 'UPDATE total_rollup SET cost_usd = cost_usd + 5', 8],
  ['a remainder that is too low', 'UPDATE dim_rollup SET cost_pico = cost_pico - 7', 6],
  ['counts', 'UPDATE model_rollup SET requests = 9, tokens = 0, unpriced = 1 WHERE key_id > 0', 2],
  ['rows that are missing', 'DELETE FROM total_rollup', 8],
  [
    'rows that nothing is behind',
    `INSERT INTO total_rollup (period, key_id, provider, cost_usd, cost_pico, requests, tokens,
      unpriced, market_cost_usd, market_cost_pico)
      SELECT period + 1, key_id, provider, 1, 2, 3, 4, 5, 0, 0 FROM total_rollup`,
    8,
  ],
  ['what a session costs', 'UPDATE session_rollup SET cost_usd = 7, unpriced = 1', 1],
  ['when a session ran', "UPDATE session_rollup SET first_at = 1, last_at = 2, tool = 'x'", 1],
  ['a session that is missing', 'DELETE FROM session_rollup', 1],
  ['how usage is known', 'UPDATE usage_rollup SET requests = 0, cost_pico = 5', 1],
  // The row of the dimension itself is one that nothing is behind, and one that is missing; so are
  // the two rows that have it in the sums for analysis, by hour and by month.
  ['names that are gone', "DELETE FROM names WHERE name = 'team'; DELETE FROM dim_rollup", 16, 8],
]

export function usageRebuildContract(
  name: string,
  createPlace: () => Promise<TamperedPlace>,
  { hasParts = true }: { readonly hasParts?: boolean } = {},
): void {
  function sceneTest(title: string, run: (scene: Scene) => Promise<void>): void {
    test(title, async () => {
      const place = await createPlace()
      const [store, other] = [await place.open(), await place.open()]
      try {
        await store.writeBatch(
          batchOf(
            createCall(
              NOON,
              { dims: { team: 'a' }, agent: { session: 's1' } },
              { amount: 1_500_000_000_000n },
            ),
            createCall(NOON, { keyId: null, model: null }, { amount: -3n }),
            createCall(NOON, { provider: 'south', dims: { team: 'b', app: 'x' } }),
          ),
        )
        await run({ store, other, tamper: (sql) => place.tamper(sql) })
      } finally {
        await other.close()
        await store.close()
        await place.remove()
      }
    })
  }

  suite(`${name}: rebuilding what is wrong`, () => {
    for (const [title, sql, rows, partRows = 0] of DAMAGES) {
      const rowsChanged = hasParts ? rows : rows - partRows
      sceneTest(`mends ${title}`, async ({ store, tamper }) => {
        const right = await everyAnswer(store)
        await tamper(sql)
        const wrong = await everyAnswer(store)
        const revision = await store.usage.readCostRevision()
        const trial = await store.usage.upkeep.rebuildRollups({ isTrial: true })
        assert.deepEqual([trial.records, trial.rowsChanged], [3, rowsChanged])
        assert.deepEqual(await everyAnswer(store), wrong)
        assert.equal(await store.usage.readCostRevision(), revision)
        assert.equal(trial.examples.length, Math.min(5, rowsChanged))
        const report = await store.usage.upkeep.rebuildRollups({ isTrial: false })
        assert.deepEqual({ ...report, examples: [] }, { ...trial, examples: [] })
        assert.deepEqual(await everyAnswer(store), right)
        assert.notEqual(await store.usage.readCostRevision(), revision)
        assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
      })

      sceneTest(`mends ${title}, in portions`, async ({ store, tamper }) => {
        const right = await everyAnswer(store)
        await tamper(sql)
        const { upkeep } = store.usage
        // More than that are in memory for any of the months at once.
        const few = { rowsBufferedMax: 4 }
        const whole = await upkeep.rebuildRollups({ isTrial: true })
        const progress: number[] = []
        const onProgress = (records: number): void => void progress.push(records)
        const trial = await upkeep.rebuildRollups({ isTrial: true, ...few, onProgress })
        assert.deepEqual({ ...trial, examples: [] }, { ...whole, examples: [] })
        assert.ok(progress.length > 1)
        assert.equal(Math.max(...progress), 3)
        const report = await upkeep.rebuildRollups({ isTrial: false, ...few })
        assert.deepEqual({ ...report, examples: [] }, { ...whole, examples: [] })
        assert.deepEqual(await everyAnswer(store), right)
        assert.equal((await upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
      })
    }

    sceneTest('says in words what was wrong', async ({ store, tamper }) => {
      await tamper(
        'UPDATE total_rollup SET requests = 5, cost_usd = 2, unpriced = 1 WHERE key_id = 0',
      )
      const { examples } = await store.usage.upkeep.rebuildRollups({ isTrial: true })
      assert.equal(
        examples.find((example) => example.startsWith('2026-10-15') && example.includes('south')),
        '2026-10-15, all keys, provider south: cost $0.000000001, 1 requests, 0 unpriced requests in the records; ' +
          'cost $2.000000001, 5 requests, 1 unpriced requests in the rollups',
      )
    })

    sceneTest('neither loses nor doubles what is stored meanwhile', async (scene) => {
      const { store, other, tamper } = scene
      await tamper('UPDATE total_rollup SET requests = requests + 1; DELETE FROM model_rollup')
      const written: Promise<void>[] = []
      const late = createCall(NOON, { dims: { team: 'a' } })
      await store.usage.upkeep.rebuildRollups({
        isTrial: false,
        // Called in the midst of it.
        onProgress: () => void written.push(other.writeBatch(batchOf(late))),
      })
      await Promise.all(written)
      assert.equal((await total(store))?.requests, 4)
      assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
    })

    sceneTest('cut short, leaves months right or as they were', async ({ store, tamper }) => {
      await store.writeBatch(batchOf(createCall(NOON + MONTH_MS)))
      const { upkeep } = store.usage
      await tamper('UPDATE total_rollup SET requests = requests + 1')
      const { rowsChanged } = await upkeep.rebuildRollups({ isTrial: true })
      const onProgress = (records: number): void => {
        if (records > 3) throw new Error('cut')
      }
      await assert.rejects(upkeep.rebuildRollups({ isTrial: false, onProgress }), /cut/)
      // The second month has a day and a month, for all keys and for one.
      assert.equal((await upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 4)
      assert.equal((await upkeep.rebuildRollups({ isTrial: false })).rowsChanged, 4)
      assert.equal(rowsChanged, 8 + 4)
      assert.equal((await upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
    })

    sceneTest('of two at once adds the difference once', async ({ store, other, tamper }) => {
      const right = await everyAnswer(store)
      await tamper('UPDATE total_rollup SET requests = requests + 1')
      const others: Promise<unknown>[] = []
      const onProgress = (): void => {
        const rebuilt = other.usage.upkeep.rebuildRollups({ isTrial: false })
        // It may fail before anybody waits for it.
        rebuilt.catch(() => {})
        others.push(rebuilt)
      }
      const own = store.usage.upkeep.rebuildRollups({ isTrial: false, onProgress })
      const ended = await Promise.allSettled([own, ...others, own.then(() => others[0])])
      const failed = [...ended, ...(await Promise.allSettled(others))].filter(
        ({ status }) => status === 'rejected',
      )
      for (const { reason } of failed as PromiseRejectedResult[]) {
        assert.match(String(reason), /rebuilt by another process meanwhile/)
      }
      assert.ok(failed.length > 0)
      assert.deepEqual(await everyAnswer(store), right)
      assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: false })).rowsChanged, 0)
    })
  })
}
