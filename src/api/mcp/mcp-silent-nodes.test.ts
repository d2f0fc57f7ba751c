import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownNode } from '../../../test/nodes/known-nodes.ts'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { MCP_MODES, callTool, openMcpClient } from '../../../test/fakes/peers/mcp-client.ts'
import { TOKEN_SCOPES } from '../../core/api-key.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import type { KnownNode } from '../../store/nodes/node-store.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const SILENT = createKnownNode({ startedAt: NOON - 100_000, seenAt: NOON - SILENT_MS - 1 })
const NAMED = [{ host: 'proxy-1', since: '2026-03-15T11:59:54.999Z' }]
const TEXT =
  '\n\nThese figures may miss calls of nodes that are silent: proxy-1 (since 2026-03-15T11:59:54.999Z).'

const WITHOUT_FIGURES = ['list_usage_questions', 'list_teams']

for (const mode of MCP_MODES) {
  const title = mode === 'legacy' ? mode : mode.pin
  test(`${title}: every tool with figures names silent nodes, and only while there are some`, async (t) => {
    let nodes: readonly KnownNode[] = []
    const list = async () => ({ at: NOON, nodes })
    const api = await openApi(NOON, () => ({ nodes: { list, forget: async () => false } }))
    t.after(() => api.close())
    const record = createRecord({ startedAt: NOON - 2000, endedAt: NOON - 1000 })
    await api.store.writeBatch(batchOf(record))
    const authorization = await api.authorize(...TOKEN_SCOPES)
    const client = await openMcpClient({ url: api.url, authorization, mode })
    t.after(() => client.close())
    const figures: Readonly<Record<string, Record<string, unknown>>> = {
      query_usage: { metric: 'cost_usd', window: 'month_to_date' },
      analyze_usage: {},
      list_dimensions: {},
      list_requests: {},
      explain_request: { request_id: record.event.id },
      list_budgets: {},
      list_agent_sessions: {},
    }
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name).filter((name) => !WITHOUT_FIGURES.includes(name)),
      Object.keys(figures),
    )
    for (const [name, given] of Object.entries(figures)) {
      nodes = [{ ...SILENT, seenAt: NOON }]
      api.clock.monotonicMs += 1000
      const before = await callTool(client, name, given)
      assert.equal(before.isError, false, before.text)
      assert.ok(!Object.hasOwn(before.structured as object, 'silent_nodes'))
      nodes = [SILENT]
      api.clock.monotonicMs += 1000
      const named = await callTool(client, name, given)
      assert.deepEqual(named.structured, { ...(before.structured as object), silent_nodes: NAMED })
      assert.equal(named.text, before.text + TEXT)
    }
    for (const name of WITHOUT_FIGURES) {
      assert.doesNotMatch(JSON.stringify(await callTool(client, name)), /silent/)
    }
  })
}
