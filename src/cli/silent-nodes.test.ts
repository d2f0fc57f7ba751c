import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createCommandLine, runMain } from '../../test/fakes/command-line.ts'
import { openApi } from '../../test/fakes/open-api.ts'
import { openTestDatabase } from '../../test/fakes/postgres/test-database.ts'
import { createKnownNode, createNodeReport } from '../../test/nodes/known-nodes.ts'
import { TOKEN_SCOPES } from '../core/api-key.ts'
import type { KnownNode } from '../store/nodes/node-store.ts'
import { openNodeStore } from '../store/open-store.ts'
import { migrateStores } from '../store/databases.ts'

const REPORT = createNodeReport({})
const SEEN_AT = Date.parse('2026-03-15T11:58:20.000Z')
const COMMANDS = [
  ['usage'],
  ['usage', '--metric', 'cost_usd', '--window', 'month_to_date', '--csv'],
  ['analyze', '--json'],
  ['requests', '--json'],
  ['export', '--format', 'usage', '--month', '2026-01'],
  ['budgets', 'list'],
  ['keys', 'list'],
]

async function setSeenAt(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('UPDATE nodes SET seen_at = $1', [SEEN_AT])
  await client.end()
}

test('commands with figures name silent nodes on stderr, and print the same figures', async (t) => {
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
  const node = 'proxy-1 (since 2026-03-15T11:58:20.000Z)'
  const named = [...Array.from({ length: 10 }, () => node), 'and 2 more'].join(', ')
  const note = `Figures may miss calls of nodes that are silent: ${named}.`
  for (const [at, words] of COMMANDS.entries()) {
    const { code, out, err } = await weir(...words)
    assert.deepEqual([code, err], [0, note])
    assert.equal(out, before[at]?.out)
  }
})

test('a remote Weir has its silent nodes named on stderr, once a command', async (t) => {
  const now = Date.parse('2026-01-31T12:00:00.000Z')
  let nodes: readonly KnownNode[] = []
  const list = async () => ({ at: now, nodes })
  const api = await openApi(now, () => ({ nodes: { list, forget: async () => false } }))
  t.after(() => api.close())
  process.env['WEIR_TOKEN'] = (await api.authorize(...TOKEN_SCOPES)).replace('Bearer ', '')
  t.after(() => delete process.env['WEIR_TOKEN'])
  for (const words of COMMANDS) {
    const ask = () => runMain([...words, '--url', api.url], { nowMs: now })
    nodes = []
    api.clock.monotonicMs += 1000
    const before = await ask()
    assert.deepEqual([before.code, before.err], [0, ''], words.join(' '))
    nodes = [createKnownNode({ startedAt: now - 100_000, seenAt: now - 10_000 })]
    api.clock.monotonicMs += 1000
    const since = '2026-01-31T11:59:50.000Z'
    assert.deepEqual(await ask(), {
      ...before,
      err: `Figures may miss calls of nodes that are silent: proxy-1 (since ${since}).`,
    })
  }
})
