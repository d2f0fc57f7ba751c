import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { requestLogContract } from '../../../../test/contracts/request-log-contract.ts'
import { requestOrderContract } from '../../../../test/contracts/request-order-contract.ts'
import { AT_NOON, createBudget } from '../../../../test/contracts/usage-budget-scene.ts'
import { budgetStatesContract } from '../../../../test/contracts/ledger/budget-states-contract.ts'
import { daySpendContract } from '../../../../test/contracts/usage/day-spend-contract.ts'
import { spanCostsContract } from '../../../../test/contracts/usage/span-costs-contract.ts'
import {
  batchOf,
  createOpening,
  createRecord,
  EMPTY,
  NOON,
} from '../../../../test/contracts/usage-scene.ts'
import type { UsageStoreLocation } from '../../../../test/contracts/usage-scene.ts'
import { hostileFiguresContract } from '../../../../test/contracts/ledger/hostile-figures-contract.ts'
import { ledgerProgressContract } from '../../../../test/contracts/ledger/ledger-progress-contract.ts'
import { ledgerStoreContract } from '../../../../test/contracts/ledger/ledger-store-contract.ts'
import { outboxContract } from '../../../../test/contracts/ledger/outbox-contract.ts'
import { usageStoreContract } from '../../../../test/contracts/usage/usage-store-contract.ts'
import { dimensionPlacesContract } from '../../../../test/contracts/usage/dimension-places-contract.ts'
import { usageUpkeepContract } from '../../../../test/contracts/usage/usage-upkeep-contract.ts'
import { layEmptyStore } from '../../../../test/fakes/sqlite/empty-stores.ts'
import { SQLITE_LEDGER } from './schema.ts'
import { openSqliteLedger } from './store.ts'
import { NO_OWNER } from '../ledger-owner.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore } from '../ledger-store.ts'

async function withDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-usage-'))
  try {
    await run(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function createPlace(): Promise<UsageStoreLocation> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-usage-'))
  const file = join(directory, 'usage.db')
  await layEmptyStore('usage', file)
  return {
    open: (owner = NO_OWNER) => openSqliteLedger({ file, owner }),
    remove: () => rm(directory, { recursive: true }),
  }
}

ledgerStoreContract('SQLite', createPlace)
ledgerProgressContract('SQLite', createPlace)
budgetStatesContract('SQLite', createPlace)
outboxContract('SQLite', createPlace)
hostileFiguresContract('SQLite', createPlace)
usageStoreContract('SQLite', createPlace)
requestLogContract('SQLite', createPlace)
requestOrderContract('SQLite', createPlace)
daySpendContract('SQLite', createPlace)
spanCostsContract('SQLite', createPlace)
usageUpkeepContract('SQLite', createPlace)
dimensionPlacesContract('SQLite', createPlace)

test('the database and what lies beside it are readable by their owner only', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const store = await openSqliteLedger({ file })
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
    newer.exec(
      `PRAGMA user_version = ${SQLITE_LEDGER.firstVersion + SQLITE_LEDGER.migrations.length}`,
    )
    newer.close()
    await assert.rejects(openSqliteLedger({ file }), {
      code: 'store_unusable',
      message: /newer Weir/,
    })
    await assert.rejects(openSqliteLedger({ file, readOnly: true }), { code: 'store_unusable' })
    const after = new DatabaseSync(file)
    assert.equal(after.prepare('SELECT COUNT(*) AS n FROM sqlite_schema').get()?.['n'], 0)
    after.close()
  })
})

/** Takes the last step of the migrations back. */
const OLDER_TALLY = `CREATE TABLE one_tally AS SELECT 1 AS id, forwarded, recorded, dead,
    removed_before, rebuilds, records, analysis_from, last_batch, 0 AS counted_batches,
    NULL AS call_sums FROM tally, usage_state;
  DROP TABLE tally; DROP TABLE usage_state; ALTER TABLE one_tally RENAME TO tally;
  ALTER TABLE open_calls RENAME COLUMN uncounted TO held;
  ALTER TABLE budget_spend DROP COLUMN counted_at;
  DROP INDEX outbox_by_kind;`

