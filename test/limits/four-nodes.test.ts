import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLeasesAt } from '../fakes/postgres/lease-stores.ts'
import { openTestDatabase } from '../fakes/postgres/test-database.ts'
import { PATTERNS, simulate } from './simulated-nodes.ts'
import type { CallPattern } from './simulated-nodes.ts'

const CALLS = 600

test('64 callers of four nodes overrun a budget by no more than is shown, in all patterns', async (t) => {
  const url = await openTestDatabase(t)
  const outcomes = PATTERNS.map(async (pattern) => {
    const outcome = await simulate({ pattern, calls: CALLS, leases: await openLeasesAt(t, url) })
    return { title: pattern.title, ...outcome }
  })
  for (const { title, overshoot, bounds, statements, calls } of await Promise.all(outcomes)) {
    assert.ok(bounds !== null, `${title}: ${overshoot} %, and no bound was shown`)
    const { smallest } = bounds
    assert.ok(overshoot <= smallest, `${title}: ${overshoot} % over, ${smallest} % was shown`)
    // Less than a call may be left where calls cost more than expected.
    assert.ok(overshoot > -1, `${title}: ${overshoot} %`)
    assert.ok(statements < calls / 2, `${title}: ${statements} statements for ${calls} calls`)
  }
})

test('every node for itself would overrun it by far more', async () => {
  const pattern = PATTERNS.at(-1) as CallPattern
  const { overshoot } = await simulate({ pattern, calls: CALLS, leases: null })
  // By as much as 240 % where the machine has nothing else to do.
  assert.ok(overshoot > 10, `${overshoot} %`)
})
