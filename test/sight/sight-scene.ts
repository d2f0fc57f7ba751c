// A company of two teams, and everyone who asks. Whatever is not the own team's has a word in its
// name, or an id, that no answer to its people may have.

import assert from 'node:assert/strict'
import { createIncidentId } from '../../src/core/alerts/incident.ts'
import { toIncidentAlert } from '../../src/core/alerts/incident-alert.ts'
import { toThresholdAlert } from '../../src/core/alerts/budget-alert.ts'
import type { Alert } from '../../src/core/alert.ts'
import type { Ask } from '../../src/core/asks/ask.ts'
import type { ApiKey, TokenScope } from '../../src/core/api-key.ts'
import { spanOf } from '../../src/core/budget.ts'
import type { Budget, BudgetScope } from '../../src/core/budget.ts'
import type { Team } from '../../src/core/teams/team.ts'
import type { UserRole } from '../../src/core/user.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../src/resources/codecs.ts'
import { SESSION_COOKIE } from '../../src/api/accounts/session-cookie.ts'
import { toSessionId } from '../../src/api/sessions/session-query.ts'
import { createCall } from '../contracts/request-log-contract.ts'
import { batchOf } from '../contracts/usage-scene.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'

export const NOW: number = Date.parse('2026-03-19T12:00:00Z')
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** In the names of all that is not the own team's. */
export const SECRET_WORDS = ['zz-other', 'zz-nobody'] as const

export const CALLERS = [
  'admin',
  'finance',
  'viewer',
  'lead',
  'member',
  'stranger',
  'team token',
  'no token',
] as const
export type CallerName = (typeof CALLERS)[number]
/** Who see nothing but the own team. */
export const SCOPED: readonly CallerName[] = ['lead', 'member', 'stranger', 'team token']

/** Ids by the noun of a path. */
export type Things = Readonly<Record<string, string>>

export interface SightScene {
  readonly api: OpenApi
  readonly own: Things
  readonly other: Things
  readonly nobody: Things
  /** The lead of the own team. */
  readonly leadId: string
  readonly memberId: string
  /** A request's headers; of a token each time another, as they are counted. */
  authorize(caller: CallerName, scopes?: readonly TokenScope[]): Promise<Record<string, string>>
  ask(caller: CallerName, place: string, body?: unknown): Promise<Asked>
  /** What no answer to the own team's people may have. */
  readonly secrets: readonly string[]
  /** All settings that are not the own team's. */
  readOthers(): Promise<string>
}

export interface Asked {
  readonly status: number
  readonly text: string
  /** As the answer says them, a line each. */
  readonly headers: string
}

const TOKEN_SCOPES_OF_ALL = ['admin'] as const

