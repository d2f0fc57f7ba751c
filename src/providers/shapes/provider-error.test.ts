import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createErrorReader, findErrorCode } from './provider-error.ts'

function readAnswer(body: string, headers: Readonly<Record<string, string>> = {}) {
  const reader = createErrorReader({ status: 400, header: (name) => headers[name] ?? null })
  for (const byte of Buffer.from(body)) reader.feed(Uint8Array.of(byte))
  return reader.end(true).providerError
}

const PROMPT = 'Write to Ann about her illness'
const ANSWERS: readonly (readonly [what: string, body: object, code: string | undefined])[] = [
  ['a code before its type', { error: { code: 'slow_down', type: 'requests' } }, 'slow_down'],
  ['a type where the code is a number', { error: { code: 400, type: 'no_model' } }, 'no_model'],
  ['a number where there is no type', { error: { code: 402, message: PROMPT } }, '402'],
  [
    'a status in words',
    { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
    'RESOURCE_EXHAUSTED',
  ],
  ['a type beside a text', { error: PROMPT, type: 'no_providers' }, 'no_providers'],
  ['a name of AWS', { __type: 'com.amazon#ThrottlingException' }, 'ThrottlingException'],
  ['a code of 64 characters', { error: { code: 'a_'.repeat(32) } }, 'a_'.repeat(32)],
  ['none of 65', { error: { code: `${'a_'.repeat(32)}b` } }, undefined],
  ['no key that is repeated', { error: { code: `sk-${'a1'.repeat(24)}` } }, undefined],
  ['no text in the place of a code', { error: { code: PROMPT, type: PROMPT } }, undefined],
  [
    'no text of another place',
    { error: { message: 'one', param: 'two' }, detail: 'three' },
    undefined,
  ],
  ['no object', { error: { code: { a: 1 }, type: ['b'] } }, undefined],
  ['no word that says nothing', { type: 'error', error: { type: 'error' } }, undefined],
]

for (const [what, body, code] of ANSWERS) {
  test(`of an answer with an error's status it takes ${what}`, () => {
    assert.equal(readAnswer(JSON.stringify(body)), code)
    assert.equal(readAnswer(`[${JSON.stringify(body)}]`), code)
  })
}

test('the header of AWS is cut at its address, and one that is a text is no code', () => {
  const name = 'x-amzn-errortype'
  assert.equal(readAnswer('{}', { [name]: 'AccessDenied:http://x' }), 'AccessDenied')
  assert.equal(readAnswer('{}', { [name]: PROMPT }), undefined)
  assert.equal(readAnswer(PROMPT), undefined)
})

test('a member of an answer that is no error is no code', () => {
  assert.equal(findErrorCode({ type: 'message_start', code: 'secret', status: 'ok' }), null)
  assert.equal(findErrorCode({ error: null, response: { error: null } }), null)
  assert.equal(findErrorCode({ type: 'error', code: 'too_long', message: PROMPT }), 'too_long')
})
