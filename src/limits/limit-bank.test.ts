import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  createState,
  DAY_END_MS,
  DAY_START_MS,
  toReport,
  usd,
} from '../../test/fakes/budget-states.ts'
import { createRandom } from '../../test/fuzz/generate-requests.ts'
import { LimitBank, GONE_MS_MAX } from './limit-bank.ts'
import type { ReservationRequest, ReservationVerdict } from './limit-bank.ts'

const START_MS = DAY_START_MS + 3_600_000

function createScene() {
  let passedMs = 0
  const clock = { now: () => START_MS + passedMs, monotonic: () => 5 + passedMs }
  const bank = new LimitBank(clock)
  let calls = 0
  return {
    clock,
    bank,
    pass: (ms: number) => (passedMs += ms),
    /** Asks for a new call; returns its verdict and id. */
    reserve(
      changes: Partial<ReservationRequest> & { worker?: string },
    ): ReservationVerdict & { readonly id: string } {
      const { worker = 'w0', ...asked } = changes
      const callId = `c${calls++}`
      const plain = { callId, keyId: 'k', rpm: null, maxParallel: null, budgets: [] }
      return { ...bank.reserve(worker, { ...plain, ...asked }), id: callId }
    },
  }
}

type Scene = ReturnType<typeof createScene>

const cents = (id: string, amount: number) => ({ id, expected: usd(amount / 100) })

function figuresOf({ bank }: Scene, budgetId = 'bud_1') {
  const found = bank.figures().find((figures) => figures.budgetId === budgetId)
  return found === undefined ? null : [found.running, found.reserved]
}

test('of 8 workers in turn exactly as many calls pass within any minute as the key may make', () => {
  const random = createRandom(7)
  const scene = createScene()
  const granted: number[] = []
  for (let turn = 0; turn < 4000; turn++) {
    scene.pass(Math.floor(random() * 120))
    const verdict = scene.reserve({ rpm: 25, worker: `w${turn % 8}` })
    const now = scene.clock.monotonic()
    const inWindow = granted.filter((at) => at > now - 60_000).length
    assert.equal(verdict.kind, inWindow < 25 ? 'granted' : 'rpm')
    if (verdict.kind === 'granted') granted.push(now)
    scene.bank.release(verdict.id, scene.clock.now())
  }
  assert.ok(granted.length > 75)
})

test('a key that makes thousands of calls is let through as exactly, when the old ones are forgotten', () => {
  const scene = createScene()
  const grant = (count: number): void => {
    for (let one = 0; one < count; one++) assert.equal(scene.reserve({ rpm: 3002 }).kind, 'granted')
  }
  grant(3000)
  scene.pass(30_000)
  grant(2)
  assert.equal(scene.reserve({ rpm: 3002 }).kind, 'rpm')
  scene.pass(30_000)
  grant(3000)
  assert.equal(scene.reserve({ rpm: 3002 }).kind, 'rpm')
})

test('Retry-After is enough and no more', () => {
  const scene = createScene()
  for (const gapMs of [0, 1500, 700]) {
    scene.pass(gapMs)
    assert.equal(scene.reserve({ rpm: 3 }).kind, 'granted')
  }
  scene.pass(300)
  // 2.5 s of the first call's minute have gone.
  const { id: _, ...verdict } = scene.reserve({ rpm: 3 })
  assert.deepEqual(verdict, { kind: 'rpm', rpm: 3, retryAfterSeconds: 58 })
  scene.pass(57_499)
  assert.equal(scene.reserve({ rpm: 3 }).kind, 'rpm')
  scene.pass(1)
  assert.equal(scene.reserve({ rpm: 3 }).kind, 'granted')
})

test('a limit that was lowered waits until enough calls are out of the window', () => {
  const scene = createScene()
  for (let count = 0; count < 4; count++) {
    scene.reserve({ rpm: 10 })
    scene.pass(1000)
  }
  const verdict = scene.reserve({ rpm: 2 })
  assert.deepEqual(verdict.kind === 'rpm' && verdict.retryAfterSeconds, 58)
})

