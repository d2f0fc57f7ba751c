// Every declared route × everyone who asks × the own team's thing, another team's and nobody's. No
// cell names or changes what is not the caller's. A new route is in it by being declared.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { API_ROUTES } from '../../src/api/api-routes.ts'
import type { ApiRoute } from '../../src/api/define-route.ts'
import { ROLE_SCOPES } from '../../src/core/user.ts'
import { CALLERS, openSightScene, SCOPED } from './sight-scene.ts'
import type { Asked, CallerName, SightScene, Things } from './sight-scene.ts'

interface Probe {
  readonly query?: string
  readonly body?: unknown
}

/** What is asked of a route, with the ids of a thing; left out: nothing but its path. */
type Probes = (thing: Things, scene: SightScene) => readonly Probe[]

/** Nobody's things have none. */
const NO_TEAM = 'team_ffffffffffffffff'
const EVERY_GROUP = [
  'provider',
  'model',
  'api_key',
  'team',
  'person',
  'status',
  'dim:project',
  'dim:zz-other.tag',
]
const MONTH = 'window=month_to_date&metric=cost_usd'
const usage: Probes = ({ keys }) => [
  { query: MONTH },
  { query: 'metric=requests&window=today' },
  { query: 'metric=cost_usd&window=last_30_days&dimension=day' },
  { query: 'metric=cost_usd&window=monthly_series&dimension=provider' },
  ...['provider', 'model', 'api_key'].map((by) => ({ query: `${MONTH}&dimension=${by}` })),
  ...['dim', 'dim_model'].map((by) => ({ query: `${MONTH}&dimension=${by}&dim_key=project` })),
  { query: `${MONTH}&dimension=dim&dim_key=zz-other.tag` },
  { query: `${MONTH}&dimension=model&api_key=${keys}` },
]
const analysis: Probes = ({ keys, teams, users }) => [
  ...EVERY_GROUP.map((by) => ({ query: `group_by=${by}&compare=previous` })),
  { query: `filter=api_key%3D${keys}&group_by=model` },
  { query: `filter=team%3D${teams ?? NO_TEAM}&group_by=model` },
  { query: `filter=person%3D${users}&group_by=team` },
  { query: 'filter=model%3Dzz-other-model&interval=day&from=2026-03-01' },
  { query: 'filter=dim:project!%3Down-project&group_by=dim:project' },
]
const requests: Probes = ({ keys, teams, users, requests: call }) => [
  {},
  { query: 'sort=cost&from=2026-03-01' },
  { query: `api_key=${keys}` },
  { query: `id=${call}` },
  { query: `person=${users}` },
  { query: `team=${teams ?? NO_TEAM}` },
  { query: 'without_dim=own.tag' },
  { query: 'model=zz-*' },
  { query: 'dim_key=project&dim_value=zz-other-project' },
  { query: 'session=zz-other-session' },
  { query: 'repository=zz-other-repository&tool=codex' },
]
const sessions: Probes = ({ keys, teams, users }) => [
  { query: 'from=2026-01-01' },
  { query: `api_key=${keys}` },
  { query: `person=${users}&tool=codex` },
  { query: `team=${teams ?? NO_TEAM}` },
  { query: 'repository=zz-other-repository' },
]
/** No two have one name. */
let views = 0
const newKey = { name: 'new', budget: { limit_usd: 5 } }

