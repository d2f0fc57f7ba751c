import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { createKnownNode, createNodeReport } from '../../../test/nodes/known-nodes.ts'
import type { CountedCalls } from '../../api/api-options.ts'
import type { Completeness } from '../../core/completeness.ts'
import type { NodeTally } from '../../store/ledger/ledger-progress.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import type { JournalReport, KnownNode } from '../../store/nodes/node-store.ts'
import { openPostgresLedger } from '../../store/ledger/postgres/store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'
import { readNodesCompleteness } from './node-completeness.ts'

const JOURNAL: JournalReport = {
  forwarded: 10,
  recorded: 5,
  pending: 2,
  dead: 2,
  lost: 1,
  lagBytes: 7,
  unread: 1,
  caughtUpAt: null,
  measuredAt: null,
  refusal: null,
  waiting: 0,
}

function toNode(
  id: string,
  journal: JournalReport | null,
  about: Partial<KnownNode> = {},
): KnownNode {
  const role = journal === null ? 'api' : 'proxy'
  return createKnownNode({ id, host: 'one.example', role, journal, ...about })
}

function read(
  nodes: readonly KnownNode[],
  tallies: readonly NodeTally[],
  at = 0,
): Promise<CountedCalls> {
  return readNodesCompleteness(
    { list: async () => ({ at, nodes }) },
    { readTallies: async () => tallies },
  )
}

function toFigures({ forwarded, recorded, pending, dead, lost }: Completeness): readonly number[] {
  assert.equal(forwarded, recorded + pending + dead + lost)
  return [forwarded, recorded, pending, dead, lost]
}

test('what nodes report and what nodes that are gone have stored add up', async () => {
  const nodes = [toNode('a', JOURNAL), toNode('b', JOURNAL), toNode('c', null)]
  const tallies = [
    { node: 'a', forwarded: 9, recorded: 5, dead: 2 },
    { node: 'gone', forwarded: 100, recorded: 98, dead: 1 },
  ]
  const sum = await read(nodes, tallies)
  assert.deepEqual(toFigures(sum), [120, 103, 11, 3, 3])
  assert.deepEqual(
    sum.nodes?.map((node) => [node.id, node.host, node.role, ...toFigures(node)]),
    [
      ['a', 'one.example', 'proxy', 10, 5, 2, 2, 1],
      // The store has nothing of it: what it says that it has stored is not on record.
      ['b', 'one.example', 'proxy', 10, 0, 9, 0, 1],
      ['gone', null, null, 100, 98, 0, 1, 1],
    ],
  )
})

const TALLIES: readonly (readonly [string, Omit<NodeTally, 'node'>, readonly number[]])[] = [
  ['stored all that was pending', { forwarded: 10, recorded: 7, dead: 2 }, [10, 7, 0, 2, 1]],
  ['stored calls it had not told of', { forwarded: 14, recorded: 9, dead: 2 }, [14, 9, 2, 2, 1]],
  ['found calls that were lost', { forwarded: 10, recorded: 8, dead: 2 }, [10, 8, 0, 2, 0]],
  ['put calls aside', { forwarded: 10, recorded: 5, dead: 3 }, [10, 5, 1, 3, 1]],
  ['replayed what was put aside', { forwarded: 10, recorded: 7, dead: 0 }, [10, 7, 2, 0, 1]],
]

for (const [what, tally, figures] of TALLIES) {
  test(`a node that ${what} after its last heartbeat counts with its tally`, async () => {
    const sum = await read([toNode('a', JOURNAL)], [{ node: 'a', ...tally }])
    assert.deepEqual(toFigures(sum), figures)
  })
}

test('a node that has not reported yet may still have on its disk what is not stored', async () => {
  const node = toNode('a', null, { role: 'proxy' })
  const sum = await read([node], [{ node: 'a', forwarded: 9, recorded: 5, dead: 1 }])
  assert.deepEqual(toFigures(sum), [9, 5, 3, 1, 0])
})

