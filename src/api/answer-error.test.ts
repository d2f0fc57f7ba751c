import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WeirError } from '../core/weir-error.ts'
import { StoreBusy } from '../store/store-busy.ts'
import { answerError } from './answer-error.ts'

const log = { warn: () => {}, error: () => {} }
const place = { method: 'GET', route: '/v1/overview', log }

test('a database that is away, or has lost what is in it, is answered with 503', async () => {
  for (const error of [
    new StoreBusy('The usage store at db.internal lacks tables.'),
    new WeirError('store_unusable', 'The usage store at db.internal cannot be used.'),
  ]) {
    const answer = answerError(error, place)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('Retry-After'), '5')
    assert.doesNotMatch(await answer.text(), /db\.internal/)
  }
})

test('what is not expected is answered with 500, and without its words', async () => {
  const answer = answerError(new Error('secret'), place)
  assert.equal(answer.status, 500)
  assert.doesNotMatch(await answer.text(), /secret/)
})