const PROBES: Readonly<Record<string, Probes>> = {
  getUsage: usage,
  getBreakdown: usage,
  getAnalysis: analysis,
  exportAnalysis: (...asked) => analysis(...asked).map((each) => withoutCompare(each)),
  getOverview: () => [
    {},
    ...EVERY_GROUP.map((by) => ({ query: `group_by=${by}&dim_key=project` })),
  ],
  listRequests: requests,
  summarizeRequests: (...asked) => requests(...asked).filter(({ query }) => !isSorted(query)),
  exportRequests: (...asked) => requests(...asked).filter(({ query }) => !isSorted(query)),
  exportRequestLines: (...asked) => requests(...asked).filter(({ query }) => !isSorted(query)),
  listAgentSessions: (...asked) => [...sessions(...asked), { query: 'sort=last&limit=1' }],
  listDevelopers: sessions,
  exportUsage: () => [{ query: 'month=2026-03' }, { query: 'month=2026-02' }],
  exportFocus: () => [{ query: 'month=2026-03' }, { query: 'month=2026-03&granularity=daily' }],
  listKeys: ({ keys, teams, users }) => [
    {},
    { query: 'order=name' },
    { query: 'search=zz' },
    { query: `id=${keys}` },
    { query: `person=${users}` },
    { query: `team=${teams ?? NO_TEAM}` },
  ],
  createKey: ({ teams, users }, { memberId }) => [
    { body: { ...newKey, team_id: teams ?? null } },
    { body: { name: 'zz', team_id: teams ?? null, person_id: memberId } },
    { body: { name: 'theirs', team_id: teams ?? null, person_id: users } },
  ],
  changeKey: () => [
    { body: { note: 'changed' } },
    { body: { team_id: 'zz-other-team' } },
    { body: { team_id: null } },
  ],
  checkKey: ({ keys }) => [{ body: { key_id: keys, provider: 'openai', model: 'm' } }],
  listKeyModels: ({ keys }) => [{ body: { key_id: keys } }, { body: { search: 'zz' } }],
  createBudget: ({ keys, teams, users }) => [
    { body: toBudget(`api_key=${keys}`) },
    { body: toBudget(teams === undefined ? 'global' : `team=${teams}`) },
    { body: toBudget(`person=${users}`) },
    { body: toBudget('model=zz-other-model') },
    { body: toBudget('dim:project=zz-other-project') },
  ],
  changeBudget: ({ keys }) => [
    { body: { limit_usd: 7 } },
    { body: { scope: 'global' } },
    { body: { scope: `api_key=${keys}` } },
  ],
  addBudgetTarget: () => [{ body: { kind: 'email', address: 'new@alerts.example.com' } }],
  listAlerts: ({ budgets }) => [{}, { query: `budget=${budgets}` }, { query: 'limit=1' }],
  snoozeIncident: () => [{ body: { until: '2026-03-20T12:00:00Z' } }],
  listAudit: ({ keys, users }) => [
    {},
    { query: 'limit=2' },
    { query: `subject=${keys}` },
    { query: `actor=${users}` },
    { query: 'noun=team' },
  ],
  exportAudit: () => [{}],
  createView: () => [
    { body: { name: `view ${(views += 1)}`, page: 'explore', query: 'a=b', shared: true } },
  ],
  changeView: () => [{ body: { name: 'renamed' } }],
  getPriceHistory: () => [{ query: 'provider=openai&model=zz-other-model' }],
  listAsks: ({ teams }) => [{}, { query: `team=${teams ?? NO_TEAM}` }],
  createAsk: ({ keys, budgets, teams }) => [
    { body: { kind: 'budget', key_id: keys, budget_id: budgets, amount_usd: 5 } },
    { body: { kind: 'limit', team_id: teams ?? NO_TEAM, note: 'more' } },
  ],
  setTeamKeyBudget: () => [{ body: { limit_usd: 5 } }],
  listTeams: () => [{}, { query: 'search=zz' }],
  adoptTeams: () => [{ body: { dim: 'project', dry_run: true } }],
  addTeamMember: ({ users }) => [{ body: { user_id: users, role: 'lead' } }],
  removeTeamMember: ({ users }) => [{ body: { user_id: users } }],
}

function withoutCompare({ query = '' }: Probe): Probe {
  return { query: `${query}&steps=true` }
}

function isSorted(query = ''): boolean {
  return query.includes('sort=')
}

function toBudget(scope: string) {
  return { name: 'new', scope, period: 'month', limit_usd: 1, blocking: false }
}

/** The noun of the id in a route's path. */
function toId(path: string, thing: Things): string {
  const noun = path.split('/')[2] ?? ''
  // Of alerts, incidents alone are marked.
  return (noun === 'alerts' ? thing['incident'] : thing[noun]) ?? 'none_0123456789abcdef'
}

const UNKNOWN: Things = {
  keys: 'svc_k_0123456789abcdef',
  budgets: 'bud_0123456789abcdef',
  targets: 'tgt_0123456789abcdef',
  alerts: 'msg_0123456789abcdef0123456789abcdef',
  incident: 'msg_0123456789abcdef0123456789abcdef',
  requests: '01990000-0000-7000-8000-000000000000',
  'agent-sessions': 'c3ZjX2tfMDEyMzQ1Njc4OWFiY2RlZiBzMQ',
  views: 'view_0123456789abcdef',
  users: 'user_0123456789abcdef',
  teams: 'team_0123456789abcdef',
  asks: 'ask_0123456789abcdef',
}

