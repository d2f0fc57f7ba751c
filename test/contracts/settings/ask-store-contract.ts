// The part of the settings store's contract that is about asks, and about who has another limit
// than the others of a rule.

import assert from 'node:assert/strict'
import type { Ask, NewAsk } from '../../../src/core/asks/ask.ts'
import { toCounter } from '../../../src/core/budgets/each-budget.ts'
import { TEAM_CODEC } from '../../../src/resources/codecs.ts'
import { BOB, listAudit, PLAIN_BUDGET, START_MS } from '../settings-scene.ts'
import type { Run, Scene } from '../settings-scene.ts'

const USD = 10n ** 12n

async function seed({ store }: Scene): Promise<NewAsk> {
  const { id: personId, email } = await store.users.create({ ...BOB, role: 'none' })
  const { id: teamId } = await store.teams.create(TEAM_CODEC.fromNew({ name: 'S', slug: 's' }))
  await store.teams.join({ teamId, userId: personId, role: 'member', source: 'hand' })
  const of = { keyId: 'svc_k_1', budgetId: 'bud_1', amount: 10n ** 21n }
  return { teamId, personId, email, kind: 'budget', ...of, note: 'Zürich, "more" 😀' }
}

const toAlert = ({ id, status, createdAt: at }: Ask) => {
  return { id: `msg_${id}_${status}`, kind: 'ask.created', budgetId: null, at, body: '{}' } as const
}

export function askStoreContract(run: Run): void {
  run('an ask is kept as it was made, decided once, and told of each time', async (scene) => {
    const asked = await seed(scene)
    const { asks, alerts, targets } = scene.store
    await targets.create({ kind: 'email', address: 'team@example.com', budgetId: null })
    const ask = await asks.create(asked, toAlert)
    const undecided = { decidedAt: null, decidedBy: null, answer: null, granted: null }
    assert.deepEqual(ask, {
      ...asked,
      id: ask.id,
      status: 'open',
      createdAt: START_MS,
      ...undecided,
    })
    const { asks: reopened } = await scene.reopen()
    assert.deepEqual(await reopened.find(ask.id), ask)
    const decision = { status: 'approved', answer: 'yes', granted: 2n * USD } as const
    const decided = await asks.decide(ask.id, decision, toAlert)
    assert.deepEqual([decided?.status, decided?.granted], ['approved', 2n * USD])
    await assert.rejects(asks.decide(ask.id, decision, toAlert), /It is approved already/)
    assert.equal(await asks.decide('ask_nosuch', decision, toAlert), null)
    assert.equal((await alerts.listDue(START_MS, 10)).length, 2)
    const later = await asks.create(
      { ...asked, kind: 'limit', budgetId: null, amount: null },
      toAlert,
    )
    assert.deepEqual(
      (await asks.list()).map(({ id }) => id),
      [later.id, ask.id],
    )
    assert.deepEqual(await asks.list({ status: 'open' }), [later])
    const lines = (await listAudit(scene.store, { noun: 'ask' })).map(({ action }) => action)
    assert.deepEqual(lines, ['ask.create', 'ask.approve', 'ask.create'])
  })

  run('whose team or account ends has no open ask there', async (scene) => {
    const asked = await seed(scene)
    const { asks, teams, users } = scene.store
    const { id } = await asks.create(asked, toAlert)
    const other = await teams.create(TEAM_CODEC.fromNew({ name: 'O', slug: 'o' }))
    const elsewhere = await asks.create({ ...asked, teamId: other.id }, toAlert)
    await teams.leave(asked.teamId, asked.personId)
    assert.equal((await asks.find(id))?.status, 'closed')
    assert.equal((await asks.find(elsewhere.id))?.status, 'open')
    await users.update(asked.personId, { isDisabled: true })
    assert.equal((await asks.find(elsewhere.id))?.status, 'closed')
  })

  run('a member of a rule has a limit of its own until it is taken away', async ({ store }) => {
    const { budgets } = store
    const rule = await budgets.create({ ...PLAIN_BUDGET, each: 'key' })
    const changed = await budgets.setOwnLimit(rule.id, 'svc_k_1', 3n * USD)
    assert.ok(changed !== null && changed.version > rule.version)
    const { budgets: polled = [] } = (await budgets.readChanges(-1)) ?? {}
    const limits = ['svc_k_1', 'svc_k_2'].map((id) => toCounter(polled[0] ?? changed, id).limit)
    assert.deepEqual(limits, [3n * USD, rule.limit])
    assert.equal('ownLimits' in toCounter(changed, 'svc_k_1'), false)
    assert.deepEqual((await budgets.update(rule.id, { name: 'x' }))?.ownLimits, changed.ownLimits)
    const [line] = await listAudit(store, { noun: 'budget', subjectId: rule.id })
    assert.equal(line?.action, 'budget.update')
    const back = await budgets.setOwnLimit(rule.id, 'svc_k_1', null)
    assert.equal(back?.ownLimits, undefined)
    assert.equal(await budgets.setOwnLimit('bud_nosuch', 'svc_k_1', USD), null)
  })
}
