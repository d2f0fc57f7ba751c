import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCall } from '../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { callTool, MCP_MODES, openMcpClient } from '../../../test/fakes/peers/mcp-client.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import {
  agentSessionDetailSchema,
  agentSessionPageSchema,
  developerListSchema,
} from './session-contract.ts'
import { parseSessionId, toSessionId } from './session-query.ts'

const NOW = Date.parse('2026-03-19T12:00:00Z')
const MINUTE_MS = 60_000
const USD = 10n ** 12n
const [ONE, TWO] = ['svc_k_one', 'svc_k_two']
const PERSON = 'user_0123456789abcdef'

let api: OpenApi
let auditor: string

/** A call of a session, so many minutes after its beginning, three hours ago. */
function call(
  keyId: string,
  minute: number,
  { usd, agent, ...changes }: Partial<UsageEvent> & { readonly usd: bigint },
) {
  const at = NOW - 180 * MINUTE_MS + minute * MINUTE_MS
  const tokens = createTokenCounts({ input: 100, cacheRead: 80, output: 10 })
  return createCall(
    at,
    {
      keyId,
      endedAt: at + 1000,
      tokens,
      dims: {
        '@tool': 'claude-code',
        '@agent_kind': agent?.agent === undefined ? 'main' : 'subagent',
        ...(keyId === ONE && { '@person': PERSON }),
      },
      agent: { session: 's 1', toolVersion: '2.1.197', ...agent },
      ...changes,
    },
    { amount: usd * USD },
  )
}

before(async () => {
  api = await openApi(NOW)
  const calls = [
    call(ONE, 0, { usd: 1n }),
    call(ONE, 10, { usd: 2n, agent: { agent: 'a', parentAgent: 'none' } }),
    call(ONE, 20, { usd: 4n, agent: { agent: 'b', parentAgent: 'a' } }),
    call(ONE, 30, { usd: 8n, agent: { retry: 1 } }),
    call(ONE, 40, { usd: 16n, status: 'aborted' }),
    call(ONE, 50, { usd: 0n, status: 'denied', tokens: null }),
    // Of the same name, and no part of it.
    call(TWO, 5, { usd: 100n }),
    call(TWO, 6, { usd: 1n, agent: { session: 's2' } }),
    call(TWO, 7, { usd: 1n, agent: { session: 's3' } }),
    createCall(NOW, { keyId: TWO }),
  ]
  await api.store.writeBatch(batchOf(...calls))
  auditor = await api.authorize('read:usage', 'read:requests', 'read:keys')
})
after(() => api.close())

async function read(path: string): Promise<unknown> {
  api.clock.monotonicMs += 60_000
  const response = await api.get(path, auditor)
  assert.equal(response.status, 200, await response.clone().text())
  return response.json()
}

async function list(search = '') {
  return agentSessionPageSchema.parse(await read(`/v1/agent-sessions?${search}`))
}

test('a session has the sums of its calls, and belongs to its key', async () => {
  const { rows, sessions, total } = await list()
  assert.deepEqual(
    rows.map((row) => [row.api_key, row.session, row.cost_usd, row.requests]),
    [
      [TWO, 's 1', '100', 1],
      [ONE, 's 1', '31', 5],
      [TWO, 's2', '1', 1],
      [TWO, 's3', '1', 1],
    ],
  )
  assert.deepEqual([sessions, total.cost_usd, total.requests], [4, '133', 8])
  const one = rows[1] ?? assert.fail()
  assert.deepEqual([one.person_id, one.tool, one.tool_version], [PERSON, 'claude-code', '2.1.197'])
  assert.deepEqual(one.subagents, { requests: 2, cost_usd: '6' })
  assert.deepEqual(one.retries, { requests: 1, cost_usd: '8' })
  assert.deepEqual(one.aborted, { requests: 1, cost_usd: '16' })
  assert.deepEqual([one.failed.requests, one.denied], [0, 1])
  assert.equal(one.duration_ms, 50 * MINUTE_MS + 1000)
})

