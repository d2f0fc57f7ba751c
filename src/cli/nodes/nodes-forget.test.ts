import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNodeReport, STORED_JOURNAL } from '../../../test/nodes/known-nodes.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import type { JournalReport } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'

const UNSTORED: JournalReport = {
  ...STORED_JOURNAL,
  lagBytes: 2048,
  unread: 3,
  recorded: 7,
  pending: 3,
}
const REPORT = createNodeReport({ id: '11111111-aaaa', state: 'left', journal: STORED_JOURNAL })

test('a node is forgotten once it has left, and with unstored calls by force only', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const settings = `settings: { url: ${JSON.stringify(url)} }`
  const { weir, json } = createCommandLine(t, { hasData: false, settings })
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  await nodes.beat({ ...REPORT, state: 'running' })
  await nodes.beat({ ...REPORT, id: '22222222-bbbb', journal: UNSTORED })
  const listed = async () =>
    (await json<{ nodes: { id: string }[] }>('nodes')).nodes.map(({ id }) => id)

  const running = await weir('nodes', 'forget', '11111111')
  assert.equal(running.code, 1)
  assert.match(running.err, /11111111-aaaa is running\.\nRun weir drain on its machine first\./)
  const unstored = await weir('nodes', 'forget', '22222222')
  assert.equal(unstored.code, 1)
  assert.match(
    unstored.err,
    /22222222-bbbb on proxy-1 left 2\.0 KiB of its journal unstored, 3 calls at least\.\nStart Weir/,
  )
  const unknown = await weir('nodes', 'forget', '2222')
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /There is no node 2222\./)
  assert.deepEqual(await listed(), ['11111111-aaaa', '22222222-bbbb'])

  await nodes.beat(REPORT)
  assert.match((await weir('nodes', 'forget', '11111111')).out, /no longer listed/)
  const forced = await json('nodes', 'forget', '22222222', '--force')
  assert.deepEqual(forced, { forgotten: '22222222-bbbb', unstored_bytes: 2048, lost: 3 })
  assert.deepEqual(await listed(), [])
})
