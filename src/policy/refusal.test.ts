import assert from 'node:assert/strict'
import { test } from 'node:test'

import { refuse, writeRefusal } from './refusal.ts'
import type { RefusalContext } from './refusal.ts'

const CONTEXT: RefusalContext = {
  requestId: 'r1',
  shape: 'openai',
  isHead: false,
  isClosing: false,
}

function write(context: Partial<RefusalContext>, code = 'model_not_allowed' as const) {
  const text = writeRefusal(refuse(code, 'Näin.'), { ...CONTEXT, ...context })
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { head, body, json: body === '' ? null : (JSON.parse(body) as unknown) }
}

test('one body serves the OpenAI, Anthropic and gateway SDKs', () => {
  const { head, body, json } = write({})
  assert.deepEqual(json, {
    type: 'error',
    error: { type: 'permission_error', code: 'model_not_allowed', message: 'Näin.', param: null },
    code: 'model_not_allowed',
    request_id: 'r1',
  })
  assert.equal(
    head,
    'HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-SVC-Error: model_not_allowed\r\n` +
      'X-SVC-Request-Id: r1\r\nx-should-retry: false',
  )
})

test("Google's SDKs get a number and a name, the code standing at the root", () => {
  assert.deepEqual(write({ shape: 'google' }).json, {
    error: { code: 403, message: 'Näin.', status: 'PERMISSION_DENIED' },
    code: 'model_not_allowed',
    request_id: 'r1',
  })
})

test('other SDKs find their message where they look for it', () => {
  assert.equal((write({ shape: 'ollama' }).json as { error: string }).error, 'Näin.')
  const bedrock = write({ shape: 'bedrock' })
  assert.equal((bedrock.json as { message: string }).message, 'Näin.')
  assert.match(bedrock.head, /x-amzn-errortype: /)
})

test('a HEAD request gets the head alone, and a closing connection says so', () => {
  const { head, body } = write({ isHead: true, isClosing: true })
  assert.equal(body, '')
  assert.match(head, /\r\nConnection: close$/)
})

test('what may pass later invites another try', () => {
  const text = writeRefusal({ ...refuse('overloaded', 'x'), retryAfterSeconds: 1 }, CONTEXT)
  assert.match(text, /^HTTP\/1.1 503 Service Unavailable\r\n[^]*Retry-After: 1\r\n/)
  assert.doesNotMatch(text, /x-should-retry/)
})
