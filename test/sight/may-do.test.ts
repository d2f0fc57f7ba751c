// What each person may see and do, by the table of docs/teams.md: each cell is asked.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSightScene } from './sight-scene.ts'
import type { CallerName, SightScene } from './sight-scene.ts'

const COLUMNS = [
  ...(['admin', 'finance', 'viewer', 'lead', 'member'] as const),
  ...(['stranger', 'team token', 'no token'] as const),
] satisfies readonly CallerName[]

type Row = readonly [place: string, body: object | null, statuses: readonly number[]]

let scene: SightScene

before(async () => {
  scene = await openSightScene()
})

after(() => scene.api.close())

function listRows(): readonly Row[] {
  const { own, other, memberId } = scene
  const [key, personal] = [own['keys'], own['personal key']]
  const made = (more: object) => ({ name: 'made', team_id: own['teams'], ...more })
  const budget = { name: 'made', period: 'month', limit_usd: 5 }
  const member = { user_id: memberId }
  const adoption = { dim: 'project', dry_run: true }
  // In the order of the columns.
  return [
    // Keys.
    [`GET /v1/keys/${key}`, null, [200, 200, 200, 200, 404, 403, 200, 401]],
    [`GET /v1/keys/${personal}`, null, [200, 200, 200, 200, 200, 403, 200, 401]],
    [`GET /v1/keys/${other['keys']}`, null, [200, 200, 200, 404, 404, 403, 404, 401]],
    [`POST /v1/keys/${key}/pause`, {}, [200, 403, 403, 200, 404, 403, 200, 401]],
    [`POST /v1/keys/${personal}/pause`, {}, [200, 403, 403, 200, 200, 403, 200, 401]],
    [`POST /v1/keys/${other['keys']}/pause`, {}, [200, 403, 403, 404, 404, 403, 404, 401]],
    [`POST /v1/keys/${personal}/rotate`, {}, [200, 403, 403, 200, 200, 403, 200, 401]],
    [`PATCH /v1/keys/${personal}`, { note: 'n' }, [200, 403, 403, 200, 200, 403, 200, 401]],
    // Out of the team, and from a person to nobody, is not within it.
    [`PATCH /v1/keys/${personal}`, { person_id: null }, [200, 403, 403, 200, 404, 403, 200, 401]],
    ['POST /v1/keys', made({}), [201, 403, 403, 201, 400, 403, 201, 401]],
    ['POST /v1/keys', made({ person_id: memberId }), [201, 403, 403, 201, 201, 403, 201, 401]],
    [
      'POST /v1/keys',
      made({ person_id: memberId, allow_derived_tokens: true }),
      [201, 403, 403, 400, 400, 403, 400, 401],
    ],
    [
      `PATCH /v1/keys/${personal}`,
      { allow_derived_tokens: true },
      [200, 403, 403, 400, 404, 403, 400, 401],
    ],
    ['POST /v1/keys', { name: 'loose' }, [201, 403, 403, 400, 400, 403, 400, 401]],
    [`PATCH /v1/keys/${key}`, { team_id: null }, [200, 403, 403, 400, 404, 403, 400, 401]],
    // Calls.
    [`GET /v1/requests/${own['requests']}`, null, [200, 200, 200, 200, 404, 403, 200, 401]],
    [`GET /v1/requests/${own['personal call']}`, null, [200, 200, 200, 200, 200, 403, 200, 401]],
    [`GET /v1/requests/${other['requests']}`, null, [200, 200, 200, 404, 404, 403, 404, 401]],
    [`GET /v1/teams/${own['teams']}/spend`, null, [200, 200, 200, 200, 403, 403, 200, 401]],
    [`GET /v1/teams/${other['teams']}/spend`, null, [200, 200, 200, 404, 404, 403, 404, 401]],
    // Budgets: the team does not show its members what it spends.
    [`GET /v1/budgets/${own['budgets']}`, null, [200, 200, 200, 200, 404, 403, 200, 401]],
    [`GET /v1/budgets/${other['budgets']}`, null, [200, 200, 200, 404, 404, 403, 404, 401]],
    [
      `PATCH /v1/budgets/${own['budgets']}`,
      { limit_usd: 9 },
      [200, 200, 403, 200, 403, 403, 200, 401],
    ],
    // What each of the team has spent is for its lead to know, and the limit of each to set.
    [`GET /v1/budgets/${own['rule']}/members`, null, [200, 200, 200, 200, 404, 403, 200, 401]],
    [
      `PATCH /v1/budgets/${own['rule']}`,
      { limit_usd: 6 },
      [200, 200, 403, 200, 403, 403, 200, 401],
    ],
    // What stops the whole team is not for its lead to set.
    [
      `PATCH /v1/budgets/${own['budgets']}`,
      { blocking: true },
      [200, 200, 403, 400, 403, 403, 400, 401],
    ],
    [
      `PATCH /v1/budgets/${own['budgets']}`,
      { limit_usd: 8 },
      [200, 200, 403, 403, 403, 403, 403, 401],
    ],
    [
      'POST /v1/budgets',
      { ...budget, scope: `api_key=${personal}` },
      [201, 201, 403, 201, 403, 403, 201, 401],
    ],
    [
      'POST /v1/budgets',
      { ...budget, scope: `team=${own['teams']}` },
      [201, 201, 403, 201, 403, 403, 201, 401],
    ],
    [
      'POST /v1/budgets',
      { ...budget, scope: `team=${own['teams']}`, blocking: true },
      [201, 201, 403, 400, 403, 403, 400, 401],
    ],
    ['POST /v1/budgets', { ...budget, scope: 'global' }, [201, 201, 403, 400, 403, 403, 400, 401]],
    // Teams.
    [`GET /v1/teams/${own['teams']}`, null, [200, 200, 200, 200, 200, 403, 200, 401]],
    [`GET /v1/teams/${other['teams']}`, null, [200, 200, 200, 404, 404, 403, 404, 401]],
    [`PATCH /v1/teams/${own['teams']}`, { note: 'n' }, [200, 403, 403, 403, 403, 403, 403, 401]],
    ['POST /v1/team-adoptions', adoption, [200, 403, 403, 403, 403, 403, 403, 401]],
    // A limit of the team, which its lead lives within.
    [
      `POST /v1/teams/${own['teams']}/key-budget`,
      { limit_usd: 5 },
      [200, 200, 403, 403, 403, 403, 403, 401],
    ],
    ['GET /v1/budget-members', null, [200, 200, 200, 200, 200, 403, 200, 401]],
    [`POST /v1/teams/${own['teams']}/members`, member, [200, 403, 403, 200, 403, 403, 200, 401]],
    [`POST /v1/teams/${other['teams']}/members`, member, [200, 403, 403, 404, 404, 403, 404, 401]],
    // The rest is the company's.
    ['GET /v1/audit', null, [200, 403, 403, 200, 403, 403, 200, 401]],
    ['GET /v1/users', null, [200, 403, 403, 403, 403, 403, 403, 401]],
    ['GET /v1/tokens', null, [200, 403, 403, 403, 403, 403, 403, 401]],
    ['GET /v1/prices', null, [200, 200, 200, 403, 403, 403, 403, 401]],
    ['GET /v1/service', null, [200, 200, 200, 403, 403, 403, 403, 401]],
    ['GET /v1/completeness', null, [200, 200, 200, 403, 403, 403, 403, 401]],
  ]
}

