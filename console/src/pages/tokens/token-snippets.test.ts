import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createMcpSettings, createUsageCurl } from './token-snippets.ts'

const SUBJECT = { url: 'http://127.0.0.1:7071', token: 'svc_agt_1.secret' }

test('a shell understands the curl line', () => {
  const stand = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }`
  const script = `${stand}\n${createUsageCurl(SUBJECT)}`
  const [flag, header, url] = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')
  assert.deepEqual([flag, header], ['-H', 'Authorization: Bearer svc_agt_1.secret'])
  const asked = new URL(url ?? '')
  assert.equal(asked.origin + asked.pathname, 'http://127.0.0.1:7071/v1/usage')
  assert.equal(asked.searchParams.get('dimension'), 'model')
})

test('the settings of an agent name the address and the token', () => {
  assert.deepEqual(JSON.parse(createMcpSettings(SUBJECT)), {
    mcpServers: {
      weir: {
        type: 'http',
        url: 'http://127.0.0.1:7071/mcp',
        headers: { Authorization: 'Bearer svc_agt_1.secret' },
      },
    },
  })
})
