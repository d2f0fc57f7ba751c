// Limits of budgets that count apart for each key, person or team.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createState, DAY_START_MS, toReport, usd } from '../../test/fakes/budget-states.ts'
import { createLocalLimiter } from '../../test/fakes/local-limiter.ts'
import { openLeaseDatabase } from '../../test/fakes/postgres/lease-stores.ts'
import type { LeaseDatabase } from '../../test/fakes/postgres/lease-stores.ts'
import { createMeter } from '../app/meter.ts'
import type { BudgetReport, BudgetState } from '../core/budget-state.ts'
import { systemClock } from '../core/clock.ts'
import { toCounter } from '../core/budgets/each-budget.ts'
import { PERSON_FACT } from '../core/teams/team.ts'
import type { Refusal } from '../policy/refusal.ts'
import { toCounterState } from './limit-bank.ts'
import { LimitHost } from './limit-host.ts'
import type { LimitReply } from './limit-messages.ts'
import type { LimitedCall } from './limited-call.ts'
import { SharedBank } from './leases/shared-bank.ts'

const USUAL = { cost: usd(0.1), requestBytes: 100, outputTokens: 10 }
const ID = 'bud_0123456789abcdef'
/** A dollar a day for each. */
const RULE = createState({ id: ID, each: 'key', usual: USUAL })

function spentBy(member: string, spent: number, rule: BudgetState = RULE): BudgetState {
  return { ...rule, budget: toCounter(rule.budget, member), spent: usd(spent) }
}

const partial = (states: readonly BudgetState[], completeUntil = 0): BudgetReport => ({
  ...toReport([RULE, ...states], completeUntil),
  isPartial: true,
})

function createScene(states: readonly BudgetState[]) {
  const clock = { now: () => DAY_START_MS, monotonic: () => 0 }
  const local = createLocalLimiter({ clock, meter: createMeter() })
  local.report(toReport(states))
  let calls = 0
  async function reserve(changes: Partial<LimitedCall> = {}) {
    let answer: Refusal | null | undefined
    const call: LimitedCall = {
      id: `c${calls++}`,
      keyId: 'svc_k_one',
      rpm: null,
      maxParallel: null,
      providerId: 'acme',
      dims: {},
      isPaid: true,
      isKnown: true,
      requestBytes: 100,
      findModel: () => 'big-1',
      findOutputMax: () => null,
      ...changes,
    }
    const reservation = local.limiter.reserve(call, (refusal) => (answer = refusal))
    await new Promise((resolve) => queueMicrotask(() => resolve(null)))
    assert.notEqual(answer, undefined)
    return { refusal: answer ?? null, reservation }
  }
  const passes = async (changes?: Partial<LimitedCall>): Promise<boolean> =>
    (await reserve(changes)).refusal === null
  return { local, reserve, passes }
}

test('a member whose limit is reached is refused, and the others go on', async () => {
  const { reserve, passes } = createScene([
    RULE,
    spentBy('svc_k_one', 1),
    spentBy('svc_k_two', 0.5),
  ])
  const { refusal } = await reserve()
  assert.deepEqual([refusal?.budget?.id, refusal?.budget?.each], [ID, 'key'])
  assert.match(
    refusal?.message ?? '',
    /\(bud_0123456789abcdef\) is used up for this key: \$1\.00 of/,
  )
  assert.equal(await passes({ keyId: 'svc_k_two' }), true)
  assert.equal(await passes({ keyId: 'svc_k_new' }), true)
})

test('a rule for each person leaves calls of nobody alone', async () => {
  const rule = createState({ id: ID, each: 'person', usual: USUAL })
  const { passes } = createScene([rule, spentBy('usr_a', 1, rule)])
  assert.equal(await passes(), true)
  assert.equal(await passes({ dims: { [PERSON_FACT]: 'usr_a' } }), false)
  assert.equal(await passes({ dims: { [PERSON_FACT]: 'usr_b' } }), true)
})

test('calls of a new member that begin together pass only as far as its limit goes', async () => {
  const { local, passes } = createScene([RULE])
  const verdicts = await Promise.all(Array.from({ length: 40 }, () => passes()))
  assert.equal(verdicts.filter((passed) => passed).length, 10)
  assert.equal(await passes({ keyId: 'svc_k_two' }), true)
  // Nothing of it is on record yet, also where all counters are reported again.
  local.report(toReport([RULE]))
  assert.deepEqual(await Promise.all([passes(), passes({ keyId: 'svc_k_two' })]), [false, true])
})

