import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import pg from 'pg'
import {
  listPostgresPrograms,
  openTestDatabase,
} from '../../../../test/fakes/postgres/test-database.ts'
import type { PostgresPrograms } from '../../../../test/fakes/postgres/test-database.ts'
import { systemClock } from '../../../core/clock.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { migratePostgres } from '../../postgres/migrate.ts'
import type { JournalReport, NodeReport, NodeStore } from '../node-store.ts'
import { NODES_SCHEMA } from './schema.ts'
import { openPostgresNodes } from './store.ts'

const JOURNAL: JournalReport = {
  lagBytes: 0,
  forwarded: 10,
  recorded: 2,
  pending: 1,
  unread: 0,
  dead: 3,
  lost: 4,
  caughtUpAt: 1_800_000_000_000,
  measuredAt: 1_800_000_000_001,
  refusal: { since: 1_800_000_000_002, reason: 'ENOSPC' },
  waiting: 2,
}

const REPORT: NodeReport = {
  id: 'a',
  host: 'one.example',
  role: 'proxy',
  state: 'running',
  version: '1.2.3',
  uptimeMs: 5000,
  configHash: 'abc',
  clockOffsetMs: -12,
  journal: JOURNAL,
  fault: 'The disk is full.',
  ledgerSilentMs: 12_000,
  run: 'run',
  place: 'place',
}

const DAY_MS = 86_400_000

interface Scene {
  readonly url: string
  readonly store: NodeStore
  readonly query: (text: string) => Promise<unknown[]>
}

async function openScene(context: TestContext, programs: PostgresPrograms): Promise<Scene> {
  const url = await openTestDatabase(context, programs)
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 7 })
  await migratePostgres(database, NODES_SCHEMA)
  await database.close()
  const store = await openPostgresNodes({ url })
  context.after(() => store.close())
  const query = async (text: string): Promise<unknown[]> => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  return { url, store, query }
}

