import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADDRESS_FAILURES_MAX,
  EMAIL_FAILURES_MAX,
  FAILURE_WINDOW_MS,
  NOTES_PER_HOUR_MAX,
  PAIR_FAILURES_MAX,
  createSignInAttempts,
} from './sign-in-attempts.ts'

function createScene() {
  const clock = { nowMs: 0, monotonic: () => clock.nowMs }
  return { clock, attempts: createSignInAttempts(clock) }
}

test('one email fails five times from one place, then waits for the oldest, and is free elsewhere', () => {
  const { clock, attempts } = createScene()
  const take = (address: string) => attempts.take({ email: 'a@b.c', address })
  for (let index = 0; index < PAIR_FAILURES_MAX; index++) {
    assert.equal(take('10.0.0.9'), null)
    clock.nowMs += 1000
  }
  assert.equal(take('10.0.0.9'), 895)
  assert.equal(attempts.take({ email: 'd@b.c', address: '10.0.0.9' }), null)
  assert.equal(take('10.0.0.1'), null)
  clock.nowMs = FAILURE_WINDOW_MS - 1
  assert.equal(take('10.0.0.9'), 1)
  clock.nowMs = FAILURE_WINDOW_MS
  assert.equal(take('10.0.0.9'), null)
  assert.equal(take('10.0.0.9'), 1)
})

test('one email fails fifty times, whatever the places', () => {
  const { attempts } = createScene()
  const take = (index: number) => attempts.take({ email: 'a@b.c', address: `10.0.0.${index}` })
  for (let index = 0; index < EMAIL_FAILURES_MAX; index++) assert.equal(take(index), null)
  assert.equal(take(99), 900)
})

test('one place fails thirty times, whatever the emails', () => {
  const { attempts } = createScene()
  for (let index = 0; index < ADDRESS_FAILURES_MAX; index++) {
    assert.equal(attempts.take({ email: `${index}@b.c`, address: '10.0.0.1' }), null)
  }
  assert.equal(attempts.take({ email: 'x@b.c', address: '10.0.0.1' }), 900)
  assert.equal(attempts.take({ email: 'x@b.c', address: '10.0.0.2' }), null)
})

test('who gets it right begins again', () => {
  const { attempts } = createScene()
  const attempt = { email: 'a@b.c', address: '10.0.0.1' }
  for (let index = 0; index < ADDRESS_FAILURES_MAX * 2; index++) {
    assert.equal(attempts.take(attempt), null)
    attempts.forget(attempt)
  }
})

test('a refusal is noted once a minute for an email', () => {
  const { clock, attempts } = createScene()
  assert.ok(attempts.takeNote('a@b.c'))
  assert.ok(!attempts.takeNote('a@b.c'))
  assert.ok(attempts.takeNote('d@b.c'))
  clock.nowMs = 60_000
  assert.ok(attempts.takeNote('a@b.c'))
})

test('made-up emails do not fill the audit log', () => {
  const { clock, attempts } = createScene()
  for (let index = 0; index < NOTES_PER_HOUR_MAX; index++) {
    assert.ok(attempts.takeNote(`${index}@b.c`))
    clock.nowMs += 1000
  }
  assert.ok(!attempts.takeNote('a@b.c'))
  clock.nowMs = 3_600_000 - 1
  assert.ok(!attempts.takeNote('a@b.c'))
  clock.nowMs = 3_600_000
  assert.ok(attempts.takeNote('a@b.c'))
  assert.ok(!attempts.takeNote('d@b.c'))
})

test('made-up addresses push out the oldest, not the memory', () => {
  const { attempts } = createScene()
  const fail = (email: string, index: number) => attempts.take({ email, address: `p${index}` })
  for (let index = 0; index < EMAIL_FAILURES_MAX; index++) fail('first@b.c', index)
  assert.notEqual(fail('first@b.c', 99), null)
  for (let index = 0; index < 10_000; index++) fail(`${index}@b.c`, index)
  assert.equal(fail('first@b.c', 99), null)
})
