import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toApiError } from './api-error.ts'
import { meanwhileOf, toAnywayError, toChangeLines } from './meanwhile.ts'

const AT = '2026-03-15T11:58:00.000Z'
const ADA = { kind: 'user', name: 'ada@example.com' } as const
const BODY = {
  error: 'It was changed meanwhile by ada@example.com.',
  code: 'changed_meanwhile',
  version: 61,
  changes: [
    { number: 61, at: AT, actor: ADA, action: 'key.rotate', fields: [] },
    { number: 58, at: AT, actor: ADA, action: 'key.update', fields: ['max_parallel', 'name'] },
  ],
} as const

const refusal = toApiError({ status: 412, body: structuredClone(BODY) as never, retryAfter: null })

test('what others did is read from the refusal, and from no other error', () => {
  assert.equal(meanwhileOf(refusal)?.version, 61)
  assert.equal(meanwhileOf(new Error('x')), null)
  const other = { error: 'x', code: 'conflict' } as const
  assert.equal(meanwhileOf(toApiError({ status: 409, body: other, retryAfter: null })), null)
})

test('what others did is told in the words of the forms', () => {
  assert.deepEqual(toChangeLines(meanwhileOf(refusal)?.changes ?? []), [
    'ada@example.com rotated it on 15 Mar 2026, 11:58:00 UTC',
    'ada@example.com changed Parallel calls, Name on 15 Mar 2026, 11:58:00 UTC',
  ])
  assert.match(toAnywayError(refusal).message, /^Changed meanwhile: ada.*Confirm again/)
  assert.equal(toAnywayError(new Error('x')).message, 'x')
})