test('dimensions that an older version kept apart have their place, and count for no key', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const store = await openSqliteLedger({ file })
    await store.writeBatch(batchOf(createRecord({ dims: { team: 'a' } })))
    await store.close()
    const older = new DatabaseSync(file)
    older.exec(`${OLDER_TALLY} DELETE FROM analysis_values WHERE dim = 0;
      ALTER TABLE analysis_values DROP COLUMN key; ALTER TABLE analysis_values DROP COLUMN place;
      ALTER TABLE records DROP COLUMN provider_error;
      DROP INDEX records_session; DROP TABLE session_rollup;
      ALTER TABLE records DROP COLUMN session; ALTER TABLE records DROP COLUMN agent;
      PRAGMA user_version = ${SQLITE_LEDGER.firstVersion + 1}`)
    older.close()
    const newer = await openSqliteLedger({ file })
    const madeUp = Array.from({ length: 100 }, (_, at) =>
      createRecord({ dims: { [`made-up-${at}`]: 'x' } }),
    )
    await newer.writeBatch(batchOf(...madeUp, createRecord({ dims: { team: 'a' } })))
    const [answer] = await newer.usage.analyze([
      {
        fromMs: Date.parse('2026-10-01T00:00:00Z'),
        toMs: Date.parse('2026-11-01T00:00:00Z'),
        interval: 'none',
        groupBy: [],
        filters: [{ field: 'dim:team', isExcluding: false, values: ['a'] }],
        hasLatencies: false,
      },
    ])
    assert.equal(answer?.total.requests, 2)
    assert.equal((await newer.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
    await newer.close()
  })
})

test('a repricing of an older version has a sum, and no months', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const store = await openSqliteLedger({ file })
    const call = createRecord({}, { amount: 5n })
    await store.writeBatch(batchOf(call))
    const change = { id: call.event.id, before: call.cost, after: { ...call.cost, amount: 9n } }
    const line = { repricing: null, at: NOON, who: 'me', what: 'all', prices: [] }
    const { months } = await store.usage.upkeep.changeCosts([change], line)
    assert.equal(months.length, 1)
    await store.close()
    const older = new DatabaseSync(file)
    older.exec('DELETE FROM repriced_months')
    older.close()
    const newer = await openSqliteLedger({ file })
    const [kept] = await newer.usage.upkeep.listRepricings(1)
    assert.deepEqual([kept?.records, kept?.after, kept?.months], [1, 9n, []])
    const period = { grain: 'month', from: '2026-01', to: '2026-12' } as const
    const repriced = { period, grouping: { by: 'repriced' }, keyId: null } as const
    assert.deepEqual(await newer.usage.sum(repriced), [])
    await newer.close()
  })
})

const PLACE = { segment: 1, offset: 100, sequence: 3, forwarded: 2 }

/** What a store that is the owner's alone has once it was opened for it. */
async function openAlone(file: string, owner: LedgerOwner) {
  const store = await openSqliteLedger({ file, owner, isSole: true })
  const { cursors, openCalls } = await store.progress.readState()
  return { store, workers: cursors.map(({ worker }) => worker), openCalls }
}

test('a store that is a node’s alone takes over what came without an owner or from another node', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const call = { worker: 'w1', opening: createOpening() }
    const before = await openSqliteLedger({ file })
    await before.writeBatch({ ...EMPTY, cursors: [{ worker: 'w1', ...PLACE }], opened: [call] })
    await before.close()
    for (const node of ['one', 'two']) {
      const { store, ...state } = await openAlone(file, { node, journal: `journal of ${node}` })
      assert.deepEqual(state, { workers: ['w1'], openCalls: [call] })
      await store.close()
    }
  })
})

test('of a journal that was replaced the open calls are taken over, its places are not', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const call = { worker: 'w1', opening: createOpening() }
    const first = await openAlone(file, { node: 'one', journal: 'old' })
    await first.store.writeBatch({
      ...EMPTY,
      cursors: [{ worker: 'w1', ...PLACE }],
      opened: [call],
    })
    await first.store.close()
    const { store, ...state } = await openAlone(file, { node: 'one', journal: 'new' })
    assert.deepEqual(state, { workers: [], openCalls: [call] })
    await store.close()
  })
})

