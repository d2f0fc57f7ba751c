import assert from 'node:assert/strict'
import { test } from 'node:test'

import { amountAt, spanOf } from './budget.ts'
import type { BudgetPeriod } from './budget.ts'
import { formatScope, parseScope } from './budget-scope.ts'

const SPANS: readonly [BudgetPeriod, string, string, string][] = [
  ['day', '2026-11-15T00:00:00.000Z', '2026-11-15', '2026-11-16'],
  ['day', '2026-11-15T23:59:59.999Z', '2026-11-15', '2026-11-16'],
  ['day', '2024-02-29T12:00:00.000Z', '2024-02-29', '2024-03-01'],
  ['week', '2026-11-15T23:59:59.999Z', '2026-11-09', '2026-11-16'],
  ['week', '2026-11-16T00:00:00.000Z', '2026-11-16', '2026-11-23'],
  // The first ISO week of 2027 begins in 2027, the last of 2024 ends in 2025.
  ['week', '2027-01-01T00:00:00.000Z', '2026-12-28', '2027-01-04'],
  ['week', '2024-12-31T12:00:00.000Z', '2024-12-30', '2025-01-06'],
  ['week', '1970-01-01T00:00:00.000Z', '1969-12-29', '1970-01-05'],
  ['month', '2026-11-01T00:00:00.000Z', '2026-11-01', '2026-12-01'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['month', '2024-02-29T23:59:59.999Z', '2024-02-01', '2024-03-01'],
]

for (const [period, at, from, to] of SPANS) {
  test(`the ${period} of ${at} is ${from} to ${to}`, () => {
    const span = spanOf(period, Date.parse(at))
    assert.deepEqual(span, { startMs: Date.parse(from), endMs: Date.parse(to) })
  })
}

test('a threshold is reached at its share of the limit and not a picodollar earlier', () => {
  const cases: readonly [bigint, number, bigint][] = [
    [1_000_000_000_000n, 80, 800_000_000_000n],
    [1_000_000_000_000n, 100, 1_000_000_000_000n],
    [1_000_000_000_000n, 250, 2_500_000_000_000n],
    [3n, 50, 2n],
    [1n, 1, 1n],
    [10n ** 30n + 1n, 1, 10n ** 28n + 1n],
  ]
  for (const [limit, percent, amount] of cases) {
    assert.equal(amountAt(limit, percent), amount)
    assert.ok(amount * 100n >= limit * BigInt(percent))
    assert.ok((amount - 1n) * 100n < limit * BigInt(percent))
  }
})

const SCOPES = [
  'global',
  'api_key=svc_k_0123456789abcdef',
  'provider=openai',
  'model=openai/gpt-*',
  'model=gateway:acme/writer=2',
  'dim:team=search',
  'team=team_0123456789abcdef',
  'team=search-eu',
  'person=user_0123456789abcdef',
  'person=ada@example.com',
  'dim:cost.center=a=b, c',
]

for (const scope of SCOPES) {
  test(`the scope ${scope} reads as it is written`, () => {
    const parsed = parseScope(scope)
    assert.ok('scope' in parsed)
    assert.equal(formatScope(parsed.scope), scope)
  })
}

const FAULTS: readonly [string, RegExp][] = [
  ['', /must be global, api_key=ID/],
  ['Global', /must be global/],
  ['tribe=search', /must be global/],
  ['team=Search EU', /id or the short name/],
  ['team=', /id or the short name/],
  ['person=Ada', /id or the address/],
  ['dim:@team=team_0123456789abcdef', /begin with a letter/],
  ['api_key=svc_k_0123456789abcdef.secret', /without its secret/],
  ['provider=Open AI', /after \/v1\//],
  ['model=', /1 to 200/],
  ['model=a b', /1 to 200/],
  ['dim:=search', /./],
  ['dim:1st=search', /./],
  ['dim:team=', /./],
]

for (const [scope, words] of FAULTS) {
  test(`the scope "${scope}" is refused in words`, () => {
    const parsed = parseScope(scope)
    assert.ok('fault' in parsed)
    assert.match(parsed.fault, words)
  })
}
