import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPriceRule, RuleRates } from '../../core/price-rule.ts'
import { findRuleFaults, STEPS_MAX, UNITS_MAX } from './rule-faults.ts'

const RULE: NewPriceRule = {
  provider: 'openai',
  model: 'gpt-4o*',
  tier: null,
  effectiveFrom: Date.parse('2026-11-01T00:00:00Z'),
  price: { kind: 'rates', rates: { input: '2.5', output: '10' } },
  note: null,
}

function withRates(rates: RuleRates): Partial<NewPriceRule> {
  return { price: { kind: 'rates', rates } }
}

function withFactor(factor: string): Partial<NewPriceRule> {
  return { price: { kind: 'multiplier', factor } }
}

const GOOD: readonly [string, Partial<NewPriceRule>][] = [
  ['rates', {}],
  ['a name with all that names have', { model: 'ft:gpt-4o@2:acme/x_y.z+1~' }],
  ['a tier', { tier: 'batch+geo-us' }],
  ['a note', { note: 'Contract 7, § 3' }],
  ['a price of nothing', withRates({ input: '0' })],
  ['the largest price', withRates({ input: '1000000', request: '1000000' })],
  [
    'the finest price',
    withRates({ input: `0.${'1'.repeat(18)}`, audio_ms: `0.${'1'.repeat(24)}` }),
  ],
  ['kinds of tools', withRates({ web_search: '0.01', image: '0.04', 'my.tool-2': '1' })],
  ['steps', withRates({ input: { base: '1', steps: [{ above: 200_000, rate: '2' }] } })],
  ['a discount', withFactor('0.8')],
  ['the largest multiplier', withFactor('100')],
  ['the finest multiplier', withFactor(`0.${'0'.repeat(11)}1`)],
]

for (const [title, change] of GOOD) {
  test(`${title} can be priced with`, () => {
    assert.deepEqual(findRuleFaults({ ...RULE, ...change }), [])
  })
}

const steps = (...starts: readonly number[]) => ({
  base: '1',
  steps: starts.map((above) => ({ above, rate: '1' })),
})

const FAULTY: readonly [string, Partial<NewPriceRule>, RegExp][] = [
  ['a provider in capitals', { provider: 'OpenAI' }, /invalid provider/],
  ['no model', { model: '' }, /has a model name that is empty or longer than 200/],
  [
    'an endless model',
    { model: 'm'.repeat(201) },
    /has a model name that is empty or longer than 200/,
  ],
  ['a model in capitals', { model: 'GPT-4o' }, /in capitals; write "gpt-4o"/],
  ['a model with a space', { model: 'gpt 4o' }, /spaces or unusual characters/],
  ['a model with a line break', { model: 'gpt\n4o' }, /spaces or unusual characters/],
  ['a pattern of stars', { model: '*a'.repeat(9) }, /more than 8 stars/],
  ['a tier with a space', { tier: 'very fast' }, /invalid service tier/],
  ['no moment', { effectiveFrom: Number.NaN }, /no valid start date/],
  ['a moment before time', { effectiveFrom: -1 }, /no valid start date/],
  ['a moment too far away', { effectiveFrom: 8e15 }, /no valid start date/],
  ['a note of two lines', { note: 'one\ntwo' }, /has a note/],
  ['an endless note', { note: 'n'.repeat(501) }, /has a note/],
  ['no rates', withRates({}), /has no rates/],
  ['a slip of the pen', withRates({ inptu: '1' }), /unknown unit "inptu"; did you mean "input"/],
  ['the word of another list', withRates({ input_mtok: '1' }), /unknown unit "input_mtok"/],
  ['tokens of nothing', withRates({ tokens: '1' }), /unknown unit "tokens"/],
  ['a unit in capitals', withRates({ cacheRead: '1' }), /did you mean "cache_read"/],
  ['a negative rate', withRates({ input: '-1' }), /has a rate for input that is not a decimal/],
  ['an exponent', withRates({ input: '1e-6' }), /has a rate for input that is not a decimal/],
  ['a comma', withRates({ input: '2,5' }), /has a rate for input that is not a decimal/],
  ['too fine a rate', withRates({ input: `0.${'1'.repeat(19)}` }), /has a rate for input/],
  ['too large a rate', withRates({ input: '1000001' }), /has a rate for input/],
  [
    'a faulty step',
    withRates({ input: { base: '1', steps: [{ above: 1, rate: 'x' }] } }),
    /has a rate/,
  ],
  ['steps that fall', withRates({ input: steps(2, 1) }), /steps for input that do not increase/],
  ['steps that stand', withRates({ input: steps(2, 2) }), /steps for input that do not increase/],
  ['half a step', withRates({ input: steps(0.5) }), /steps for input that do not increase/],
  ['a stair', withRates({ input: steps(...Array(STEPS_MAX + 1).keys()) }), /more than 16 steps/],
  [
    'too many rates',
    withRates(
      Object.fromEntries(Array.from({ length: UNITS_MAX + 1 }, (_, n) => [`kind${n}`, '1'])),
    ),
    /more than 64 rates/,
  ],
  ['a multiplier of nothing', withFactor('0'), /has a multiplier/],
  ['a negative multiplier', withFactor('-0.5'), /has a multiplier/],
  ['too large a multiplier', withFactor('100.1'), /has a multiplier/],
  ['a percentage', withFactor('80%'), /has a multiplier/],
  ['too fine a multiplier', withFactor(`0.${'1'.repeat(13)}`), /has a multiplier/],
]

for (const [title, change, expected] of FAULTY) {
  test(`${title} is refused with a reason`, () => {
    const faults = findRuleFaults({ ...RULE, ...change })
    assert.equal(faults.length, 1)
    assert.match(faults[0] ?? '', expected)
  })
}

test('all faults are told at once', () => {
  const faults = findRuleFaults({
    ...RULE,
    provider: '',
    model: '',
    ...withRates({ input: 'x', output: 'y' }),
  })
  assert.equal(faults.length, 4)
})
