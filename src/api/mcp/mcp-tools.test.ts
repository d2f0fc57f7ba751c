import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { findDifferingPrice } from '../../../test/prices/differing-price.ts'
import { MCP_MODES, callTool, openMcpClient } from '../../../test/fakes/peers/mcp-client.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { createRequestId } from '../../core/ids.ts'
import { OPEN_KEY } from '../../resources/codecs.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'
import { toStoredPrice } from '../../pricing/tables/price-sheet.ts'
import { priceUse } from '../../pricing/tables/price.ts'
import {
  CATALOGUE,
  REQUESTS_PER_MINUTE_MAX,
  WINDOWS,
  analysisSchema,
  errorBodySchema,
  requestDetailSchema,
  usageEnvelopeSchema,
  usageParametersSchema,
} from '../contract.ts'
import type { ErrorBody } from '../contract.ts'
import { questionsSchema } from './mcp-questions.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const USD = 1_000_000_000_000n

// Last month's top team is neither this month's, nor the one with the most expensive call, nor that
// of another dimension.
const CALLS = [
  ['2026-02-03T00:00:00Z', { team: 'ads' }, 5n],
  ['2026-02-28T23:59:59.999Z', { team: 'ads' }, 4n],
  ['2026-02-10T00:00:00Z', { team: 'search', env: 'prod' }, 7n],
  ['2026-02-10T00:00:00Z', { env: 'prod' }, 50n],
  ['2026-03-01T00:00:00Z', { team: 'search' }, 100n],
  ['2026-01-31T23:59:59.999Z', { team: 'search' }, 100n],
] as const

const state = { now: NOW, fault: null as Error | null }

let api: OpenApi
const clients: Client[] = []

before(async () => {
  api = await openApi(NOW, ({ usage }) => ({
    clock: { now: () => state.now, monotonic: () => 0 },
    usage: {
      ...usage,
      sum: (question) => (state.fault === null ? usage.sum(question) : Promise.reject(state.fault)),
    },
  }))
  const records = CALLS.map(([time, dims, dollars]) =>
    createRecord({ endedAt: Date.parse(time), dims }, { amount: dollars * USD }),
  )
  await api.store.writeBatch(batchOf(...records))
})

after(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await api.close()
})

interface Agent {
  readonly client: Client
  readonly authorization: string
}

async function openAgent(
  scopes: readonly TokenScope[],
  mode: (typeof MCP_MODES)[number] = 'legacy',
): Promise<Agent> {
  const authorization = await api.authorize(...scopes)
  const client = await openMcpClient({ url: api.url, authorization, mode })
  clients.push(client)
  return { client, authorization }
}

async function refusal(
  agent: Agent,
  tool: string,
  given: Record<string, unknown>,
): Promise<ErrorBody> {
  const { isError, text, structured } = await callTool(agent.client, tool, given)
  assert.deepEqual([isError, structured], [true, undefined], text)
  return errorBodySchema.parse(JSON.parse(text))
}

async function get(agent: Agent, given: Record<string, unknown>): Promise<unknown> {
  const search = new URLSearchParams(
    Object.entries(given).map(([name, value]) => [name, String(value)]),
  )
  return (await api.get(`/v1/usage?${search.toString()}`, agent.authorization)).json()
}

for (const mode of MCP_MODES) {
  const name = typeof mode === 'string' ? mode : mode.pin

  test(`an agent that has never seen Weir finds last month's top team (${name})`, async () => {
    const { client } = await openAgent(['read:usage'], mode)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint]),
      [
        ['list_usage_questions', true],
        ['query_usage', true],
        ['analyze_usage', true],
        ['list_dimensions', true],
        ['list_requests', true],
        ['explain_request', true],
        ['list_budgets', true],
        ['list_agent_sessions', true],
        ['list_teams', true],
      ],
    )
    for (const tool of tools) assert.ok(tool.outputSchema !== undefined, tool.name)
    const asks = tools.find((tool) => tool.name === 'query_usage')
    assert.deepEqual(
      Object.keys(asks?.inputSchema.properties ?? {}),
      Object.keys(usageParametersSchema.shape),
    )

    const list = await callTool(client, 'list_usage_questions')
    const { questions } = questionsSchema.parse(list.structured)
    const byTeam = questions.find((each) => each.example['dim_key'] === 'team')
    const listed = await callTool(client, 'query_usage', { ...byTeam?.example, limit: 1 })
    const { rows } = usageEnvelopeSchema.parse(listed.structured)
    assert.deepEqual(
      rows.map((row) => [row.label, row.value]),
      [['ads', 9]],
    )
    assert.match(listed.text, /"ads": 9 USD/)

    // The words of the instructions alone lead there as well.
    const example = /metric (\w+), dimension (\w+), dim_key (\w+), window (\w+), month ([\d-]+)/
    const [, metric, dimension, dimKey, window, month] =
      example.exec(client.getInstructions() ?? '') ?? []
    const given = { metric, dimension, dim_key: dimKey, window, month, limit: 1 }
    const instructed = await callTool(client, 'query_usage', given)
    assert.deepEqual(instructed.structured, listed.structured)
  })
}

