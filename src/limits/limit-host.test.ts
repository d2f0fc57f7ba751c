import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createState, DAY_START_MS, toReport, usd } from '../../test/fakes/budget-states.ts'
import type { BudgetState } from '../core/budget-state.ts'
import type { BudgetReservations, LimiterMessage } from './limit-bank.ts'
import { LimitHost } from './limit-host.ts'
import type { LimitReply } from './limit-messages.ts'
import { createMeter } from '../app/meter.ts'

function createScene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = { now: () => DAY_START_MS, monotonic: () => 0 }
  const meter = createMeter()
  const figures: (readonly BudgetReservations[])[] = []
  const host = new LimitHost({ clock, meter, tellFigures: (received) => figures.push(received) })
  function join() {
    const received: LimitReply[] = []
    const worker = { received, send: (message: LimitReply) => void received.push(message) }
    host.joined(worker)
    return worker
  }
  return { host, meter, figures, join }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** One line for each message with answers. */
function answersOf({ received }: { readonly received: readonly LimitReply[] }): string[] {
  return received.flatMap((message) =>
    message.kind === 'reservationAnswers'
      ? [message.answers.map(({ callId, kind }) => `${callId} ${kind}`).join(', ')]
      : [],
  )
}

function askFor(callId: string, cents = 1): LimiterMessage {
  const budgets = [{ id: 'bud_1', expected: usd(cents / 100) }]
  return { kind: 'reserve', request: { callId, keyId: 'k', rpm: null, maxParallel: 2, budgets } }
}

test('a worker gets the state of the budgets at its start, and all get what a report changes', (t) => {
  const { host, join } = createScene(t)
  const first = join()
  const [one, two] = [createState({ spent: usd(0.5) }), createState({ id: 'bud_2' })]
  const withReserved = (state: BudgetState, amount = 0) => ({ ...state, reserved: usd(amount) })
  host.reported(toReport([one, two]))
  const second = join()
  const shared = { kind: 'budgetUpdate', gone: [], workers: 2, reports: 0 }
  assert.deepEqual(second.received, [{ ...shared, states: [withReserved(one), withReserved(two)] }])
  host.received(first, [askFor('c1', 20)])
  host.reported(toReport([structuredClone(one), two]))
  for (const { received } of [first, second]) {
    assert.deepEqual(received.at(-1), { ...shared, states: [withReserved(one, 0.2)] })
  }
  host.reported(toReport([two]))
  assert.deepEqual(first.received.at(-1), { ...shared, states: [], gone: ['bud_1'] })
  host.reported(toReport([]))
  assert.deepEqual(second.received.at(-1), { ...shared, states: [], gone: ['bud_2'] })
})

test('a worker learns how many of the calls that it let through are in what is reserved', (t) => {
  const { host, join } = createScene(t)
  const [first, second] = [join(), join()]
  const { request } = askFor('c1') as LimiterMessage & { kind: 'reserve' }
  host.received(first, [
    { kind: 'report', request },
    { kind: 'report', request: { ...request, callId: 'c2' } },
  ])
  host.reported(toReport([createState()]))
  const updates = [first, second].map(({ received }) => received.at(-1))
  assert.deepEqual(
    updates.map((message) => message?.kind === 'budgetUpdate' && message.reports),
    [2, 0],
  )
})

test('without blocking budgets a report is not passed on', (t) => {
  const { host, join } = createScene(t)
  const worker = join()
  host.reported(toReport([]))
  assert.equal(worker.received.length, 1)
})

test('all answers to a message go in one, in the order of what was said', (t) => {
  const { host, join } = createScene(t)
  const worker = join()
  const release: LimiterMessage = { kind: 'release', callId: 'c1', endedAt: 0 }
  host.received(worker, [askFor('c1'), askFor('c2'), release, askFor('c3')])
  assert.deepEqual(answersOf(worker), ['c1 granted, c2 granted, c3 granted'])
  const count = worker.received.length
  host.received(worker, [release])
  assert.equal(worker.received.length, count)
})

test('a call for which there is no room is looked at once more when all other messages have been received', async (t) => {
  const { host, join } = createScene(t)
  const [first, second] = [join(), join()]
  host.received(first, [askFor('c1'), askFor('c2')])
  host.received(second, [askFor('c3'), askFor('c4')])
  assert.deepEqual(answersOf(second), [])
  host.received(first, [{ kind: 'release', callId: 'c1', endedAt: 0 }])
  await nextTurn()
  assert.deepEqual(answersOf(second), ['c3 granted', 'c4 parallel'])
})

test('a call that leaves before it was looked at again takes no place', async (t) => {
  const { host, join } = createScene(t)
  const worker = join()
  host.received(worker, [askFor('c1'), askFor('c2'), askFor('c3')])
  host.received(
    worker,
    ['c3', 'c1', 'c2'].map((callId) => ({ kind: 'release', callId, endedAt: 0 })),
  )
  await nextTurn()
  host.received(worker, [askFor('c4'), askFor('c5')])
  assert.deepEqual(answersOf(worker), ['c1 granted, c2 granted', 'c4 granted, c5 granted'])
})

test('a worker that is gone leaves its places to the others', (t) => {
  const { host, join } = createScene(t)
  const [first, second] = [join(), join()]
  host.received(first, [askFor('c1'), askFor('c2')])
  host.gone(first)
  host.received(first, [askFor('late')])
  host.received(second, [askFor('c3')])
  assert.deepEqual(second.received.at(-1), {
    kind: 'reservationAnswers',
    answers: [{ callId: 'c3', kind: 'granted' }],
  })
})

test('once a second the ledger hears what runs, and once more when the last budget is gone', (t) => {
  const { host, join, figures, meter } = createScene(t)
  const worker = join()
  t.mock.timers.tick(1000)
  assert.deepEqual(figures, [])
  host.reported(toReport([createState()]))
  host.received(worker, [askFor('c1', 20)])
  t.mock.timers.tick(1000)
  assert.deepEqual(figures, [[{ budgetId: 'bud_1', running: 1, reserved: usd(0.2) }]])
  const running = meter.samples().find(({ metric }) => metric === 'reservedCalls')
  assert.equal(running?.value, 1)
  host.reported(toReport([]))
  t.mock.timers.tick(3000)
  assert.deepEqual(figures.slice(1), [[]])
})
