import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../core/token-counts.ts'
import { LONG_INPUT, ModelShares, OTHER_MODELS, SHARES_MAX } from './model-shares.ts'

function used(input: number, output = 1) {
  return createTokenCounts({ input, output })
}

test('says nothing of shares where the own model did it all', () => {
  const shares = new ModelShares()
  assert.equal(shares.tokens, null)
  assert.equal(shares.toShares('m'), undefined)
  shares.add('m', used(1))
  shares.add('m', used(2))
  assert.deepEqual(shares.tokens, used(3, 2))
  assert.equal(shares.toShares('m'), undefined)
  assert.deepEqual(shares.toShares('n'), [{ model: 'm', tokens: used(3, 2) }])
})

test('keeps many short requests from looking like one long one', () => {
  const shares = new ModelShares()
  for (let count = 0; count < 3; count++) shares.add('m', used(LONG_INPUT - count))
  const tokens = used(3 * LONG_INPUT - 3, 3)
  assert.deepEqual(shares.toShares('m'), [{ model: 'm', tokens, largestInput: LONG_INPUT }])
})

test('keeps each long request for itself', () => {
  const shares = new ModelShares()
  shares.add('m', used(5))
  shares.add('m', used(LONG_INPUT + 1))
  shares.add('m', used(LONG_INPUT + 2))
  assert.deepEqual(shares.toList(), [
    { model: 'm', tokens: used(5) },
    { model: 'm', tokens: used(LONG_INPUT + 1) },
    { model: 'm', tokens: used(LONG_INPUT + 2) },
  ])
})

test('puts what is beyond its limit where no price is known', () => {
  const shares = new ModelShares()
  for (let count = 0; count < SHARES_MAX; count++) shares.add(`m${count}`, used(1))
  shares.add('m0', used(1))
  shares.add('one too many', used(1))
  shares.add('m0', used(LONG_INPUT + 1))
  const list = shares.toList()
  assert.equal(list.length, SHARES_MAX + 1)
  assert.deepEqual(list[0], { model: 'm0', tokens: used(2, 2) })
  assert.equal(list.at(-1)?.model, OTHER_MODELS)
  assert.deepEqual(list.at(-1)?.tokens, used(LONG_INPUT + 2, 2))
})
