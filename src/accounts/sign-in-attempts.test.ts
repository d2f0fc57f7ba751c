import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADDRESS_ALLOWANCE,
  EMAIL_ALLOWANCE,
  NOTES_PER_HOUR_MAX,
  PAIR_ALLOWANCE,
  createSignInAttempts,
} from './sign-in-attempts.ts'
import type { Attempt } from './sign-in-attempts.ts'
import { createMemoryCounters } from '../store/settings/memory-counters.ts'

const MINUTE_MS = 60_000
const WAIT_SECONDS_MAX = 60

function createScene() {
  const clock = { nowMs: 0, monotonic: () => clock.nowMs }
  return { clock, attempts: createSignInAttempts(createMemoryCounters(clock)) }
}

test('one email fails five times from one place, then once a minute, and is free elsewhere', async () => {
  const { clock, attempts } = createScene()
  const take = (address: string) => attempts.take({ email: 'a@b.c', address })
  for (let index = 0; index < PAIR_ALLOWANCE.failures; index++) {
    assert.equal(await take('10.0.0.9'), null)
    clock.nowMs += 1000
  }
  assert.equal(await take('10.0.0.9'), 55)
  assert.equal(await attempts.take({ email: 'd@b.c', address: '10.0.0.9' }), null)
  assert.equal(await take('10.0.0.1'), null)
  clock.nowMs = MINUTE_MS - 1
  assert.equal(await take('10.0.0.9'), 1)
  clock.nowMs = MINUTE_MS
  assert.equal(await take('10.0.0.9'), null)
  assert.equal(await take('10.0.0.9'), 60)
})

test('one email fails ten times, whatever the places, then every forty seconds', async () => {
  const { clock, attempts } = createScene()
  const take = (index: number) => attempts.take({ email: 'a@b.c', address: `10.0.0.${index}` })
  for (let index = 0; index < EMAIL_ALLOWANCE.failures; index++)
    assert.equal(await take(index), null)
  assert.equal(await take(99), 40)
  clock.nowMs = 40_000
  assert.equal(await take(99), null)
  assert.equal(await take(98), 40)
})

test('one place fails thirty times, whatever the emails, then every two seconds', async () => {
  const { clock, attempts } = createScene()
  for (let index = 0; index < ADDRESS_ALLOWANCE.failures; index++) {
    assert.equal(await attempts.take({ email: `${index}@b.c`, address: '10.0.0.1' }), null)
  }
  assert.equal(await attempts.take({ email: 'x@b.c', address: '10.0.0.1' }), 2)
  assert.equal(await attempts.take({ email: null, address: '10.0.0.1' }), 2)
  assert.equal(await attempts.take({ email: 'x@b.c', address: '10.0.0.2' }), null)
  clock.nowMs = 2000
  assert.equal(await attempts.take({ email: null, address: '10.0.0.1' }), null)
})

const floods: readonly (readonly [name: string, to: (index: number) => Attempt, most: number])[] = [
  ['one address', () => ({ email: 'a@b.c', address: '10.0.0.1' }), 5 + 59],
  ['many addresses', (index) => ({ email: 'a@b.c', address: `10.0.${index}` }), 10 + 89],
  ['a browser of its own', () => ({ email: 'a@b.c', address: 'x', ownPlace: 'y' }), 5 + 59],
]

for (const [name, toAttempt, most] of floods) {
  test(`an hour of guesses at one account from ${name} is ${most}, and no wait is long`, async () => {
    const { clock, attempts } = createScene()
    let taken = 0
    for (let index = 0; index < 3600; index++) {
      const waitSeconds = await attempts.take(toAttempt(index))
      assert.ok(waitSeconds === null || waitSeconds <= WAIT_SECONDS_MAX, String(waitSeconds))
      if (waitSeconds === null) taken += 1
      clock.nowMs += 1000
    }
    assert.equal(taken, most)
  })
}

