// What every request log must do, whatever its engine. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readMonthRecords, toMonthRange } from '../../src/api/exports/month-records.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { CallSight } from '../../src/core/teams/sight.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { Cost, UsageRecord } from '../../src/core/usage-record.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import type { RequestFilter, RequestPage } from '../../src/store/usage/request-log.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { batchOf, createRecord, createStoreTest, EMPTY, NOON } from './usage-scene.ts'
import { byForm } from '../long-form.ts'
import { isSeenBy } from './usage/analysis-contract.ts'
import type { UsageStoreLocation } from './usage-scene.ts'

const DAY_MS = 86_400_000

/** A call whose id tells its start, as those of the proxy do. */
export function createCall(
  startedAt: number,
  changes: Partial<UsageEvent> = {},
  cost: Partial<Cost> = {},
): UsageRecord {
  const times = { id: createRequestId(startedAt), startedAt, endedAt: startedAt + 1000 }
  return createRecord({ ...times, ...changes }, cost)
}

/** All pages, each of them checked against its limit. */
async function listAll(
  store: LedgerStore,
  filter: Partial<RequestFilter>,
  rowsMax = 3,
): Promise<readonly UsageRecord[]> {
  const found: UsageRecord[] = []
  let before: string | null = null
  do {
    const page: RequestPage = await store.usage.requests.list(
      { ...ALL_REQUESTS, ...filter },
      { before, rowsMax },
    )
    assert.ok(page.records.length <= rowsMax)
    found.push(...page.records)
    before = page.next
  } while (before !== null)
  return found
}

