import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { sortAll } from '../../../../test/contracts/request-order-contract.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { createPostgresPlaces, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { ALL_REQUESTS } from '../request-log.ts'
import type { RequestLog } from '../request-log.ts'
import { createRequests } from '../sql/log/requests.ts'
import { POSTGRES } from './dialect.ts'

const EXAMINED_MAX = 4
const LIMITS = { examinedMax: EXAMINED_MAX, scannedMax: 9 }
const HOUR_MS = 3_600_000
const WEEK_MS = 168 * HOUR_MS
const OLDER = 4
const createPlace = createPostgresPlaces(after)

/** Ten calls, the oldest of them the only one of its provider. */
function logTest(title: string, run: (log: RequestLog) => Promise<void>, older = 0): void {
  test(title, async () => {
    const place = await createPlace()
    const store = await place.open()
    const calls = Array.from({ length: 10 }, (_, at) =>
      createCall(NOON + at, { provider: at === 0 ? 'rare' : 'north' }),
    )
    // At the edges of a week before the newest day, and months before it.
    const days = [-6, -7, -8, -40].slice(0, older)
    const before = days.map((day) => createCall(NOON + 12 * HOUR_MS + day * 24 * HOUR_MS))
    await store.writeBatch(batchOf(...calls, ...before))
    await store.close()
    await withUsage(place.url, (database) => run(createRequests(database, POSTGRES, LIMITS)))
    await place.remove()
  })
}

logTest('a page looks at so many calls and says where it stopped', async (log) => {
  const counts: number[] = []
  let before: string | null = null
  do {
    const page = await log.list({ ...ALL_REQUESTS, provider: 'rare' }, { before, rowsMax: 2 })
    counts.push(page.records.length)
    before = page.next
  } while (before !== null)
  assert.deepEqual(counts, [0, 0, 1])
})

logTest('a page that fills up with the last call it may look at is not the end', async (log) => {
  const page = await log.list(ALL_REQUESTS, { before: null, rowsMax: EXAMINED_MAX })
  assert.equal(page.records.length, EXAMINED_MAX)
  assert.equal(page.next, page.records.at(-1)?.event.id)
})

logTest(
  'pages go on from the newest week into what was before',
  async (log) => {
    const ids: string[] = []
    let before: string | null = null
    do {
      const page = await log.list(
        { ...ALL_REQUESTS, toMs: NOON + 2 * WEEK_MS },
        { before, rowsMax: 3 },
      )
      ids.push(...page.records.map(({ event }) => event.id))
      before = page.next
    } while (before !== null)
    assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed())
    assert.equal(ids.length, 10 + OLDER)
  },
  OLDER,
)

logTest('a count looks at so many calls and says that there may be more', async (log) => {
  const some = { denied: 0, unpriced: 0, calls: 9, cost: 9000n, isComplete: false }
  assert.deepEqual(await log.summarize(ALL_REQUESTS), some)
  const whole = { ...ALL_REQUESTS, fromMs: NOON + 1 }
  assert.deepEqual(await log.summarize(whole), { ...some, isComplete: true })
})

logTest(
  'sorting too many calls is refused with the moment from which on it is not',
  async (log) => {
    const page = { order: { by: 'time', isAscending: true }, after: null, rowsMax: 3 } as const
    const refused = await log.listSorted(ALL_REQUESTS, page)
    // The ninth began one millisecond after NOON; ten minutes before the moment are read as well.
    assert.deepEqual(refused, { kind: 'too many', fromMs: NOON + 600_002, callsMax: 9 })
    const order = { by: 'cost', isAscending: false } as const
    assert.equal((await sortAll(log, { fromMs: NOON + 1 }, { order, rowsMax: 2 })).length, 9)
  },
)

logTest('a text that cannot be stored is looked for without a failure', async (log) => {
  const page = { before: null, rowsMax: 10 }
  for (const filter of [{ provider: 'a\0b' }, { model: '\ud800*' }, { keyId: ['"', '\\', '{}'] }]) {
    assert.deepEqual((await log.list({ ...ALL_REQUESTS, ...filter }, page)).records, [])
  }
})