test('a place of its own is limited by its own failures alone', async () => {
  const { attempts } = createScene()
  for (let index = 0; index < 100; index++) {
    await attempts.take({ email: 'a@b.c', address: '10.0.0.1' })
    await attempts.take({ email: 'a@b.c', address: `10.0.1.${index}` })
    await attempts.take({ email: `${index}@b.c`, address: '10.0.0.1' })
  }
  const own = { email: 'a@b.c', address: '10.0.0.1', ownPlace: 'browser' }
  for (let index = 0; index < PAIR_ALLOWANCE.failures; index++) {
    assert.equal(await attempts.take(own), null)
  }
  assert.equal(await attempts.take(own), 60)
  assert.equal(await attempts.take({ ...own, email: 'd@b.c' }), null)
})

test('an IPv6 network is one place', async () => {
  const places = ['2001:db8::1', '2001:db8:0:0:1::', '2001:db8:0:0:a:b:c:d']
  const { attempts } = createScene()
  for (let index = 0; index < PAIR_ALLOWANCE.failures; index++) {
    const address = places[index % places.length] ?? ''
    assert.equal(await attempts.take({ email: 'a@b.c', address }), null)
  }
  for (const address of places) assert.equal(await attempts.take({ email: 'a@b.c', address }), 60)
  assert.equal(await attempts.take({ email: 'a@b.c', address: '2001:db8:0:1::1' }), null)
  assert.equal(await attempts.take({ email: 'a@b.c', address: '::1' }), null)
})

test('who gets it right begins again, and elsewhere it was no failure', async () => {
  const { attempts } = createScene()
  const attempt = { email: 'a@b.c', address: '10.0.0.1' }
  for (let index = 0; index < ADDRESS_ALLOWANCE.failures * 2; index++) {
    assert.equal(await attempts.take(attempt), null)
    await attempts.forget(attempt)
  }
  for (let index = 1; index < PAIR_ALLOWANCE.failures; index++) await attempts.take(attempt)
  await attempts.take(attempt)
  await attempts.forget(attempt)
  for (let index = 0; index < PAIR_ALLOWANCE.failures; index++) {
    assert.equal(await attempts.take(attempt), null)
  }
  // Of the nine failures before, none is forgotten for other places.
  assert.equal(await attempts.take({ ...attempt, address: '10.0.0.2' }), null)
  assert.equal(await attempts.take({ ...attempt, address: '10.0.0.3' }), 40)
})

test('a password that was not checked is no failure, and clears none', async () => {
  const { attempts } = createScene()
  const attempt = { email: 'a@b.c', address: '10.0.0.1' }
  for (let index = 1; index < PAIR_ALLOWANCE.failures; index++) await attempts.take(attempt)
  for (let index = 0; index < 10; index++) {
    assert.equal(await attempts.take(attempt), null)
    await attempts.undo(attempt)
  }
  assert.equal(await attempts.take(attempt), null)
  assert.equal(await attempts.take(attempt), 60)
})

test('a refusal is noted once a minute for an email', async () => {
  const { clock, attempts } = createScene()
  assert.ok(await attempts.takeNote('a@b.c'))
  assert.ok(!(await attempts.takeNote('a@b.c')))
  assert.ok(await attempts.takeNote('d@b.c'))
  clock.nowMs = 60_000
  assert.ok(await attempts.takeNote('a@b.c'))
})

test('made-up emails do not fill the audit log', async () => {
  const { clock, attempts } = createScene()
  for (let index = 0; index < NOTES_PER_HOUR_MAX; index++) {
    assert.ok(await attempts.takeNote(`${index}@b.c`))
    clock.nowMs += 1000
  }
  assert.ok(!(await attempts.takeNote('a@b.c')))
  clock.nowMs = 3_600_000 - 1
  assert.ok(!(await attempts.takeNote('a@b.c')))
  clock.nowMs = 3_600_000
  assert.ok(await attempts.takeNote('a@b.c'))
  assert.ok(!(await attempts.takeNote('d@b.c')))
})

test('made-up addresses push out the oldest, not the memory', async () => {
  const { attempts } = createScene()
  const fail = (email: string, index: number) => attempts.take({ email, address: `p${index}` })
  for (let index = 0; index < EMAIL_ALLOWANCE.failures; index++) await fail('first@b.c', index)
  assert.notEqual(await fail('first@b.c', 99), null)
  for (let index = 0; index < 10_000; index++) await fail(`${index}@b.c`, index)
  assert.equal(await fail('first@b.c', 99), null)
})
