import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleRates } from '../../core/price-rule.ts'
import type { Rates } from './price-table.ts'
import { fromRuleRates, toRuleRates } from './rate-text.ts'
import { toOtherTier } from './tier-rates.ts'

const read = (texts: RuleRates): Rates => fromRuleRates(texts) as Rates
const step = (base: string, above: number, rate: string) => ({ base, steps: [{ above, rate }] })

/** Worked out by hand: own × listed in the other tier / listed in the first. */
const CASES: readonly (readonly [
  title: string,
  own: RuleRates,
  from: RuleRates,
  to: RuleRates,
  expected: RuleRates,
])[] = [
  [
    'each unit by its own ratio',
    { input: '4', output: '9' },
    { input: '10', output: '30' },
    { input: '5', output: '10' },
    { input: '2', output: '3' },
  ],
  [
    'a third, rounded once',
    { input: '1', output: '2' },
    { input: '3', output: '3' },
    { input: '1', output: '1' },
    { input: '0.333333333333333333', output: '0.666666666666666667' },
  ],
  [
    'a half of the smallest digit to the even one',
    { input: '0.000000000000000001', output: '0.000000000000000003' },
    { input: '2', output: '2' },
    { input: '1', output: '1' },
    { input: '0', output: '0.000000000000000002' },
  ],
  [
    'a unit that no list has by the ratio of its whole',
    { input: '4', cache_read: '1', cache_write_1h: '6', output: '8', reasoning: '10' },
    { input: '10', cache_write_5m: '12', output: '20' },
    { input: '5', cache_write_5m: '3', output: '4' },
    { input: '2', cache_read: '0.5', cache_write_1h: '1.5', output: '1.6', reasoning: '2' },
  ],
  [
    'a unit that the tier charges as its whole as that',
    { input: '4', cache_read: '1' },
    { input: '10', cache_read: '2.5' },
    { input: '5' },
    { input: '2' },
  ],
  [
    'nothing for tokens that no list has at all',
    { input: '4', output: '8' },
    { input: '10' },
    { input: '5' },
    { input: '2' },
  ],
  [
    'a unit that is listed at zero by its whole',
    { input: '4', cache_write_5m: '5' },
    { input: '10', cache_write_5m: '0' },
    { input: '5', cache_write_5m: '0' },
    { input: '2', cache_write_5m: '2.5' },
  ],
  [
    'a step by the ratio of the same step, and one that is not listed by that of the base',
    { input: { base: '4', steps: [...step('', 100, '8').steps, { above: 200, rate: '9' }] } },
    { input: step('10', 100, '20') },
    { input: step('5', 100, '15') },
    { input: { base: '2', steps: [...step('', 100, '6').steps, { above: 200, rate: '4.5' }] } },
  ],
  [
    'a flat rate flat, whatever steps are listed',
    { input: '4' },
    { input: step('10', 100, '20') },
    { input: step('5', 100, '15') },
    { input: '2' },
  ],
  [
    'fees as they are, unless the list changes them',
    { input: '4', request: '0.01', web_search: '0.02', image: '0.04' },
    { input: '10', web_search: '0.01', image: '0.1' },
    { input: '5', web_search: '0.01', image: '0.05' },
    { input: '2', request: '0.01', image: '0.02', web_search: '0.02' },
  ],
]

for (const [title, own, from, to, expected] of CASES) {
  test(`takes ${title}`, () => {
    const rates = toOtherTier(read(own), { from: read(from), to: read(to) })
    assert.deepEqual(toRuleRates(rates), expected)
  })
}
