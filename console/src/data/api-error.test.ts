import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiErrorCode } from '../../../src/api/contract.ts'
import { toApiError } from './api-error.ts'

const refuse = (status: number, code: ApiErrorCode, retryAfter: string | null = null) =>
  toApiError({ status, body: { error: 'in the words of the API', code }, retryAfter })

test('an error keeps its status and code, and the words of the API where we know none better', () => {
  const { status, code, message } = refuse(400, 'invalid_parameter')
  assert.deepEqual([status, code, message], [400, 'invalid_parameter', 'in the words of the API'])
})

test('a wrong password is shown in the words of the API, not as a session that ended', () => {
  assert.equal(refuse(401, 'sign_in_refused').message, 'in the words of the API')
  assert.match(refuse(401, 'unauthorized').message, /Sign in again/)
})

for (const [retryAfter, text] of [
  [null, 'in a moment'],
  ['soon', 'in a moment'],
  ['0', 'in a moment'],
  ['1', 'in a second'],
  ['30', 'in 30 seconds'],
  ['119', 'in 119 seconds'],
  ['121', 'in 3 minutes'],
] as const) {
  test(`a limit with Retry-After ${retryAfter} says to try again ${text}`, () => {
    assert.ok(refuse(429, 'rate_limited', retryAfter).message.endsWith(`Try again ${text}.`))
  })
}

test('an answer from elsewhere is shown with its status', () => {
  const { code, message } = toApiError({ status: 502, body: null, retryAfter: null })
  assert.equal(code, 'unreadable')
  assert.match(message, /status 502/)
})