export function requestLogContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  storeTest(`${name}: of the log, a sight has its calls and no others`, async (store) => {
    const facts = [
      {},
      { '@team': 'team_a' },
      { '@team': 'team_b', '@person': 'user_a' },
      { '@team': 'team_b', '@person': 'user_b', note: 'team_a' },
      { '@person': 'user_a' },
      { '@person': "user_'?", '@team': "team_'?" },
      { note: 'team_a', person: 'user_a' },
    ]
    const calls = facts.map((dims, at) => createCall(NOON + at, { dims }))
    await store.writeBatch(batchOf(...calls))
    const { requests, upkeep } = store.usage
    const sights: readonly CallSight[] = [
      { teams: [], personId: null },
      { teams: ['team_a'], personId: null },
      { teams: ['team_a', 'team_none'], personId: 'user_a' },
      { teams: [], personId: 'user_a' },
      { teams: ["team_'?"], personId: "user_'?" },
      { teams: ['team_b', 'team_a'], personId: 'user_none' },
    ]
    for (const sight of sights) {
      const seen = calls.filter((call) => isSeenBy(sight, call)).map(({ event }) => event.id)
      const filter = { ...ALL_REQUESTS, sight }
      const toIds = (found: readonly UsageRecord[]) => found.map(({ event }) => event.id)
      assert.deepEqual(toIds(await listAll(store, filter)).toReversed(), seen)
      const page = { after: null, rowsMax: 9 }
      assert.deepEqual(toIds(await upkeep.readRecords(filter, page)), seen)
      const order = { by: 'time', isAscending: true } as const
      const sorted = await requests.listSorted(filter, { ...page, order })
      assert.ok(sorted.kind === 'page')
      assert.deepEqual(toIds(sorted.records), seen)
      const { calls: count, cost } = await requests.summarize(filter)
      assert.deepEqual([count, cost], [seen.length, BigInt(seen.length) * 1000n])
    }
  })

  suite(`${name}: long values of dimensions`, () => {
    storeTest('are as they were sent, and calls are found by them', async (store) => {
      const [one, other] = ['x "ü" \\ '.repeat(25), `${'y'.repeat(255)}z`]
      const calls = [
        createCall(NOON, { dims: { team: 'a', 'note.1': one, user: other } }),
        createCall(NOON + 1, { dims: { 'note.1': other } }),
        createCall(NOON + 2, { dims: { 'note.1': one.slice(0, 190) }, status: 'denied' }),
      ]
      await store.writeBatch(batchOf(...calls))
      assert.deepEqual(await listAll(store, {}), calls.toReversed())
      const find = (value: string | string[] | null) =>
        listAll(store, { dim: { key: 'note.1', value } })
      assert.deepEqual(await find(one), [calls[0]])
      assert.deepEqual(await find([other, one]), [calls[1], calls[0]])
      assert.deepEqual(await find(null), calls.toReversed())
      assert.deepEqual(await find(`${one}x`), [])
      assert.deepEqual(await store.usage.readRecord(calls[0]?.event.id ?? ''), calls[0])
      assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
    })
  })

  suite(`${name}: prices`, () => {
    storeTest('keeps a price once, as it was first stored', async (store) => {
      const price = { version: 'a', sheet: '{"input":"1"}' }
      const other = { version: 'b', sheet: 'ü' }
      await store.writeBatch({ ...EMPTY, prices: [price, other, price] })
      await store.writeBatch({ ...EMPTY, prices: [{ ...price, sheet: 'another' }] })
      const stored = await store.usage.requests.readPrices(['a', 'b', 'c'])
      assert.deepEqual(
        stored.toSorted((left, right) => (left.version < right.version ? -1 : 1)),
        [price, other],
      )
      assert.deepEqual(await store.usage.requests.readPrices([]), [])
    })
  })

  suite(`${name}: the calls of a month`, () => {
    storeTest(
      'are all there, however long they ran and whatever comes meanwhile',
      async (store) => {
        const month = toMonthRange('2026-10')
        const short = Array.from({ length: 12 }, (_, index) => createCall(NOON + index * 1000))
        const long = createCall(month.fromMs - 9 * DAY_MS, { endedAt: month.fromMs + DAY_MS })
        const back = createCall(month.toMs + 5 * DAY_MS, { endedAt: month.toMs - 1 })
        const outside = createCall(month.fromMs - 9 * DAY_MS, { endedAt: month.fromMs - 1 })
        await store.writeBatch(batchOf(...short, long, back, outside))
        const read: string[] = []
        let isFirst = true
        for await (const page of readMonthRecords(store.usage, month)) {
          read.push(...page.map(({ event }) => event.id))
          // As traffic does: more calls than there were when the reading began.
          const fresh = Array.from({ length: 20 }, (_, index) => createCall(NOON + 60_000 + index))
          if (isFirst) await store.writeBatch(batchOf(...fresh))
          isFirst = false
        }
        assert.equal(new Set(read).size, read.length)
        const wanted = [...short, long, back].map(({ event }) => event.id)
        assert.deepEqual(
          wanted.filter((id) => !read.includes(id)),
          [],
        )
        assert.ok(!read.includes(outside.event.id))
      },
    )
  })

  suite(`${name}: the request log`, () => {
    storeTest('is empty when there is nothing', async (store) => {
      const page = { before: null, rowsMax: 10 }
      assert.deepEqual(await store.usage.requests.list(ALL_REQUESTS, page), {
        records: [],
        next: null,
      })
    })

    storeTest('gives whole records, newest first, without gaps or repeats', async (store) => {
      const records = Array.from({ length: 10 }, (_, index) => createCall(NOON + index))
      await store.writeBatch(batchOf(...records.toSorted((one, other) => byId(other, one))))
      for (const rowsMax of [1, 3, 10, 100]) {
        assert.deepEqual(await listAll(store, {}, rowsMax), records.toReversed())
      }
    })

    storeTest('says that there are no more where a page ends with the oldest', async (store) => {
      const records = [createCall(NOON), createCall(NOON + 1)]
      await store.writeBatch(batchOf(...records))
      const page = await store.usage.requests.list(ALL_REQUESTS, { before: null, rowsMax: 2 })
      assert.equal(page.next, null)
    })

    storeTest('goes on where a page ended although newer calls came', async (store) => {
      const records = [createCall(NOON), createCall(NOON + 1), createCall(NOON + 2)]
      await store.writeBatch(batchOf(...records))
      const first = await store.usage.requests.list(ALL_REQUESTS, { before: null, rowsMax: 2 })
      await store.writeBatch(batchOf(createCall(NOON + 3)))
      const page = { before: first.next, rowsMax: 2 }
      assert.deepEqual((await store.usage.requests.list(ALL_REQUESTS, page)).records, [records[0]])
    })

    storeTest('cuts by the moment of the start, the end exclusive', async (store) => {
      const records = [0, 1, 2, 3].map((offset) => createCall(NOON + offset))
      await store.writeBatch(batchOf(...records))
      const window = { fromMs: NOON + 1, toMs: NOON + 3 }
      assert.deepEqual(await listAll(store, window), [records[2], records[1]])
      assert.deepEqual(await listAll(store, { fromMs: NOON + 4 }), [])
      assert.deepEqual(await listAll(store, { fromMs: 0, toMs: 1 }), [])
      const all = await listAll(store, { toMs: Number.MAX_SAFE_INTEGER }, 10)
      assert.deepEqual(all, records.toReversed())
    })

    storeTest('cuts by the moment of the end, however long before a call began', async (store) => {
      const ends = [NOON - 1, NOON, NOON + 1, NOON + 999, NOON + 1000]
      // How long before its end a call began: some are at the edge of ten minutes, one ran for
      // days, and during the last two the clock was set back.
      const lengths = [0, 1, 599_999, 600_000, 600_001, 3 * DAY_MS, -1, -DAY_MS]
      const records = ends.flatMap((endedAt) =>
        lengths.map((lengthMs) => createCall(endedAt - lengthMs, { endedAt })),
      )
      await store.writeBatch(batchOf(...records))
      for (const [endedFromMs, endedToMs] of [
        [NOON, NOON + 1000],
        [NOON, null],
        [null, NOON],
        [NOON + 2, NOON + 3],
        [0, Number.MAX_SAFE_INTEGER],
      ] as const) {
        const isWanted = ({ event }: UsageRecord): boolean =>
          event.endedAt >= (endedFromMs ?? 0) && event.endedAt < (endedToMs ?? Infinity)
        const wanted = records.filter(isWanted).toSorted((one, other) => byId(other, one))
        for (const rowsMax of byForm([7, 100], [1, 7, 100])) {
          const found = await listAll(store, { endedFromMs, endedToMs }, rowsMax)
          assert.deepEqual(found, wanted)
        }
        const some = { endedFromMs, endedToMs, fromMs: NOON - 600_000, toMs: NOON + 2 }
        assert.deepEqual(
          await listAll(store, some),
          wanted.filter(
            ({ event: { startedAt } }) => startedAt >= some.fromMs && startedAt < some.toMs,
          ),
        )
      }
    })

    for (const [title, filter, wanted] of FILTERED) {
      storeTest(`finds calls by ${title}`, async (store) => {
        await store.writeBatch(batchOf(...SAMPLE))
        const found = await listAll(store, filter)
        const places = found.map(({ event }) =>
          SAMPLE.findIndex((each) => each.event.id === event.id),
        )
        assert.deepEqual(places, wanted)
      })
    }

    storeTest('finds a call by its own id, and by nothing of another', async (store) => {
      await store.writeBatch(batchOf(...SAMPLE))
      for (const record of SAMPLE) {
        const { id, endedAt } = record.event
        assert.deepEqual(await listAll(store, { id }), [record])
        assert.deepEqual(await listAll(store, { id, endedFromMs: endedAt }), [record])
        assert.deepEqual(await listAll(store, { id, endedToMs: endedAt }), [])
        const { calls } = await store.usage.requests.summarize({ ...ALL_REQUESTS, id })
        assert.equal(calls, 1)
      }
      assert.deepEqual(await listAll(store, { id: createRequestId(NOON) }), [])
    })

    storeTest('refuses a place that is no request id', async (store) => {
      const page = { before: 'yesterday', rowsMax: 10 }
      await assert.rejects(store.usage.requests.list(ALL_REQUESTS, page), {
        code: 'invalid_parameter',
      })
    })

    storeTest('glances at so many of the newest calls since a moment', async (store) => {
      const changes = { httpStatus: 503, status: 'refused', firstByteAt: NOON + 70 } as const
      const records = [createCall(NOON - 1), createCall(NOON, changes), createCall(NOON + 1)]
      await store.writeBatch(batchOf(...records))
      const [plain, refused] = [
        { provider: 'north', status: 'delivered', httpStatus: null, firstByteAt: null },
        { provider: 'north', ...changes },
      ]
      assert.deepEqual(await store.usage.requests.glance(NOON, 10), [
        { ...plain, startedAt: NOON + 1 },
        { ...refused, startedAt: NOON },
      ])
      assert.deepEqual(await store.usage.requests.glance(0, 1), [{ ...plain, startedAt: NOON + 1 }])
      assert.deepEqual(await store.usage.requests.glance(NOON + 2, 10), [])
    })

    storeTest('knows how many calls there are, and from when to when', async (store) => {
      const none = { records: 0, oldestAt: null, newestAt: null }
      assert.deepEqual(await store.usage.requests.readExtent(), none)
      const denied = createCall(NOON, { status: 'denied' })
      const records = [createCall(NOON - 3 * DAY_MS), denied, createCall(NOON + 5)]
      await store.writeBatch(batchOf(...records))
      // What comes twice is there once.
      await store.writeBatch(batchOf(denied, createCall(NOON + 1)))
      const all = { records: 4, oldestAt: NOON - 3 * DAY_MS, newestAt: NOON + 5 }
      assert.deepEqual(await store.usage.requests.readExtent(), all)
      await store.usage.upkeep.removeRecords(NOON - (NOON % DAY_MS), 10)
      assert.deepEqual(await store.usage.requests.readExtent(), {
        ...all,
        records: 3,
        oldestAt: NOON,
      })
    })

    storeTest('gives the prices that it has', async (store) => {
      const prices = [
        { version: 'v2', sheet: '{"b":2}' },
        { version: 'v1', sheet: '{"a":"ü"}' },
      ]
      await store.writeBatch({ ...EMPTY, prices })
      await store.writeBatch({ ...EMPTY, prices: [{ version: 'v1', sheet: 'another' }] })
      const found = await store.usage.requests.readPrices(['v1', 'v3', 'v2'])
      assert.deepEqual(
        found.toSorted((one, other) => (one.version < other.version ? -1 : 1)),
        prices.toReversed(),
      )
      assert.deepEqual(await store.usage.requests.readPrices([]), [])
    })
  })

  test(`${name}: the request log has a record as it is after its cost changed`, async () => {
    const place = await createPlace()
    const store = await place.open()
    try {
      const { event, cost: before } = createCall(NOON)
      await store.writeBatch(batchOf({ event, cost: before }))
      const after: Cost = { amount: 7n, source: 'override', priceVersion: 'own' }
      const line = { repricing: null, at: NOON, who: 'me', what: 'all', prices: [] }
      await store.usage.upkeep.changeCosts([{ id: event.id, before, after }], line)
      assert.deepEqual(await listAll(store, { source: 'override' }), [{ event, cost: after }])
    } finally {
      await store.close()
      await place.remove()
    }
  })
}