for (const programs of listPostgresPrograms()) {
  describe(`nodes on ${programs.title}`, () => {
    test('a heartbeat is listed with its figures and the time of the database', async (context) => {
      const { store } = await openScene(context, programs)
      assert.deepEqual((await store.list()).nodes, [])
      await store.beat(REPORT)
      const { at, nodes } = await store.list()
      const { uptimeMs: _, ledgerSilentMs: __, run: ___, place: ____, ...expected } = REPORT
      const [{ startedAt, seenAt, ledgerSilentSince, ...node } = assert.fail()] = nodes
      assert.deepEqual(node, expected)
      assert.ok(at - seenAt >= 0 && at - seenAt < 60_000)
      // Each is of its own look at the database's clock, some microseconds apart, or more.
      assert.ok(Math.abs(seenAt - startedAt - 5000) < 4000)
      assert.ok(Math.abs(seenAt - (ledgerSilentSince ?? 0) - 12_000) < 4000)
    })

    test('a node that does not know its journals yet keeps what it said last', async (context) => {
      const { store } = await openScene(context, programs)
      await store.beat(REPORT)
      await store.beat({ ...REPORT, journal: null, state: 'draining' })
      const [node] = (await store.list()).nodes
      assert.deepEqual([node?.state, node?.journal], ['draining', JOURNAL])
    })

    const OLD: readonly (readonly [name: string, report: Partial<NodeReport>, stays: boolean])[] = [
      ['left with all stored', { state: 'left' }, false],
      ['left with bytes to store', { state: 'left', journal: { ...JOURNAL, lagBytes: 1 } }, true],
      ['left with calls to read', { state: 'left', journal: { ...JOURNAL, unread: 1 } }, true],
      ['a silent proxy', {}, true],
      ['a silent API', { role: 'api', journal: null }, false],
    ]
    test('after a day, only nodes that left nothing unstored are removed', async (context) => {
      const { store, query } = await openScene(context, programs)
      for (const [id, report] of OLD) await store.beat({ ...REPORT, ...report, id })
      assert.equal(await store.prune(), 0)
      await query(`UPDATE nodes SET seen_at = seen_at - ${DAY_MS + 1000}`)
      assert.equal(await store.prune(), 2)
      const kept = (await store.list()).nodes.map(({ id }) => id)
      const expected = OLD.filter(([, , stays]) => stays).map(([id]) => id)
      assert.deepEqual(kept.toSorted(), expected.toSorted())
    })

    test('a node is forgotten once', async (context) => {
      const { store } = await openScene(context, programs)
      await store.beat(REPORT)
      assert.equal(await store.forget('a', false), true)
      assert.equal(await store.forget('a', false), false)
      assert.equal(await store.forget('a', true), false)
    })

    test('a node that is forgotten with its calls stays as such until it comes back', async (context) => {
      const { store, query } = await openScene(context, programs)
      await store.beat(REPORT)
      assert.equal(await store.forget('a', true), true)
      await query(`UPDATE nodes SET seen_at = seen_at - ${DAY_MS + 1000}`)
      assert.equal(await store.prune(), 0)
      const read = async () =>
        (await store.list()).nodes.map(({ state, journal }) => [state, journal])
      assert.deepEqual(await read(), [['forgotten', JOURNAL]])
      assert.equal(await store.beat({ ...REPORT, run: 'next', place: 'elsewhere' }), true)
      assert.deepEqual(await read(), [['running', JOURNAL]])
    })

    test('an id belongs to one run, until it left, is followed in its place, or is silent for ten seconds', async (context) => {
      const { store, query } = await openScene(context, programs)
      const beat = (run: string, place: string, state: NodeReport['state'] = 'running') =>
        store.beat({ ...REPORT, run, place, state })
      assert.equal(await beat('first', 'here'), true)
      assert.equal(await beat('first', 'here'), true)
      assert.equal(await beat('copy', 'there'), false)
      assert.equal(await beat('second', 'here'), true)
      await query('UPDATE nodes SET seen_at = seen_at - 9000')
      assert.equal(await beat('copy', 'there'), false)
      await query('UPDATE nodes SET seen_at = seen_at - 1001')
      assert.equal(await beat('copy', 'there'), true)
      // The one before notices at its next heartbeat.
      assert.equal(await beat('second', 'here'), false)
      assert.equal(await beat('copy', 'there', 'left'), true)
      assert.equal(await beat('second', 'here'), true)
      // As an older program leaves it.
      await query('UPDATE nodes SET run = NULL, place = NULL')
      assert.equal(await beat('copy', 'there'), true)
    })

    test('of several that want a lease at once, one gets it until it is over', async (context) => {
      const { store, query } = await openScene(context, programs)
      const take = (owner: string) => store.takeLease({ name: 'leader', owner, lastsMs: 60_000 })
      const owners = Array.from({ length: 8 }, (_, index) => `owner ${index}`)
      const taken = await Promise.all(owners.map(take))
      const first = owners[taken.indexOf(true)] ?? assert.fail()
      assert.equal(taken.filter(Boolean).length, 1)
      assert.equal(await take(first), true)
      await store.releaseLease({ name: 'leader', owner: 'nobody' })
      assert.equal(await take('other'), false)
      await query(`UPDATE leases SET until = until - 60000`)
      assert.equal(await take('other'), true)
      assert.equal(await take(first), false)
      await store.releaseLease({ name: 'leader', owner: 'other' })
      assert.equal(await take(first), true)
    })

    test('the offset of a clock against the database is measured', async (context) => {
      const { store } = await openScene(context, programs)
      const offsets: number[] = []
      // The best of some: a busy machine may hold up a question or its answer.
      while (offsets.length < 5) {
        offsets.push(await store.measureOffsetMs(() => systemClock.now() + 5000))
      }
      assert.ok(Math.min(...offsets.map((ms) => Math.abs(ms - 5000))) < 500, offsets.join())
    })
  })
}