/** `showsTotals`: the own team, to its members. */
export async function openSightScene({ showsTotals = false } = {}): Promise<SightScene> {
  const api = await openApi(NOW)
  const { settings } = api
  const person = (name: string, role: UserRole) =>
    settings.users.create({
      email: `${name}@example.com`,
      name,
      role,
      passwordHash: null,
      subject: null,
    })
  const makeTeam = (slug: string, membersSeeTotals = false): Promise<Team> =>
    settings.teams.create({ ...TEAM_CODEC.fromNew({ name: slug, slug }), membersSeeTotals })
  const own = await makeTeam('own-team', showsTotals)
  const other = await makeTeam('zz-other-team', true)
  const people = {
    admin: await person('admin', 'admin'),
    finance: await person('finance', 'finance'),
    viewer: await person('viewer', 'viewer'),
    lead: await person('lead', 'none'),
    member: await person('member', 'none'),
    stranger: await person('stranger', 'none'),
  }
  const rival = await person('zz-other-person', 'none')
  const join = (team: Team, user: { readonly id: string }, role: 'lead' | 'member') =>
    settings.teams.join({ teamId: team.id, userId: user.id, role, source: 'hand' })
  await join(own, people.lead, 'lead')
  await join(own, people.member, 'member')
  await join(other, rival, 'lead')

  async function make(word: string, team: Team | null, personId: string | null): Promise<Things> {
    const key = await makeKey(`${word}-key`, team, personId)
    const scope: BudgetScope =
      team === null ? { kind: 'global' } : { kind: 'dim', key: '@team', value: team.id }
    const budget = await settings.budgets.create(
      {
        name: `${word}-budget`,
        scope,
        period: 'month',
        limit: 10n ** 12n,
        thresholds: [50],
        isBlocking: false,
        each: 'none',
        isTargetsOnly: false,
      },
      [{ kind: 'email', address: `${word}@alerts.example.com` }],
    )
    const ofKey = await settings.budgets.create({
      name: `${word}-key-budget`,
      scope: { kind: 'api_key', keyId: key.id },
      period: 'day',
      limit: 10n ** 12n,
      thresholds: [100],
      isBlocking: true,
      each: 'none',
      isTargetsOnly: false,
    })
    const rule = await settings.budgets.create({
      name: team === null ? 'company-rule' : `${word}-rule`,
      scope,
      period: 'month',
      limit: 4n * 10n ** 12n,
      thresholds: [100],
      isBlocking: true,
      isTargetsOnly: false,
      each: 'key',
    })
    const [target] = (await settings.targets.list()).filter((each) => each.budgetId === budget.id)
    assert.ok(target !== undefined)
    const alert = toThreshold(budget)
    const incident = toIncident(key, word)
    await settings.alerts.take([alert, incident], 0)
    const calls = await record(word, { key, team, personId })
    const user = word === 'own' ? people.lead : rival
    const view = await settings.views.create(user.id, {
      name: `${word}-view`,
      page: 'explore',
      query: `api_key=${key.id}`,
      isShared: true,
    })
    const asked = team && {
      teamId: team.id,
      personId: team === own ? people.member.id : rival.id,
    }
    const said = { email: `${word}-person@example.com`, note: `${word}-note` }
    const nothing = { kind: 'limit', keyId: key.id, budgetId: null, amount: null } as const
    const ask = asked && (await settings.asks.create({ ...asked, ...said, ...nothing }, toAlert))
    return {
      ...(ask !== null && { asks: ask.id }),
      keys: key.id,
      budgets: budget.id,
      'budget of key': ofKey.id,
      rule: rule.id,
      targets: target.id,
      alerts: alert.id,
      incident: incident.id,
      requests: calls[0] ?? '',
      'agent-sessions': toSessionId({ keyId: key.id, session: `${word}-session` }),
      views: view.id,
      users: user.id,
      ...(team !== null && { teams: team.id }),
    }
  }

  async function makeKey(
    name: string,
    team: Team | null,
    personId: string | null,
  ): Promise<ApiKey> {
    const settled = { ...OPEN_KEY, name, teamId: team?.id ?? null, personId }
    return (await settings.keys.create(settled)).key
  }

  interface Booked {
    readonly key: ApiKey
    readonly team: Team | null
    readonly personId: string | null
  }

  async function record(word: string, { key, team, personId }: Booked): Promise<string[]> {
    const calls = Array.from({ length: 12 }, (_, at) =>
      createCall(
        NOW - 5 * MINUTE_MS - at * 4 * DAY_MS,
        {
          keyId: key.id,
          provider: 'openai',
          model: `${word}-model`,
          agent: { session: `${word}-session`, device: `${word}-device` },
          dims: {
            project: `${word}-project`,
            [`${word}.tag`]: 'yes',
            '@tool': 'codex',
            '@repository': `${word}-repository`,
            ...(team !== null && { '@team': team.id }),
            ...(personId !== null && { '@person': personId }),
          },
        },
        { amount: 5n * 10n ** 11n },
      ),
    )
    await api.store.writeBatch(batchOf(...calls))
    return calls.map(({ event }) => event.id)
  }

  const scene = {
    own: await make('own', own, null),
    other: await make('zz-other', other, rival.id),
    nobody: await make('zz-nobody', null, null),
    mine: await make('mine', own, people.member.id),
  }
  // It comes from the other team, where its calls stay.
  const moved = await makeKey('zz-other-moved', other, rival.id)
  await record('zz-other', { key: moved, team: other, personId: rival.id })
  await settings.keys.update(moved.id, {
    name: 'moved-key',
    teamId: own.id,
    personId: null,
  })
  const secrets = [
    ...SECRET_WORDS,
    ...Object.values(scene.other),
    // Of the limit that each key has, everyone's key has a part.
    ...Object.values(scene.nobody).filter((id) => id !== scene.nobody['rule']),
  ]

  const sessions = new Map<string, string>()
  async function authorize(
    caller: CallerName,
    scopes: readonly TokenScope[] = TOKEN_SCOPES_OF_ALL,
  ): Promise<Record<string, string>> {
    if (caller === 'no token') return {}
    if (caller === 'team token') {
      const made = await settings.tokens.create({
        name: 'team token',
        scopes,
        expiresAt: null,
        teamId: own.id,
      })
      return { authorization: `Bearer ${made.credential}` }
    }
    let credential = sessions.get(caller)
    if (credential === undefined) {
      const asked = { expiresAt: NOW + DAY_MS, agent: null, address: null }
      const made = await settings.sessions.create({ ...asked, userId: people[caller].id })
      ;({ credential } = made)
      sessions.set(caller, credential)
    }
    return { cookie: `${SESSION_COOKIE}=${credential}`, 'sec-fetch-site': 'same-origin' }
  }

  return {
    api,
    own: {
      ...scene.own,
      'personal key': scene.mine['keys'] ?? '',
      'personal call': scene.mine['requests'] ?? '',
    },
    other: scene.other,
    nobody: scene.nobody,
    leadId: people.lead.id,
    memberId: people.member.id,
    secrets,
    authorize,
    async ask(caller, place, body) {
      const [method = '', path = ''] = place.split(' ')
      const response = await fetch(api.url + path, {
        method,
        redirect: 'manual',
        headers: { ...(await authorize(caller)), 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
      return { status: response.status, text: await response.text(), headers: headers.join('\n') }
    },
    async readOthers() {
      const isOwn = (teamId: string | null): boolean => teamId === own.id
      const keys = (await settings.keys.list()).filter(({ teamId }) => !isOwn(teamId))
      const ids = new Set(keys.map(({ id }) => id))
      const budgets = (await settings.budgets.list()).filter(
        ({ scope }) => scope.kind !== 'api_key' || ids.has(scope.keyId),
      )
      const others = budgets.filter(({ scope }) => scope.kind !== 'dim' || !isOwn(scope.value))
      const budgetIds = new Set(others.map(({ id }) => id))
      const targets = (await settings.targets.list()).filter(
        ({ budgetId }) => budgetId === null || budgetIds.has(budgetId),
      )
      const teams = (await settings.teams.list()).filter(({ id }) => !isOwn(id))
      const members = await Promise.all(teams.map(({ id }) => settings.teams.listMembers(id)))
      const users = (await settings.users.list()).map((user) => ({ ...user, lastSignInAt: 0 }))
      const alerts = await Promise.all(
        [scene.other, scene.nobody].map((things) => settings.alerts.find(things['incident'] ?? '')),
      )
      const views = await settings.views.list(rival.id)
      const rest = views.filter(({ userId }) => userId === rival.id)
      const prices = await settings.prices.readChanges(0)
      const asks = (await settings.asks.list()).filter(({ teamId }) => !isOwn(teamId))
      return toText({ asks, keys, others, targets, teams, members, users, alerts, rest, prices })
    },
  }
}

function toAlert({ id, createdAt: at }: Ask): Alert {
  return { id, kind: 'ask.created', budgetId: null, at, body: '{"data":{}}' }
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  )
}

function toThreshold(budget: Budget) {
  const span = spanOf('month', NOW)
  return toThresholdAlert(budget, { span, percent: 50, spent: 6n * 10n ** 11n, at: NOW })
}

function toIncident({ id }: ApiKey, word: string) {
  const subject = { kind: 'api_key', name: id } as const
  const day = '2026-03-19'
  return toIncidentAlert({
    id: createIncidentId(subject, day),
    at: NOW,
    subjects: [subject, { kind: 'dim', name: 'project=zz-other-project' }],
    jumps: [{ day, spent: 10n ** 13n, usual: 10n ** 11n }],
    largest: 10n ** 12n,
    days: word.length,
  })
}
