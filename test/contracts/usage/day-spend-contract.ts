// What every usage store must tell about a day's spenders. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DaySpend } from '../../../src/store/usage/day-spend.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { createCall } from '../request-log-contract.ts'
import { batchOf, createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000
const TODAY = NOON - (NOON % DAY_MS)

function toLines(spends: readonly DaySpend[]): readonly string[] {
  return spends.map(({ kind, name, spent }) => `${kind} ${name} ${spent}`)
}

async function readDay(store: LedgerStore, isOver = false): Promise<readonly string[]> {
  return toLines(await store.usage.daySpend.read(NOON, { isOver }))
}

export function daySpendContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: the spend of a day`, () => {
    storeTest('is given by key, model and dimension value, most expensive first', async (store) => {
      const [a, b] = ['svc_k_a', 'svc_k_b']
      await store.writeBatch(
        batchOf(
          createCall(
            NOON,
            { keyId: a, model: 'm1', dims: { team: 'x', app: 'z=1' } },
            { amount: 5n },
          ),
          createCall(NOON, { keyId: b, model: 'm1', dims: { team: 'x' } }, { amount: 2n }),
          createCall(NOON, { keyId: b, provider: 'south', model: 'o/m2' }, { amount: 4n }),
          createCall(NOON, { keyId: null, model: null }, { amount: 100n }),
          createCall(NOON, { keyId: 'svc_k_c' }, { amount: 0n, source: 'byok-zero' }),
          createCall(NOON, { keyId: 'svc_k_c' }, { amount: null, source: 'unpriced' }),
          createCall(NOON, { keyId: 'svc_k_c', status: 'denied' }, { amount: 9n }),
        ),
      )
      assert.deepEqual(await readDay(store), [
        'dim team=x 7',
        'model north/m1 7',
        'api_key svc_k_b 6',
        'api_key svc_k_a 5',
        'dim app=z=1 5',
        'model south/o/m2 4',
      ])
    })

    storeTest('tells how spenders share it, each charged call once', async (store) => {
      const both = { keyId: 'svc_k_a', model: 'm1', dims: { team: 'x' } }
      await store.writeBatch(
        batchOf(
          createCall(NOON, both, { amount: 5n }),
          createCall(NOON, both, { amount: 6n }),
          createCall(NOON, { ...both, dims: { team: 'y', app: 'team=x' } }, { amount: 7n }),
          createCall(NOON, { ...both, keyId: 'svc_k_b' }, { amount: 8n }),
          createCall(NOON, { ...both, provider: 'south', dims: {} }, { amount: 9n }),
          createCall(NOON, { keyId: null, model: null, dims: {} }, { amount: 100n }),
          createCall(NOON, both, { amount: null, source: 'unpriced' }),
          createCall(NOON, { ...both, status: 'denied' }, { amount: 9n }),
          createCall(NOON - DAY_MS, both, { amount: 1000n }),
        ),
      )
      const shares = await store.usage.daySpend.readShared(NOON, [
        { kind: 'model', name: 'north/m1' },
        { kind: 'api_key', name: 'svc_k_a' },
        { kind: 'dim', name: 'team=x' },
        { kind: 'dim', name: 'team=none' },
      ])
      const lines = shares.map(({ spenders, spent }) => `${spenders.join(' ')}: ${spent}`)
      assert.deepEqual(lines.toSorted(), ['0 1 2: 11', '0 1: 7', '0 2: 8', '1: 9'])
    })

    storeTest('goes by the end of the call and the UTC day', async (store) => {
      const ends = [TODAY - 1, TODAY, TODAY + DAY_MS - 1, TODAY + DAY_MS]
      const calls = ends.map((endedAt, index) =>
        createCall(endedAt - 5 * DAY_MS, { endedAt, model: null }, { amount: 1n << BigInt(index) }),
      )
      await store.writeBatch(batchOf(...calls))
      assert.deepEqual(await readDay(store), ['api_key svc_k_aaaaaaaaaaaaaaaa 6'])
    })

    storeTest('is forgotten when the day is no longer compared with', async (store) => {
      const call = () => createCall(NOON, { model: null }, { amount: 1n })
      await store.writeBatch(batchOf(call()))
      const seen = await readDay(store, true)
      await store.writeBatch(batchOf(call()))
      await store.usage.daySpend.read(NOON + 28 * DAY_MS, { isOver: true })
      assert.deepEqual(await readDay(store, true), seen)
      await store.usage.daySpend.read(NOON + 61 * DAY_MS, { isOver: true })
      assert.deepEqual(await readDay(store, true), ['api_key svc_k_aaaaaaaaaaaaaaaa 2'])
    })

    test('is kept once the day is over, also when there was none', async () => {
      const place = await createPlace()
      try {
        const events = { model: null, dims: { team: 'x' } }
        let store = await place.open()
        await store.writeBatch(batchOf(createCall(NOON, events, { amount: 10n ** 24n })))
        const seen = ['api_key svc_k_aaaaaaaaaaaaaaaa', 'dim team=x'].map(
          (who) => `${who} ${10n ** 24n}`,
        )
        assert.deepEqual(await readDay(store), seen)
        assert.deepEqual(await readDay(store, true), seen)
        const empty = NOON - DAY_MS
        assert.deepEqual(await store.usage.daySpend.read(empty, { isOver: true }), [])
        await store.writeBatch(
          batchOf(createCall(NOON, events, { amount: 1n }), createCall(empty, events)),
        )
        await store.close()
        store = await place.open()
        assert.deepEqual(await readDay(store, true), seen)
        assert.deepEqual(await store.usage.daySpend.read(empty, { isOver: true }), [])
        assert.notDeepEqual(await readDay(store), seen)
        await store.close()
      } finally {
        await place.remove()
      }
    })
  })
}
