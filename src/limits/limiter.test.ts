import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import {
  createState,
  DAY_END_MS,
  DAY_START_MS,
  toReport,
  usd,
} from '../../test/fakes/budget-states.ts'
import { createLocalLimiter } from '../../test/fakes/local-limiter.ts'
import { createMeter } from '../app/meter.ts'
import type { BudgetState } from '../core/budget-state.ts'
import { ANSWER_MS_MAX, PATIENT_ANSWER_MS_MAX } from './call-reservation.ts'
import type { OnOutage } from './call-reservation.ts'
import type { LimitedCall } from './limited-call.ts'
import type { Refusal } from '../policy/refusal.ts'

const USUAL = { cost: usd(0.01), requestBytes: 100, outputTokens: 10 }
const CALL: LimitedCall = {
  id: 'c1',
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
}

const OPENING = { provider: 'acme', keyId: CALL.keyId, dims: {} }

function createScene(
  t: TestContext,
  states: readonly BudgetState[] = [],
  onOutage: OnOutage = 'refuse',
) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = DAY_START_MS
  const clock = { now: () => nowMs, monotonic: () => nowMs }
  const meter = createMeter()
  const local = createLocalLimiter({ clock, meter, onOutage })
  local.report(toReport(states))
  const unanswered = (): number =>
    meter.samples().find(({ metric }) => metric === 'limiterUnanswered')?.value ?? 0
  /** What the call was told, in order; null lets it go on. */
  function reserve(changes: Partial<LimitedCall> = {}) {
    const answers: (Refusal | null)[] = []
    const reservation = local.limiter.reserve({ ...CALL, ...changes }, (refusal) =>
      answers.push(refusal),
    )
    return { answers, reservation }
  }
  const kinds = (): string => local.messages.map(({ kind }) => kind).join(' ')
  const pass = (ms: number): void => void (nowMs += ms)
  return { t, local, reserve, unanswered, kinds, pass }
}

const answered = (): Promise<void> => new Promise((resolve) => queueMicrotask(resolve))

test('a call that nothing limits goes on at once and nothing is reported', (t) => {
  const dim = { kind: 'dim', key: 'team', value: 'search' } as const
  const { reserve, kinds } = createScene(t, [createState({ scope: dim })])
  const { answers, reservation } = reserve()
  reservation.release()
  assert.deepEqual([answers, kinds()], [[null], ''])
})

test('without blocking budgets only keys with limits have to ask', (t) => {
  const { local } = createScene(t)
  assert.equal(local.limiter.hasBudgets, false)
  local.report(toReport([createState()]))
  assert.equal(local.limiter.hasBudgets, true)
  local.report(toReport([]))
  assert.equal(local.limiter.hasBudgets, false)
})

test('a call of a key with limits waits for the answer, and leaves once', async (t) => {
  const { reserve, kinds, local } = createScene(t)
  const { answers, reservation } = reserve({ maxParallel: 1 })
  assert.deepEqual(answers, [])
  await answered()
  assert.deepEqual(answers, [null])
  reservation.release()
  reservation.release()
  assert.deepEqual([kinds(), local.bank.calls], ['reserve release', 0])
})

test('only the end of a call that takes a place from others is reported at once', async (t) => {
  const { reserve, local } = createScene(t)
  const often = reserve({ id: 'c1', rpm: 5 })
  const many = reserve({ id: 'c2', maxParallel: 5 })
  await answered()
  often.reservation.release()
  assert.equal(local.urgent.length, 0)
  many.reservation.release()
  assert.deepEqual(local.urgent, [{ kind: 'release', callId: 'c2', endedAt: DAY_START_MS }])
})

