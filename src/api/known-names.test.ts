// What calls are booked to, wherever the API shows calls: names beside ids, and never the dimension
// that carries it.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCall } from '../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../test/contracts/usage-scene.ts'
import { openApi } from '../../test/fakes/open-api.ts'
import type { OpenApi } from '../../test/fakes/open-api.ts'
import { callTool, MCP_MODES, openMcpClient } from '../../test/fakes/peers/mcp-client.ts'
import { FACTS } from '../core/teams/team.ts'
import { OPEN_KEY, TEAM_CODEC } from '../resources/codecs.ts'
import {
  analysisSchema,
  budgetSchema,
  keyBudgetListSchema,
  overviewSchema,
  requestDetailSchema,
  requestPageSchema,
} from './contract.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const USD = 10n ** 12n
const GONE = 'user_00000000000000aa'

let api: OpenApi
let team: string
let person: string
let callId: string
let auditor: string
let reader: string

const SAID = {
  '@tool': 'codex',
  '@tool_version': '2',
  '@agent_kind': 'main',
  '@repository': 'acme/shop',
}

before(async () => {
  api = await openApi(NOW)
  const { teams, users } = api.settings
  team = (await teams.create({ ...TEAM_CODEC.defaults, name: 'Search, EU', slug: 'search' })).id
  const user = { email: 'ada@example.com', name: 'Ada', role: 'viewer' } as const
  person = (await users.create({ ...user, passwordHash: null, subject: null })).id
  const call = (dims: Record<string, string>, dollars: bigint) =>
    createCall(
      NOW - 9000 + Number(dollars) * 1000,
      { dims, keyId: 'svc_k_one' },
      { amount: dollars * USD },
    )
  const calls = [
    call({ '@team': team, '@person': person, ...SAID, team: 'free', env: 'prod' }, 1n),
    call({ '@team': team, '@person': GONE, env: 'prod' }, 2n),
    call({ team: 'free' }, 4n),
  ]
  callId = calls[0]?.event.id ?? ''
  await api.store.writeBatch(batchOf(...calls))
  auditor = await api.authorize('read:usage', 'read:requests', 'read:keys')
  reader = await api.authorize('read:usage', 'read:requests')
})
after(() => api.close())

async function read(path: string, authorization = auditor): Promise<string> {
  api.clock.monotonicMs += 60_000
  const response = await api.get(path, authorization)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return text
}

describe('no answer has the dimension of a fact:', () => {
  for (const path of [
    '/v1/overview',
    '/v1/overview?group_by=team',
    '/v1/overview?group_by=person',
    '/v1/analysis?group_by=team&group_by=person&interval=day&compare=previous',
    '/v1/overview?group_by=tool',
    '/v1/analysis?group_by=tool&group_by=tool_version',
    '/v1/analysis?group_by=agent_kind&group_by=repository&filter=tool=codex',
    '/v1/exports/analysis.csv?group_by=tool',
    '/v1/analysis?filter=team=',
    '/v1/exports/analysis.csv?group_by=team',
    '/v1/exports/analysis.csv?group_by=person&steps=true&interval=day',
    '/v1/requests',
    '/v1/requests?dim_key=env',
    '/v1/exports/requests.csv',
    '/v1/exports/requests.jsonl',
    '/v1/exports/usage.csv?month=2026-03',
    '/v1/exports/focus.csv?month=2026-03',
    '/v1/exports/focus.csv?month=2026-03&granularity=daily',
  ]) {
    test(path, async () => {
      const text = await read(path)
      for (const fact of Object.values(FACTS)) assert.ok(!text.includes(fact), text)
    })
  }
})

test('a row has the team and the person by id and by name, and one call the same', async () => {
  const { rows } = requestPageSchema.parse(JSON.parse(await read('/v1/requests')))
  const shown = rows.map((row) => [row.team_id, row.team, row.person_id, row.person, row.dims])
  assert.deepEqual(shown.toReversed(), [
    [team, 'Search, EU', person, 'ada@example.com', { team: 'free', env: 'prod' }],
    [team, 'Search, EU', GONE, GONE, { env: 'prod' }],
    [null, null, null, null, { team: 'free' }],
  ])
  const one = requestDetailSchema.parse(JSON.parse(await read(`/v1/requests/${callId}`)))
  assert.deepEqual([one.team, one.person], ['Search, EU', 'ada@example.com'])
})

test('who may not read keys is not told whose they are', async () => {
  const { rows } = requestPageSchema.parse(JSON.parse(await read('/v1/requests', reader)))
  assert.deepEqual([rows.at(-1)?.team, rows.at(-1)?.person], ['Search, EU', person])
  assert.ok(!(await read('/v1/exports/usage.csv?month=2026-03', reader)).includes('ada@'))
  for (const path of ['/v1/analysis?group_by=person', '/v1/overview?group_by=person']) {
    assert.equal((await api.get(path, reader)).status, 403, path)
  }
})

test('the log is filtered by team and person, beside a dimension', async () => {
  const count = async (search: string) =>
    requestPageSchema.parse(JSON.parse(await read(`/v1/requests?${search}`))).rows.length
  assert.equal(await count(`team=${team}`), 2)
  assert.equal(await count(`person=${person}&person=${GONE}`), 2)
  assert.equal(await count(`team=${team}&dim_key=team&dim_value=free`), 1)
  assert.equal(await count('team=team_00000000000000aa'), 0)
})

