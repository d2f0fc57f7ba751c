import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  createFakeProcess,
  createFakeStarter,
  createTestConfig,
} from '../../test/fakes/role-process.ts'
import type { FakeProcess } from '../../test/fakes/role-process.ts'
import { ProcessSlot, nextPauseMs } from './process-slot.ts'

const PAUSES: [name: string, lastPauseMs: number, livedMs: number, pauseMs: number][] = [
  ['the first death', 0, 5, 50],
  ['the first death after a long life', 0, 3_600_000, 50],
  ['a second death soon after', 50, 5, 100],
  ['a third', 100, 5, 200],
  ['a death at the edge of a steady life', 800, 60_000, 1600],
  ['a death after a steady life', 800, 60_001, 50],
  ['one that would double past the longest pause', 6400, 5, 10_000],
  ['one after the longest pause', 10_000, 5, 10_000],
]

for (const [name, lastPauseMs, livedMs, pauseMs] of PAUSES) {
  test(`the pause after ${name} is ${pauseMs} ms`, () => {
    assert.equal(nextPauseMs({ lastPauseMs, livedMs }), pauseMs)
  })
}

const LISTENER = {
  reported: () => {},
  budgets: () => {},
  limiterMessages: () => {},
  ledgerFault: () => {},
  stand: () => {},
  answered: () => {},
}

function createScene() {
  const starter = createFakeStarter()
  const config = createTestConfig()
  const clock = { now: () => 0, monotonic: () => nowMs }
  let nowMs = 0
  const reasons: string[] = []
  const launch = (): FakeProcess => starter.start('proxy', config, LISTENER) as FakeProcess
  const slot = new ProcessSlot(launch(), {
    clock,
    died: (_, reason) => reasons.push(reason),
    restart: launch,
  })
  return {
    slot,
    reasons,
    processes: starter.processes,
    successor: () => createFakeProcess({ role: 'proxy', config }),
    last: () => starter.processes.at(-1) as FakeProcess,
    pass: (ms: number) => (nowMs += ms),
  }
}

test('a process that dies again and again is started after growing pauses', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene()
  for (const pauseMs of [50, 100, 200, 400]) {
    const count = scene.processes.length
    await scene.last().die('exit code 1')
    t.mock.timers.tick(pauseMs - 1)
    assert.equal(scene.processes.length, count)
    t.mock.timers.tick(1)
    assert.equal(scene.processes.length, count + 1)
  }
  scene.pass(60_001)
  await scene.last().die('SIGKILL')
  t.mock.timers.tick(50)
  assert.equal(scene.processes.length, 6)
  assert.deepEqual(scene.reasons.slice(-2), ['exit code 1', 'SIGKILL'])
})

test('a process that was relieved is not started again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene()
  const first = scene.last()
  const successor = scene.successor()
  assert.equal(scene.slot.replace(successor), first)
  await first.die('exit code 0')
  t.mock.timers.tick(10_000)
  assert.equal(scene.processes.length, 1)
  await successor.die('SIGKILL')
  t.mock.timers.tick(50)
  assert.equal(scene.processes.length, 2)
})

test('a successor that comes during the pause ends it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene()
  await scene.last().die('SIGKILL')
  const successor = scene.successor()
  scene.slot.replace(successor)
  t.mock.timers.tick(10_000)
  assert.equal(scene.processes.length, 1)
  assert.equal(scene.slot.process, successor)
})

test('nobody is started in a slot that was left, also when its process died before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene()
  await scene.last().die('SIGKILL')
  scene.slot.close()
  t.mock.timers.tick(10_000)
  assert.equal(scene.processes.length, 1)
})
