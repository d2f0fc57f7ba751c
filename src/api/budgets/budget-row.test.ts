import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertTarget } from '../../core/alert.ts'
import { spanOf } from '../../core/budget.ts'
import type { Budget } from '../../core/budget.ts'
import type { BudgetSpend } from '../../store/ledger/budget-states.ts'
import { showSecrets, toBudgetRow } from './budget-row.ts'
import type { BudgetFacts } from './budget-row.ts'

const NOW = Date.parse('2026-03-16T00:00:00Z')
const USD = 10n ** 12n

const budget: Budget = {
  id: 'bud_1',
  name: 'a',
  scope: { kind: 'dim', key: 'team', value: 'a=b' },
  period: 'month',
  limit: 300n * USD,
  thresholds: [100],
  each: 'none',
  isTargetsOnly: false,
  isBlocking: true,
  createdAt: NOW,
  version: 7,
}

const spend: BudgetSpend = {
  budgetId: 'bud_1',
  span: spanOf('month', NOW),
  sinceMs: 0,
  spent: 0n,
  calls: 0,
  requestBytes: 0,
  outputTokens: 0,
  largest: 2n * USD,
  unpriced: 0,
}

function rowOf(spent: bigint, change: Partial<BudgetFacts> = {}) {
  const facts = {
    budget,
    scopeName: null,
    spend: { ...spend, spent },
    targets: [],
    usual: null,
    reservations: null,
    nowMs: NOW,
  }
  return toBudgetRow({ ...facts, ...change })
}

test('the share is cut, so that 100 % and the limit are reached together', () => {
  for (const [spent, percent, isExceeded] of [
    [0n, 0, false],
    [1n, 0, false],
    [150n * USD, 50, false],
    [192_086n * (USD / 1000n), 64.02, false],
    [300n * USD - 1n, 99.99, false],
    [300n * USD, 100, true],
    [900n * USD + 1n, 300, true],
  ] as const) {
    const row = rowOf(spent)
    assert.deepEqual([row.spent_percent, row.is_exceeded], [percent, isExceeded], String(spent))
  }
})

test('the forecast is that of the period, and there is none of a day', () => {
  assert.equal(rowOf(150n * USD).forecast_usd, 310)
  const day = { ...spend, span: spanOf('day', NOW), spent: USD }
  assert.equal(rowOf(USD, { spend: day }).forecast_usd, null)
})

test('what runs under a blocking budget is shown where it is known', () => {
  const reservations = { running: 4, reserved: USD / 4n }
  const shown = (row: ReturnType<typeof rowOf>) => [
    row.running_calls,
    row.reserved_usd,
    row.overshoot_max_usd,
  ]
  assert.deepEqual(shown(rowOf(0n, { reservations })), [4, 0.25, 8])
  assert.deepEqual(shown(rowOf(0n)), [null, null, null])
  const alerting = { ...budget, isBlocking: false }
  assert.deepEqual(shown(rowOf(0n, { reservations, budget: alerting })), [null, null, null])
})

test('what calls of unknown cost count as is shown of a blocking budget, and is not spent', () => {
  const gap = { ...spend, unpriced: 3 }
  const usual = { cost: USD / 2n, requestBytes: 1, outputTokens: 1 }
  const row = rowOf(0n, { spend: gap, usual })
  assert.deepEqual([row.spent_usd, row.unknown_cost_usd, row.is_exceeded], [0, 1.5, false])
  assert.equal(rowOf(0n, { spend: gap }).unknown_cost_usd, 0.3)
  const alerting = { ...budget, isBlocking: false }
  assert.equal(rowOf(0n, { spend: gap, usual, budget: alerting }).unknown_cost_usd, null)
})

test('only the secrets of targets that were just made are shown', () => {
  const toTarget = (id: string, secret: string | null): AlertTarget => ({
    id,
    kind: secret === null ? 'email' : 'webhook',
    address: id,
    budgetId: 'bud_1',
    secret,
    createdAt: NOW,
  })
  const targets = [
    toTarget('old', 'whsec_old'),
    toTarget('mail', null),
    toTarget('new', 'whsec_new'),
  ]
  const row = rowOf(0n, { targets })
  assert.doesNotMatch(JSON.stringify(row), /whsec/)
  assert.equal(row.scope, 'dim:team=a=b')
  const shown = showSecrets(row, targets.slice(1))
  assert.deepEqual(
    [shown.webhook_secret, ...shown.targets.map(({ secret }) => secret)],
    ['whsec_new', undefined, undefined, 'whsec_new'],
  )
  assert.deepEqual(showSecrets(row, []), row)
})
