import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toRowHref } from './row-links.ts'
import type { UsageQuestion } from '../../data/usage.ts'

const AS_OF = '2026-03-01T10:00:00.000Z'
const COST = { metric: 'cost_usd' } as const
const MONTH = { ...COST, window: 'month_to_date' } as const

const CASES: readonly [UsageQuestion, Partial<Record<'label' | 'model', string>>, string][] = [
  [{ ...COST, window: 'yesterday' }, {}, '/requests?from=2026-02-28&to=2026-03-01'],
  [{ ...COST, window: 'last_month' }, {}, '/requests?from=2026-02-01&to=2026-03-01'],
  [
    { ...COST, window: 'today', dimension: 'provider' },
    { label: 'some' },
    '/requests?from=2026-03-01&provider=some',
  ],
  [
    { ...COST, window: 'month', month: '2025-12', dimension: 'model', api_key: 'svc_k_1' },
    { label: 'a/b c' },
    '/requests?from=2025-12-01&to=2026-01-01&api_key=svc_k_1&model=a%2Fb+c',
  ],
  [{ ...MONTH, dimension: 'api_key' }, { label: 'svc_k_1' }, '/keys/svc_k_1'],
  [
    { ...MONTH, dimension: 'dim_model', dim_key: 'team' },
    { label: '=1&x', model: 'm' },
    '/requests?from=2026-03-01&dim_key=team&dim_value=%3D1%26x&model=m',
  ],
  [
    { ...COST, window: 'last_7_days', dimension: 'day' },
    { label: '2026-02-28' },
    '/requests?from=2026-02-28&to=2026-03-01',
  ],
]

for (const [question, row, href] of CASES) {
  test(`a row of ${question.dimension ?? 'a total'} over ${question.window} leads to ${href}`, () => {
    const whole = { label: 'total', model: null, ...row }
    assert.equal(toRowHref({ question, row: whole, asOf: AS_OF }), href)
  })
}

test('a row without a name has no link', () => {
  const row = { label: 'unknown', model: null }
  for (const dimension of ['model', 'api_key'] as const) {
    assert.equal(toRowHref({ question: { ...MONTH, dimension }, row, asOf: AS_OF }), undefined)
  }
})
