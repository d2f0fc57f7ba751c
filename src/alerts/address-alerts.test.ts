import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { ADA, PLAIN_BUDGET, PLAIN_KEY } from '../../test/contracts/settings-scene.ts'
import type { AddressedAlert, Alert } from '../core/alert.ts'
import { toThresholdAlert } from '../core/alerts/budget-alert.ts'
import { spanOf } from '../core/budget.ts'
import type { Budget, BudgetSettings } from '../core/budget.ts'
import { toCounter } from '../core/budgets/each-budget.ts'
import { TEAM_CODEC } from '../resources/codecs.ts'
import { openSettingsStore } from '../store/open-store.ts'
import type { SettingsStore } from '../store/open-store.ts'
import { createAddressing } from './address-alerts.ts'
import { toAlertText } from './alert-text.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../core/clock.ts'

const AT = Date.UTC(2026, 10, 17, 9, 30)
const USD = 10n ** 12n

let settings: SettingsStore
let dataDir: string

before(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'weir-addresses-'))
  settings = await openSettingsStore({ dataDir, clock: systemClock })
})

after(async () => {
  await settings.close()
  rmSync(dataDir, { recursive: true })
})

type Made = Partial<BudgetSettings>

async function makeBudget(change: Made): Promise<Budget> {
  return settings.budgets.create({ ...PLAIN_BUDGET, limit: 50n * USD, ...change })
}

function crossing(budget: Budget, member: string | null = null): Alert {
  const crossed = { span: spanOf('month', AT), percent: 100, spent: 50n * USD, at: AT }
  return toThresholdAlert(member === null ? budget : toCounter(budget, member), crossed)
}

async function address(alerts: readonly Alert[], canMail = true) {
  return createAddressing(settings, { canMail })(alerts)
}

function listMailed([alert]: readonly AddressedAlert[]) {
  return alert?.recipients?.map(({ email, role }) => `${role} ${email.split('@')[0]}`)
}

let people = 0

async function invite(name: string) {
  people += 1
  return settings.users.create({ ...ADA, email: `${name}@${people}.example.com`, role: 'none' })
}

/** A department with a team, whose lead and whose member have a key each. */
async function makeTeam() {
  const [boss, lea, max] = [await invite('boss'), await invite('lea'), await invite('max')]
  const named = { ...TEAM_CODEC.defaults, name: 'Search' }
  const department = await settings.teams.create({ ...named, slug: `dep-${people}` })
  const parentId = department.id
  const team = await settings.teams.create({ ...named, slug: `team-${people}`, parentId })
  for (const [teamId, userId, role] of [
    [department.id, boss.id, 'lead'],
    [team.id, lea.id, 'lead'],
    [team.id, max.id, 'member'],
  ] as const) {
    await settings.teams.join({ teamId, userId, role, source: 'hand' })
  }
  const own = { ...PLAIN_KEY, teamId: team.id }
  const { key } = await settings.keys.create({ ...own, name: 'laptop', personId: max.id })
  const { key: service } = await settings.keys.create({ ...own, name: 'ci-bot' })
  const { key: ofLead } = await settings.keys.create({ ...own, name: 'lea', personId: lea.id })
  return { boss, lea, max, team, key, service, ofLead }
}

test('an alert names the key whose own limit was reached, and others stay as they are', async () => {
  const { key } = await settings.keys.create({ ...PLAIN_KEY, name: 'ci-bot' })
  const rule = await makeBudget({ name: 'Search', each: 'key', isBlocking: true })
  const ofPeople = await makeBudget({ name: 'Search', each: 'person' })
  const alerts = [
    crossing(rule, key.id),
    crossing(ofPeople, 'user_0000000000000000'),
    crossing(await makeBudget({})),
    { id: 'msg_1', kind: 'alert.test', budgetId: null, at: AT, body: '{}' } as const,
  ]
  const [named, unknown, ...others] = await address(alerts)
  assert.deepEqual(others, alerts.slice(2))
  assert.ok(named !== undefined && unknown !== undefined)
  const { data } = JSON.parse(named.body)
  assert.deepEqual(data.member, { kind: 'key', id: key.id, name: 'ci-bot' })
  assert.deepEqual([data.budget.id, data.budget.each], [rule.id, 'key'])
  assert.deepEqual([named.id, named.budgetId], [alerts[0]?.id, rule.id])
  const text = toAlertText(named)
  assert.equal(text.title, 'Weir: the key "ci-bot" has reached 100 % of the budget "Search"')
  assert.equal(
    text.paragraph,
    'The key "ci-bot" has reached 100 % of its limit under the budget "Search": $50.00 of $50.00 spent this month. Its calls are refused until 2026-12-01 00:00 UTC.',
  )
  assert.equal(text.details[0], `Whose limit: ${key.id}`)
  assert.match(toAlertText(unknown).title, /the person "user_0000000000000000" has reached/)
})

test('whose limit it is and the leads of the team are mailed, each once', async () => {
  const { max, lea, team, key, service, ofLead } = await makeTeam()
  const ofTeam = { kind: 'dim', key: '@team', value: team.id } as const
  const ofMax = { kind: 'dim', key: '@person', value: max.id } as const
  const eachKey = await makeBudget({ each: 'key', scope: ofTeam })
  const cases: [Made, string | null, string[]][] = [
    [{ each: 'key' }, key.id, ['owner max', 'lead lea']],
    [{ each: 'key' }, service.id, ['lead lea']],
    [{ each: 'key' }, ofLead.id, ['owner lea']],
    [{ each: 'person', scope: ofTeam }, max.id, ['owner max', 'lead lea']],
    // It counts calls in other teams as well.
    [{ each: 'person' }, max.id, ['owner max']],
    [{ each: 'team' }, team.id, ['lead lea']],
    [{ scope: { kind: 'api_key', keyId: key.id } }, null, ['owner max', 'lead lea']],
    [{ scope: ofTeam }, null, ['lead lea']],
    [{ scope: ofMax }, null, ['owner max']],
    [{ each: 'key', isTargetsOnly: true }, key.id, []],
  ]
  for (const [change, member, mailed] of cases) {
    const alert = crossing(await makeBudget(change), member)
    assert.deepEqual(listMailed(await address([alert])) ?? [], mailed, JSON.stringify(change))
  }
  const [named] = await address([crossing(eachKey, key.id)], false)
  assert.equal(named?.recipients, undefined, 'nobody gets a mail without a mail server')
  assert.deepEqual(JSON.parse(named?.body ?? '').data.recipients, [
    { email: max.email, role: 'owner' },
    { email: lea.email, role: 'lead' },
  ])
})

test('who may not sign in is mailed nothing, and a team without a lead has its department’s', async () => {
  const { max, lea, key } = await makeTeam()
  const alert = crossing(await makeBudget({ each: 'key' }), key.id)
  await settings.users.update(max.id, { isDisabled: true })
  assert.deepEqual(listMailed(await address([alert])), ['lead lea'])
  await settings.users.update(lea.id, { isDisabled: true })
  assert.deepEqual(listMailed(await address([alert])), ['lead boss'])
})
