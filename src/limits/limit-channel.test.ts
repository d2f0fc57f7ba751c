import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createState, usd } from '../../test/fakes/budget-states.ts'
import type { BudgetUpdate } from './limit-messages.ts'
import type { LimiterMessage, ReservationAnswer, LimitedBudget } from './limit-bank.ts'
import { createLimitChannel } from './limit-channel.ts'

const leaveOf = (callId: string): LimiterMessage => ({ kind: 'release', callId, endedAt: 0 })
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function createScene() {
  const scene = { isConnected: true, sent: [] as string[] }
  const channel = createLimitChannel((message) => {
    assert.ok(message.kind === 'limiterMessages')
    scene.sent.push(
      message.messages.map((each) => (each.kind === 'release' ? each.callId : '')).join(' '),
    )
    return scene.isConnected
  })
  return Object.assign(scene, { channel })
}

test('what is said within a turn goes in one message, in its order', async () => {
  const { channel, sent } = createScene()
  for (const id of ['a', 'b', 'c']) assert.equal(channel.send(leaveOf(id), false), true)
  assert.deepEqual(sent, [])
  await nextTurn()
  channel.send(leaveOf('d'), false)
  await nextTurn()
  await nextTurn()
  assert.deepEqual(sent, ['a b c', 'd'])
})

test('what is urgent goes at once, and what was said before goes ahead of it', async () => {
  const { channel, sent } = createScene()
  channel.send(leaveOf('a'), false)
  channel.send(leaveOf('b'), true)
  assert.deepEqual(sent, ['a b'])
  channel.send(leaveOf('c'), false)
  await nextTurn()
  assert.deepEqual(sent, ['a b', 'c'])
})

test('when the supervisor is gone it says so', () => {
  const scene = createScene()
  scene.isConnected = false
  assert.equal(scene.channel.send(leaveOf('a'), true), false)
  assert.equal(scene.channel.send(leaveOf('b'), false), false)
  assert.deepEqual(scene.sent, ['a'])
})

test('who listens later hears how all stand that were told of, and from then on what is told', () => {
  const { channel } = createScene()
  const stateOf = (id: string, cents: number) => ({
    ...createState({ id }),
    reserved: usd(cents / 100),
  })
  const tellOf = (states: readonly LimitedBudget[], gone: readonly string[], workers: number) =>
    ({ kind: 'budgetUpdate', states, gone, workers, reports: 0 }) as const
  channel.receive(tellOf([stateOf('bud_1', 1), stateOf('bud_2', 2)], [], 1))
  channel.receive(tellOf([stateOf('bud_1', 3), stateOf('bud_3', 4)], ['bud_2'], 3))
  const updated: BudgetUpdate[] = []
  const answered: ReservationAnswer[] = []
  channel.listen({
    updated: (one) => updated.push(one),
    answered: (answers) => answered.push(...answers),
  })
  const states = [stateOf('bud_1', 3), stateOf('bud_3', 4)]
  assert.deepEqual(updated, [{ states, gone: [], workers: 3, reports: 0 }])
  channel.receive({ kind: 'reservationAnswers', answers: [{ callId: 'a', kind: 'granted' }] })
  const next = tellOf([], ['bud_1'], 2)
  channel.receive(next)
  assert.deepEqual(updated[1], next)
  assert.deepEqual(answered, [{ callId: 'a', kind: 'granted' }])
})
