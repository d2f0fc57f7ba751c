import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STORED_JOURNAL } from '../../../test/nodes/known-nodes.ts'
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
      journal: () => journal,
      say: () => {},
    })
    heartbeat.setState('draining')
    journal = last
    await heartbeat.close()
    const found = (await nodes.list()).nodes.find(({ id }) => id === node.id)
    assert.deepEqual([found?.role, found?.state], [role, state])
  }
})