test('pages have every session once, in each order', async () => {
  for (const sort of ['cost', 'last', 'calls', 'duration']) {
    const all = (await list(`sort=${sort}`)).rows.map(({ id }) => id)
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      paged.push(...page.rows.map(({ id }) => id))
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, all, sort)
  }
  const { next_cursor: cursor } = await list('sort=cost&limit=1')
  const foreign = await api.get(`/v1/agent-sessions?sort=last&cursor=${cursor}`, auditor)
  assert.match(await foreign.text(), /belongs to another query/)
})

test('filters choose sessions, and a span those that ran in it', async () => {
  const count = async (search: string) => (await list(search)).sessions
  assert.equal(await count(`person=${PERSON}`), 1)
  assert.equal(await count(`api_key=${TWO}`), 3)
  assert.equal(await count('tool=codex'), 0)
  assert.equal(await count('from=2026-03-19T09:30:00Z'), 1)
  assert.equal(await count('to=2026-03-19T09:05:30Z'), 2)
  assert.equal(await count('to=2026-03-19'), 0)
  const refused = await api.get('/v1/agent-sessions?from=2026-03-02&to=2026-03-01', auditor)
  assert.match(await refused.text(), /to must be after from/)
})

test('one session has its calls, its agents and how its cost grew', async () => {
  const id = toSessionId({ keyId: ONE, session: 's 1' })
  const session = agentSessionDetailSchema.parse(await read(`/v1/agent-sessions/${id}?limit=2`))
  assert.equal(session.cost_usd, '31')
  assert.deepEqual(
    session.agents.map((each) => [each.agent, each.parent_agent, each.cost_usd, each.denied]),
    [
      [null, null, '25', 1],
      ['a', 'none', '2', 0],
      ['b', 'a', '4', 0],
    ],
  )
  assert.deepEqual(
    session.steps.map((step) => [step.cost_usd, step.cost_so_far_usd, step.cache_share]),
    [
      ['1', '1', 0.8],
      ['2', '3', 0.8],
      ['4', '7', 0.8],
      ['8', '15', 0.8],
      ['16', '31', 0.8],
    ],
  )
  assert.deepEqual(
    session.calls.map((row) => [row.cost_usd, row.session, row.agent]),
    [
      ['1', 's 1', null],
      ['2', 's 1', 'a'],
    ],
  )
  assert.equal(session.is_complete, true)
  for (const none of [toSessionId({ keyId: ONE, session: 's2' }), 'x', '%2F']) {
    assert.equal((await api.get(`/v1/agent-sessions/${none}`, auditor)).status, 404, none)
  }
})

test('a developer has what their sessions cost', async () => {
  const { rows } = developerListSchema.parse(await read('/v1/developers?from=2026-03-18'))
  assert.deepEqual(
    rows.map((row) => [row.person_id, row.tool, row.sessions, row.cost_usd]),
    [
      [null, 'claude-code', 3, '102'],
      [PERSON, 'claude-code', 1, '31'],
    ],
  )
  const [others = assert.fail()] = rows
  assert.deepEqual([others.session_cost_p50_usd, others.session_cost_p95_usd], ['1', '100'])
  assert.deepEqual(parseSessionId(others.largest_session), { keyId: TWO, session: 's 1' })
  assert.equal(others.sessions_per_day, 2)
})

test('an agent is told the same', async (context) => {
  api.clock.monotonicMs += 60_000
  const given = { url: api.url, authorization: auditor, mode: MCP_MODES[0] }
  const client = await openMcpClient(given)
  context.after(() => client.close())
  const { text } = await callTool(client, 'list_agent_sessions', { api_key: ONE })
  assert.match(text, /"s 1" of "claude-code": .*5 calls, 31 USD; 2 calls of subagents, 6 USD/)
})
