// Teams in the real program: what a call is booked to, and where that is shown, when its key moves
// from one team to another; and budgets of a team and of each of its keys.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import {
  analysisSchema,
  budgetMemberListSchema,
  budgetSchema,
  requestDetailSchema,
  teamAdoptionSchema,
  usageEnvelopeSchema,
} from '../../../src/api/contract.ts'
import type { BudgetRow, RequestDetail, TeamAnswer } from '../../../src/api/contract.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { parseCsv } from '../../exports/parse-csv.ts'
import { untilKeyKnown } from '../../fakes/callers/until-key-known.ts'
import type { FakeCall } from '../../fakes/upstreams/upstream.ts'
import { openScene } from '../scene.ts'
import type { CallerKey, Scene } from '../scene.ts'

/** Only what hangs takes so long. */
const WAIT_MS_MAX = 120_000
const REFUSED_MS_MAX = 2000
const CALL_USD = 0.01

const closes: (() => Promise<void>)[] = []
let scene: Scene
let search: TeamAnswer
let ads: TeamAnswer
let token: string

before(async () => {
  scene = await openScene({ after: (close) => closes.push(close) }, { PROXY_WORKERS: '1' })
  const { json } = scene.commands
  search = await json('teams', 'create', '--name', 'Search of Rivers', '--slug', 'search')
  ads = await json('teams', 'create', '--name', 'Advertisements', '--slug', 'ads')
  const scopes = ['read:usage', 'read:requests', 'read:keys'].flatMap((one) => ['--scope', one])
  token = (await json<{ token: string }>('tokens', 'create', '--name', 'teams', ...scopes)).token
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function makeKey(...words: string[]): Promise<CallerKey> {
  const { commands, program } = scene
  const made = await commands.json<CallerKey>('keys', 'create', '--name', 'app', ...words)
  await untilKeyKnown(program.addresses.proxy, made.key)
  return made
}

interface Answer {
  readonly id: string
  readonly status: number
  readonly at: number
  readonly body: { readonly budget?: Readonly<Record<string, unknown>> }
}

async function call({ key }: CallerKey): Promise<Answer> {
  const { proxy } = scene.program.addresses
  const response = await fetch(`${proxy}/v1/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-api-key': key },
    body: JSON.stringify({
      model: 'acme/writer',
      messages: [{ role: 'user', content: 'Where are rivers measured?' }],
      metadata: { cost: String(CALL_USD) },
    }),
  })
  const body = (await response.json()) as Answer['body']
  const id = response.headers.get('x-svc-request-id') ?? ''
  return { id, status: response.status, at: systemClock.monotonic(), body }
}

async function get(path: string): Promise<Response> {
  const { api } = scene.program.addresses
  return fetch(api + path, { headers: { authorization: `Bearer ${token}` } })
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    if (systemClock.monotonic() > end) throw new Error(`${what}: not within ${WAIT_MS_MAX} ms`)
    await pause(20)
  }
}

/** The row of the log, once it is there. */
async function find({ id }: Answer): Promise<RequestDetail> {
  await scene.record(id)
  return requestDetailSchema.parse(await (await get(`/v1/requests/${id}`)).json())
}

const bookedTo = ({ team_id: id, team }: RequestDetail) => ({ id, team })

/** All that was sent, but for what is of the connection: the credentials are the test's. */
const sent = ({ method, url, rawHeaders, body }: FakeCall) =>
  [method, url, ...rawHeaders, body.toString()].join('\n')

// It counts all calls that there are: the first.
test('a call belongs to the team of its key at that moment, wherever it is shown', async () => {
  const { commands, upstream } = scene
  const key = await makeKey('--team', 'search')
  const [free, first] = [await call(scene.key), await call(key)]
  const [ofNobody, ofSearch] = upstream.calls.slice(-2).map(sent)
  assert.equal(ofSearch, ofNobody)
  assert.doesNotMatch(ofSearch ?? '', /team|search of rivers|@/i)
  const searchRow = { id: search.id, team: search.name }
  assert.deepEqual(bookedTo(await find(free)), { id: null, team: null })
  assert.deepEqual(bookedTo(await find(first)), searchRow)

  await commands.json('keys', 'update', key.id, '--team', 'ads')
  const calls = [first]
  let moved = await find(first)
  // A proxy knows of it a moment later.
  await until(async () => {
    const answer = await call(key)
    calls.push(answer)
    moved = await find(answer)
    return moved.team_id !== search.id
  }, 'a call of the other team')
  assert.deepEqual(bookedTo(moved), { id: ads.id, team: ads.name })
  assert.deepEqual(moved.dims, {})
  for (const answer of calls.slice(0, -1)) assert.deepEqual(bookedTo(await find(answer)), searchRow)

  const stayed = calls.length - 1
  const asked = await get('/v1/analysis?group_by=team&order_by=cost')
  const analysis = analysisSchema.parse(await asked.json())
  const costs = analysis.rows.map(({ group: [team], cost_usd }) => `${team?.name} ${cost_usd}`)
  const expected = [
    `${search.name} ${toUsd(stayed)}`,
    `${ads.name} ${toUsd(1)}`,
    `null ${toUsd(1)}`,
  ]
  assert.deepEqual(costs.toSorted(), expected.toSorted())
  await checkUsage(calls.length + 1)

  const month = moved.ended_at.slice(0, 7)
  const { rows } = parseCsv(await (await get(`/v1/exports/usage.csv?month=${month}`)).text())
  const teams = new Map(rows.map((row) => [row['id'], [row['team_id'], row['team']]]))
  assert.deepEqual(teams.get(free.id), ['', ''])
  assert.deepEqual(teams.get(first.id), [search.id, search.name])
  assert.deepEqual(teams.get(moved.id), [ads.id, ads.name])
})

/** To the billionth, as the API rounds. */
function toUsd(calls: number): number {
  return Number((calls * CALL_USD).toFixed(9))
}

/** The catalogue of /v1/usage has no teams: its figures are those of all calls. */
async function checkUsage(calls: number): Promise<void> {
  await scene.untilValue('metric=cost_usd&window=today', toUsd(calls))
  const question = ['--metric', 'cost_usd', '--window', 'today']
  const { rows } = usageEnvelopeSchema.parse(await scene.commands.json('usage', ...question))
  assert.deepEqual(
    rows.map(({ label, value }) => [label, value]),
    [['total', toUsd(calls)]],
  )
  const tagged = await scene.usage(
    'metric=cost_usd&window=month_to_date&dimension=dim&dim_key=team',
  )
  assert.deepEqual(tagged.rows, [])
}

/** Calls until it is refused. */
async function callOn(key: CallerKey): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  await until(async () => {
    answers.push(await call(key))
    return answers.at(-1)?.status !== 200
  }, 'a refusal')
  return answers
}

function makeBudget(limitUsd: number, ...words: readonly string[]): Promise<BudgetRow> {
  const limit = ['--limit-usd', String(limitUsd), '--period', 'month', '--block']
  return scene.commands.json('budgets', 'create', '--name', 'few', ...limit, ...words)
}

/** The figures of running calls are the proxy's own. */
function untilCounted({ id }: BudgetRow): Promise<void> {
  return until(async () => {
    const budget = budgetSchema.parse(await (await get(`/v1/budgets/${id}`)).json())
    return budget.running_calls === 0
  }, 'the proxy counts by the budget')
}

test("a team's budget refuses the team's calls within two seconds, and nobody else's", async () => {
  const rivers = ['--name', 'Rivers', '--slug', 'rivers']
  const team = await scene.commands.json<TeamAnswer>('teams', 'create', ...rivers)
  const [one, other] = [await makeKey('--team', 'rivers'), await makeKey('--team', 'rivers')]
  const limitCalls = 5
  const budget = await makeBudget(limitCalls * CALL_USD, '--scope', 'team=rivers')
  await untilCounted(budget)
  assert.equal(budget.scope, `team=${team.id}`)
  const answers = await callOn(one)
  const refused = answers.at(-1) as Answer
  assert.equal(refused.status, 402)
  assert.equal(refused.body.budget?.['scope'], `team=${team.id}`)
  const crossing = answers[limitCalls - 1]
  assert.ok(refused.at < (crossing?.at ?? Infinity) + REFUSED_MS_MAX, 'it is refused in time')
  assert.equal((await call(other)).status, 402)
  assert.equal((await call(scene.key)).status, 200)
})

test('of the keys of a team that have a limit each, the one at its limit is refused', async () => {
  await scene.commands.json('teams', 'create', '--name', 'Lakes', '--slug', 'lakes')
  const [one, other] = [await makeKey('--team', 'lakes'), await makeKey('--team', 'lakes')]
  const limitCalls = 3
  const { id } = await makeBudget(limitCalls * CALL_USD, '--scope', 'team=lakes', '--each', 'key')
  const answers = await callOn(one)
  assert.equal(answers.at(-1)?.status, 402)
  assert.equal((await call(other)).status, 200)
  const passed = answers.length - 1
  const expected = [`${one.id} ${toUsd(passed)}`, `${other.id} ${toUsd(1)}`]
  await until(async () => {
    const page = await (await get(`/v1/budgets/${id}/members`)).json()
    const { rows } = budgetMemberListSchema.parse(page)
    return isDeepStrictEqual(
      rows.map((row) => `${row.id} ${row.spent_usd}`),
      expected,
    )
  }, 'what each has spent')
  assert.equal((await call(one)).status, 402)
})

// The last: its limit is of every team.
test('past calls come to teams beside running ones, and limits of each team have them', async () => {
  const { json, weir } = scene.commands
  const adopt = ['teams', 'adopt', '--dim', 'squad']
  const key = await makeKey('--lock-dim', 'squad=Tides')
  const past = [await call(key), await call(key), await call(key)]
  for (const answer of past) {
    assert.deepEqual(bookedTo(await find(answer)), { id: null, team: null })
  }
  const limitCalls = 50
  const { id } = await makeBudget(limitCalls * CALL_USD, '--scope', 'global', '--each', 'team')

  const trial = teamAdoptionSchema.parse(await json(...adopt, '--dry-run'))
  const done = teamAdoptionSchema.parse(await json(...adopt))
  assert.equal(trial.cost_usd, String(toUsd(past.length)))
  assert.deepEqual(
    [done.calls, done.cost_usd, done.months],
    [trial.calls, trial.cost_usd, trial.months],
  )
  const [team] = done.teams
  const tides = { id: team?.team_id ?? null, team: 'Tides' }
  for (const answer of past) assert.deepEqual(bookedTo(await find(answer)), tides)

  // A proxy knows of it a moment later; what it did not know is booked by another run.
  const later: Answer[] = []
  await until(async () => {
    const answer = await call(key)
    later.push(answer)
    return (await find(answer)).team_id === tides.id
  }, 'a call of the team')
  await json(...adopt)
  for (const answer of later) assert.deepEqual(bookedTo(await find(answer)), tides)
  assert.match((await weir(...adopt)).out, /There is nothing to do\.$/)

  const calls = past.length + later.length
  const asked = await get(`/v1/analysis?group_by=team&filter=team%3D${tides.id}`)
  const [row] = analysisSchema.parse(await asked.json()).rows
  assert.deepEqual([row?.requests, row?.cost_usd], [calls, toUsd(calls)])
  await until(async () => {
    const page = await (await get(`/v1/budgets/${id}/members`)).json()
    const { rows } = budgetMemberListSchema.parse(page)
    return rows.some((one) => one.id === tides.id && one.spent_usd === toUsd(calls))
  }, 'what the team has spent')
})