/** These end what the other cells need: the last of all. */
const ENDS = /delete|remove|revoke|archive/i

const ROUTES = API_ROUTES.map((route) => ({ route, name: nameOf(route) })).toSorted(
  (one, other) => Number(ENDS.test(one.name)) - Number(ENDS.test(other.name)),
)

function nameOf(route: ApiRoute): string {
  return route.describe().operationId ?? ''
}

function listAsked(scene: SightScene, { route, name }: (typeof ROUTES)[number], thing: Things) {
  const path = route.path.replace(':id', toId(route.path, thing))
  const probes = PROBES[name]?.(thing, scene) ?? [{}]
  return probes.map(({ query, body }) => {
    const place = `${route.method} ${path}${query === undefined ? '' : `?${query}`}`
    return { place, body: body ?? (route.method === 'GET' ? undefined : {}) }
  })
}

type Cell = ReturnType<typeof listAsked>[number]

/** Many questions have no id in them: they are the same one, whatever thing they are about. */
function isSame(one: Cell, other: Cell | undefined): boolean {
  return one.place === other?.place && JSON.stringify(one.body) === JSON.stringify(other.body)
}

function checkSecrets(secrets: readonly string[], asked: string, answer: Asked): void {
  const { text, headers } = answer
  // What was asked with an id may say it again.
  const said = `${text}\n${headers}`
  for (const secret of secrets) {
    if (asked.includes(secret)) continue
    assert.ok(!said.includes(secret), `${asked} says ${secret}: ${said.slice(0, 2000)}`)
  }
  assert.doesNotMatch(headers, /weir-silent-nodes/i)
}

/** Without what differs by the moment, or is the id that was asked for. */
function toPlain({ status, text }: Asked, ...ids: readonly string[]): string {
  return ids.reduce((all, id) => all.replaceAll(id, 'ID'), `${status} ${text}`)
}

test('every route says whose things it is about', () => {
  for (const { route, name } of ROUTES) {
    assert.ok(['company', 'scoped', 'anyone'].includes(route.sight), name)
    // Nobody who is asked for a scope is anyone.
    const { 403: denied } = route.describe().responses
    if (route.sight === 'anyone') {
      assert.doesNotMatch(JSON.stringify(denied ?? {}), /lacks the scope/, name)
    }
  }
})

for (const caller of CALLERS.filter((each) => SCOPED.includes(each) || each === 'no token')) {
  describe(`of another team, and of nobody's, ${caller}`, () => {
    let scene: SightScene

    before(async () => {
      scene = await openSightScene()
    })

    after(() => scene.api.close())

    test('is named nothing, changes nothing, and is answered as if it were not there', async () => {
      const others = await scene.readOthers()
      for (const each of ROUTES) {
        const { route, name } = each
        if (route.sight === 'anyone' && route.method !== 'GET') continue
        const absent = listAsked(scene, each, UNKNOWN)
        const before = listAsked(scene, each, scene.other)
        for (const thing of [scene.other, scene.nobody]) {
          for (const [at, cell] of listAsked(scene, each, thing).entries()) {
            if (thing === scene.nobody && isSame(cell, before[at])) continue
            const { place, body } = cell
            const answer = await scene.ask(caller, place, body)
            checkSecrets(scene.secrets, `${place} ${JSON.stringify(body)}`, answer)
            checkRefusal(caller, each, answer)
            if (route.sight !== 'scoped' || name === 'createView') continue
            if (isOverGlobal(thing, name)) continue
            const like = absent[at]
            assert.ok(like !== undefined)
            if (isSame(cell, like)) continue
            const unknown = await scene.ask(caller, like.place, like.body)
            const ids = [...Object.values(thing), ...Object.values(UNKNOWN)]
            assert.equal(toPlain(answer, ...ids), toPlain(unknown, ...ids), `${name}: ${place}`)
          }
        }
      }
      assert.equal(await scene.readOthers(), others)
    })

    test('is named nothing of them by what is asked about the own', async () => {
      const others = await scene.readOthers()
      for (const each of ROUTES) {
        if (each.route.sight === 'anyone' && each.route.method !== 'GET') continue
        for (const { place, body } of listAsked(scene, each, scene.own)) {
          const answer = await scene.ask(caller, place, body)
          checkSecrets(scene.secrets, `${place} ${JSON.stringify(body)}`, answer)
          checkRefusal(caller, each, answer)
        }
      }
      assert.equal(await scene.readOthers(), others)
    })
  })
}

