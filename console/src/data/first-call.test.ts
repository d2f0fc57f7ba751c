import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createFirstCall } from './first-call.ts'

test('the snippet is what a shell and a provider understand', () => {
  const snippet = createFirstCall({ proxyUrl: 'http://127.0.0.1:7070', provider: 'some' })
  // A function in place of curl shows the arguments just as the program would get them.
  const script = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }\n${snippet}`
  const [url, ...rest] = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')
  assert.equal(url, 'http://127.0.0.1:7070/v1/some/v1/chat/completions')
  assert.deepEqual(rest.slice(0, 6), [
    '-H',
    'X-SVC-API-Key: svc_k_…',
    '-H',
    'Authorization: Bearer …',
    '-H',
    'Content-Type: application/json',
  ])
  assert.deepEqual(JSON.parse(rest[7] ?? ''), {
    model: '…',
    messages: [{ role: 'user', content: 'Hello' }],
  })
})
