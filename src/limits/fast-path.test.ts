import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createState, DAY_END_MS, DAY_START_MS, usd } from '../../test/fakes/budget-states.ts'
import { FastPath, PLENTY_PARTS } from './fast-path.ts'
import type { LimitedBudget } from './limit-bank.ts'

function countPassed(state: LimitedBudget, nowMs: number): number {
  const path = new FastPath()
  const costs = [{ id: 'bud_1', expected: usd(0.001) }]
  let passed = 0
  while (path.take(costs, () => state, nowMs)) passed++
  return passed
}

test('where nodes share a budget, a sixteenth of what this one has leased passes without asking', () => {
  const state = { ...createState({ limit: usd(100) }), reserved: 0n }
  const leased = { ...state, room: usd(0.001) * BigInt(PLENTY_PARTS) * 10n }
  assert.equal(countPassed(leased, DAY_START_MS), 9)
  assert.equal(countPassed({ ...state, room: 0n }, DAY_START_MS), 0)
})

test('in a new period nothing does until there are new leases', () => {
  const spent = createState({ limit: usd(1), spent: usd(1) })
  assert.ok(countPassed({ ...spent, reserved: 0n }, DAY_END_MS) > 0)
  assert.equal(countPassed({ ...spent, reserved: 0n, room: usd(1) }, DAY_END_MS), 0)
})
