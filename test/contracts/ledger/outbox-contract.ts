// What every outbox must do.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Alert } from '../../../src/core/alert.ts'
import { createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStorePlace } from '../usage-scene.ts'

export function outboxContract(name: string, createPlace: () => Promise<UsageStorePlace>): void {
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
      assert.equal(await store.book.outbox.add([alert]), 1)
      assert.equal(await store.book.outbox.add(alerts), 2)
      assert.equal(await store.book.outbox.add(alerts), 0)
      const first = await store.book.outbox.read(0, 2)
      assert.deepEqual(first.alerts, [alert, { ...alert, id: 'msg_c' }])
      const second = await store.book.outbox.read(first.place, 2)
      assert.deepEqual(second.alerts, [{ ...alert, id: 'msg_b' }])
      const last = await store.book.outbox.read(second.place, 2)
      assert.deepEqual(last, { alerts: [], place: second.place })
    })
  })
}
