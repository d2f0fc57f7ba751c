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

const CASES: readonly [string, Partial<OutstandingCalls>, bigint][] = [
  ['one machine: its running calls', { leases: null, running: 3, spent: 0n }, 90n],
  ['nothing is out: the last lease may be one call too large', {}, 30n],
  ['much is free: nothing is out that could use it up', { spent: 0n }, 0n],
  [
    'running calls, beyond what is reserved for them',
    { running: 2, leases: { ...NOTHING, leased: 20n, reserved: 20n } },
    40n + 30n,
  ],
  [
    'ended calls, by how much dearer than usual they can be',
    { leases: { leased: 20n, reserved: 20n, ended: 20n } },
    40n + 30n,
  ],
  [
    'unused leases, with the sixteenth that workers pass without asking',
    { leases: { ...NOTHING, leased: 160n } },
    510n - 160n + 30n,
  ],
  [
    'no call is known yet: as expected',
    { usual: 0n, largest: 0n, leases: { ...NOTHING, leased: 16n } },
    1n,
  ],
]

for (const [title, changes, bound] of CASES) {
  test(title, () => assert.equal(overshootBound({ ...CALLS, ...changes }), bound))
}
