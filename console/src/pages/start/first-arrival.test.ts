import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestRow } from '../../../../src/api/contract.ts'
import { describeArrival, toArrival } from './first-arrival.ts'

const CALL = { id: 'b', status: 'delivered', http_status: 200, error_code: null } as RequestRow

test('a call from before the watch is not the one that is waited for', () => {
  assert.equal(toArrival({ before: undefined, newest: CALL }), null)
  assert.equal(toArrival({ before: 'b', newest: CALL }), null)
  assert.equal(toArrival({ before: null, newest: null }), null)
  assert.equal(toArrival({ before: null, newest: undefined }), null)
})

test('the first call ever and the first after others are seen', () => {
  assert.equal(toArrival({ before: null, newest: CALL }), CALL)
  assert.equal(toArrival({ before: 'a', newest: CALL }), CALL)
})

test('a call that did not go well says so', () => {
  const refused: RequestRow = { ...CALL, status: 'refused', http_status: 401 }
  assert.match(describeArrival(refused), /answered with an error \(401\)/)
  const denied: RequestRow = { ...CALL, status: 'denied', error_code: 'model_denied' }
  assert.match(describeArrival(denied), /^Weir denied it \(model_denied\)/)
})
