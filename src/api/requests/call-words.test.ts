import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toReason } from './call-words.ts'

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
    assert.equal(toReason({ provider_error: null, ...call }), words)
  }
})
