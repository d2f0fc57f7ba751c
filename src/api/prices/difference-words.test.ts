import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDifference } from './difference-words.ts'
import { toDifferenceAnswer } from './price-rows.ts'

test('a difference is described with both figures of each unit', () => {
  const stepped = { base: '2.5', steps: [{ above: 200_000, rate: '5' }] }
  const answer = toDifferenceAnswer({
    source: 'LiteLLM',
    rates: { input: stepped, cache_read: '0.25', web_search: '0.01' },
    listed: { input: '2', web_search: '0.025' },
  })
  assert.equal(
    describeDifference(answer),
    'LiteLLM has input 2.5, 5 above 200000 input tokens (listed 2), ' +
      'cache_read 0.25 (not listed) USD / million; web_search 0.01 (listed 0.025) USD each',
  )
  assert.equal(
    describeDifference(
      toDifferenceAnswer({
        source: 'genai-prices',
        rates: { output: '8' },
        listed: { output: '10' },
      }),
    ),
    'genai-prices has output 8 (listed 10) USD / million',
  )
})