test('a token of one team keeps no directory', async () => {
  for (const path of [
    '/scim/v2/Users',
    `/scim/v2/Users/${scene.own['users']}`,
    '/scim/v2/Groups',
  ]) {
    assert.equal((await scene.ask('team token', `GET ${path}`)).status, 403, path)
  }
})

test('what each has of a limit is listed for those who may know it', async () => {
  const list = async (caller: CallerName) => {
    const { text } = await scene.ask(caller, 'GET /v1/budget-members')
    const { rows } = JSON.parse(text) as { rows: { id: string; budget_name: string }[] }
    return rows
  }
  const own = await list('member')
  assert.ok(own.length > 0 && own.every(({ id }) => id === scene.own['personal key']))
  const led = await list('lead')
  assert.ok(led.length > own.length && led.length < (await list('admin')).length)
  const place = `POST /v1/teams/${scene.own['teams']}/key-budget`
  assert.equal((await scene.ask('admin', place, { limit_usd: 5 })).status, 200)
  const made = (await scene.ask('lead', 'GET /v1/budgets')).text
  const { rows } = JSON.parse(made) as { rows: { id: string; default_of: string | null }[] }
  const kept = rows.find(({ default_of: team }) => team === scene.own['teams'])
  for (const place of [`PATCH /v1/budgets/${kept?.id}`, `DELETE /v1/budgets/${kept?.id}`]) {
    const body = place.startsWith('PATCH') ? { limit_usd: 500 } : {}
    assert.equal((await scene.ask('lead', place, body)).status, 403, place)
  }
})

test('a member sees the limits of their key, and their own part of a limit that each has', async () => {
  const { own } = scene
  const { text } = await scene.ask('member', `GET /v1/keys/${own['personal key']}/budgets`)
  const { rows } = JSON.parse(text) as { rows: { name: string; spent_usd: number }[] }
  const spent = rows.map(({ name, spent_usd: usd }) => `${name} ${usd}`)
  assert.deepEqual(
    spent.toSorted(),
    [
      'company-rule 2.5',
      'mine-key-budget 0.5',
      'mine-rule 2.5',
      'own-rule 2.5',
      'Each key of own-team 2.5',
    ].toSorted(),
  )
})

test('everyone sees and does what is theirs', async () => {
  for (const [place, body, statuses] of listRows()) {
    const answers: number[] = []
    const said: string[] = []
    for (const caller of COLUMNS.toReversed()) {
      const { status, text } = await scene.ask(caller, place, body ?? undefined)
      answers.unshift(status)
      said.unshift(`${caller} ${status} ${text.slice(0, 200)}`)
    }
    assert.deepEqual(answers, statuses, `${place} ${JSON.stringify(body)}\n${said.join('\n')}`)
  }
})
