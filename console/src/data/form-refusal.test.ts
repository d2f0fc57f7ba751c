import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'
import { toFormRefusal } from './form-refusal.ts'

const FIELDS = ['name', 'allowed_models', 'expires_at'] as const

function refuse(message: string): ApiError {
  return new ApiError({ status: 400, code: 'invalid_parameter', message })
}

test('each part of a refusal goes to the field that it is about', () => {
  const { fields, rest } = toFormRefusal(
    refuse(
      'The body is refused: missing: name must have 1 to 100 characters; expires_at must come.',
    ),
    FIELDS,
  )
  assert.deepEqual(fields, { name: 'Must have 1 to 100 characters.', expires_at: 'Must come.' })
  assert.equal(rest, null)
})

test('what names no field of the form stands for all of it', () => {
  const { fields, rest } = toFormRefusal(
    refuse('The body is refused: name must be shorter; names are odd; unknown member x.'),
    FIELDS,
  )
  assert.deepEqual(fields, { name: 'Must be shorter.' })
  assert.equal(rest?.message, 'names are odd; unknown member x')
})

test('any other failure is shown as it is', () => {
  const failures = [
    new ApiError({ status: 0, code: 'no_answer', message: 'name does not answer.' }),
    refuse('This key was revoked for good: make a new one.'),
    new Error('The body is refused: name must be shorter.'),
  ]
  for (const failure of failures) {
    assert.deepEqual(toFormRefusal(failure, FIELDS), { fields: {}, rest: failure })
  }
  assert.deepEqual(toFormRefusal(null, FIELDS), { fields: {}, rest: null })
})

test('the words of the form take the place of those for programs', () => {
  const words = {
    name: { text: 'Enter a name.', match: /name is odd/ },
    expires_at: { match: /too late/ },
  }
  const refused = refuse('The body is refused: missing: name must have 1 to 100 characters.')
  assert.deepEqual(toFormRefusal(refused, FIELDS, words).fields, { name: 'Enter a name.' })
  const odd = refuse('The name is odd.')
  assert.deepEqual(toFormRefusal(odd, FIELDS, words), {
    fields: { name: 'Enter a name.' },
    rest: null,
  })
  const late = refuse('That is too late.')
  assert.deepEqual(toFormRefusal(late, FIELDS, words).fields, { expires_at: 'That is too late.' })
  assert.equal(toFormRefusal(refuse('x'), FIELDS, words).rest?.message, 'x')
})

test('the end of a session is no fault of the form', () => {
  const ended = new ApiError({ status: 401, code: 'unauthorized', message: 'Sign in.' })
  assert.deepEqual(toFormRefusal(ended, FIELDS), { fields: {}, rest: null })
})

test('sentences that begin with a field are shown beside it as they are', () => {
  const { fields, rest } = toFormRefusal(
    refuse('allowed_models: The team A allows b at most. rate: Too many. name: Taken.'),
    FIELDS,
  )
  assert.deepEqual(fields, { allowed_models: 'The team A allows b at most.', name: 'Taken.' })
  assert.equal(rest?.message, 'rate: Too many.')
})