test('a report of what changed leaves the other members as they stand', async () => {
  const { local, passes } = createScene([RULE, spentBy('svc_k_one', 1), spentBy('svc_k_two', 0.2)])
  local.report(partial([spentBy('svc_k_two', 1)]))
  assert.deepEqual(await Promise.all([passes(), passes({ keyId: 'svc_k_two' })]), [false, false])
  local.report(toReport([RULE, spentBy('svc_k_two', 1)]))
  assert.deepEqual(await Promise.all([passes(), passes({ keyId: 'svc_k_two' })]), [true, false])
  local.report(toReport([]))
  assert.equal(await passes({ keyId: 'svc_k_two' }), true)
  assert.equal(local.limiter.hasBudgets, false)
})

test('what a call had reserved is free once its cost is on record', async () => {
  const { local, reserve, passes } = createScene([RULE])
  const many = await Promise.all(Array.from({ length: 10 }, () => reserve()))
  assert.equal(await passes(), false)
  for (const { reservation } of many) reservation.release()
  local.report(partial([spentBy('svc_k_one', 0.4)], DAY_START_MS + 1))
  assert.equal(await passes(), true)
  assert.deepEqual(
    local.bank.figures().map(({ budgetId, running }) => [budgetId, running]),
    [
      [ID, 0],
      [`${ID}#svc_k_one`, 1],
    ],
  )
})

test('a rule for models of a maker blocks those of the member alone', () => {
  const scope = { kind: 'model', pattern: 'acme/*' } as const
  const rule = createState({ id: ID, each: 'key', scope })
  const { local } = createScene([rule, spentBy('svc_k_one', 1, rule)])
  const blocked = (keyId: string): number =>
    local.limiter.findBlocked({ provider: 'acme', keyId, dims: {} }, DAY_START_MS).length
  assert.deepEqual([blocked('svc_k_one'), blocked('svc_k_two')], [1, 0])
  local.report(toReport([rule]))
  assert.equal(blocked('svc_k_one'), 0)
})

test('workers are sent the members that changed, of ten thousand', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = { now: () => DAY_START_MS, monotonic: () => 0 }
  const host = new LimitHost({ clock, meter: createMeter(), tellFigures: () => {} })
  const received: LimitReply[] = []
  host.joined({ send: (message) => void received.push(message) })
  const members = Array.from({ length: 10_000 }, (_, index) => spentBy(`svc_k_${index}`, 0.5))
  host.reported(toReport([RULE, ...members]))
  host.reported(partial([spentBy('svc_k_7', 0.6)]))
  const sent = received.map((message) => (message.kind === 'budgetUpdate' ? message.states : []))
  assert.deepEqual(
    sent.map(({ length }) => length),
    [0, 10_001, 1],
  )
  host.reported(toReport([RULE, spentBy('svc_k_7', 0.6)]))
  const last = received.at(-1)
  assert.equal(last?.kind === 'budgetUpdate' && last.gone.length, 9999)
})

const FOREVER = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }

function createNode(t: TestContext, leases: LeaseDatabase, name: string) {
  const rule = { ...RULE, span: FOREVER }
  const members = Array.from({ length: 50 }, (_, index) => spentBy(`svc_k_${index}`, 0.5, rule))
  const bank = new SharedBank({
    store: leases.openStore(),
    owner: { owner: `run-${name}`, node: name },
    clock: systemClock,
    meter: createMeter(),
    onOutage: () => 'refuse',
    answerMsMax: 60_000,
    silent: () => {},
  })
  t.after(() => bank.close())
  bank.report(toReport([rule, ...members]))
  bank.states()
  let calls = 0
  return async (member: string, cents: number): Promise<string> => {
    const budgets = [{ id: toCounterState(rule, member).budget.id, expected: usd(cents / 100) }]
    const call = { callId: `${name}${++calls}`, keyId: member, rpm: null, maxParallel: null }
    return (await bank.reserve('w0', { ...call, budgets })).kind
  }
}

test('nodes share the limit of each member, and lease only what is used', async (t) => {
  const leases = await openLeaseDatabase(t)
  const nodes = ['a', 'b', 'c'].map((name) => createNode(t, leases, name))
  const askAll = (member: string) =>
    Promise.all(
      Array.from({ length: 45 }, (_, at) =>
        (nodes[at % nodes.length] as (typeof nodes)[0])(member, 5),
      ),
    )
  const [known, fresh] = await Promise.all([askAll('svc_k_3'), askAll('svc_k_new')])
  assert.equal(known.filter((kind) => kind === 'granted').length, 10)
  assert.equal(fresh.filter((kind) => kind === 'granted').length, 20)
  const rows = await leases.database.all<{ budget_id: string }>(
    'SELECT DISTINCT budget_id FROM budget_leases WHERE amount > 0 ORDER BY budget_id',
  )
  assert.deepEqual(
    rows.map(({ budget_id: id }) => id),
    [`${ID}#svc_k_3`, `${ID}#svc_k_new`],
  )
})