test('a store that opens beside others for a node of its own leaves theirs alone', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const [one, two] = [
      { node: 'one', journal: 'a' },
      { node: 'two', journal: 'b' },
    ]
    const store = await openSqliteLedger({ file, owner: one })
    await store.writeBatch({ ...EMPTY, cursors: [{ worker: 'w1', ...PLACE }] })
    const beside = await openSqliteLedger({ file, owner: two })
    assert.deepEqual((await beside.progress.readState()).cursors, [])
    assert.equal((await store.progress.readState()).cursors.length, 1)
    await beside.close()
    await store.close()
  })
})

test('damage to the file is blamed on no record', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    await (await openSqliteLedger({ file })).close()
    const database = new DatabaseSync(file)
    const sql = `SELECT (rootpage - 1) * page_size AS offset, page_size AS size
      FROM sqlite_schema, pragma_page_size WHERE name = 'records' AND type = 'table'`
    const { offset, size } = database.prepare(sql).get() as { offset: number; size: number }
    database.close()
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0xff, offset, offset + size))
    const store = await openSqliteLedger({ file })
    await assert.rejects(store.writeBatch(batchOf(createRecord())), { code: 'store_unusable' })
    await store.close()
  })
})

test('a file that is no database is refused', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    await writeFile(file, 'certainly not a database '.repeat(100))
    await assert.rejects(openSqliteLedger({ file }), { code: 'store_unusable' })
  })
})

test('a reader sees what the writer stored, and cannot write', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    await assert.rejects(openSqliteLedger({ file, readOnly: true }), { code: 'store_unusable' })
    const writer = await openSqliteLedger({ file })
    const reader = await openSqliteLedger({ file, readOnly: true })
    const record = createRecord()
    const batch = batchOf(record)
    await writer.writeBatch(batch)
    assert.deepEqual(await reader.usage.readRecord(record.event.id), record)
    assert.equal(await reader.check(), null)
    await assert.rejects(reader.writeBatch(batch), { code: 'store_unusable' })
    const budgets = [createBudget({ scope: { kind: 'model', pattern: 'north/*' }, period: 'day' })]
    await assert.rejects(reader.progress.budgets.watch(budgets, AT_NOON), {
      code: 'store_unusable',
    })
    await assert.rejects(reader.progress.outbox.add([]), { code: 'store_unusable' })
    assert.equal((await reader.progress.budgets.readSpend(budgets, AT_NOON))[0]?.spent, 1000n)
    const day = await reader.usage.daySpend.read(AT_NOON.nowMs, { isOver: true })
    assert.deepEqual(await writer.usage.daySpend.read(AT_NOON.nowMs, { isOver: true }), day)
    assert.deepEqual(await reader.usage.daySpend.read(AT_NOON.nowMs, { isOver: true }), day)
    await reader.close()
    await writer.close()
  })
})

test('a start counts no budget again unless costs were changed', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'usage.db')
    const budget = createBudget({ scope: { kind: 'model', pattern: 'north/*' }, period: 'day' })
    const record = createRecord()
    const watch = async (change: (store: LedgerStore) => Promise<unknown> = async () => {}) => {
      const store = await openSqliteLedger({ file })
      await change(store)
      await store.progress.budgets.watch([budget], AT_NOON)
      const [spend] = await store.progress.budgets.readSpend([budget], AT_NOON)
      await store.close()
      return spend?.spent
    }
    assert.equal(await watch((store) => store.writeBatch(batchOf(record))), 1000n)
    // What a count would put right shows whether there was one.
    const database = new DatabaseSync(file)
    database.exec("UPDATE budget_spend SET spent = '7'")
    database.close()
    assert.equal(await watch(), 7n)
    const { event, cost } = record
    const change = { id: event.id, before: cost, after: { ...cost, amount: 2000n } }
    const line = { repricing: null, at: 0, who: 'me', what: 'all', prices: [] }
    assert.equal(await watch((store) => store.usage.upkeep.changeCosts([change], line)), 2000n)
  })
})

test('a store that was closed says so when it is checked', async () => {
  await withDirectory(async (directory) => {
    const store = await openSqliteLedger({ file: join(directory, 'usage.db') })
    await store.close()
    assert.match((await store.check()) ?? '', /cannot be used/)
  })
})