test('calls at once are counted over all workers until they leave or their worker is gone', () => {
  const scene = createScene()
  const first = scene.reserve({ maxParallel: 2, worker: 'w0' })
  const second = scene.reserve({ maxParallel: 2, worker: 'w1' })
  assert.deepEqual([first.kind, second.kind], ['granted', 'granted'])
  assert.equal(scene.reserve({ maxParallel: 2, worker: 'w2' }).kind, 'parallel')
  scene.bank.release(first.id, 0)
  scene.bank.release(first.id, 0)
  assert.equal(scene.reserve({ maxParallel: 2 }).kind, 'granted')
  assert.equal(scene.reserve({ maxParallel: 2 }).kind, 'parallel')
  scene.bank.workerGone('w1')
  assert.equal(scene.reserve({ maxParallel: 2 }).kind, 'granted')
  assert.equal(scene.reserve({ maxParallel: 2 }).kind, 'parallel')
  assert.equal(scene.bank.calls, 2)
})

test('a call whose answer is about to leave takes no place, and what it may cost stays reserved', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState({})]))
  const budgets = [cents('bud_1', 10)]
  const first = scene.reserve({ maxParallel: 1, budgets })
  scene.bank.vacate(first.id)
  scene.bank.vacate(first.id)
  assert.deepEqual(figuresOf(scene), [1, usd(0.1)])
  assert.equal(scene.reserve({ maxParallel: 1, budgets }).kind, 'granted')
  scene.bank.release(first.id, START_MS)
  assert.equal(scene.reserve({ maxParallel: 1, budgets }).kind, 'parallel')
  assert.deepEqual(figuresOf(scene), [1, usd(0.2)])
})

test('a burst of calls passes only as far as what they are expected to cost is free', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState({ spent: usd(0.9) })]))
  const kinds = Array.from(
    { length: 8 },
    () => scene.reserve({ budgets: [cents('bud_1', 3)] }).kind,
  )
  assert.equal(kinds.join(' '), 'granted granted granted granted budget budget budget budget')
  assert.deepEqual(figuresOf(scene), [4, usd(0.12)])
})

test('what a call was expected to cost is given up only when its real cost is in the report', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState()]))
  const { id } = scene.reserve({ budgets: [cents('bud_1', 50)] })
  const endedAt = scene.clock.now()
  scene.bank.release(id, endedAt)
  assert.deepEqual(figuresOf(scene), [0, usd(0.5)])
  scene.bank.report(toReport([createState()], endedAt))
  assert.deepEqual(figuresOf(scene), [0, usd(0.5)])
  scene.bank.report(toReport([createState({ spent: usd(0.4) })], endedAt + 1))
  assert.deepEqual(figuresOf(scene), [0, 0n])
})

test('a call of unknown cost counts on as the usual one, until it has a cost or the period ends', () => {
  const scene = createScene()
  const usual = { cost: usd(0.4), requestBytes: 1, outputTokens: 1 }
  const asked = { budgets: [cents('bud_1', 40)] }
  const kinds = (): string => Array.from({ length: 3 }, () => scene.reserve(asked).kind).join(' ')
  scene.bank.report(toReport([createState({ usual, unpriced: 1 })]))
  assert.equal(kinds(), 'granted granted budget')
  scene.bank.workerGone('w0')
  scene.bank.report(toReport([createState({ usual, unpriced: 3 })], scene.clock.now() + 1))
  assert.deepEqual(figuresOf(scene), [0, 0n])
  assert.equal(kinds(), 'budget budget budget')
  // Repriced: two of them cost little.
  scene.bank.report(toReport([createState({ usual, spent: usd(0.1), unpriced: 1 })]))
  assert.equal(kinds(), 'granted granted budget')
  scene.bank.report(toReport([createState({ usual, unpriced: 3 })]))
  scene.pass(DAY_END_MS - START_MS)
  assert.equal(kinds(), 'granted budget budget')
})

test('calls of a worker that died stay reserved until a report tells of later, ten seconds at the most', () => {
  for (const [passedMs, completeFor, reserved] of [
    [GONE_MS_MAX - 1, 0, usd(0.5)],
    [GONE_MS_MAX, 0, 0n],
    [1000, 1, 0n],
  ] as const) {
    const scene = createScene()
    scene.bank.report(toReport([createState()]))
    scene.reserve({ budgets: [cents('bud_1', 50)] })
    const goneAt = scene.clock.now()
    scene.bank.workerGone('w0')
    assert.deepEqual(figuresOf(scene), [0, usd(0.5)])
    scene.pass(passedMs)
    scene.bank.report(toReport([createState()], goneAt + completeFor))
    assert.deepEqual(figuresOf(scene), [0, reserved])
  }
})