test('a call makes room for the next one before its caller has the whole answer, and once', async (t) => {
  const { reserve, kinds, local } = createScene(t)
  const often = reserve({ id: 'c1', rpm: 5 })
  const many = reserve({ id: 'c2', maxParallel: 2 })
  many.reservation.vacate()
  assert.deepEqual([kinds(), local.urgent], ['reserve reserve', []])
  await answered()
  often.reservation.vacate()
  many.reservation.vacate()
  assert.deepEqual(local.urgent, [{ kind: 'vacate', callId: 'c2' }])
  const next = reserve({ id: 'c3', maxParallel: 2 })
  await answered()
  assert.deepEqual([next.answers, local.bank.calls], [[null], 3])
  many.reservation.release()
  assert.deepEqual([local.urgent.length, local.bank.calls], [1, 2])
  const third = reserve({ id: 'c4', maxParallel: 2 })
  await answered()
  assert.notDeepEqual(third.answers, [null])
})

test('a refusal names the limit and when to try again, and leaves nothing behind', async (t) => {
  const { reserve, kinds } = createScene(t)
  reserve({ id: 'c1', rpm: 1, maxParallel: 1 })
  const often = reserve({ id: 'c2', rpm: 1 })
  const many = reserve({ id: 'c3', maxParallel: 1 })
  await answered()
  assert.deepEqual(often.answers, [
    {
      code: 'rate_limited',
      message: 'The key svc_k_one may make 1 call a minute (rate_limit_rpm). Try again in 60 s.',
      retryAfterSeconds: 60,
    },
  ])
  assert.deepEqual(many.answers, [
    {
      code: 'rate_limited',
      message:
        'The key svc_k_one may have 1 call running at once (max_parallel). Try again when one has ended.',
      retryAfterSeconds: 1,
    },
  ])
  often.reservation.release()
  many.reservation.release()
  assert.equal(kinds(), 'reserve reserve reserve')
})

test('a call that gets no answer is refused after a while and counted, and a late grant is taken back', async (t) => {
  const { reserve, unanswered, local } = createScene(t)
  local.way = 'silent'
  const { answers, reservation } = reserve({ rpm: 1 })
  t.mock.timers.tick(PATIENT_ANSWER_MS_MAX - 1)
  assert.equal(answers.length, 0)
  t.mock.timers.tick(1)
  assert.deepEqual(
    answers.map((refusal) => [refusal?.code, refusal?.retryAfterSeconds]),
    [['overloaded', 1]],
  )
  assert.equal(unanswered(), 1)
  reservation.release()
  local.way = 'open'
  local.deliver()
  await answered()
  assert.deepEqual([answers.length, local.bank.calls], [1, 0])
  // What was refused does not count: the call of this minute is still free.
  const next = reserve({ id: 'c2', rpm: 1 })
  await answered()
  assert.deepEqual(next.answers, [null])
})

test('a slow limit bank is waited for, and its answer obeyed', async (t) => {
  const { reserve, unanswered, local } = createScene(t)
  local.way = 'silent'
  const calls = ['c1', 'c2', 'c3'].map((id) => reserve({ id, rpm: 1 }))
  t.mock.timers.tick(PATIENT_ANSWER_MS_MAX - 1)
  local.deliver()
  await answered()
  assert.deepEqual(
    calls.map(({ answers }) => answers.map((refusal) => refusal?.code ?? 'passed')),
    [['passed'], ['rate_limited'], ['rate_limited']],
  )
  assert.equal(unanswered(), 0)
})

test('a call that only a budget covers goes on without an answer: the budget is known here', (t) => {
  const tight = createState({ spent: usd(0.99), usual: USUAL })
  const { reserve, unanswered, local } = createScene(t, [tight])
  local.way = 'silent'
  const { answers } = reserve()
  assert.deepEqual(answers, [])
  t.mock.timers.tick(ANSWER_MS_MAX)
  assert.deepEqual([answers, unanswered()], [[null], 1])
})

test('where that is allowed a call that gets no answer goes on, and a late refusal does not stop it', async (t) => {
  const { reserve, unanswered, kinds, local } = createScene(t, [], 'allow')
  local.way = 'silent'
  const { answers, reservation } = reserve({ rpm: 0 })
  t.mock.timers.tick(ANSWER_MS_MAX - 1)
  assert.deepEqual(answers, [])
  t.mock.timers.tick(1)
  assert.deepEqual([answers, unanswered()], [[null], 1])
  local.deliver()
  await answered()
  t.mock.timers.tick(ANSWER_MS_MAX)
  assert.deepEqual([answers, unanswered()], [[null], 1])
  reservation.release()
  assert.equal(kinds(), 'reserve release')
})

