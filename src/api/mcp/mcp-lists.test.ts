import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { callTool, MCP_MODES, openMcpClient } from '../../../test/fakes/peers/mcp-client.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { errorBodySchema, requestPageSchema } from '../contract.ts'
import { dimensionsSchema } from './mcp-lists.ts'

const USD = 1_000_000_000_000n
const CALLS = [
  ['2026-02-28T23:59:59.999Z', { team: 'ads' }, 5n],
  ['2026-03-03T00:00:00Z', { team: 'ads' }, 4n],
  ['2026-02-10T00:00:00Z', { team: 'search', env: 'prod' }, 7n],
  ['2026-02-10T00:00:00Z', { env: 'prod' }, 50n],
  ['2026-03-01T00:00:00Z', { team: 'search' }, 100n],
] as const

async function openAgent(context: TestContext, scope: TokenScope) {
  const api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'))
  context.after(() => api.close())
  const records = CALLS.map(([time, dims, dollars]) =>
    createRecord({ endedAt: Date.parse(time), dims }, { amount: dollars * USD }),
  )
  await api.store.writeBatch(batchOf(...records))
  const authorization = await api.authorize(scope)
  const client = await openMcpClient({ url: api.url, authorization, mode: MCP_MODES[0] })
  context.after(() => client.close())
  return { api, authorization, client }
}

type Agent = Awaited<ReturnType<typeof openAgent>>

async function refusal({ client }: Agent, tool: string, given: Record<string, unknown>) {
  const { isError, text } = await callTool(client, tool, given)
  assert.equal(isError, true, text)
  return errorBodySchema.parse(JSON.parse(text))
}

test('dimensions are listed by use, and the values of one with their calls', async (context) => {
  const { client } = await openAgent(context, 'read:usage')
  const names = await callTool(client, 'list_dimensions')
  assert.deepEqual(names.structured, {
    from: '2026-02-01',
    dim_keys: ['team', 'env'],
    values: [],
    other_values: 0,
    untagged_requests: 0,
  })
  assert.equal(names.text, 'Dimensions of calls since 2026-02-01: team, env.')
  const teams = await callTool(client, 'list_dimensions', { dim_key: 'team' })
  assert.deepEqual(dimensionsSchema.parse(teams.structured), {
    from: '2026-02-01',
    dim_keys: ['team'],
    values: [
      { value: 'ads', requests: 2, cost_usd: 9 },
      { value: 'search', requests: 2, cost_usd: 107 },
    ],
    other_values: 0,
    untagged_requests: 1,
  })
  assert.match(teams.text, /"ads": 2 requests, 9 USD\n.*\nBeside them: 1 calls without team\.$/)
  const fault = await refusal(await openAgent(context, 'read:requests'), 'list_dimensions', {})
  assert.equal(fault.code, 'scope_denied')
})

test('calls are listed as GET /v1/requests lists them, page by page', async (context) => {
  const agent = await openAgent(context, 'read:requests')
  const given = { dim_key: 'team', sort: 'cost', limit: 2 }
  const listed = await callTool(agent.client, 'list_requests', given)
  const query = 'dim_key=team&sort=cost&limit=2'
  const page = await (await agent.api.get(`/v1/requests?${query}`, agent.authorization)).json()
  assert.deepEqual(listed.structured, page)
  const { rows, next_cursor: cursor } = requestPageSchema.parse(listed.structured)
  assert.equal(rows.length, 2)
  assert.ok(listed.text.includes(rows[0]?.id ?? '-') && listed.text.includes(cursor ?? '-'))
  const next = await callTool(agent.client, 'list_requests', { ...given, cursor })
  assert.equal(requestPageSchema.parse(next.structured).rows.length, 2)
  const fault = await refusal(agent, 'list_requests', { http_status: 'bad' })
  assert.deepEqual([fault.code, /4xx/.test(fault.error)], ['invalid_parameter', true])
  const denied = await refusal(await openAgent(context, 'read:usage'), 'list_requests', {})
  assert.equal(denied.code, 'scope_denied')
})