test('of several budgets the strictest refuses, and of several that refuse the one that resets last is named', () => {
  const scene = createScene()
  const week = createState({ id: 'bud_week', spent: usd(1), endMs: DAY_END_MS + 1 })
  const states = [createState({ spent: usd(1) }), week, createState({ id: 'bud_wide' })]
  scene.bank.report(toReport(states))
  const budgets = ['bud_1', 'bud_week', 'bud_wide'].map((id) => cents(id, 1))
  const verdict = scene.reserve({ budgets })
  assert.equal(verdict.kind === 'budget' && verdict.state.budget.id, 'bud_week')
  assert.deepEqual(figuresOf(scene, 'bud_wide'), [0, 0n])
  assert.equal(
    scene.reserve({ budgets: [cents('bud_wide', 1), cents('bud_gone', 1)] }).kind,
    'granted',
  )
})

test("a period's end frees the budget before anybody has reported it", () => {
  const scene = createScene()
  scene.bank.report(toReport([createState({ spent: usd(2) })]))
  const asked = { budgets: [cents('bud_1', 1)] }
  assert.equal(scene.reserve(asked).kind, 'budget')
  scene.pass(DAY_END_MS - START_MS - 1)
  assert.equal(scene.reserve(asked).kind, 'budget')
  scene.pass(1)
  assert.equal(scene.reserve(asked).kind, 'granted')
})

test('a budget that is no longer reported is forgotten, and its calls may leave all the same', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState()]))
  const { id } = scene.reserve({ budgets: [cents('bud_1', 200)] })
  scene.bank.report(toReport([]))
  assert.equal(scene.reserve({ budgets: [cents('bud_1', 1)] }).kind, 'granted')
  scene.bank.report(toReport([createState()]))
  scene.bank.release(id, scene.clock.now())
  assert.deepEqual(figuresOf(scene), [0, 0n])
})

test('calls that end while no report comes take a bounded memory and stay reserved in sum', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState({ limit: usd(1000) })]))
  for (let count = 0; count < 5000; count++) {
    scene.pass(1)
    scene.bank.release(scene.reserve({ budgets: [cents('bud_1', 1)] }).id, scene.clock.now())
  }
  assert.deepEqual(figuresOf(scene), [0, usd(50)])
  scene.bank.report(toReport([createState()], scene.clock.now() + 1))
  assert.deepEqual(figuresOf(scene), [0, 0n])
})

test('a clock that is set back holds no reservation longer than the next reports', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState()]))
  const { id } = scene.reserve({ budgets: [cents('bud_1', 50)] })
  scene.bank.release(id, scene.clock.now() + 3_600_000)
  scene.bank.report(toReport([createState()], scene.clock.now()))
  assert.deepEqual(figuresOf(scene), [0, usd(0.5)])
  scene.bank.report(toReport([createState()], scene.clock.now() + 1))
  assert.deepEqual(figuresOf(scene), [0, 0n])
})

test('behind the end of a period a refusal names the end of the new one', () => {
  const scene = createScene()
  scene.bank.report(toReport([createState({ spent: usd(2) })]))
  scene.pass(DAY_END_MS - START_MS)
  assert.equal(scene.reserve({ budgets: [cents('bud_1', 100)] }).kind, 'granted')
  const verdict = scene.reserve({ budgets: [cents('bud_1', 1)] })
  assert.ok(verdict.kind === 'budget')
  const { span, spent } = verdict.state
  assert.deepEqual([span.startMs, span.endMs, spent], [DAY_END_MS, DAY_END_MS + 86_400_000, 0n])
})

// The same rules in the plainest words: every call that was ever granted is kept, and looked
// through each time.

interface PlainCall extends ReservationRequest {
  readonly worker: string
  readonly at: number
  hasLeft: boolean
  endedAt: number
  settledAt: number
  /** Of each budget, whether its expected cost still counts. */
  readonly counts: Map<string, boolean>
}

class PlainLimitBank {
  calls: PlainCall[] = []
  states = new Map<string, ReturnType<typeof createState>>()
  readonly #clock: Scene['clock']

  constructor(clock: Scene['clock']) {
    this.#clock = clock
  }

  reserved(id: string): bigint {
    const costs = this.calls.filter(({ counts }) => counts.get(id) === true)
    return costs.reduce(
      (sum, call) => sum + (call.budgets.find((one) => one.id === id)?.expected ?? 0n),
      0n,
    )
  }

