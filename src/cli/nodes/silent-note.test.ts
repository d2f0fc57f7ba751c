import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import type { NodeReport } from '../../store/nodes/node-store.ts'
import { migrateStores, openNodeStore } from '../../store/open-store.ts'

const REPORT: NodeReport = {
  id: 'a',
  host: 'proxy-1',
  role: 'proxy',
  state: 'running',
  version: '1',
  uptimeMs: 1,
  configHash: 'a',
  clockOffsetMs: 0,
  journal: null,
}
const SEEN_AT = Date.parse('2026-03-15T11:58:20.000Z')
const COMMANDS = [
  ['usage'],
  ['usage', '--metric', 'cost_usd', '--window', 'month_to_date', '--csv'],
  ['analyze', '--json'],
]

async function setSeenAt(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('UPDATE nodes SET seen_at = $1', [SEEN_AT])
  await client.end()
}

test('usage and analyze name silent nodes on stderr, and print the same figures', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const settings = `settings: { url: ${JSON.stringify(url)} }`
  const { weir } = createCommandLine(t, { hasData: false, settings })
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  await nodes.beat(REPORT)
  const before = []
  for (const words of COMMANDS) before.push(await weir(...words))
  assert.deepEqual(
    before.map(({ code, err }) => [code, err]),
    COMMANDS.map(() => [0, '']),
  )
  for (let count = 0; count < 11; count += 1) await nodes.beat({ ...REPORT, id: `b${count}` })
  await setSeenAt(url)
  const note = 'Figures may miss calls of proxy-1, silent since 2026-03-15 11:58Z.'
  const more = 'Figures may miss calls of 2 more silent nodes: weir nodes'
  const notes = [...Array.from({ length: 10 }, () => note), more]
  for (const [at, words] of COMMANDS.entries()) {
    const { code, out, err } = await weir(...words)
    assert.deepEqual([code, err.trim().split('\n')], [0, notes])
    assert.equal(out, before[at]?.out)
  }
})
