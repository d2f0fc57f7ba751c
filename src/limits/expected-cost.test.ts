import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { usd } from '../../test/fakes/budget-states.ts'
import {
  expectedCost,
  findOutputTokensMax,
  firstBytes,
  SEARCHED_BYTES_MAX,
} from './expected-cost.ts'

const USUAL = { cost: usd(0.02), requestBytes: 1000, outputTokens: 500 }

const COSTS: readonly (readonly [number | null, number | null, number])[] = [
  [1000, null, 0.02],
  [null, null, 0.02],
  [2000, null, 0.04],
  [4000, null, 0.08],
  [1_000_000, null, 0.08],
  [500, null, 0.01],
  [10, null, 0.005],
  [0, null, 0.005],
  [1000, 500, 0.02],
  [1000, 9000, 0.02],
  [1000, 250, 0.01],
  [1000, 1, 0.002],
  [2000, 250, 0.02],
  [0, 0, 0.0005],
]

describe('a call of usual cost 0.02 for 1000 bytes and 500 tokens is expected to cost, with', () => {
  for (const [requestBytes, outputTokensMax, cost] of COSTS) {
    test(`${requestBytes} bytes and at most ${outputTokensMax} tokens: ${cost}`, () => {
      assert.equal(expectedCost(USUAL, { requestBytes, outputTokensMax }), usd(cost))
    })
  }
})

test('where nothing was charged yet a call is expected to cost a cent', () => {
  assert.equal(expectedCost(null, { requestBytes: 1_000_000, outputTokensMax: 1 }), usd(0.01))
})

test('a usual call without a size or an answer is taken as it is', () => {
  const usual = { cost: usd(0.02), requestBytes: 0, outputTokens: 0 }
  assert.equal(expectedCost(usual, { requestBytes: 500, outputTokensMax: 1 }), usd(0.02))
})

const BODIES: readonly (readonly [string, number | null])[] = [
  ['{"max_tokens":100}', 100],
  ['{"model":"m","max_completion_tokens" : 7,"x":1}', 7],
  ['{"max_output_tokens":\n 12}', 12],
  ['{"generationConfig":{"maxOutputTokens":33}}', 33],
  ['{"options":{"num_predict":44}}', 44],
  ['{"max_tokens":10,"max_completion_tokens":20}', 20],
  ['{"max_tokens":null}', null],
  ['{"num_predict":-1}', null],
  ['{"max_tokens":12345678901234}', null],
  ['{"prompt":"say \\"max_tokens\\":5"}', null],
  ['{}', null],
  ['', null],
]

describe('finds the limit of the answer in', () => {
  for (const [body, expected] of BODIES) {
    test(body, () => assert.equal(findOutputTokensMax(Buffer.from(body)), expected))
  }
})

test('only the beginning of a body is searched, however it came', () => {
  const limit = Buffer.from('"max_tokens":9')
  const early = Buffer.alloc(SEARCHED_BYTES_MAX - limit.length, 32)
  const late = Buffer.alloc(SEARCHED_BYTES_MAX - 4, 32)
  assert.equal(findOutputTokensMax(Buffer.concat([early, limit])), 9)
  assert.equal(findOutputTokensMax(Buffer.concat([late, limit])), null)
  assert.equal(findOutputTokensMax(firstBytes([early, limit, early])), 9)
  assert.equal(firstBytes([early, limit, early]).length, SEARCHED_BYTES_MAX)
  assert.equal(firstBytes([Buffer.alloc(200_000)]).length, SEARCHED_BYTES_MAX)
  assert.equal(firstBytes([]).length, 0)
})
