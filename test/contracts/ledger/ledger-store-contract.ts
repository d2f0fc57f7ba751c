// What every ledger store must do with a batch, whatever its engine. With the suites of the book
// and of the usage it is the specification: a backend is finished when it passes, and what it
// cannot do is said in a named skip with a reason.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { createRequestId } from '../../../src/core/ids.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'
import { toInterruptedEvent } from '../../../src/core/usage-event.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import { UnstorableRecord } from '../../../src/store/ledger/ledger-store.ts'
import {
  ask,
  batchOf,
  createOpening,
  createRecord,
  createStoreTest,
  EMPTY,
  everyAnswer,
  labels,
  NOON,
  total,
} from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'
import { toUse } from './ledger-progress-contract.ts'

export interface StoredTexts {
  /** What becomes of U+0000: an engine that cannot store it replaces it. */
  readonly nul?: string
}

export function ledgerStoreContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
  { nul = '\0' }: StoredTexts = {},
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: records`, () => {
    for (const [title, record] of ODD_RECORDS) {
      storeTest(`gives back ${title} exactly`, async (store) => {
        await store.writeBatch(batchOf(record))
        assert.deepEqual(await store.usage.readRecord(record.event.id), record)
      })
    }

    storeTest(
      'takes U+0000 wherever a text has it, in the record as in the sums',
      async (store) => {
        const agent = { session: 's\0', device: '\0' }
        const odd = createRecord({ model: 'a\0b', keyId: 'k\0', dims: { team: '\0' }, agent })
        await store.writeBatch(batchOf(odd))
        const stored = (await store.usage.readRecord(odd.event.id))?.event
        const texts = [stored?.model, stored?.keyId, stored?.dims]
        assert.deepEqual(stored?.agent, { session: `s${nul}`, device: nul })
        assert.deepEqual(texts, [`a${nul}b`, `k${nul}`, { team: nul }])
        assert.deepEqual(labels(await ask(store, { by: 'model' })), [[`a${nul}b`, 1000n]])
        assert.deepEqual(labels(await ask(store, { by: 'dim', dimKey: 'team' })), [[nul, 1000n]])
      },
    )

    storeTest('has no record of an id that it was never given', async (store) => {
      assert.equal(await store.usage.readRecord(createRequestId(NOON)), null)
      assert.equal(await store.usage.readRecord('no id at all'), null)
    })

    storeTest('counts a batch that comes twice once', async (store) => {
      const batch = batchOf(createRecord({ dims: { team: 'a' } }), createRecord())
      await store.writeBatch(batch)
      const before = await everyAnswer(store)
      await store.writeBatch(batch)
      assert.deepEqual(await everyAnswer(store), before)
      assert.equal((await total(store))?.requests, 2)
    })

    storeTest('counts a record that comes again among new ones once', async (store) => {
      const known = createRecord()
      await store.writeBatch(batchOf(known))
      await store.writeBatch(batchOf(createRecord(), known, createRecord()))
      assert.equal((await total(store))?.requests, 3)
    })

    storeTest('keeps the first of two records with one id', async (store) => {
      const first = createRecord()
      const second = createRecord({ id: first.event.id, model: 'other' }, { amount: 7n })
      await store.writeBatch(batchOf(first, second))
      assert.deepEqual(await store.usage.readRecord(first.event.id), first)
      assert.equal((await total(store))?.cost, 1000n)
    })

    for (const [title, broken] of UNSTORABLE) {
      storeTest(`names ${title} as what cannot be stored, and keeps nothing`, async (store) => {
        const good = createRecord({ dims: { team: 'a' } })
        const cursors = [{ worker: 'w1', segment: 1, offset: 10, sequence: 2, forwarded: 3 }]
        const opened = [{ worker: 'w1', opening: createOpening() }]
        const counted = [toUse(good)]
        const prices = [{ version: 'test', sheet: 'a' }]
        const before = await store.progress.readState()
        const around = [createRecord(), broken, createRecord()]
        const kept = { ...EMPTY, cursors, opened, counted, prices, forwarded: 3, dead: 1 }
        await assert.rejects(store.writeBatch({ ...kept, records: [good, ...around] }), (error) => {
          assert.ok(error instanceof UnstorableRecord)
          return error.eventId === broken.event.id
        })
        assert.equal(await store.usage.readRecord(good.event.id), null)
        assert.deepEqual(await store.progress.readState(), before)
        assert.deepEqual(await store.progress.readCounted(counted), [])
        assert.deepEqual(await store.usage.requests.readPrices(['test']), [])
        assert.equal(await total(store), undefined)
        await store.writeBatch({ ...kept, records: [good] })
        assert.equal((await total(store))?.requests, 1)
      })
    }

    storeTest('blames no record when the store itself is to blame', async (store) => {
      await store.close()
      await assert.rejects(store.writeBatch(batchOf(createRecord())), (error) => {
        return !(error instanceof UnstorableRecord)
      })
    })
  })
}

const ODD_RECORDS: readonly [string, UsageRecord][] = [
  ['an ordinary record', createRecord()],
  [
    'a record of an interrupted call',
    { ...createRecord(), event: toInterruptedEvent(createOpening(), NOON) },
  ],
  [
    'a record with every field',
    createRecord(
      {
        requestedModel: 'wanted',
        httpStatus: 200,
        errorCode: 'upstream_timeout',
        streamed: true,
        firstByteAt: NOON - 500,
        requestBytes: 12,
        responseBytes: 2 ** 40,
        chargeable: false,
        usage: 'partial',
        dims: { team: 'ü, "quoted" \u2028', app: 'x' },
        tokens: createTokenCounts({
          input: 9,
          output: 8,
          cacheRead: 7,
          reasoning: 6,
          outputImage: 5,
          cacheReadAudio: 4,
        }),
        toolCalls: { web_search: 2 },
        serviceTier: 'flex',
        billing: { cost: 1n, marketCost: 2n ** 70n, isByok: false, generationId: 'gen_1' },
      },
      { amount: 2n ** 62n + 1n, source: 'gateway', priceVersion: null },
    ),
  ],
  [
    'a cost that another provider stated',
    createRecord(
      {
        billing: {
          cost: 1n,
          marketCost: null,
          isByok: null,
          generationId: null,
          statedBy: 'provider',
        },
      },
      { amount: 1n, source: 'provider', priceVersion: null },
    ),
  ],
  [
    'billing that says nothing',
    createRecord({ billing: { cost: null, marketCost: null, isByok: null, generationId: null } }),
  ],
  [
    'a call without tokens',
    createRecord(
      { tokens: null, usage: 'none' },
      { amount: null, source: 'unpriced', priceVersion: null },
    ),
  ],
  [
    'a call of several models, of a stored object, against its policy',
    createRecord({
      shares: [
        { model: null, tokens: createTokenCounts({ input: 3, cacheRead: 1 }) },
        { model: 'other', tokens: createTokenCounts({ input: 7, output: 5 }) },
      ],
      countedAs: 'response:resp_"1"',
      violation: 'maker/other',
    }),
  ],
  ['a call that Weir held up for a moment', createRecord({ ownMicros: 153 })],
  ['a call that Weir held up for nothing', createRecord({ ownMicros: 0 })],
  ['a call that Weir held up for an hour', createRecord({ ownMicros: 3_600_000_000 })],
  ['a call of a region', createRecord({ region: 'us-east5' })],
  ['a call of a session', createRecord({ agent: { session: 's "1"' } })],
  ['a call of an agent without one', createRecord({ agent: { toolVersion: '1.2', retry: 0 } })],
  [
    'a call of a subagent',
    createRecord({
      agent: { session: 's', agent: 'a', parentAgent: 'b', device: 'd', account: 'e' },
    }),
  ],
  ['a call that the provider refused', createRecord({ providerError: 'rate_limit_exceeded' })],
  [
    'a call with letters of every kind',
    createRecord({ model: 'a\u0001b\t\u{1f600}', dims: { team: "'; -- \u0007" } }),
  ],
  ['a call that costs more than nine million dollars', createRecord({}, { amount: 2n ** 79n })],
  ['a call that was paid back', createRecord({}, { amount: -(2n ** 64n) })],
  ['a call of zero tokens', createRecord({ tokens: createTokenCounts({}) }, { amount: 0n })],
]

// What a journal can hold and no table: a defect, or a provider that says nonsense.
const UNSTORABLE: readonly [string, UsageRecord][] = [
  ['an id that is none', createRecord({ id: 'not a request id' })],
  ['an end that is no number', createRecord({ endedAt: Number.NaN })],
  ['an end beyond all calendars', createRecord({ endedAt: 8.64e15 })],
  ['a size beyond 2^53', createRecord({ responseBytes: 2 ** 53 })],
  ['a time of its own that is no number', createRecord({ ownMicros: Number.NaN })],
  ['a token count without end', createRecord({ tokens: createTokenCounts({ input: Infinity }) })],
  ['a provider that is missing', createRecord({ provider: null as unknown as string })],
  ['a dimension that is no text', createRecord({ dims: { team: [] as unknown as string } })],
  ['a cost beyond all money', createRecord({}, { amount: 10n ** 24n + 1n })],
]
