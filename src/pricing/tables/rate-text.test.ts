import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Rate, Rates, TokenUnit } from './price-table.ts'
import { formatRate, fromRuleRates, parseRate, TOKEN_UNITS, toRuleRates } from './rate-text.ts'

const PARSE_CASES: readonly [unknown, bigint, string | null][] = [
  // price, quoted for, the rate of one
  [2.5, 1_000_000n, '0.0000025'],
  ['2.5', 1_000_000n, '0.0000025'],
  [0.0028, 1_000_000n, '0.0000000028'],
  [1e-7, 1n, '0.0000001'],
  [0.36, 3_600_000n, '0.0000001'],
  // An hour at 0.111 has no exact price a millisecond.
  [0.111, 3_600_000n, '0.000000030833333333333333'],
  ['0.5', 10n ** 24n, '0'],
  ['1.5', 10n ** 24n, '0.000000000000000000000002'],
  [0, 1n, '0'],
  ['12', 1n, '12'],
  [-1, 1n, null],
  ['-1', 1n, null],
  ['1,5', 1n, null],
  ['.5', 1n, null],
  ['', 1n, null],
  [Number.NaN, 1n, null],
  [Infinity, 1n, null],
  [null, 1n, null],
  [{}, 1n, null],
]

for (const [price, perUnits, expected] of PARSE_CASES) {
  test(`a price of ${JSON.stringify(price)} for ${perUnits} is ${expected ?? 'none'} for one`, () => {
    const rate = parseRate(price, perUnits)
    assert.equal(rate === null ? null : formatRate(rate), expected)
  })
}

/** Objects like ours, which have the members that every object has. */
const PLAIN = { noNullPrototype: true } as const
const price = fc.bigInt({ min: 0n, max: 10n ** 26n })
const steps = fc.uniqueArray(fc.record({ aboveInput: fc.nat(), rate: price }, PLAIN), {
  maxLength: 3,
  selector: (step) => step.aboveInput,
})
const rate: fc.Arbitrary<Rate> = fc.record(
  {
    base: price,
    steps: steps.map((some) => some.toSorted((one, two) => one.aboveInput - two.aboveInput)),
  },
  PLAIN,
)
const units = fc.constantFrom(...Object.values(TOKEN_UNITS))
const kinds = fc.constantFrom('web_search', 'image', 'constructor')
const rates: fc.Arbitrary<Rates> = fc.record(
  {
    tokens: fc.dictionary(units, rate, PLAIN) as fc.Arbitrary<Partial<Record<TokenUnit, Rate>>>,
    toolCalls: fc.dictionary(kinds, rate, PLAIN),
    request: fc.option(rate),
    isFree: fc.constant(false),
  },
  PLAIN,
)

test('any rates are the same after they were written down and read', () => {
  fc.assert(fc.property(rates, (any) => assert.deepEqual(fromRuleRates(toRuleRates(any)), any)))
})

test('rates stand in the order in which people read them', () => {
  const one = { base: 10n ** 24n, steps: [] }
  const texts = toRuleRates({
    tokens: { output: one, input: one },
    toolCalls: { web_search: one, image: one },
    request: one,
    isFree: false,
  })
  assert.deepEqual(Object.entries(texts), [
    ['input', '1000000'],
    ['output', '1000000'],
    ['request', '1'],
    ['image', '1'],
    ['web_search', '1'],
  ])
})

test('a text that is no rate leaves nothing of the others', () => {
  assert.equal(fromRuleRates({ input: '1', output: 'much' }), null)
  assert.equal(fromRuleRates({ input: { base: '1', steps: [{ above: 1, rate: '' }] } }), null)
})
