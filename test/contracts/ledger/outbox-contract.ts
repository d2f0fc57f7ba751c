// What every outbox must do.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Alert } from '../../../src/core/alert.ts'
import { RECENT_MAX } from '../../../src/store/ledger/outbox.ts'
import { createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

export function outboxContract(name: string, createPlace: () => Promise<UsageStoreLocation>): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: the outbox`, () => {
    const alert: Alert = {
      id: 'msg_a',
      kind: 'spend.anomaly',
      budgetId: null,
      at: NOON,
      body: '{}',
    }
    const ids = ['msg_c', 'msg_a', 'msg_b']

    storeTest('takes an alert once, and gives them in their order', async (store) => {
      const alerts = ids.map((id) => ({ ...alert, id }))
      assert.equal(await store.progress.outbox.add([alert]), 1)
      assert.equal(await store.progress.outbox.add(alerts), 2)
      assert.equal(await store.progress.outbox.add(alerts), 0)
      const first = await store.progress.outbox.read(0, 2)
      assert.deepEqual(first.alerts, [alert, { ...alert, id: 'msg_c' }])
      const second = await store.progress.outbox.read(first.place, 2)
      assert.deepEqual(second.alerts, [{ ...alert, id: 'msg_b' }])
      const last = await store.progress.outbox.read(second.place, 2)
      assert.deepEqual(last, { alerts: [], place: second.place })
    })

    storeTest('an alert that is revised is read again, behind all others', async (store) => {
      const { outbox } = store.progress
      await outbox.add(ids.map((id) => ({ ...alert, id })))
      const { place } = await outbox.read(0, 10)
      await outbox.revise([
        { ...alert, id: 'msg_c', kind: 'budget.forecast', at: 0, body: '{"grown":1}' },
        { ...alert, id: 'msg_unknown' },
      ])
      const revised = { ...alert, id: 'msg_c', body: '{"grown":1}' }
      assert.deepEqual((await outbox.read(place, 10)).alerts, [revised])
      assert.deepEqual(
        (await outbox.read(0, 10)).alerts.map(({ id }) => id),
        ['msg_a', 'msg_b', 'msg_c'],
      )
      assert.equal(await outbox.add([{ ...alert, id: 'msg_c' }]), 0)
    })

    storeTest('lists those of a kind since a moment, and the newest of too many', async (store) => {
      const { outbox } = store.progress
      const alerts = Array.from({ length: RECENT_MAX + 2 }, (_, number) => {
        return { ...alert, id: `msg_${number}`, at: NOON + number }
      })
      await outbox.add([{ ...alert, id: 'msg_other', kind: 'budget.forecast' }, ...alerts])
      await outbox.revise([{ ...alert, id: 'msg_1000' }])
      const list = async (sinceMs: number): Promise<string[]> =>
        (await outbox.listRecent('spend.anomaly', sinceMs)).map(({ id }) => id)
      assert.deepEqual(await list(NOON + 1000), ['msg_1000', 'msg_1001'])
      const all = await list(0)
      assert.deepEqual([all.length, all[0], all.at(-1)], [RECENT_MAX, 'msg_2', 'msg_1001'])
    })
  })
}