test('totals that a member sees name nobody, no key and no call of the team', async (t) => {
  const scene = await openSightScene({ showsTotals: true })
  t.after(() => scene.api.close())
  const { own } = scene
  const ofOthers = ['own-key', 'own-model', 'own-project', 'own.tag', 'moved-key']
  const secrets = [...scene.secrets, ...ofOthers, own['keys'] ?? '', own['requests'] ?? '']
  for (const each of ROUTES) {
    if (each.route.method !== 'GET' || each.route.sight === 'anyone') continue
    for (const { place } of listAsked(scene, each, own)) {
      // Whoever asked for more for a key knows it: in this scene the member did.
      const said = place.includes('/v1/asks') ? `${place} ${own['keys']}` : place
      checkSecrets(secrets, said, await scene.ask('member', place))
    }
  }
  const { status, text } = await scene.ask('member', `GET /v1/teams/${own['teams']}/spend`)
  assert.equal(status, 200)
  const { days, months, ...rest } = JSON.parse(text) as Record<string, unknown>
  assert.deepEqual(Object.keys(rest), ['asOf'])
  for (const totals of [days, months].flat() as object[]) {
    assert.deepEqual(Object.keys(totals), ['start', 'cost_usd', 'requests', 'tokens', 'unpriced'])
  }
})

/** A scope that nobody has to name a team or key for. */
function isOverGlobal(thing: Things, name: string): boolean {
  return thing['teams'] === undefined && (name === 'createBudget' || name === 'createKey')
}

function checkRefusal(
  caller: CallerName,
  { route, name }: (typeof ROUTES)[number],
  { status, text }: Asked,
): void {
  const about = `${caller} ${name}: ${status} ${text.slice(0, 300)}`
  if (route.sight === 'anyone') return
  assert.ok(status < 500, about)
  if (caller === 'no token') assert.equal(status, 401, about)
  else if (SCOPED.includes(caller) && route.sight === 'company') assert.equal(status, 403, about)
}

for (const caller of ['admin', 'finance', 'viewer', 'lead', 'team token'] as const) {
  test(`${caller} is answered where a scope is held, and nowhere else`, async (t) => {
    const scene = await openSightScene()
    t.after(() => scene.api.close())
    const things = SCOPED.includes(caller) ? [scene.own] : [scene.own, scene.other, scene.nobody]
    for (const each of ROUTES) {
      const scope = scopeOf(each.route)
      if (scope === null || ENDS.test(each.name)) continue
      for (const [at, thing] of things.entries()) {
        const [first] = listAsked(scene, each, thing)
        assert.ok(first !== undefined)
        if (at > 0 && isSame(first, listAsked(scene, each, scene.own)[0])) continue
        const { status, text } = await scene.ask(caller, first.place, first.body)
        const about = `${caller} ${first.place}: ${status} ${text.slice(0, 300)}`
        if (!mayAsk(caller, each, scope)) assert.equal(status, 403, about)
        else if (each.route.method !== 'GET') assert.ok(![401, 403].includes(status), about)
        else assert.equal(status, isThere(thing, each) ? 200 : 404, about)
      }
    }
  })
}

/** Nothing of nobody's has a team. */
function isThere(thing: Things, { route }: (typeof ROUTES)[number]): boolean {
  return !route.path.startsWith('/v1/teams/:id') || thing['teams'] !== undefined
}

const LEAD: readonly string[] = [
  'read:usage',
  'read:keys',
  'read:requests',
  'write:keys',
  'write:budgets',
]

function mayAsk(
  caller: CallerName,
  { route, name }: (typeof ROUTES)[number],
  scope: string,
): boolean {
  if (caller === 'finance' || caller === 'viewer') {
    return ROLE_SCOPES[caller].some((each) => each === scope)
  }
  if (caller === 'admin') return true
  const isGiven = caller !== 'lead' || LEAD.includes(scope) || /audit/i.test(name)
  return route.sight === 'scoped' && isGiven
}

function scopeOf(route: ApiRoute): string | null {
  return /^Needs a token with scope ([a-z:]+)/.exec(route.describe().description ?? '')?.[1] ?? null
}
