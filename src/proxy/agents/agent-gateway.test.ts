import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findAgentPath } from './agent-gateway.ts'

const GATEWAY = { providerId: 'acme' }

const CALLS = [
  ['POST', '/claude/v1/messages', '/v1/acme/v1/messages'],
  ['POST', '/claude/v1/messages?beta=true', '/v1/acme/v1/messages?beta=true'],
  ['POST', '/claude/v1/messages/count_tokens', '/v1/acme/v1/messages/count_tokens'],
  ['GET', '/claude/v1/models', '/v1/acme/v1/models'],
  ['GET', '/claude/v1/models/claude-x', '/v1/acme/v1/models/claude-x'],
] as const

for (const [method, target, relayed] of CALLS) {
  test(`${method} ${target} is a call of the provider`, () => {
    const expected = { kind: 'call', target: relayed }
    assert.deepEqual(findAgentPath({ method, target }, GATEWAY), expected)
    assert.equal(findAgentPath({ method, target }, null), null)
  })
}

const OTHERS = [
  ['POST', '/claude/v1/traces', 'telemetry'],
  ['POST', '/claude/v1/metrics?x', 'telemetry'],
  ['GET', '/claude/v1/messages', 'api'],
  ['POST', '/claude/v1/messages/batches', 'api'],
  ['POST', '/claude/v1/messages/../files', 'api'],
  ['GET', '/claude/v1/files', 'api'],
  ['GET', '/claude', 'api'],
  ['HEAD', '/claude?x', 'api'],
  ['POST', '/claude/oauth/token', 'api'],
  ['GET', '/claudette', null],
  ['POST', '/v1/acme/v1/messages', null],
] as const

for (const [method, target, kind] of OTHERS) {
  test(`${method} ${target} is ${kind ?? 'none of it'}`, () => {
    assert.equal(findAgentPath({ method, target }, GATEWAY)?.kind ?? null, kind)
  })
}