function byId(one: UsageRecord, other: UsageRecord): number {
  return one.event.id < other.event.id ? -1 : 1
}

const SAMPLE: readonly UsageRecord[] = [
  createCall(NOON, { keyId: 'svc_k_one', provider: 'north', model: 'gpt-4o', dims: { team: 'a' } }),
  createCall(NOON + 1, {
    keyId: 'svc_k_one',
    provider: 'south',
    model: 'GPT-4o-mini',
    usage: 'estimated',
    httpStatus: 200,
    streamed: true,
    endedAt: NOON + 60_001,
    billing: { cost: null, marketCost: null, isByok: null, generationId: 'gen_1' },
  }),
  createCall(NOON + 2, {
    keyId: 'svc_k_two',
    model: 'claude_5%',
    status: 'aborted',
    dims: {
      '@team': 'team_1',
      '@person': 'user_1',
      '@tool': 'codex',
      '@tool_version': '2',
      '@agent_kind': 'main',
      '@repository': 'a/b',
      team: 'b',
      app: 'a',
    },
    agent: { session: 's1' },
    httpStatus: 429,
    providerError: 'slow_down',
    billing: { cost: null, marketCost: null, isByok: null, generationId: 'genX1' },
  }),
  createCall(
    NOON + 3,
    {
      keyId: null,
      status: 'denied',
      model: null,
      dims: { 'team.x': 'a' },
      httpStatus: 403,
      errorCode: 'model_not_allowed',
      endedAt: NOON,
    },
    { amount: 0n, source: 'free', priceVersion: null },
  ),
  createCall(
    NOON + 4,
    {
      keyId: 'svc_k_two',
      model: 'claudeX5YÄ',
      dims: { '@team': 'team_2', '@tool': 'aider', team: '"a", ü\\ %_ \u2028 {"team":"a"}' },
      agent: { session: 's2', retry: 2 },
    },
    { amount: null, source: 'unpriced', priceVersion: null },
  ),
]

