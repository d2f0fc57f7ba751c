import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAnswerWords, toPolicyWords } from './call-words.ts'

test('a policy decision is shown in words', () => {
  const call = { status: 'delivered', error_code: null, violation: null } as const
  assert.equal(toPolicyWords(call).verdict, 'allowed')
  const violated = toPolicyWords({ ...call, violation: 'gpt-99' })
  assert.equal(violated.verdict, 'violated')
  assert.match(violated.text, /^gpt-99 answered/)
  const denied = toPolicyWords({ ...call, status: 'denied', error_code: 'model_not_allowed' })
  assert.equal(denied.verdict, 'denied')
  assert.match(denied.text, /does not allow this model\. Nothing was sent/)
  const other = toPolicyWords({ ...call, status: 'denied', error_code: 'something_new' })
  assert.match(other.text, /^Weir refused the call\./)
})

test('why a call failed is said by its status and the code of who made it fail', () => {
  const cases = [
    [
      { status: 'denied', http_status: 403, error_code: 'model_not_allowed' },
      '403 model_not_allowed',
    ],
    [{ status: 'denied', http_status: null, error_code: 'something_new' }, 'something_new'],
    [{ status: 'denied', http_status: null, error_code: null }, null],
    [{ status: 'refused', http_status: 429, error_code: null }, '429'],
    [
      { status: 'refused', http_status: 429, error_code: null, provider_error: 'tokens_used' },
      '429 tokens_used',
    ],
    [
      { status: 'delivered', http_status: 200, error_code: 'provider_error', provider_error: 'x' },
      'x',
    ],
    [{ status: 'delivered', http_status: 200, error_code: null }, null],
    [{ status: 'cut', http_status: null, error_code: 'upstream_timeout' }, 'upstream_timeout'],
  ] as const
  for (const [call, words] of cases) {
    assert.equal(toAnswerWords({ provider_error: null, ...call }), words)
  }
})
