import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNodeReport, STORED_JOURNAL } from '../../../test/nodes/known-nodes.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { systemClock } from '../../core/clock.ts'
import type { JournalReport, NodeRole } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'
import { openHeartbeat } from './heartbeat.ts'

const JOURNAL: JournalReport = { ...STORED_JOURNAL, caughtUpAt: null }

const LEAVING: readonly (readonly [NodeRole, last: JournalReport | null, state: string])[] = [
  ['proxy', JOURNAL, 'left'],
  ['proxy', { ...JOURNAL, lagBytes: 7, unread: 1 }, 'left'],
  // Its ledger was killed, say: its disk may have calls that nobody stored.
  ['proxy', null, 'draining'],
  ['api', null, 'left'],
]

test('a node has left once it is known what it left on its disk', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  for (const [index, [role, last, state]] of LEAVING.entries()) {
    let journal = role === 'api' ? null : JOURNAL
    const node = { id: `node ${index}`, role }
    const heartbeat = await openHeartbeat({
      url,
      node,
      clock: systemClock,
      configHash: () => 'a',
      claim: { run: 'run', place: 'place' },
      journal: async () => journal,
      isLeftKnown: () => journal !== null,
      health: () => ({ fault: null, ledgerSilentMs: 0 }),
      claimed: () => {},
      say: () => {},
    })
    heartbeat.setState('draining')
    journal = last
    await heartbeat.close()
    const found = (await nodes.list()).nodes.find(({ id }) => id === node.id)
    assert.deepEqual([found?.role, found?.state], [role, state])
  }
})

test('a node learns that another has its id, and when it has it again', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  const other = createNodeReport({ id: 'node', run: 'other', place: 'elsewhere' })
  await nodes.beat(other)
  const said: string[] = []
  const claims: boolean[] = []
  const heartbeat = await openHeartbeat({
    url,
    node: { id: 'node', role: 'proxy' },
    clock: { ...systemClock, now: () => systemClock.now() + 5_400_000 },
    configHash: () => 'a',
    claim: { run: 'run', place: 'place' },
    journal: async () => JOURNAL,
    isLeftKnown: () => true,
    health: () => ({ fault: null, ledgerSilentMs: 0 }),
    claimed: (isClaimed) => claims.push(isClaimed),
    say: (line) => said.push(line),
    everyMs: 5,
  })
  t.after(() => heartbeat.close())
  assert.match(
    heartbeat.claimFault() ?? '',
    /^Another node runs with the id of this one: calls go on/,
  )
  const [, seconds] =
    /^This machine's clock is (\d+\.\d) s ahead of the/.exec(heartbeat.clockWarning() ?? '') ?? []
  // The measurement is as exact as the machine is quick.
  assert.ok(Math.abs(Number(seconds) - 5400) < 60, `${seconds} s`)
  assert.deepEqual(said, [heartbeat.clockWarning(), heartbeat.claimFault()])
  await nodes.beat({ ...other, state: 'left' })
  while (claims.at(-1) !== true) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual([claims[0], heartbeat.claimFault()], [false, null])
})
