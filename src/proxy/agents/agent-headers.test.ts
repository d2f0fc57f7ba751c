import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BudgetState } from '../../core/budget-state.ts'
import { writeStanding } from './agent-headers.ts'

const RESET = Date.UTC(2026, 11, 1)

function stateOf(spent: bigint): BudgetState {
  const budget = { limit: 1000n } as BudgetState['budget']
  return { budget, span: { startMs: 0, endMs: RESET }, spent, usual: null, unpriced: 0 }
}

function linesOf(spent: bigint): string[] {
  const lines = writeStanding(stateOf(spent)).split('\r\n').slice(0, -1)
  return lines.map((line) => line.replace('anthropic-ratelimit-unified-', ''))
}

test('nothing is said where no budget stops a call', () => assert.equal(writeStanding(null), ''))

test('a budget with plenty left is shown without a step', () => {
  assert.deepEqual(linesOf(425n), [
    'status: allowed',
    'representative-claim: overage',
    'overage-status: allowed',
    'overage-utilization: 0.42',
    'reset: 1796083200',
    'overage-reset: 1796083200',
  ])
})

test('the steps make the tool’s notice, and a call that was let in is below 1', () => {
  assert.deepEqual(linesOf(760n).slice(0, 5), [
    'status: allowed_warning',
    'representative-claim: overage',
    'overage-status: allowed_warning',
    'overage-utilization: 0.76',
    'overage-surpassed-threshold: 0.75',
  ])
  assert.deepEqual(linesOf(5000n).slice(3, 5), [
    'overage-utilization: 0.99',
    'overage-surpassed-threshold: 0.95',
  ])
})
