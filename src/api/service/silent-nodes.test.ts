import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createKnownNode, createNodeReport } from '../../../test/nodes/known-nodes.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { TOKEN_SCOPES } from '../../core/api-key.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import type { KnownNode } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'
import { API_ROUTES } from '../api-routes.ts'
import { journalStateSchema } from '../contract.ts'
import { FIGURE_PATHS, SILENT_NAMED_MAX } from './silent-nodes.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const NODE = createKnownNode({ startedAt: NOON - 100_000, seenAt: NOON - SILENT_MS - 1 })
const WELL: KnownNode = { ...NODE, seenAt: NOON - 1000 }
const NAMED = 'proxy-1 (since 2026-03-15T11:59:54.999Z)'

interface Scene extends OpenApi {
  readonly state: { nodes: readonly KnownNode[]; reads: number; isAway: boolean }
  readonly authorization: string
  readonly readHeader: (path: string) => Promise<string | null>
}

async function openScene(t: TestContext, nodes: readonly KnownNode[]): Promise<Scene> {
  const state: Scene['state'] = { nodes, reads: 0, isAway: false }
  const list = async () => {
    state.reads += 1
    if (state.isAway) throw new Error('the database is away')
    return { at: NOON, nodes: state.nodes }
  }
  const api = await openApi(NOON, () => ({ nodes: { list, forget: async () => false } }))
  t.after(() => api.close())
  const authorization = await api.authorize(...TOKEN_SCOPES)
  const readHeader = async (path: string): Promise<string | null> => {
    const response = await api.get(path, authorization)
    const body = await response.text()
    assert.equal(response.status, 200, body)
    return response.headers.get('weir-silent-nodes')
  }
  return { ...api, state, authorization, readHeader }
}

const FIGURES = [
  '/v1/usage?metric=cost_usd&window=month_to_date',
  '/v1/breakdown?metric=cost_usd&window=month_to_date',
  '/v1/analysis',
  '/v1/overview',
  '/v1/requests',
  '/v1/requests/summary',
  '/v1/exports/usage.csv?month=2026-03',
  '/v1/exports/requests.csv',
  '/v1/budgets',
  '/v1/incidents',
  '/v1/keys',
]

test('a silent node is named beside every figure, and beside nothing else', async (t) => {
  const { readHeader } = await openScene(t, [NODE])
  for (const path of FIGURES) assert.equal(await readHeader(path), NAMED, path)
  assert.equal(await readHeader('/v1/tokens'), null)
  assert.equal(await readHeader('/v1/info'), null)
})

test('the state of the journal has silent nodes as well, for the console', async (t) => {
  const scene = await openScene(t, [NODE, WELL])
  const answer = await scene.get('/v1/journal', scene.authorization)
  const state = journalStateSchema.parse(await answer.json())
  const since = '2026-03-15T11:59:54.999Z'
  assert.deepEqual(state.silent_nodes, [{ host: 'proxy-1', since }])
})

test('every path that is said to have figures is one of the API', () => {
  const paths = API_ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path)
  for (const path of FIGURE_PATHS) {
    assert.ok(
      paths.some((each) => each === path || each.startsWith(`${path}/`)),
      path,
    )
  }
})

test('nobody is named while every node that may have calls sends heartbeats, or left with all stored', async (t) => {
  const silentApi: KnownNode = { ...NODE, role: 'api' }
  const { readHeader } = await openScene(t, [WELL, silentApi, { ...NODE, state: 'left' }])
  assert.equal(await readHeader('/v1/budgets'), null)
})

test('who is refused learns nothing of the machines', async (t) => {
  const { url, state } = await openScene(t, [NODE])
  const response = await fetch(`${url}/v1/usage`)
  assert.deepEqual([response.status, response.headers.get('weir-silent-nodes')], [401, null])
  assert.equal(state.reads, 0)
})

test('the list is read once a second, however many ask', async (t) => {
  const { readHeader, state, clock } = await openScene(t, [NODE])
  await Promise.all(Array.from({ length: 10 }, () => readHeader('/v1/budgets')))
  state.nodes = [WELL]
  clock.monotonicMs += 999
  assert.equal(await readHeader('/v1/budgets'), NAMED)
  assert.equal(state.reads, 1)
  clock.monotonicMs += 1
  assert.equal(await readHeader('/v1/budgets'), null)
  assert.equal(state.reads, 2)
})

test('figures are answered while the list cannot be read, with what was known last', async (t) => {
  const { readHeader, state, clock } = await openScene(t, [NODE])
  state.isAway = true
  assert.equal(await readHeader('/v1/budgets'), null)
  state.isAway = false
  clock.monotonicMs += 1000
  assert.equal(await readHeader('/v1/budgets'), NAMED)
  state.isAway = true
  clock.monotonicMs += 1000
  assert.equal(await readHeader('/v1/budgets'), NAMED)
  assert.equal(state.reads, 3)
})

test('the header is short and plain, whatever the hosts are called', async (t) => {
  const odd = { ...NODE, host: `ö, (x)\r\n${'y'.repeat(300)}` }
  const { readHeader } = await openScene(t, [
    odd,
    ...Array.from({ length: SILENT_NAMED_MAX + 2 }, () => NODE),
  ])
  const texts = (await readHeader('/v1/budgets'))?.split(', ') ?? []
  assert.match(texts[0] ?? '', /^\?{4}x\?{3}y{92} \(since /)
  assert.deepEqual([texts.length, texts.at(-1)], [SILENT_NAMED_MAX + 1, 'and 3 more'])
})

test('on PostgreSQL, a node is named once its heartbeats have stopped', async (t) => {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const nodes = await openNodeStore({ url })
  t.after(() => nodes.close())
  await nodes.beat(createNodeReport({}))
  const { seenAt = 0 } = (await nodes.list()).nodes[0] ?? {}
  const later = { ms: 0 }
  const list = async () => {
    const { at, ...listed } = await nodes.list()
    return { ...listed, at: at + later.ms }
  }
  const api = await openApi(NOON, () => ({ nodes: { list, forget: async () => false } }))
  t.after(() => api.close())
  const authorization = await api.authorize('read:usage')
  const ask = async () => {
    const { headers } = await api.get('/v1/overview', authorization)
    return headers.get('weir-silent-nodes')
  }
  assert.equal(await ask(), null)
  later.ms = SILENT_MS + 1
  api.clock.monotonicMs += 1000
  assert.equal(await ask(), `proxy-1 (since ${new Date(seenAt).toISOString()})`)
})