test('what a coding agent says of itself groups and filters as they do', async () => {
  const ask = async (search: string) =>
    analysisSchema.parse(JSON.parse(await read(`/v1/analysis?${search}`)))
  for (const [fact, value] of Object.entries(SAID)) {
    const field = fact.slice(1)
    const { rows } = await ask(`group_by=${field}`)
    const shown = rows.map(({ group: [group], requests }) => [group?.kind, group?.value, requests])
    assert.deepEqual(
      shown,
      [
        ['none', null, 2],
        ['value', value, 1],
      ],
      field,
    )
    assert.equal((await ask(`filter=${field}=${value}`)).total.requests, 1)
    const page = requestPageSchema.parse(JSON.parse(await read(`/v1/requests?${field}=${value}`)))
    assert.deepEqual(page.rows.length, 1)
  }
  const refused = await api.get('/v1/analysis?filter=session=s1', auditor)
  assert.match(await refused.text(), /takes no session: GET \/v1\/agent-sessions has the sums/)
})

test('an analysis groups and filters by them, with names beside ids', async () => {
  const ask = async (search: string) =>
    analysisSchema.parse(JSON.parse(await read(`/v1/analysis?${search}`)))
  const { rows, group_by: fields } = await ask('group_by=team&filter=dim:env!=dev')
  assert.deepEqual(fields, ['team'])
  assert.deepEqual(
    rows.map(({ group, cost_usd: cost }) => [group, cost]),
    [
      [[{ field: 'team', kind: 'none', value: null, name: null }], 4],
      [[{ field: 'team', kind: 'value', value: team, name: 'Search, EU' }], 3],
    ],
  )
  const people = await ask(`group_by=person&filter=team=${team}&search=ADA@`)
  assert.deepEqual(
    people.rows.map(({ group }) => group[0]),
    [
      { field: 'person', kind: 'value', value: person, name: 'ada@example.com' },
      { field: 'person', kind: 'other', value: null, name: null },
    ],
  )
  const csv = await read('/v1/exports/analysis.csv?group_by=team')
  assert.match(csv, /^team,team_name,cost_usd,/)
  assert.ok(csv.includes(`${team},"Search, EU",3,`), csv)
})

test('dimensions are those of callers, and the first page groups by a team', async () => {
  const overview = overviewSchema.parse(JSON.parse(await read('/v1/overview?group_by=team')))
  assert.deepEqual(overview.dim_keys, ['env', 'team'])
  assert.equal(overview.figures.dim_key, 'env')
  assert.deepEqual(
    overview.breakdown?.rows.map(({ group }) => group.name),
    [null, 'Search, EU'],
  )
})

test('nobody asks by the dimension of a fact', async () => {
  for (const path of [
    '/v1/usage?metric=cost_usd&window=month_to_date&dimension=dim&dim_key=@team',
    '/v1/overview?dim_key=@team',
    '/v1/requests?dim_key=@team',
    '/v1/requests?without_dim=@person',
    '/v1/analysis?group_by=dim:@team',
    '/v1/analysis?filter=dim:@team=x',
  ]) {
    assert.equal((await api.get(path, auditor)).status, 400, path)
  }
})

test('an agent is told the same', async (context) => {
  const client = await openMcpClient({
    url: api.url,
    authorization: auditor,
    mode: MCP_MODES[0],
  })
  context.after(() => client.close())
  const answers = [
    await callTool(client, 'list_dimensions'),
    await callTool(client, 'list_requests', { team }),
    await callTool(client, 'explain_request', { request_id: callId }),
    await callTool(client, 'analyze_usage', { group_by: ['team'] }),
  ]
  for (const { text, structured } of answers) {
    assert.doesNotMatch(text + JSON.stringify(structured), /@team|@person/)
  }
  assert.match(answers[0]?.text ?? '', /: env, team\.$/)
  for (const { text } of answers.slice(1)) assert.match(text, /Search, EU/)
  assert.match(answers[2]?.text ?? '', /Person: ada@example\.com/)
})

test('a budget of a team is made by its short name, and covers every call of its keys', async () => {
  const writer = await api.authorize('write:budgets', 'read:usage', 'read:keys')
  const send = async (scope: string) => {
    const body = { name: 'x', limit_usd: 10, period: 'month', scope }
    const response = await fetch(new URL('/v1/budgets', api.url), {
      method: 'POST',
      headers: { authorization: writer, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const made = await send('team=search')
  const budget = budgetSchema.parse(JSON.parse(made.text))
  assert.deepEqual([budget.scope, budget.scope_name], [`team=${team}`, 'Search, EU'])
  assert.equal(budget.spent_usd, 3)
  const own = budgetSchema.parse(JSON.parse((await send('person=Ada@example.com')).text))
  assert.deepEqual([own.scope, own.scope_name], [`person=${person}`, 'ada@example.com'])
  assert.equal(own.spent_usd, 1)
  for (const [scope, words] of [
    ['team=ads', /scope is of no team that is there/],
    ['person=bob@example.com', /scope is of no user that is there/],
    [`dim:@team=${team}`, /scope is wrong/],
  ] as const) {
    const { status, text } = await send(scope)
    assert.equal(status, 400)
    assert.match(text, words)
  }
  const { key } = await api.settings.keys.create({ ...OPEN_KEY, name: 'k', teamId: team })
  const { rows } = keyBudgetListSchema.parse(JSON.parse(await read(`/v1/keys/${key.id}/budgets`)))
  assert.deepEqual(
    rows.map(({ id, covers }) => [id, covers]),
    [[budget.id, 'all']],
  )
  const hidden = await read(`/v1/budgets/${own.id}`, await api.authorize('read:usage'))
  assert.ok(!hidden.includes('ada@') && hidden.includes('"person=…"'), hidden)
})
