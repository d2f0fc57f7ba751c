import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  PriceRuleAnswer,
  PriceUpdateAnswer,
  RateAnswer,
} from '../../../../src/api/contract.ts'
import {
  fromSubjectText,
  toBeforeWords,
  toCorrectionGroups,
  toDifferenceFacts,
  toLastUpdateWords,
  toMonthsWords,
  toRateCell,
  toRateWords,
  toRuleWords,
  toSourceWords,
  toSubjectText,
  toUnitName,
  toUpdateWords,
} from './price-words.ts'

const RATES: readonly RateAnswer[] = [
  {
    unit: 'input',
    per: 1_000_000,
    rate_usd: '2.5',
    steps: [{ above_input_tokens: 200_000, rate_usd: '5' }],
  },
  { unit: 'output', per: 1_000_000, rate_usd: '0', steps: [] },
  { unit: 'web_search', per: 1, rate_usd: '0.0025', steps: [] },
]

test('a rate that is not there is missing, one of zero is zero', () => {
  assert.equal(toRateCell(RATES, 'input'), '$2.50 +')
  assert.equal(toRateCell(RATES, 'output'), '$0.00')
  assert.equal(toRateCell(RATES, 'cache_read'), null)
})

test('a rate says what it is for, and what longer calls pay', () => {
  assert.deepEqual(RATES.map(toRateWords), [
    '$2.50 per million; $5.00 above 200,000 input tokens',
    '$0.00 per million',
    '$0.0025 each',
  ])
})

test('a difference has both figures, and says what is not listed', () => {
  const [input, output, search] = RATES as [RateAnswer, RateAnswer, RateAnswer]
  const facts = toDifferenceFacts({
    source: 'LiteLLM',
    rates: [input, search],
    listed_rates: [{ ...input, rate_usd: '2', steps: [] }, output],
  })
  assert.deepEqual(facts, [
    {
      name: 'Input',
      words: '$2.50 per million; $5.00 above 200,000 input tokens, listed $2.00 per million',
    },
    { name: 'Web search', words: '$0.0025 each, not listed' },
  ])
})

test('sources are named one after the other', () => {
  assert.equal(toSourceWords([]), '')
  assert.equal(toSourceWords(['genai-prices']), 'genai-prices')
  assert.equal(toSourceWords(['genai-prices', 'LiteLLM']), 'genai-prices and LiteLLM')
})

test('an unknown cost is not shown as zero', () => {
  assert.equal(toBeforeWords('0.000000000000'), 'none known')
  assert.equal(toBeforeWords('12.340000000000'), '$12.34')
})

test('an unknown unit is shown by its own name', () => {
  assert.equal(toUnitName('cache_read'), 'Cached input')
  assert.equal(toUnitName('web_search'), 'Web search')
  assert.equal(toUnitName('constructor'), 'Constructor')
})

test('a rule is shown in a line', () => {
  const rule: PriceRuleAnswer = {
    id: 'price_1',
    provider: 'openai',
    model: 'acme-9',
    tier: null,
    effective_from: '2026-11-01T00:00:00.000Z',
    rates: { input: { base: '2.5', steps: [{ above: 200_000, rate: '5' }] }, output: '10' },
    multiplier: null,
    note: null,
    origin: 'command',
    created_at: null,
  }
  assert.equal(toRuleWords(rule), 'Input $2.50 +, Output $10.00')
  assert.equal(toRuleWords({ ...rule, rates: null, multiplier: '0.88' }), '0.88 × list price')
})

test('a model in the address is found again, slashes and all', () => {
  const subject = { provider: 'gateway', model: 'openai/gpt-4o' }
  assert.deepEqual(fromSubjectText(toSubjectText(subject)), subject)
  for (const text of [undefined, '', 'gpt-4o', '/gpt-4o', 'openai/']) {
    assert.equal(fromSubjectText(text), null)
  }
})

test('months are shown from the first to the last', () => {
  assert.equal(toMonthsWords('2026-11', '2026-11'), 'Nov 2026')
  assert.equal(toMonthsWords('2025-12', '2026-02'), 'Dec 2025 to Feb 2026')
})

const DOUBTS = ['It is older.', '1 rate would move:', '  openai acme-9 input: 1 → 9 USD']

test('a check for newer prices says how it ended, and what waits for a person', () => {
  const words = 'the price data could not be fetched: the server answered 503'
  const answer: PriceUpdateAnswer = {
    result: 'http_error',
    words,
    version: null,
    added: 0,
    removed: 0,
    changed: 0,
    added_models: [],
    removed_models: [],
    changed_rates: [],
    corrections: { replaced: 0, standing: 0, replaced_models: [], standing_models: [] },
    doubts: [],
    impact: null,
  }
  const failed = toUpdateWords(answer)
  assert.equal(failed.tone, 'warning')
  assert.match(failed.text, /^The price data could not be .* 503\. Nothing was changed\.$/)
  assert.equal(toUpdateWords({ ...answer, result: 'available' }).title, 'Newer prices')
  const doubtful = toUpdateWords({ ...answer, result: 'available', doubts: DOUBTS })
  assert.deepEqual([doubtful.tone, doubtful.text], ['warning', 'It is older. 1 rate would move.'])
  assert.equal(toUpdateWords({ ...answer, result: 'unchanged' }).tone, 'good')
  assert.equal(toUpdateWords({ ...answer, result: 'applied' }).title, 'Prices updated')
})

test('corrections that are replaced come first, then those that stay by their reason', () => {
  const model = (name: string) => ({ provider: 'openai', model: name })
  const groups = toCorrectionGroups({
    replaced: 1,
    standing: 3,
    replaced_models: [model('o3')],
    standing_models: [
      { ...model('a'), why: 'no-price' },
      { ...model('b'), why: 'unchanged' },
      { ...model('c'), why: 'no-price' },
    ],
  })
  assert.deepEqual(
    groups.map(({ title, models, total }) => [title, models.map((each) => each.model), total]),
    [
      ["Weir's corrections that are replaced", ['o3'], 1],
      ["Weir's corrections that stay: the data still has what was corrected", ['b'], 1],
      ["Weir's corrections that stay: the data has no price for these models", ['a', 'c'], 2],
    ],
  )
})

test('the last check is shown with its day', () => {
  const data = {
    version: 'v',
    published_at: '2026-01-01T00:00:00Z',
    age_days: 3,
    is_old: false,
    imported_at: null,
    imported_by: null,
    is_import_outdated: false,
    last_update: null,
  }
  assert.equal(toLastUpdateWords(data), '')
  const words = 'nothing new was published'
  const last = { at: '2026-11-15T04:00:00.000Z', result: 'unchanged' as const, words }
  assert.match(
    toLastUpdateWords({ ...data, last_update: last }),
    /^Last checked .*15.* 2026: nothing new was published\.$/,
  )
})