  reserve(worker: string, reserve: ReservationRequest): ReservationVerdict['kind'] {
    const now = this.#clock.now()
    for (const { id } of reserve.budgets) {
      const state = this.states.get(id)
      if (state === undefined) continue
      const spent = now >= state.span.endMs ? 0n : state.spent
      if (spent + this.reserved(id) >= state.budget.limit) return 'budget'
    }
    const ofKey = this.calls.filter(({ keyId }) => keyId === reserve.keyId)
    const since = this.#clock.monotonic() - 60_000
    const recent = ofKey.filter(({ rpm, at }) => rpm !== null && at > since)
    if (reserve.rpm !== null && recent.length >= reserve.rpm) return 'rpm'
    const running = ofKey.filter((call) => !call.hasLeft && (call.rpm ?? call.maxParallel) !== null)
    if (reserve.maxParallel !== null && running.length >= reserve.maxParallel) return 'parallel'
    this.grant(worker, reserve)
    return 'granted'
  }

  grant(worker: string, reserve: ReservationRequest): void {
    const known = reserve.budgets.filter(({ id }) => this.states.has(id))
    const counts = new Map(known.map(({ id }) => [id, true]))
    const left = { hasLeft: false, endedAt: Infinity, settledAt: Infinity }
    this.calls.push({ ...reserve, ...left, worker, at: this.#clock.monotonic(), counts })
  }

  release(callId: string, endedAt: number): void {
    for (const call of this.calls) {
      if (call.callId === callId && !call.hasLeft) Object.assign(call, { hasLeft: true, endedAt })
    }
  }

  workerGone(worker: string): void {
    const gone = {
      hasLeft: true,
      endedAt: this.#clock.now(),
      settledAt: this.#clock.monotonic() + GONE_MS_MAX,
    }
    for (const call of this.calls)
      if (call.worker === worker && !call.hasLeft) Object.assign(call, gone)
  }

  report(states: readonly ReturnType<typeof createState>[], completeUntil: number): void {
    this.states = new Map(states.map((state) => [state.budget.id, state]))
    for (const call of this.calls) {
      const isSettled = call.endedAt < completeUntil || call.settledAt <= this.#clock.monotonic()
      for (const id of call.counts.keys()) {
        if (!this.states.has(id) || isSettled) call.counts.set(id, false)
      }
    }
  }
}

const HISTORIES = 2000
const STEPS = 60

test('agrees with the plain model over thousands of histories', () => {
  for (let seed = 1; seed <= HISTORIES; seed++) runHistory(createRandom(seed), `seed ${seed}`)
})

function runHistory(random: () => number, name: string): void {
  const below = (count: number): number => Math.floor(random() * count)
  const scene = createScene()
  const { bank, clock } = scene
  const plain = new PlainLimitBank(clock)
  const ids = ['bud_1', 'bud_2', 'bud_3']
  const limits = [null, null, 1, 2, 5]
  for (let step = 0; step < STEPS; step++) {
    const budgets = ids.filter(() => below(2) === 0).map((id) => cents(id, below(40)))
    const limit = (): number | null => limits[below(limits.length)] ?? null
    const reserve = {
      callId: `c${step}`,
      keyId: `k${below(2)}`,
      rpm: limit(),
      maxParallel: limit(),
      budgets,
    }
    const worker = `w${below(3)}`
    const message = below(12)
    if (message < 5)
      assert.equal(bank.reserve(worker, reserve).kind, plain.reserve(worker, reserve), name)
    else if (message === 5) {
      bank.count(worker, reserve)
      plain.grant(worker, reserve)
    } else if (message < 8) {
      const callId = `c${below(step + 1)}`
      const endedAt = clock.now() - below(3)
      bank.release(callId, endedAt)
      plain.release(callId, endedAt)
    } else if (message < 10) {
      const states = ids
        .filter(() => below(5) > 0)
        .map((id) =>
          createState({ id, spent: usd(below(120) / 100), endMs: START_MS + below(400_000) }),
        )
      const completeUntil = clock.now() - below(20_000)
      bank.report(toReport(states, completeUntil))
      plain.report(states, completeUntil)
    } else if (message === 10) {
      bank.workerGone(worker)
      plain.workerGone(worker)
    } else {
      scene.pass(below(15_000))
      bank.forgetIdleKeys()
    }
    const reserved = new Map(bank.figures().map((figures) => [figures.budgetId, figures.reserved]))
    for (const id of plain.states.keys()) assert.equal(reserved.get(id), plain.reserved(id), name)
    assert.equal(bank.calls, plain.calls.filter(({ hasLeft }) => !hasLeft).length, name)
  }
}
