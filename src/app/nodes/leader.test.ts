import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { systemClock } from '../../core/clock.ts'
import type { Clock } from '../../core/clock.ts'
import { STATEMENT_MS_MAX } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'
import type { NodeStore } from '../../store/open-store.ts'
import { openLeader, PACES as USUAL_PACES } from './leader.ts'
import type { Leader, LeaderPaces, Term } from './leader.ts'

/** A lease that no slow machine lets run out. */
const PACES = { leaseMs: 60_000, renewMs: 100, tryMs: 50, marginMs: 100 }
/** One that runs out in the test. */
const SHORT = { ...PACES, leaseMs: 800 }
const WAIT_MS_MAX = 30_000
/** That a node which does not lead goes on trying. */
const TRIES = 3

interface Candidate {
  readonly leader: Leader
  /** One for each time that it began. */
  readonly terms: Term[]
  readonly endedAt: number[]
  readonly beganAt: number[]
  /** When it asked for the lease in vain. */
  readonly refusedAt: number[]
}

interface CandidateOptions {
  readonly store: Pick<NodeStore, 'takeLease' | 'releaseLease'>
  readonly clock?: Clock
  readonly paces?: LeaderPaces
}

function openCandidate(context: TestContext, owner: string, options: CandidateOptions): Candidate {
  const { store, clock = systemClock, paces = PACES } = options
  const terms: Term[] = []
  const endedAt: number[] = []
  const beganAt: number[] = []
  const refusedAt: number[] = []
  const takeLease: NodeStore['takeLease'] = async (claim) => {
    const askedAt = systemClock.monotonic()
    const isTaken = await store.takeLease(claim)
    if (!isTaken) refusedAt.push(askedAt)
    return isTaken
  }
  const leader = openLeader({
    store: { takeLease, releaseLease: (claim) => store.releaseLease(claim) },
    owner,
    clock,
    paces,
    lead: async (term) => {
      terms.push(term)
      beganAt.push(systemClock.monotonic())
      return { close: async () => void endedAt.push(systemClock.monotonic()) }
    },
    warn: () => {},
    info: () => {},
  })
  context.after(() => leader.close())
  return { leader, terms, endedAt, beganAt, refusedAt }
}

async function openStore(context: TestContext): Promise<NodeStore> {
  const url = await openTestDatabase(context)
  await migrateStores({ settings: url, usage: url })
  const store = await openNodeStore({ url })
  context.after(() => store.close())
  return store
}

async function until(isTrue: () => boolean): Promise<void> {
  const endMs = systemClock.monotonic() + WAIT_MS_MAX
  while (!isTrue()) {
    assert.ok(systemClock.monotonic() < endMs, 'it took too long')
    await pause(5)
  }
}

test('one of two leads, and the other at once when it leaves', async (context) => {
  const store = await openStore(context)
  const one = openCandidate(context, 'one', { store })
  await until(() => one.leader.isLeading())
  const two = openCandidate(context, 'two', { store })
  await until(() => two.refusedAt.length >= TRIES)
  assert.deepEqual([one.leader.isLeading(), two.leader.isLeading()], [true, false])
  const leftAt = systemClock.monotonic()
  await one.leader.close()
  await until(() => two.leader.isLeading())
  assert.ok(systemClock.monotonic() - leftAt < PACES.leaseMs, 'it did not wait for the lease')
  assert.deepEqual([one.terms.length, one.endedAt.length, two.terms.length], [1, 1, 1])
})

test('a leader without an answer of the database ends before another begins', async (context) => {
  const store = await openStore(context)
  let isCut = false
  let asked: Promise<unknown> = Promise.resolve()
  const cut: CandidateOptions['store'] = {
    takeLease: (claim) => {
      if (isCut) return new Promise(() => {})
      const answer = store.takeLease(claim)
      asked = answer
      return answer
    },
    releaseLease: (claim) => store.releaseLease(claim),
  }
  const leader = openLeader({
    store: cut,
    owner: 'one',
    clock: systemClock,
    paces: SHORT,
    lead: async () => ({ close: async () => void endedAt.push(systemClock.monotonic()) }),
    warn: () => {},
    info: () => {},
  })
  const endedAt: number[] = []
  await until(() => leader.isLeading())
  isCut = true
  await asked
  const cutAt = systemClock.monotonic()
  const two = openCandidate(context, 'two', { store, paces: SHORT })
  await until(() => two.leader.isLeading())
  assert.equal(leader.isLeading(), false)
  assert.ok((endedAt[0] ?? Infinity) <= (two.beganAt[0] ?? -Infinity))
  const late = two.refusedAt.filter((at) => at > cutAt + SHORT.leaseMs)
  assert.deepEqual(late, [], 'it begins as soon as the lease has run out')
})

test('a term is over by the clock alone, before any timer of a stopped process runs', async (context) => {
  const store = await openStore(context)
  const stopped = { ms: 0 }
  const clock: Clock = {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() + stopped.ms,
  }
  const one = openCandidate(context, 'one', { store, clock })
  await until(() => one.leader.isLeading())
  assert.equal(one.terms[0]?.isOver(), false)
  stopped.ms = PACES.leaseMs
  assert.equal(one.terms[0]?.isOver(), true)
  assert.equal(one.leader.isLeading(), false)
})

test('a leader that is gone is replaced within ten seconds, however long the statement takes', () => {
  const { leaseMs, renewMs, tryMs, marginMs } = USUAL_PACES
  assert.ok(leaseMs + tryMs + STATEMENT_MS_MAX <= 10_000)
  // Nor does one renewal without an answer end a term.
  assert.ok(renewMs + STATEMENT_MS_MAX + renewMs < leaseMs - marginMs)
})

test('work that cannot begin leaves the lease to another', async (context) => {
  const store = await openStore(context)
  const warned: string[] = []
  const leader = openLeader({
    store,
    owner: 'one',
    clock: systemClock,
    paces: PACES,
    lead: () => Promise.reject(new Error('no store')),
    warn: (_, message) => void warned.push(message),
    info: () => {},
  })
  context.after(() => leader.close())
  await until(() => warned.length > 0)
  const two = openCandidate(context, 'two', { store })
  await until(() => two.leader.isLeading())
})
