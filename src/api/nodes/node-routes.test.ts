import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openApi } from '../../../test/fakes/open-api.ts'
import { createKnownNode, STORED_JOURNAL } from '../../../test/nodes/known-nodes.ts'
import type { KnownNode } from '../../store/nodes/node-store.ts'
import { nodeListSchema } from '../contract.ts'
import type { ErrorBody, ForgottenNode } from '../contract.ts'

const NOON = Date.UTC(2026, 9, 20, 12)
const UNSTORED = { ...STORED_JOURNAL, lagBytes: 2048, unread: 3, pending: 3 }

function createNode(changes: Partial<KnownNode>): KnownNode {
  return createKnownNode({ startedAt: NOON - 60_000, seenAt: NOON - 1000, ...changes })
}

async function openNodes(t: TestContext, nodes: readonly KnownNode[]) {
  const forgotten: unknown[] = []
  const list = async () => ({ at: NOON, nodes })
  const forget = async (id: string, losesCalls: boolean) => forgotten.push([id, losesCalls]) > 0
  const api = await openApi(NOON, () => ({ nodes: { list, forget } }))
  t.after(() => api.close())
  const authorization = await api.authorize('admin')
  const ask = async (id: string, body?: object) => {
    const response = await fetch(`${api.url}/v1/nodes/${id}/forget`, {
      method: 'POST',
      headers: { authorization },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as ErrorBody & ForgottenNode
    return { status: response.status, answer }
  }
  return { api, authorization, ask, forgotten }
}

test('nodes are listed for administrators alone, with what is to be looked at', async (t) => {
  const proxy = createNode({ id: '11111111-aaaa', role: 'api', seenAt: NOON - 9000 })
  const { api, authorization } = await openNodes(t, [proxy])
  const response = await api.get('/v1/nodes', authorization)
  const { engine, rows, warnings } = nodeListSchema.parse(await response.json())
  assert.deepEqual([engine, warnings], ['postgresql', []])
  assert.deepEqual([rows[0]?.id, rows[0]?.silent_ms], ['11111111-aaaa', 9000])
  assert.match(rows[0]?.warnings.join() ?? '', /silent for 9 s/)
  const refused = await api.get('/v1/nodes', await api.authorize('read:usage'))
  assert.equal(refused.status, 403)
})

test('a node is forgotten once it is gone, and with unstored calls by force only', async (t) => {
  const running = createNode({ id: '11111111-aaaa' })
  const left = createNode({ id: '22222222-bbbb', state: 'left', journal: UNSTORED })
  const { ask, forgotten } = await openNodes(t, [running, left])
  assert.match((await ask('11111111')).answer.error, /is running\. Run weir drain/)
  assert.match((await ask('22222222')).answer.error, /left 2\.0 KiB of its journal unstored, 3 /)
  assert.equal((await ask('2222')).status, 404)
  assert.deepEqual(forgotten, [])
  const { status, answer } = await ask('22222222', { force: true })
  assert.deepEqual([status, answer.id, answer.lost], [200, '22222222-bbbb', 3])
  assert.deepEqual(forgotten, [['22222222-bbbb', true]])
})

test('with SQLite there is one node, which is not listed', async (t) => {
  const api = await openApi(NOON)
  t.after(() => api.close())
  const response = await api.get('/v1/nodes', await api.authorize('admin'))
  assert.deepEqual(await response.json(), { engine: 'sqlite', rows: [], warnings: [] })
})
