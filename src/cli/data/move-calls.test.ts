import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../test/fakes/clickhouse/find-clickhouse.ts'
import { openTestClickhouse } from '../../../test/fakes/clickhouse/test-clickhouse.ts'
import { toCallsUrl } from '../../../test/fakes/clickhouse/usage-place.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { migrateUsage } from '../../../test/fakes/postgres/usage-place.ts'
import { createNodeReport } from '../../../test/nodes/known-nodes.ts'
import { lockDataDir } from '../../backup/data-dir.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { WeirError } from '../../core/weir-error.ts'
import { migrateStores } from '../../store/databases.ts'
import { openLedgerStore, openNodeStore } from '../../store/open-store.ts'
import type { LedgerStore } from '../../store/open-store.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'

const DAY_MS = 86_400_000
/** Beyond 2^63 picos, which SQLite keeps as a text. */
const LARGE = 20_000_000_000_000_000_000n

const moveTest = (name: string, run: (t: TestContext) => Promise<void>): void =>
  void test(name, { skip: NEEDS_CLICKHOUSE }, run)

interface Locations {
  readonly url?: string | null
  readonly callsUrl?: string | null
}

async function withStore<Result>(
  { dataDir, clock }: CommandLine,
  places: Locations,
  work: (store: LedgerStore) => Promise<Result>,
): Promise<Result> {
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const store = await openLedgerStore({ dataDir, clock: time, ...places })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Every half hour before the command line's moment, in two months. */
function createCalls({ clock }: CommandLine, count: number): readonly UsageRecord[] {
  return [0, 31].flatMap((daysAgo) =>
    Array.from({ length: count }, (_, at) =>
      createCall(
        clock.nowMs - daysAgo * DAY_MS - at * 1_800_000,
        { dims: { team: `t${at % 3}`, note: `${at % 2}`.padEnd(99, 'x') } },
        at === 0 ? { amount: LARGE } : {},
      ),
    ),
  )
}

const reprice = (store: LedgerStore, { event, cost }: UsageRecord): Promise<unknown> =>
  store.usage.upkeep.changeCosts(
    [
      {
        id: event.id,
        before: cost,
        after: { amount: 7n, source: 'override', priceVersion: 'own' },
      },
    ],
    { repricing: null, at: 0, who: 'me', what: 'it', prices: [] },
  )

const bookToTeam = (store: LedgerStore, { event: { id } }: UsageRecord): Promise<unknown> =>
  store.usage.upkeep.bookToTeams([{ id, teamId: 'team_0123456789abcdef' }])

/** Sums, and every call as it is in the log. */
async function readFigures(store: LedgerStore) {
  const { calls, cost, unpriced } = await store.usage.requests.summarize(ALL_REQUESTS)
  const page = { after: null, rowsMax: 1000 }
  const records = await store.usage.upkeep.readRecords(ALL_REQUESTS, page)
  const sums = await store.usage.sum({
    period: { grain: 'month', from: '2025-12', to: '2026-02' },
    grouping: { by: 'total' },
    keyId: null,
  })
  return { calls, cost, unpriced, records, sums }
}

async function openTargets(t: TestContext) {
  return { url: await openTestDatabase(t), callsUrl: toCallsUrl(await openTestClickhouse(t)) }
}

moveTest('calls of a data directory go to ClickHouse, the rest to PostgreSQL', async (t) => {
  const line = createCommandLine(t)
  await line.json('keys', 'create', '--name', 'search')
  const calls = createCalls(line, 30)
  await withStore(line, {}, (store) => store.writeBatch(batchOf(...calls)))
  const { url, callsUrl } = await openTargets(t)
  const words = ['migrate-data', '--from', line.dataDir, '--to', url, '--usage-to', callsUrl]
  const release = lockDataDir(line.dataDir)
  assert.deepEqual(await line.json(...words, '--no-wait'), { finished: false })
  release()

  // A cost or a team that comes after its call was copied, a late call beside those, new ones.
  const late = createCall(calls[10]?.event.startedAt as number)
  line.clock.nowMs += DAY_MS
  await withStore(line, {}, async (store) => {
    await reprice(store, calls[20] as UsageRecord)
    await bookToTeam(store, calls[25] as UsageRecord)
    await store.writeBatch(batchOf(late, createCall(line.clock.nowMs)))
  })
  const before = await withStore(line, {}, readFigures)
  assert.equal(before.calls, 62)
  assert.equal(before.cost, 2n * LARGE + 59n * 1000n + 7n)
  const moved = await line.json<{ finished: boolean }>(...words)
  assert.equal(moved.finished, true)

  await withStore(line, { url, callsUrl }, async (store) => {
    assert.deepEqual(await readFigures(store), before)
    await store.writeBatch(batchOf(createCall(line.clock.nowMs + 1), late))
    const report = await store.usage.upkeep.rebuildRollups({ isTrial: true })
    assert.deepEqual([report.records, report.rowsChanged, report.examples], [63, 0, []])
  })
  await assert.rejects(withStore(line, { url }, readFigures), /calls that are in ClickHouse/)
  const again = await line.weir(...words)
  assert.match(again.err, /has calls already/)
})

moveTest('calls in PostgreSQL go to ClickHouse once all nodes are stopped', async (t) => {
  const line = createCommandLine(t)
  await line.json('keys', 'create', '--name', 'search')
  const { url, callsUrl } = await openTargets(t)
  await migrateStores({ settings: url, usage: url })
  const calls = createCalls(line, 30)
  await withStore(line, { url }, (store) => store.writeBatch(batchOf(...calls)))
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  await nodes.beat(createNodeReport({ role: 'all' }))
  const words = ['migrate-data', '--from', url, '--usage-to', callsUrl]
  assert.deepEqual(await line.json(...words, '--no-wait'), { finished: false })

  // Until it is finished, PostgreSQL has every call, and ClickHouse is not used.
  await withStore(line, { url }, async (store) => {
    await reprice(store, calls[20] as UsageRecord)
    await store.writeBatch(batchOf(createCall(calls[10]?.event.startedAt as number)))
  })
  await assert.rejects(
    withStore(line, { url, callsUrl }, readFigures),
    (error: unknown) =>
      error instanceof WeirError && /being moved/.test(error.message) && error.hint !== null,
  )
  const before = await withStore(line, { url }, readFigures)
  await nodes.beat(createNodeReport({ role: 'all', state: 'left' }))
  assert.deepEqual(await line.json(...words), { finished: true, calls: 61 })

  await assert.rejects(withStore(line, { url }, readFigures), /calls that are in ClickHouse/)
  await withStore(line, { url, callsUrl }, async (store) => {
    assert.deepEqual(await readFigures(store), before)
    await store.writeBatch(batchOf(createCall(line.clock.nowMs + 1)))
    const report = await store.usage.upkeep.rebuildRollups({ isTrial: true })
    assert.deepEqual([report.records, report.rowsChanged, report.examples], [62, 0, []])
  })
  assert.deepEqual(await line.json(...words), { finished: true, calls: 0 })
})

moveTest('a ClickHouse with calls of another Weir is refused', async (t) => {
  const line = createCommandLine(t)
  await line.json('keys', 'create', '--name', 'search')
  const write = (store: LedgerStore) => store.writeBatch(batchOf(createCall(line.clock.nowMs)))
  const [own, other] = [await openTargets(t), await openTestDatabase(t)]
  await migrateStores({ settings: other, usage: other, calls: own.callsUrl })
  await withStore(line, { url: other, callsUrl: own.callsUrl }, write)
  await withStore(line, {}, write)
  const words = ['--from', line.dataDir, '--to', own.url, '--usage-to', own.callsUrl]
  const { code, err } = await line.weir('migrate-data', ...words)
  assert.equal(code, 1)
  assert.match(err, /has calls of another Weir/)
})

moveTest('a database of usage alone cannot be the book', async (t) => {
  const line = createCommandLine(t)
  const { url, callsUrl } = await openTargets(t)
  await migrateUsage(url)
  const words = ['migrate-data', '--from', url, '--usage-to', callsUrl]
  const { code, err } = await line.weir(...words)
  assert.equal(code, 1)
  assert.match(err, /in the database of the settings/)
})

const [BOOK, CALLS] = ['postgres://u:p@127.0.0.1:1/d', 'clickhouse://u:p@127.0.0.1:1/d'] as const

for (const [what, ...words] of [
  ['From PostgreSQL, calls can be moved', '--from', BOOK],
  ['From PostgreSQL, calls can be moved', '--from', BOOK, '--to', BOOK, '--usage-to', CALLS],
  ['--to is missing', '--from', '/nowhere', '--usage-to', CALLS],
] as const) {
  test(`a wrong command: ${words.join(' ')}`, async (t) => {
    const { code, err } = await createCommandLine(t).weir('migrate-data', ...words)
    assert.equal(code, 2)
    assert.ok(err.includes(what), err)
  })
}
