// Random teams, memberships, keys that move, and calls: whoever asks is answered exactly the calls
// of the rule, and figures that are their plain sums, whatever engine has the calls.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { SESSION_COOKIE } from '../../src/api/accounts/session-cookie.ts'
import { teamSpendSchema } from '../../src/api/contract.ts'
import type { UsageEnvelope } from '../../src/api/contract.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { TEAM_CODEC } from '../../src/resources/codecs.ts'
import { batchOf } from '../contracts/usage-scene.ts'
import type { UsageStoreLocation } from '../contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../fakes/clickhouse/usage-place.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { createPostgresPlaces } from '../fakes/postgres/usage-place.ts'
import { byForm } from '../long-form.ts'
import { CATALOGUE } from '../usage-api/catalogue.ts'
import { expectRows, sortByMonth } from '../usage-api/expected-usage.ts'
import { drawCall, drawPlainQuestion, sumPlainly, toSearch } from '../usage-api/plain-analysis.ts'
import type { PlainQuestion } from '../usage-api/plain-analysis.ts'

const NOW = Date.parse('2026-03-15T12:00:00Z')
const TEAMS = 4
const PEOPLE = 3
const KEYS = 4

/** Places in the lists of teams and people; null for nobody's. */
interface Owners {
  readonly team: number | null
  readonly person: number | null
}

type Step =
  | { readonly kind: 'move'; readonly key: number; readonly to: Owners }
  | { readonly kind: 'call'; readonly key: number; readonly call: UsageRecord }

const drawOwners: fc.Arbitrary<Owners> = fc.record({
  team: fc.option(fc.nat(TEAMS - 1)),
  person: fc.option(fc.nat(PEOPLE - 1)),
})

const key = fc.nat(KEYS - 1)

const drawCompany = fc.record({
  /** The second team and the third are of the first, or not. */
  isDepartment: fc.boolean(),
  /** Which teams show their members what they spend. */
  totals: fc.array(fc.boolean(), { minLength: TEAMS, maxLength: TEAMS }),
  roles: fc.array(
    fc.array(fc.constantFrom('lead', 'member', null), { minLength: TEAMS, maxLength: TEAMS }),
    { minLength: PEOPLE, maxLength: PEOPLE },
  ),
  keys: fc.array(drawOwners, { minLength: KEYS, maxLength: KEYS }),
  steps: fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('move'), key, to: drawOwners }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('call'), key, call: drawCall() }) },
    ) as fc.Arbitrary<Step>,
    { maxLength: 40 },
  ),
  questions: fc.array(drawPlainQuestion(), { minLength: 1, maxLength: 4 }),
})

type Company = typeof drawCompany extends fc.Arbitrary<infer Drawn> ? Drawn : never

const TITLE = 'everyone is answered the calls of the rule, and their plain sums'

test(TITLE, () =>
  checkCompanies(byForm(8, 25), async (company) => {
    const api = await openApi(NOW)
    try {
      await checkCompany(company, api)
    } finally {
      await api.close()
    }
  }),
)

test(`${TITLE}: PostgreSQL`, () => checkOn(createPostgresPlaces(after)))

test(`${TITLE}: ClickHouse`, { skip: NEEDS_CLICKHOUSE }, () =>
  checkOn(createClickhousePlaces(after)),
)

/** Calls are in a database, all else in files. */
function checkOn(createPlace: () => Promise<UsageStoreLocation>): Promise<void> {
  return checkCompanies(byForm(2, 12), async (company) => {
    const place = await createPlace()
    const store = await place.open()
    const { progress: ledgerProgress, usage } = store
    const api = await openApi(NOW, () => ({ usage, ledgerProgress }))
    try {
      await checkCompany(company, { ...api, store })
    } finally {
      await api.close()
      await store.close()
      await place.remove()
    }
  })
}

async function checkCompanies(
  numRuns: number,
  check: (company: Company) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(drawCompany, check), { numRuns, endOnFailure: true })
}