test('an answer that comes in time is not counted as missing', async (t) => {
  const { reserve, unanswered } = createScene(t)
  const { answers } = reserve({ rpm: 9 })
  await answered()
  t.mock.timers.tick(ANSWER_MS_MAX)
  assert.deepEqual([answers, unanswered()], [[null], 0])
})

test('with no limit bank at the other end calls of keys with limits are refused at once', (t) => {
  const { reserve, unanswered, local } = createScene(t)
  local.way = 'cut'
  assert.deepEqual([reserve({ rpm: 1 }).answers[0]?.code, unanswered()], ['overloaded', 1])
})

test('with no limit bank at the other end calls go on at once where that is allowed', (t) => {
  const { reserve, unanswered, local } = createScene(t, [], 'allow')
  local.way = 'cut'
  assert.deepEqual([reserve({ rpm: 1 }).answers, unanswered()], [[null], 1])
})

test('a caller that leaves before the answer gets no answer, and its place is free again', async (t) => {
  const { reserve, local } = createScene(t)
  local.way = 'silent'
  const { answers, reservation } = reserve({ maxParallel: 1 })
  reservation.release()
  local.deliver()
  await answered()
  t.mock.timers.tick(ANSWER_MS_MAX)
  assert.deepEqual([answers, local.bank.calls], [[], 0])
})

test('a call that a used-up budget covers is refused without asking, until the period ends', (t) => {
  const states = [createState({ spent: usd(1.02) })]
  const { reserve, kinds, pass } = createScene(t, states)
  const { answers } = reserve({ isPaid: false })
  assert.equal(answers[0]?.code, 'budget_exceeded')
  assert.equal(kinds(), '')
  assert.deepEqual(reserve({ isPlan: true }).answers, [null], 'a subscription pays')
  pass(DAY_END_MS - DAY_START_MS)
  assert.deepEqual(reserve().answers, [null])
})

test('calls of unknown cost use a budget up, and the refusal says that they do', (t) => {
  const used = createState({ spent: usd(0.5), usual: USUAL, unpriced: 50 })
  const { answers } = createScene(t, [used]).reserve()
  assert.match(
    answers[0]?.message ?? '',
    /: \$0\.50 of \$1\.00 spent in this UTC day \(global\), and \$0\.50 counted for 50 calls whose cost is not known\. It resets/,
  )
})

for (const [limit, usual, cost] of [
  [100, null, 0.1],
  [0.4, null, 0.05],
  [100, USUAL, 0.01],
] as const) {
  test(`under a limit of ${limit} USD a call that Weir does not know reserves ${cost} where ${usual === null ? 'no' : 'a'} call is known`, (t) => {
    const scene = createScene(t, [createState({ limit: usd(limit), usual })])
    scene.reserve({ isKnown: false, rpm: 9 })
    assert.equal(scene.local.bank.figures()[0]?.reserved, usd(cost))
  })
}

describe('a budget that has plenty lets calls through at once and reports them', () => {
  const state = (spent: number) => createState({ limit: usd(1), spent: usd(spent), usual: USUAL })

  test('up to a sixteenth of what is free, divided by the workers', (t) => {
    const { reserve, kinds, local } = createScene(t)
    local.workers = 2
    local.report(toReport([state(0.2)]))
    // Of 80 cents two and a half are this worker's.
    for (let count = 0; count < 3; count++) reserve({ id: `c${count}` })
    assert.equal(kinds(), 'report report reserve')
  })

  test('and what was let through counts until the limit bank has confirmed it', (t) => {
    const { reserve, kinds, local } = createScene(t)
    local.report(toReport([state(0.5)]))
    // The reports cross these calls on their way.
    local.way = 'silent'
    for (let count = 0; count < 3; count++) reserve({ id: `a${count}` })
    for (let count = 0; count < 3; count++) local.report(toReport([state(0.5)]))
    reserve({ id: 'b' })
    local.deliver()
    local.report(toReport([state(0.4)]))
    reserve({ id: 'c' })
    assert.equal(kinds(), 'report report report reserve report')
  })

  test('but a key with limits asks all the same', (t) => {
    const { reserve, kinds } = createScene(t, [state(0)])
    reserve({ rpm: 5 })
    assert.equal(kinds(), 'reserve')
  })

  test('and every budget must have it', (t) => {
    const near = createState({ id: 'bud_near', spent: usd(0.99), usual: USUAL })
    const { reserve, kinds } = createScene(t, [state(0), near])
    reserve()
    assert.equal(kinds(), 'reserve')
  })
})

