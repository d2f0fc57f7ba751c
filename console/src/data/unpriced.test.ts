import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MissingPriceAnswer, UsageRow } from '../../../src/api/contract.ts'
import { createIsUnpriced, formatCost } from './unpriced.ts'

function createRow(label: string, value: number): UsageRow {
  return { label, value, bucket: null, model: null, requests: null, tokens: null }
}

const MISSING: readonly MissingPriceAnswer[] = [
  {
    provider: 'own',
    model: 'own-7b',
    requests: 3,
    tokens: 5,
    is_partial: false,
    first_month: '2026-02',
    last_month: '2026-03',
    wants: 'price',
    units: ['input', 'output'],
  },
]

test('a model without a price differs from one that cost nothing, in the months it was used', () => {
  const inMarch = createIsUnpriced(MISSING, '2026-03', { dimension: 'model' })
  const inApril = createIsUnpriced(MISSING, '2026-04', { dimension: 'model' })
  const row = createRow('own-7b', 0)
  assert.equal(formatCost(0, inMarch(row)), 'no price')
  assert.equal(formatCost(0, inApril(row)), '$0.00')
  assert.equal(formatCost(2, inMarch(row)), '$2.00')
  assert.equal(formatCost(0, inMarch(createRow('free', 0))), '$0.00')
})

test('while it is not known whether a price is missing, nothing is shown as free', () => {
  assert.equal(formatCost(0, null), '…')
  assert.equal(formatCost(2, null), '$2.00')
})

test('a provider without a price is marked, in the months it was used, and a key never is', () => {
  const row = createRow('own', 0)
  assert.equal(createIsUnpriced(MISSING, '2026-03', { dimension: 'provider' })(row), true)
  assert.equal(createIsUnpriced(MISSING, '2026-04', { dimension: 'provider' })(row), false)
  assert.equal(createIsUnpriced(MISSING, '2026-03', { dimension: 'api_key' })(row), false)
})