async function checkCompany(company: Company, api: OpenApi): Promise<void> {
  const { teamIds, userIds } = await found(api, company)
  const calls = record(company, teamIds, userIds)
  if (calls.length > 0) await api.store.writeBatch(batchOf(...calls))
  for (const [person, userId] of userIds.entries()) {
    const ask = await signIn(api, userId)
    const roles = company.roles[person] ?? []
    const leads = (team: number): boolean =>
      roles[team] === 'lead' ||
      (company.isDepartment && (team === 1 || team === 2) && roles[0] === 'lead')
    const led = new Set(teamIds.filter((_, team) => leads(team)))
    const visible = calls.filter(
      ({ event: { dims } }) => led.has(dims['@team'] ?? '') || dims['@person'] === userId,
    )
    if (roles.every((role) => role === null)) {
      assert.equal((await ask('/v1/requests')).status, 403)
      continue
    }
    await checkCalls(ask, visible)
    await checkUsage(ask, visible)
    for (const [team, teamId] of teamIds.entries()) {
      const isShown = roles[team] === 'member' && company.totals[team] === true
      const isKnown = led.has(teamId) || roles[team] === 'member'
      const status = led.has(teamId) || isShown ? 200 : isKnown ? 403 : 404
      const ofTeam = calls.filter(({ event: { dims } }) => dims['@team'] === teamId)
      await checkTotals(await ask(`/v1/teams/${teamId}/spend`), status, ofTeam)
    }
    for (const question of company.questions) await checkAnalysis(ask, visible, question)
  }
  const [teamId = ''] = teamIds
  const ask = await createToken(api, teamId)
  const visible = calls.filter(({ event: { dims } }) => dims['@team'] === teamId)
  await checkCalls(ask, visible)
  await checkUsage(ask, visible)
}

async function found({ settings }: OpenApi, { isDepartment, totals, roles }: Company) {
  const teamIds: string[] = []
  for (let team = 0; team < TEAMS; team += 1) {
    const parentId = isDepartment && (team === 1 || team === 2) ? (teamIds[0] ?? null) : null
    const made = TEAM_CODEC.fromNew({ name: `team ${team}`, slug: `team-${team}` })
    const membersSeeTotals = totals[team] ?? false
    teamIds.push((await settings.teams.create({ ...made, parentId, membersSeeTotals })).id)
  }
  const userIds: string[] = []
  for (const [person, ofTeams] of roles.entries()) {
    const who = { email: `${person}@example.com`, name: 'Ada', role: 'none' } as const
    const { id: userId } = await settings.users.create({
      ...who,
      passwordHash: null,
      subject: null,
    })
    userIds.push(userId)
    for (const [team, role] of ofTeams.entries()) {
      const teamId = teamIds[team] ?? ''
      if (role !== null) await settings.teams.join({ teamId, userId, role, source: 'hand' })
    }
  }
  return { teamIds, userIds }
}

/** Each with whose its key was at that moment. */
function record(
  { keys, steps }: Company,
  teamIds: readonly string[],
  userIds: readonly string[],
): UsageRecord[] {
  const owners = [...keys]
  const calls: UsageRecord[] = []
  for (const step of steps) {
    if (step.kind === 'move') {
      owners[step.key] = step.to
      continue
    }
    const { team = null, person = null } = owners[step.key] ?? {}
    const { event, cost } = step.call
    calls.push({
      cost,
      event: {
        ...event,
        id: createRequestId(event.startedAt),
        keyId: `svc_k_${step.key}`,
        dims: {
          ...event.dims,
          ...(team !== null && { '@team': teamIds[team] ?? '' }),
          ...(person !== null && { '@person': userIds[person] ?? '' }),
        },
      },
    })
  }
  return calls
}

type Ask = (path: string) => Promise<Response>

async function signIn(api: OpenApi, userId: string): Promise<Ask> {
  const asked = { userId, expiresAt: NOW + 86_400_000, agent: null, address: null }
  const { credential } = await api.settings.sessions.create(asked)
  return createAsk(api, { cookie: `${SESSION_COOKIE}=${credential}` })
}

