import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overshootBound } from './overshoot-bound.ts'
import type { OutstandingCalls } from './overshoot-bound.ts'

const NOTHING = { leased: 0n, reserved: 0n, ended: 0n }
const CALLS: OutstandingCalls = {
  limit: 1000n,
  spent: 1000n,
  largest: 30n,
  usual: 10n,
  running: 0,
  leases: NOTHING,
}

/** Nothing is free: what is spent and leased is the limit. */
const full = (leased: bigint, reserved: bigint, ended: bigint): Partial<OutstandingCalls> => ({
  spent: 1000n - leased,
  leases: { leased, reserved, ended },
})

const CASES: readonly [string, Partial<OutstandingCalls>, bigint][] = [
  ['one machine: its running calls', { leases: null, running: 3, spent: 0n }, 90n],
  ['all is spent and nothing is out', {}, 0n],
  ['what was spent beyond the limit already', { spent: 1040n }, 40n],
  ['costs on record that were higher than expected', { ...full(20n, 20n, 0n), spent: 995n }, 15n],
  ['much is free: nothing is out that could use it up', { spent: 0n }, 0n],
  ['little is free: one call may pass', { spent: 990n }, 20n],
  ['running calls, beyond what is reserved for them', { running: 2, ...full(20n, 20n, 0n) }, 40n],
  ['ended calls, by how much dearer than usual they can be', full(20n, 20n, 20n), 40n],
  ['unused leases, with the sixteenth that passes without asking', full(160n, 0n, 0n), 350n],
  ['no call is known yet: as expected', { usual: 0n, largest: 0n, ...full(16n, 0n, 0n) }, 1n],
]

for (const [title, changes, bound] of CASES) {
  test(title, () => assert.equal(overshootBound({ ...CALLS, ...changes }), bound))
}