test('what can be asked is the whole catalogue, and every example is answered', async () => {
  const { client } = await openAgent(['read:usage', 'read:keys'])
  const { structured, text } = await callTool(client, 'list_usage_questions')
  const { questions, windows, parameters } = questionsSchema.parse(structured)
  assert.deepEqual(
    questions.map(({ metric, dimension, windows: served }) => ({
      metric,
      dimension,
      windows: served,
    })),
    CATALOGUE,
  )
  for (const { example, question, is_allowed: isAllowed } of questions) {
    const answer = await callTool(client, 'query_usage', example)
    assert.deepEqual([answer.isError, isAllowed], [false, true], answer.text)
    assert.ok(text.includes(question))
  }
  assert.deepEqual(
    windows.map(({ window, from, to }) => [window, from, to]),
    [
      ['month_to_date', '2026-03', '2026-03'],
      ['last_month', '2026-02', '2026-02'],
      ['today', '2026-03-15', '2026-03-15'],
      ['yesterday', '2026-03-14', '2026-03-14'],
      ['last_7_days', '2026-03-09', '2026-03-15'],
      ['last_30_days', '2026-02-14', '2026-03-15'],
      ['month', '2026-02', '2026-02'],
      ['monthly_series', '2025-04', '2026-03'],
    ],
  )
  assert.equal(windows.length, WINDOWS.length)
  assert.deepEqual(
    parameters.filter((each) => each.is_required).map((each) => each.name),
    ['metric', 'window'],
  )
})

test('a question that the token may not ask is listed as such', async () => {
  const { client } = await openAgent(['read:usage'])
  const { structured } = await callTool(client, 'list_usage_questions')
  const { questions } = questionsSchema.parse(structured)
  const refused = questions.filter((each) => !each.is_allowed)
  assert.deepEqual(
    refused.map((each) => each.dimension),
    ['api_key'],
  )
})

const QUESTIONS = [
  { metric: 'cost_usd', window: 'month_to_date' },
  { metric: 'requests', window: 'month_to_date' },
  { metric: 'cost_usd', window: 'month', month: '2026-02', dimension: 'dim', dim_key: 'env' },
  { metric: 'cost_usd', window: 'month_to_date', dimension: 'dim_model', dim_key: 'team' },
  { metric: 'cost_usd', window: 'monthly_series', months: 3, dimension: 'provider' },
  { metric: 'cost_usd', window: 'last_7_days', dimension: 'day' },
  { metric: 'cost_usd', window: 'month', month: '2026-02', api_key: 'svc_k_nobody' },
]

for (const [index, given] of QUESTIONS.entries()) {
  test(`the answer is that of GET /v1/usage, asOf too: ${JSON.stringify(given)}`, async (t) => {
    const agent = await openAgent(['read:usage'])
    // A day of its own, so that no other test has asked before; then a while passes.
    state.now = NOW + (index + 1) * 86_400_000
    t.after(() => (state.now = NOW))
    const { structured, text } = await callTool(agent.client, 'query_usage', given)
    const { asOf, rows } = usageEnvelopeSchema.parse(structured)
    assert.equal(asOf, new Date(state.now).toISOString())
    state.now += 30_000
    assert.deepEqual(await get(agent, given), structured)
    assert.equal(text.match(/^- /gm)?.length, rows.length, 'the text has every row')
  })
}

test('the text says where rows were cut, and what may be wrong when there is none', async () => {
  const { client } = await openAgent(['read:usage'])
  const byTeam = { metric: 'cost_usd', window: 'month', month: '2026-02', dimension: 'dim' }
  const cut = await callTool(client, 'query_usage', { ...byTeam, dim_key: 'team', limit: 1 })
  assert.match(cut.text, /limit 1: there may be more/)
  const whole = await callTool(client, 'query_usage', { ...byTeam, dim_key: 'team', limit: 3 })
  assert.doesNotMatch(whole.text, /there may be more/)
  const none = await callTool(client, 'query_usage', { ...byTeam, dim_key: 'taem' })
  assert.match(none.text, /carried a dimension "taem"/)
})

