import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Role } from './roles.ts'
import { SilenceWatch } from './silence-watch.ts'

interface Scene {
  readonly reported: readonly string[]
  /** So many looks, a second apart, with nothing heard. */
  pass(seconds: number): void
  /** No look for so long: the watch itself stood still. */
  sleep(seconds: number): void
  answer(): void
  compute(): void
}

function openScene(t: TestContext, role: Role): Scene {
  let nowMs = 0
  let cpu = 1
  const reported: string[] = []
  const process = { role, pid: 1 }
  const watch = new SilenceWatch<typeof process>({
    clock: { now: () => 0, monotonic: () => nowMs },
    changed: (_, isSilent) => reported.push(`${nowMs / 1000}: ${isSilent ? 'silent' : 'answers'}`),
    end: () => reported.push(`${nowMs / 1000}: ended`),
    readCpu: () => cpu,
  })
  t.after(() => watch.close())
  watch.add(process)
  return {
    reported,
    pass: (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        nowMs += 1000
        watch.look()
      }
    },
    sleep: (seconds) => {
      nowMs += seconds * 1000
      watch.look()
    },
    answer: () => watch.answered(process),
    compute: () => {
      cpu += 1
    },
  }
}

for (const role of ['proxy', 'ledger', 'api'] as const) {
  test(`a ${role} that does not answer is told of after 10 s, and ended once after 30`, (t) => {
    const scene = openScene(t, role)
    scene.pass(9)
    scene.answer()
    scene.pass(9)
    assert.deepEqual(scene.reported, [])
    scene.pass(60)
    assert.deepEqual(scene.reported, ['19: silent', '39: ended'])
  })
}

test('a process that answers again in time goes on', (t) => {
  const scene = openScene(t, 'proxy')
  scene.pass(29)
  scene.answer()
  scene.pass(9)
  assert.deepEqual(scene.reported, ['10: silent', '29: answers'])
})

test('time in which the supervisor itself stood still is nobody’s silence', (t) => {
  const scene = openScene(t, 'ledger')
  scene.pass(5)
  scene.sleep(8 * 3600)
  scene.pass(2)
  assert.deepEqual(scene.reported, [])
  scene.answer()
  scene.sleep(3600)
  scene.sleep(3600)
  assert.deepEqual(scene.reported, [])
})

test('a ledger that computes is told of, and ended when it stops to, or after ten minutes', (t) => {
  for (const [busySeconds, endedAt] of [
    [100, 110],
    [1000, 600],
  ] as const) {
    const scene = openScene(t, 'ledger')
    for (let second = 0; second < busySeconds; second += 1) {
      scene.compute()
      scene.pass(1)
    }
    scene.pass(20)
    assert.deepEqual(scene.reported, ['10: silent', `${endedAt}: ended`])
  }
})

test('a worker that computes for 30 s without an answer is in a loop, and ended', (t) => {
  const scene = openScene(t, 'proxy')
  for (let second = 0; second < 40; second += 1) {
    scene.compute()
    scene.pass(1)
  }
  assert.deepEqual(scene.reported, ['10: silent', '30: ended'])
})