const FILTERED: readonly (readonly [string, Partial<RequestFilter>, readonly number[]])[] = [
  ['key', { keyId: 'svc_k_one' }, [1, 0]],
  ['a key that nobody used', { keyId: 'svc_k' }, []],
  ['provider', { provider: 'south' }, [1]],
  ['model, without regard to case', { model: 'gpt-4o' }, [0]],
  ['model, with another case of ASCII letters', { model: 'CLAUDEx5yÄ' }, [4]],
  ['model, with another case of other letters', { model: 'claudeX5Yä' }, []],
  ['a beginning of a model', { model: 'Gpt-4o*' }, [1, 0]],
  ['an end of a model', { model: '*MINI' }, [1]],
  ['a middle of a model', { model: '*4O*' }, [1, 0]],
  ['several stars in a model', { model: 'c**5*' }, [4, 2]],
  ['a model that is known', { model: '*' }, [4, 2, 1, 0]],
  ['a percent sign and an underscore that mean themselves', { model: 'claude_5%' }, [2]],
  ['a backslash that means itself', { model: 'claude\\_5*' }, []],
  ['status', { status: 'aborted' }, [2]],
  ['the status of what was denied', { status: 'denied' }, [3]],
  ['the source of the cost', { source: 'unpriced' }, [4]],
  ['how usage is known', { usage: 'estimated' }, [1]],
  ['a team', { team: 'team_1' }, [2]],
  ['several teams', { team: ['team_1', 'team_2'] }, [4, 2]],
  ['a person', { person: 'user_1' }, [2]],
  ['a person in another team', { team: 'team_2', person: 'user_1' }, []],
  ['a team and a tag of its calls', { team: 'team_1', dim: { key: 'team', value: 'b' } }, [2]],
  ['a team and another tag', { team: 'team_1', dim: { key: 'team', value: 'a' } }, []],
  ['a team by the name of its dimension', { dim: { key: '@team', value: 'team_1' } }, []],
  ['a tool', { tool: 'codex' }, [2]],
  ['several tools', { tool: ['codex', 'aider', 'x'] }, [4, 2]],
  ['a version and a kind of agent', { tool_version: '2', agent_kind: 'main' }, [2]],
  ['another kind of agent', { agent_kind: 'subagent' }, []],
  ['a repository', { repository: 'a/b' }, [2]],
  ['a session', { session: 's1' }, [2]],
  ['several sessions', { session: ['s1', 's2', 's3'] }, [4, 2]],
  ["another key's session", { session: 's1', keyId: 'svc_k_one' }, []],
  ['a dimension with any value', { dim: { key: 'team', value: null } }, [4, 2, 0]],
  ['a dimension and its value', { dim: { key: 'team', value: 'a' } }, [0]],
  ['no such dimension', { withoutDim: 'team' }, [3, 1]],
  ['no such dimension, with a point in its key', { withoutDim: 'team.x' }, [4, 2, 1, 0]],
  ['a dimension, and another one not', { dim: { key: 'team', value: 'b' }, withoutDim: 'app' }, []],
  ['a dimension with a point in its key', { dim: { key: 'team.x', value: 'a' } }, [3]],
  [
    'a value with quotes, escapes and more',
    { dim: { key: 'team', value: '"a", ü\\ %_ \u2028 {"team":"a"}' } },
    [4],
  ],
  ['a value that is part of another', { dim: { key: 'team', value: '"a"' } }, []],
  ['a dimension that cannot be one', { dim: { key: 'team" || "', value: 'a' } }, []],
  ['an HTTP status', { httpStatus: '429' }, [2]],
  ['a class of HTTP statuses', { httpStatus: '4xx' }, [3, 2]],
  ['several HTTP statuses', { httpStatus: ['2xx', '403'] }, [3, 1]],
  ["Weir's own code", { errorCode: 'model_not_allowed' }, [3]],
  ["a code of the provider's", { errorCode: 'slow_down' }, [2]],
  ['codes of both', { errorCode: ['slow_down', 'model_not_allowed', 'x'] }, [3, 2]],
  ['a code in another case', { errorCode: 'SLOW_DOWN' }, []],
  ['how long they took at least', { durationMinMs: 60_000 }, [1]],
  ['how long they took at most', { durationMaxMs: 999 }, [3]],
  ['no time, while the clock was set back', { durationMinMs: 0, durationMaxMs: 0 }, [3]],
  ['a stream', { streamed: true }, [1]],
  ['no stream', { streamed: false, keyId: 'svc_k_two' }, [4, 2]],
  ['the id of a generation', { id: 'gen_1' }, [1]],
  ['an id that nothing has', { id: 'gen_' }, []],
  ['several keys', { keyId: ['svc_k_one', 'svc_k_none'] }, [1, 0]],
  ['several models', { model: ['*MINI', 'claude*'] }, [4, 2, 1]],
  ['several statuses', { status: ['aborted', 'denied'] }, [3, 2]],
  ['several values of a dimension', { dim: { key: 'team', value: ['a', 'b'] } }, [2, 0]],
  ['all of it at once', { keyId: 'svc_k_two', dim: { key: 'team', value: 'b' }, model: 'c*' }, [2]],
  ['nothing that goes together', { keyId: 'svc_k_two', provider: 'south' }, []],
]
