// What only happens where several nodes write to one store.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  AT_NOON,
  CENT,
  createBudget,
  percentsOf,
} from '../../../../test/contracts/usage-budget-scene.ts'
import {
  batchOf,
  createRecord,
  EMPTY,
  NOON,
  total,
} from '../../../../test/contracts/usage-scene.ts'
import { createPostgresPlaces, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { createRequestId } from '../../../core/ids.ts'
import { StoreBusy } from '../../store-busy.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { LedgerStore } from '../ledger-store.ts'

const createPlace = createPostgresPlaces(after)
const ONE: LedgerOwner = { node: 'one', journal: 'a' }
const OTHER: LedgerOwner = { node: 'other', journal: 'a' }

async function openNodes(context: TestContext, owners: readonly LedgerOwner[] = [ONE, OTHER]) {
  const place = await createPlace()
  const stores = await Promise.all(owners.map((owner) => place.open(owner)))
  context.after(async () => {
    for (const store of stores) await store.close()
    await place.remove()
  })
  const [one, other] = stores as [LedgerStore, LedgerStore]
  return { one, other, url: place.url }
}

test('a name of any length is counted once', async (context) => {
  const { one, other } = await openNodes(context)
  const { id, provider, endedAt } = createRecord().event
  const use = { provider, name: `batch:${'x'.repeat(10_000)}\0`, eventId: id, endedAt }
  await one.writeBatch({ ...EMPTY, counted: [use] })
  assert.deepEqual(await other.progress.readCounted([use]), [use])
})

test('a batch is refused where an earlier process of the node has moved its cursor', async (context) => {
  const { one, other: successor } = await openNodes(context, [ONE, ONE])
  const cursor = { worker: 'w0', segment: 1, offset: 10, sequence: 1, forwarded: 1 }
  await one.progress.readState()
  await successor.progress.readState()
  const batch = { ...batchOf(createRecord()), cursors: [cursor], forwarded: 1 }
  await one.writeBatch(batch)
  // For its tally alone: this must not hide it.
  await successor.progress.readState()
  await assert.rejects(successor.writeBatch(batch), StoreBusy)
  const state = await successor.progress.readState()
  assert.deepEqual([state.cursors, state.tally.forwarded], [[cursor], 1])
  const next = { ...cursor, offset: 20, sequence: 2, forwarded: 2 }
  await successor.writeBatch({ ...batchOf(createRecord()), cursors: [next], forwarded: 1 })
  assert.equal((await successor.progress.readState()).tally.forwarded, 2)
})

test('nodes that write at once in a new month both make its table', async (context) => {
  const { one, other } = await openNodes(context)
  const call = (ms: number) => createRecord({ id: createRequestId(ms), startedAt: ms, endedAt: ms })
  const months = Array.from({ length: 6 }, (_, more) => Date.UTC(2031, more, 15))
  await Promise.all(
    months.flatMap((ms) => [one, other].map((store) => store.writeBatch(batchOf(call(ms))))),
  )
  const period = { grain: 'month', from: '2031-01', to: '2031-06' } as const
  assert.equal((await total(one, period))?.requests, 12)
  // Far from any month that is likely, too.
  for (const ms of [0, Date.UTC(2200, 1, 1)]) await one.writeBatch(batchOf(call(ms)))
})

test('a call of a month whose table was removed gets a new one', async (context) => {
  const { one, url } = await openNodes(context)
  const ms = Date.UTC(2032, 3, 5)
  const call = () => createRecord({ id: createRequestId(ms), startedAt: ms, endedAt: NOON })
  await one.writeBatch(batchOf(call()))
  await withUsage(url, (database) => database.run('DROP TABLE records_203204'))
  const late = call()
  await one.writeBatch(batchOf(late))
  assert.deepEqual(await one.usage.readRecord(late.event.id), late)
})

test('a threshold fires once, at the call that reaches it, whichever node stores it', async (context) => {
  const { one, other } = await openNodes(context)
  const budget = createBudget({ limit: 100n * CENT, thresholds: [50, 100] })
  for (const store of [one, other]) await store.progress.budgets.watch([budget], AT_NOON)
  const batches = Array.from({ length: 20 }, () =>
    batchOf(...Array.from({ length: 5 }, () => createRecord({}, { amount: CENT }))),
  )
  const halves = [batches.slice(0, 10), batches.slice(10)]
  const storeAll = async (store: LedgerStore, list: typeof batches): Promise<void> => {
    for (const batch of list) await store.writeBatch(batch)
  }
  await Promise.all([one, other].map((store, at) => storeAll(store, halves[at] as typeof batches)))
  assert.deepEqual(await percentsOf(one), [50, 100])
  const alerts = (await one.progress.outbox.read(0, 10)).alerts.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    alerts.map(({ data }) => data.spent_usd),
    [0.5, 1],
  )
  const [spend] = await other.progress.budgets.readSpend([budget], AT_NOON)
  assert.equal(spend?.spent, 100n * CENT)
})

test('a node does not remove the counts of budgets that it does not know', async (context) => {
  const { one, other, url } = await openNodes(context)
  const [known, fresh] = [createBudget(), createBudget({ id: 'bud_2' })]
  await one.progress.budgets.watch([known, fresh], AT_NOON)
  await other.progress.budgets.watch([known], AT_NOON)
  const count = () =>
    withUsage(url, (sql) =>
      sql.all<{ budget: string }>('SELECT budget FROM budget_spend ORDER BY 1'),
    )
  assert.deepEqual(await count(), [{ budget: 'bud_1' }, { budget: 'bud_2' }])
  await one.progress.budgets.prune([fresh], NOON)
  assert.deepEqual(await count(), [{ budget: 'bud_2' }])
})

test('what other nodes changed of members is told with what a node changed itself', async (context) => {
  const { one, other } = await openNodes(context)
  const rule = createBudget({ id: 'bud_0000000000000001', each: 'key' })
  for (const store of [one, other]) await store.progress.budgets.watch([rule], AT_NOON)
  let since: number | null = null
  // By one store alone, then by both, then by the other.
  for (const stores of [[one], [one], [one], [other, one], [one, other], [one], [other], [one]]) {
    for (const store of stores) {
      const keyId = store === one ? 'svc_k_one' : 'svc_k_other'
      await store.writeBatch(batchOf(createRecord({ keyId, id: createRequestId(NOON) })))
    }
    const read = await one.progress.budgets.readCounters([rule], { ...AT_NOON, since })
    const changed = new Map(read.counters.map(({ counter, spend }) => [counter.member, spend]))
    const { counters } = await other.progress.budgets.readCounters([rule], AT_NOON)
    const all = new Map(counters.map(({ counter, spend }) => [counter.member, spend]))
    for (const store of stores) {
      const member = store === one ? 'svc_k_one' : 'svc_k_other'
      assert.deepEqual(changed.get(member), all.get(member))
    }
    since = read.moment
  }
})