test('what is left out may be null, and a number may be a text', async () => {
  const { client } = await openAgent(['read:usage'])
  const plain = { metric: 'cost_usd', window: 'month_to_date', dimension: 'model', limit: 2 }
  const asked = await callTool(client, 'query_usage', plain)
  const nulls = { ...plain, limit: '2', month: null, months: null, dim_key: null, api_key: null }
  assert.deepEqual(await callTool(client, 'query_usage', nulls), asked)
  assert.equal(asked.isError, false)
})

const FEBRUARY = { from: '2026-02-01', to: '2026-03-01' }

test('an analysis is that of GET /v1/analysis, with every row and point in its text', async () => {
  const agent = await openAgent(['read:usage'])
  const given = {
    ...FEBRUARY,
    interval: 'week',
    group_by: ['dim:team', 'provider'],
    filter: ['dim:team!=', 'provider=north'],
    latency: true,
    compare: 'previous',
    limit: 5,
  }
  const { structured, text } = await callTool(agent.client, 'analyze_usage', given)
  const analysis = analysisSchema.parse(structured)
  // As CALLS has them: 5 and 4 of ads, 7 of search; before, 100 of search.
  assert.deepEqual(
    analysis.rows.map(({ group, cost_usd: cost }) => [group[0]?.value, cost]),
    [
      ['ads', 9],
      ['search', 7],
    ],
  )
  assert.deepEqual([analysis.total.cost_usd, analysis.previous?.total.cost_usd], [16, 100])
  const search = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(each)}`),
  )
  const response = await api.get(`/v1/analysis?${search.join('&')}`, agent.authorization)
  assert.deepEqual(await response.json(), structured)
  const { rows, series, previous } = analysis
  const before = previous === null ? 0 : previous.rows.length + previous.series.length
  const lines = rows.length + series.length + before
  assert.deepEqual([lines, text.match(/^- /gm)?.length], [7, 7])
  assert.match(
    text,
    /^- dim:team "ads", provider "north": cost_usd 9, .*requests 2,.* total_ms p50/m,
  )
  assert.match(text, /^- 2026-02-23T00:00:00.000Z \(in part\), dim:team "ads".*: cost_usd 4/m)
  assert.match(text, /^Before, from 2026-01-01T00:00:00.000Z .*: cost_usd 100/m)
})

test('an analysis names untagged calls, other groups and keys', async () => {
  const { client } = await openAgent(['read:usage', 'read:keys'])
  const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: 'build' })
  const month = '2025-07-03T00:00:00Z'
  const put = (dims: Record<string, string>, dollars: bigint) =>
    createRecord({ endedAt: Date.parse(month), keyId: key.id, dims }, { amount: dollars * USD })
  await api.store.writeBatch(
    batchOf(put({ team: 'a' }, 3n), put({ team: 'b' }, 2n), put({ team: 'c' }, 1n), put({}, 1n)),
  )
  const span = { from: '2025-07-01', to: '2025-08-01' }
  const teams = await callTool(client, 'analyze_usage', { ...span, group_by: 'dim:team', limit: 1 })
  assert.match(teams.text, /^- without dim:team: cost_usd 1,/m)
  assert.match(teams.text, /^- other dim:team: cost_usd 3,/m)
  assert.match(teams.text, /^Groups beyond limit, all in other: 2\.$/m)
  const keys = await callTool(client, 'analyze_usage', { ...span, group_by: 'api_key' })
  assert.ok(keys.text.includes(`- api_key "${key.id}" ("build"): cost_usd 7,`), keys.text)
  const none = await callTool(client, 'analyze_usage', { from: '2025-06-01', to: '2025-07-01' })
  assert.match(none.text, /^Total: nothing\.$/m)
})

const SECRET = `svc_agt_0123456789abcdef.${'s'.repeat(43)}`
const FAULTY: readonly Record<string, unknown>[] = [
  {},
  { metric: 'cost_usd' },
  { metric: 'money', window: 'today' },
  { metric: 'cost_usd', window: 'today', limit: 0 },
  { metric: 'cost_usd', window: 'today', limit: 1001 },
  { metric: 'cost_usd', window: 'today', limit: '05' },
  { metric: 'cost_usd', window: 'today', limit: 1.5 },
  { metric: 'cost_usd', window: 'today', limit: true },
  { metric: 'cost_usd', window: 'month' },
  { metric: 'cost_usd', window: 'month', month: '2026-04' },
  { metric: 'cost_usd', window: 'month', month: '2026-13' },
  { metric: 'cost_usd', window: 'month_to_date', dimension: 'dim' },
  { metric: 'cost_usd', window: 'today', dim_key: 'team' },
  { metric: 'cost_usd', window: 'today', team: 'search' },
  { metric: 'cost_usd', window: 'today', [SECRET]: '1' },
  { metric: 'cost_usd', window: 'today', api_key: SECRET },
  { metric: 'requests', window: 'today', api_key: 'svc_k_1' },
  { metric: 'cost_usd', window: 'last_month', dimension: 'dim', dim_key: 'team' },
  { metric: 'tokens', window: 'today' },
]

test('a faulty question is refused in the words and with the code of GET /v1/usage', async () => {
  const agent = await openAgent(['read:usage'])
  const codes = new Set<string>()
  for (const given of FAULTY) {
    const refused = await refusal(agent, 'query_usage', given)
    assert.deepEqual(refused, await get(agent, given), JSON.stringify(given))
    assert.ok(!refused.error.includes(SECRET))
    codes.add(refused.code)
  }
  assert.deepEqual(codes, new Set(['invalid_parameter', 'unknown_catalog_tuple']))
})

test('lists and objects are no parameters, but where one may be given several times', async () => {
  const agent = await openAgent(['read:usage'])
  for (const given of [{ interval: ['day'] }, { group_by: {} }, { filter: [['a=b']] }]) {
    assert.equal((await refusal(agent, 'analyze_usage', given)).code, 'invalid_parameter')
  }
  for (const metric of [['cost_usd'], { is: 'cost_usd' }, [], {}]) {
    const { code } = await refusal(agent, 'query_usage', { metric, window: 'today' })
    assert.equal(code, 'invalid_parameter')
  }
})

const SCOPED: readonly (readonly [TokenScope, string, Record<string, unknown>, TokenScope])[] = [
  ['read:requests', 'list_usage_questions', {}, 'read:usage'],
  ['read:requests', 'query_usage', { metric: 'cost_usd', window: 'today' }, 'read:usage'],
  [
    'read:usage',
    'query_usage',
    { metric: 'cost_usd', window: 'today', dimension: 'api_key' },
    'read:keys',
  ],
  ['read:requests', 'analyze_usage', {}, 'read:usage'],
  ['read:usage', 'analyze_usage', { group_by: ['api_key'] }, 'read:keys'],
  ['read:usage', 'explain_request', { request_id: createRequestId(NOW) }, 'read:requests'],
]

for (const [scope, tool, given, needed] of SCOPED) {
  test(`${tool} says to a token of ${scope} alone that it needs ${needed}, and how to get it`, async () => {
    const { error, code } = await refusal(await openAgent([scope]), tool, given)
    assert.equal(code, 'scope_denied')
    assert.ok(error.includes(`token with scope ${needed}.`), error)
    assert.match(error, /weir tokens create --name agent --scope/)
    const allowed = await openAgent([scope, needed])
    const { text } = await callTool(allowed.client, tool, given)
    assert.ok(!text.includes('scope_denied'), text)
  })
}

test('questions count with those of GET /v1/usage, and one too many learns when to ask again', async (t) => {
  t.after(() => (api.clock.monotonicMs = 0))
  const agent = await openAgent(['read:usage', 'read:requests'])
  const given = { metric: 'cost_usd', window: 'today' }
  // None of these counts.
  await agent.client.listTools()
  await callTool(agent.client, 'list_usage_questions')
  await refusal(agent, 'explain_request', { request_id: 'x' })
  for (let asked = 0; asked < REQUESTS_PER_MINUTE_MAX - 2; asked += 1) {
    assert.equal((await callTool(agent.client, 'query_usage', given)).isError, false)
  }
  // Those do: one by the other door, and one that is refused.
  await get(agent, given)
  await refusal(agent, 'analyze_usage', { interval: 'minute' })
  api.clock.monotonicMs = 17_500
  const { error, code } = await refusal(agent, 'query_usage', given)
  assert.equal(code, 'rate_limited')
  assert.match(error, /in 43 s\./)
  assert.deepEqual(await get(agent, given), { error, code })
  const other = await openAgent(['read:usage'])
  assert.equal((await callTool(other.client, 'query_usage', given)).isError, false)
  api.clock.monotonicMs += 43_000
  assert.equal((await callTool(agent.client, 'query_usage', given)).isError, false)
})

test('a request is explained as GET /v1/requests/{id} does, with units × rates = cost', async () => {
  const { event } = createRecord({
    id: createRequestId(NOW),
    provider: 'openai',
    model: 'gpt-4o-mini',
    tokens: createTokenCounts({ input: 1000, cacheRead: 400, output: 100 }),
    dims: { team: 'search' },
    startedAt: Date.parse('2025-12-01T00:00:00Z'),
    endedAt: Date.parse('2025-12-01T00:00:01Z'),
  })
  const { cost, entries } = priceUse(event, createPriceTables())
  await api.store.writeBatch({ ...batchOf({ event, cost }), prices: entries.map(toStoredPrice) })
  const agent = await openAgent(['read:requests'])
  const { structured, text } = await callTool(agent.client, 'explain_request', {
    request_id: event.id.toUpperCase(),
  })
  const answer = await api.get(`/v1/requests/${event.id}`, agent.authorization)
  assert.deepEqual(structured, await answer.json())
  requestDetailSchema.parse(structured)
  // List price: 0.15, 0.075 and 0.60 USD a million.
  for (const line of [
    '600 input × 0.00000015 USD = 0.00009 USD',
    '400 cache_read × 0.000000075 USD = 0.00003 USD',
    '100 output × 0.0000006 USD = 0.00006 USD',
    'Cost: 0.00018 USD.',
    'team="search"',
  ]) {
    assert.ok(text.includes(line), text)
  }
})

test('an agent reads both figures where the sources of a price differ', async () => {
  // Long ago, so that it is in no budget's period.
  const atMs = Date.parse('2025-12-01T00:00:00Z')
  const { provider, model, other, unit, listedUsd, otherUsd } = findDifferingPrice(atMs)
  const tokens = createTokenCounts({ input: 1000, output: 100 })
  const about = { provider, model, tokens, startedAt: atMs, endedAt: atMs }
  const { event } = createRecord({ id: createRequestId(NOW), ...about })
  const { cost, entries } = priceUse(event, createPriceTables())
  await api.store.writeBatch({ ...batchOf({ event, cost }), prices: entries.map(toStoredPrice) })
  const { client } = await openAgent(['read:requests'])
  const { text } = await callTool(client, 'explain_request', { request_id: event.id })
  assert.ok(text.includes(`Sources differ about ${JSON.stringify(model)}: ${other} has `), text)
  assert.ok(text.includes(` ${unit} ${otherUsd} (listed ${listedUsd})`), text)
})

test('a request that is not on record, or no id at all, is refused and not repeated', async () => {
  const agent = await openAgent(['read:requests'])
  for (const id of [createRequestId(NOW), 'x', '%00', SECRET.slice(0, 60)]) {
    const { error, code } = await refusal(agent, 'explain_request', { request_id: id })
    assert.equal(code, 'not_found')
    assert.ok(id === 'x' || !error.includes(id))
  }
  for (const given of [{}, { request_id: '' }, { request_id: 'x'.repeat(65) }, { id: 'x' }]) {
    const { error, code } = await refusal(agent, 'explain_request', given)
    assert.equal(code, 'invalid_parameter')
    assert.match(error, /request_id/)
  }
  const { code } = await refusal(await openAgent(['read:usage']), 'list_usage_questions', { a: 1 })
  assert.equal(code, 'invalid_parameter')
})

test('a fault of Weir is logged, and its text does not reach the agent', async (t) => {
  t.after(() => (state.fault = null))
  state.fault = new Error('the disk is on fire')
  const agent = await openAgent(['read:usage'])
  // No one has asked this before: it is not in memory.
  const given = { metric: 'cost_usd', window: 'month', month: '2024-01' }
  const { error, code } = await refusal(agent, 'query_usage', given)
  assert.equal(code, 'internal')
  assert.doesNotMatch(error, /fire/)
  assert.match(api.logged.at(-1) ?? '', /\/mcp query_usage.*the disk is on fire/)
})

test('budgets are listed as GET /v1/budgets lists them, and only to who may read usage', async () => {
  const budget = await api.settings.budgets.create({
    name: 'All <of> it',
    scope: { kind: 'global' },
    period: 'month',
    limit: 200n * USD,
    thresholds: [100],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: true,
  })
  const address = 'https://hooks.example.com/secret'
  await api.settings.targets.create({ kind: 'slack', address, budgetId: budget.id })
  const agent = await openAgent(['read:usage'])
  const { structured, text } = await callTool(agent.client, 'list_budgets')
  assert.deepEqual(structured, await (await api.get('/v1/budgets', agent.authorization)).json())
  assert.match(text, /"All <of> it" \(bud_\w+, "global"\): 100 of 200 USD \(50 %\) in the month/)
  assert.doesNotMatch(JSON.stringify(structured), /secret/)
  const stranger = await openAgent(['read:keys'])
  assert.equal((await refusal(stranger, 'list_budgets', {})).code, 'scope_denied')
  assert.equal((await refusal(agent, 'list_budgets', { x: 1 })).code, 'invalid_parameter')
})