test('near the limit the limit bank decides, and says that the rest is spoken for', async (t) => {
  const { reserve } = createScene(t, [createState({ spent: usd(0.98), usual: USUAL })])
  const calls = Array.from({ length: 4 }, (_, at) => reserve({ id: `c${at}` }))
  await answered()
  assert.deepEqual(
    calls.map(({ answers }) => answers[0]?.code ?? 'passed'),
    ['passed', 'passed', 'budget_exceeded', 'budget_exceeded'],
  )
  assert.match(
    calls[3]?.answers[0]?.message ?? '',
    /\$0\.98 of \$1\.00 spent in this UTC day \(global\), and the calls that run now are expected to take the rest\. It resets/,
  )
})

test('a call that costs nothing reserves nothing', (t) => {
  const { reserve, kinds } = createScene(t, [createState()])
  assert.deepEqual([reserve({ isPaid: false }).answers, kinds()], [[null], ''])
})

test('used-up budgets of models are shown to those who may serve the model, while the period lasts', (t) => {
  const ofModel = (pattern: string, spent: number) =>
    createState({ id: `bud_${pattern}`, scope: { kind: 'model', pattern }, spent: usd(spent) })
  const states = [ofModel('acme/*', 1), ofModel('hub:acme/*', 1), ofModel('acme/big', 0.5)]
  const { local } = createScene(t, states)
  const found = (provider: string, nowMs = DAY_START_MS): string =>
    local.limiter
      .findBlocked({ ...OPENING, provider }, nowMs)
      .map((blocked) => blocked.refusal().budget?.id)
      .join(' ')
  assert.equal(found('acme'), 'bud_acme/*')
  assert.equal(found('hub'), 'bud_acme/* bud_hub:acme/*')
  assert.equal(found('acme', DAY_END_MS), '')
})

test('a used-up budget for models of another maker touches no call', (t) => {
  const patterns = ['acme/*', 'ac*', '*/big', 'acme/big', 'big', 'acmes/*', 'other/*', '*']
  const states = patterns.map((pattern) =>
    createState({ id: pattern, scope: { kind: 'model', pattern }, spent: usd(1) }),
  )
  const { local } = createScene(t, states)
  const found = local.limiter.findBlocked(OPENING, DAY_START_MS)
  assert.deepEqual(
    found.map((blocked) => blocked.refusal().budget?.id),
    ['acme/*', 'ac*', '*/big', 'acme/big', 'big', '*'],
  )
})

test('a used-up budget for models is no more so when its limit is raised or its period ends', (t) => {
  const scope = { kind: 'model', pattern: 'acme/*' } as const
  const { local, pass } = createScene(t, [createState({ scope, spent: usd(1) })])
  const [blocked] = local.limiter.findBlocked(OPENING, DAY_START_MS)
  assert.equal(blocked?.isUsedUp(), true)
  local.report(toReport([createState({ scope, spent: usd(1), limit: usd(2) })]))
  assert.equal(blocked?.isUsedUp(), false)
  local.report(toReport([createState({ scope, spent: usd(1) })]))
  assert.equal(blocked?.isUsedUp(), true)
  pass(DAY_END_MS - DAY_START_MS)
  assert.equal(blocked?.isUsedUp(), false)
})