const STORED = { ...JOURNAL, lagBytes: 0, unread: 0 }
const SILENT: readonly (readonly [string, KnownNode, boolean])[] = [
  ['runs', toNode('a', STORED), true],
  ['drains', toNode('a', STORED, { state: 'draining' }), true],
  ['has not reported its journal', toNode('a', null, { role: 'all' }), true],
  ['left with all stored', toNode('a', STORED, { state: 'left' }), false],
  ['left with calls on its disk', toNode('a', JOURNAL, { state: 'left' }), true],
]

for (const [what, node, isSilent] of SILENT) {
  test(`a node that ${what} is ${isSilent ? '' : 'not '}silent after five seconds`, async () => {
    const ask = async (at: number) => (await read([node], [], at)).nodes?.map((one) => one.isSilent)
    assert.deepEqual(await ask(SILENT_MS), [false])
    assert.deepEqual(await ask(SILENT_MS + 1), [isSilent])
  })
}

test('a node whose ledger does not answer is silent, with every heartbeat', async () => {
  const node = toNode('a', STORED, { ledgerSilentSince: 5 })
  assert.deepEqual(
    (await read([node], [])).nodes?.map(({ isSilent }) => isSilent),
    [true],
  )
})

test('calls of a node that was forgotten with its disk are lost, and no longer pending', async () => {
  const node = toNode('a', JOURNAL, { state: 'forgotten' })
  const sum = await read([node], [{ node: 'a', forwarded: 9, recorded: 6, dead: 2 }], SILENT_MS * 2)
  assert.deepEqual(toFigures(sum), [10, 6, 0, 2, 2])
  assert.deepEqual(
    sum.nodes?.map(({ isSilent }) => isSilent),
    [false],
  )
})

test('what was counted holds for the oldest count of a node that answers', async () => {
  const at = 100_000
  const counted = (id: string, measuredAt: number | null, about: Partial<KnownNode> = {}) =>
    toNode(id, { ...STORED, measuredAt }, { seenAt: at - 500, ...about })
  const nodes = [
    counted('a', at - 700),
    counted('b', at - 800),
    // Of these nothing new comes, or nothing is known.
    counted('c', at - 9000, { state: 'left' }),
    counted('d', at - 9000, { seenAt: at - SILENT_MS - 1 }),
    toNode('e', null, { role: 'api', seenAt: at - 900 }),
  ]
  assert.equal((await read(nodes, [], at)).asOf, at - 800)
  assert.equal((await read([counted('a', null)], [], at)).asOf, at - 500)
  assert.equal((await read([], [], at)).asOf, at)
})

test('on PostgreSQL, a batch that a killed node stored last is recorded at once', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  const store = await openPostgresLedger({ url, owner: { node: 'a', journal: 'j' } })
  t.after(() => store.close())
  const said = { ...JOURNAL, forwarded: 3, recorded: 0, pending: 3, dead: 0, lost: 0 }
  await nodes.beat(createNodeReport({ journal: said }))
  const ask = async () => {
    const sum = await readNodesCompleteness(nodes, store.progress)
    return [toFigures(sum), sum.nodes?.map(toFigures)]
  }
  assert.deepEqual(await ask(), [[3, 0, 3, 0, 0], [[3, 0, 3, 0, 0]]])
  await store.writeBatch({ ...batchOf(createRecord(), createRecord()), forwarded: 2 })
  assert.deepEqual(await ask(), [[3, 2, 1, 0, 0], [[3, 2, 1, 0, 0]]])
  await nodes.forget('a', true)
  assert.deepEqual(await ask(), [[3, 2, 0, 0, 1], [[3, 2, 0, 0, 1]]])
  await nodes.forget('a', false)
  assert.deepEqual(await ask(), [[2, 2, 0, 0, 0], [[2, 2, 0, 0, 0]]])
})