/** Of a program that is limited to the team. */
async function createToken(api: OpenApi, teamId: string): Promise<Ask> {
  const scopes = ['read:usage', 'read:keys', 'read:requests'] as const
  const asked = { name: 'test', scopes, teamId, expiresAt: null }
  const { credential } = await api.settings.tokens.create(asked)
  return createAsk(api, { authorization: `Bearer ${credential}` })
}

function createAsk({ clock, url }: OpenApi, headers: Record<string, string>): Ask {
  return (path) => {
    // So many questions a minute are let pass.
    clock.monotonicMs += 1000
    return fetch(url + path, { headers })
  }
}

async function read<Answer>(ask: Ask, path: string): Promise<Answer> {
  const response = await ask(path)
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return JSON.parse(text) as Answer
}

async function checkCalls(ask: Ask, visible: readonly UsageRecord[]): Promise<void> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: { rows: { id: string }[]; next_cursor: string | null } = await read(
      ask,
      `/v1/requests?limit=7${more}`,
    )
    found.push(...page.rows.map(({ id }) => id))
    cursor = page.next_cursor
  }
  assert.deepEqual(found.toSorted(), visible.map(({ event }) => event.id).toSorted())
  const summary = await read<{ calls: number }>(ask, '/v1/requests/summary')
  assert.equal(summary.calls, visible.length)
}

async function checkUsage(ask: Ask, visible: readonly UsageRecord[]): Promise<void> {
  const calls = sortByMonth(visible)
  for (const { metric, dimension, windows } of CATALOGUE) {
    for (const window of windows) {
      const asked = {
        metric,
        window,
        ...(dimension !== undefined && { dimension }),
        ...(dimension?.startsWith('dim') === true && { dim_key: 'team' }),
        ...(window === 'month' && { month: '2026-02' }),
      }
      const search = new URLSearchParams({ ...asked, limit: '1000' })
      const path = `/v1/usage?${search.toString()}`
      const { rows } = await read<UsageEnvelope>(ask, path)
      assert.deepEqual(rows, expectRows(asked, calls, NOW), path)
    }
  }
}

/** By day and by month, as `/v1/usage` would have them if there were no other calls. */
async function checkTotals(
  answer: Response,
  status: number,
  ofTeam: readonly UsageRecord[],
): Promise<void> {
  const text = await answer.text()
  assert.equal(answer.status, status, text)
  if (status !== 200) return
  const { days, months } = teamSpendSchema.parse(JSON.parse(text))
  assert.ok(days !== null && months !== null)
  const calls = sortByMonth(ofTeam)
  const byDay = expectRows(
    { metric: 'cost_usd', window: 'last_30_days', dimension: 'day' },
    calls,
    NOW,
  )
  const countOn = (day: string): number =>
    [...calls.values()].flat().filter((call) => call.day === day).length
  assert.deepEqual(
    days.map(({ start, cost_usd: cost, requests }) => [start, cost, requests]),
    byDay.map(({ label, value }) => [label, value, countOn(label)]),
  )
  for (const metric of ['cost_usd', 'requests', 'tokens'] as const) {
    const plain: number[] = months.map(({ start }) => {
      return expectRows({ metric, window: 'month', month: start }, calls, NOW)[0]?.value ?? 0
    })
    assert.deepEqual(
      months.map((month) => month[metric]),
      plain,
      metric,
    )
  }
}

interface AnalysisBody {
  readonly rows: readonly { readonly requests: number }[]
  readonly total: {
    readonly cost_usd: number
    readonly requests: number
    readonly denials: number
    readonly tokens: number
  }
}

async function checkAnalysis(
  ask: Ask,
  visible: readonly UsageRecord[],
  question: PlainQuestion,
): Promise<void> {
  const { rows, total } = await read<AnalysisBody>(ask, `/v1/analysis?${toSearch(question)}`)
  const plain = sumPlainly(visible, question, []).get('[]')
  const { cost = 0, requests = 0, denials = 0, tokens = 0 } = plain ?? {}
  assert.deepEqual(
    [Math.round(total.cost_usd * 1e9), total.requests, total.denials, total.tokens],
    [cost, requests, denials, tokens],
  )
  assert.equal(
    rows.reduce((sum, row) => sum + row.requests, 0),
    requests,
  )
}
