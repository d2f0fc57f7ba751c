import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { watchApiWay } from './api-way.ts'

const LOOK_MS = 1000
const ROOMY_LOOKS_MIN = 10
const ROOMY_LOOKS_LATER = 600

function openScene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const machine = { all: 0, idle: 0 }
  const times = { ranNs: 0, waitedNs: 0 }
  const done: string[] = []
  const state = { hasCallers: true, idleShare: 0.5, ranNs: 10e6, waitedNs: 0 }
  let beginning = Promise.withResolvers<void>()
  const way = watchApiWay({
    hasCallers: () => state.hasCallers,
    giveWay: () => void done.push('gives way'),
    beginAnew: () => {
      done.push('begun anew')
      beginning = Promise.withResolvers()
      return beginning.promise
    },
    readTimes: () => ({ ...times }),
    readMachine: () => ({ ...machine }),
  })
  way.began(1)
  return {
    way,
    state,
    pass: (looks: number): readonly string[] => {
      for (let look = 0; look < looks; look += 1) {
        machine.all += 200
        machine.idle += 200 * state.idleShare
        times.ranNs += state.ranNs
        times.waitedNs += state.waitedNs
        t.mock.timers.tick(LOOK_MS)
      }
      return done.splice(0)
    },
    failToBegin: async () => {
      beginning.resolve()
      await beginning.promise
    },
  }
}

test('it gives way when somebody has called for ten seconds and a third of the machine was free', (t) => {
  const { pass } = openScene(t)
  assert.deepEqual(pass(ROOMY_LOOKS_MIN - 1), [])
  assert.deepEqual(pass(1), ['gives way'])
  assert.deepEqual(pass(ROOMY_LOOKS_MIN), [])
})

test('it does not where nobody calls, or the machine is busy for one second of them', (t) => {
  const { pass, state } = openScene(t)
  state.hasCallers = false
  assert.deepEqual(pass(100), [])
  state.hasCallers = true
  assert.deepEqual(pass(ROOMY_LOOKS_MIN - 1), [])
  state.idleShare = 0.29
  assert.deepEqual(pass(1), [])
  state.idleShare = 0.3
  assert.deepEqual(pass(ROOMY_LOOKS_MIN - 1), [])
  assert.deepEqual(pass(1), ['gives way'])
})

test('one that gets no core is begun anew at once, and gives way again after ten minutes with room', (t) => {
  const { way, pass, state } = openScene(t)
  pass(ROOMY_LOOKS_MIN)
  way.gaveWay(true)
  // Asked much on a machine with room, and little on a busy one.
  Object.assign(state, { ranNs: 900e6, waitedNs: 300e6 })
  assert.deepEqual(pass(5), [])
  Object.assign(state, { ranNs: 1e6, waitedNs: 249e6 })
  assert.deepEqual(pass(5), [])
  state.waitedNs = 250e6
  assert.deepEqual(pass(3), ['begun anew'])
  way.began(2)
  assert.deepEqual(pass(ROOMY_LOOKS_LATER - 1), [])
  assert.deepEqual(pass(1), ['gives way'])
})

test('where no other can be begun, it is tried again', async (t) => {
  const { way, pass, state, failToBegin } = openScene(t)
  pass(ROOMY_LOOKS_MIN)
  way.gaveWay(true)
  state.waitedNs = 900e6
  assert.deepEqual(pass(3), ['begun anew'])
  await failToBegin()
  assert.deepEqual(pass(3), ['begun anew'])
})

test('where the machine has no such way, it is not asked again, nor is its successor', (t) => {
  const { way, pass, state } = openScene(t)
  pass(ROOMY_LOOKS_MIN)
  way.gaveWay(false)
  state.waitedNs = 900e6
  assert.deepEqual(pass(ROOMY_LOOKS_LATER), [])
  way.began(2)
  assert.deepEqual(pass(ROOMY_LOOKS_LATER), [])
})

test('a successor that came in between is not taken for the one that gave way', (t) => {
  const { way, pass, state } = openScene(t)
  assert.deepEqual(pass(ROOMY_LOOKS_MIN), ['gives way'])
  way.began(2)
  way.gaveWay(true)
  state.waitedNs = 900e6
  state.idleShare = 0
  assert.deepEqual(pass(100), [])
})
