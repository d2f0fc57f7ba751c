// What a worker puts together of a session: headers of each call, the body of the first.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Agents } from './agents.ts'
import type { AgentReading } from './read-agent.ts'

const OPEN = { sessions: 'on', salt: '', keepsRepository: false } as const
const NEW_USER = JSON.stringify({ device_id: 'd-1', account_uuid: 'u-1', session_id: 's-body' })
const OLD_USER = 'user_0a1b_account_11-22_session_33-44'

function claude(session?: string): AgentReading {
  return { facts: {}, isClaude: true, agent: session === undefined ? undefined : { session } }
}

test('the body is read for the first call of a session, and fills in the others', () => {
  const agents = new Agents(OPEN)
  assert.equal(agents.complete(claude('s-1'), 'svc_k_1'), null)
  const read = agents.readBody(claude('s-1'), 'svc_k_1', { user: NEW_USER, head: undefined })
  assert.deepEqual(read, {
    facts: {},
    agent: { device: 'd-1', account: 'u-1', session: 's-1' },
  })
  const later = agents.complete(claude('s-1'), 'svc_k_1')
  assert.deepEqual(later, { device: 'd-1', account: 'u-1', session: 's-1' })
})

test('another key that says the same session gets nothing of it', () => {
  const agents = new Agents(OPEN)
  agents.readBody(claude('s-1'), 'svc_k_1', { user: NEW_USER, head: undefined })
  assert.equal(agents.complete(claude('s-1'), 'svc_k_2'), null)
})

test('a body without a user is not looked for again', () => {
  const agents = new Agents(OPEN)
  assert.equal(agents.readBody(claude('s-1'), 'svc_k_1', { user: undefined, head: 'x' }), null)
  assert.deepEqual(agents.complete(claude('s-1'), 'svc_k_1'), { session: 's-1' })
})

test('of an older version, session and subagent are in each body', () => {
  const agents = new Agents(OPEN)
  const head =
    'x-anthropic-billing-header: cc_version=1.0.3; cc_is_subagent=true; cc_entrypoint=cli'
  const texts = { user: OLD_USER, head }
  const ids = { device: '0a1b', account: '11-22', session: '33-44' }
  const read = agents.readBody(claude(), 'svc_k_1', texts)
  assert.deepEqual(read, { facts: { '@agent_kind': 'subagent' }, agent: ids })
  const main = agents.readBody(claude(), 'svc_k_1', { ...texts, head: undefined })
  assert.deepEqual(main?.facts, { '@agent_kind': 'main' })
  assert.equal(agents.complete(claude(), 'svc_k_1'), null)
})

test('other tools say all in their headers', () => {
  const said = { facts: {}, isClaude: false, agent: { session: 's-1' } }
  assert.equal(new Agents(OPEN).complete(said, 'svc_k_1'), said.agent)
})

test('hashes are the same for the same id and salt, and have nothing of it', () => {
  const hash = (salt: string) => {
    const agents = new Agents({ ...OPEN, sessions: 'hashed', salt })
    const read = agents.readBody(claude(), 'svc_k_1', { user: NEW_USER, head: undefined })
    return read?.agent ?? assert.fail('nothing was read')
  }
  const [one, again, other] = [hash('salt a'), hash('salt a'), hash('salt b')]
  assert.deepEqual(one, again)
  for (const id of ['session', 'device', 'account'] as const) {
    assert.match(one[id] ?? '', /^[0-9a-f]{32}$/)
    assert.notEqual(one[id], other[id])
  }
})

test('what is kept of sessions is bounded', () => {
  const agents = new Agents(OPEN)
  for (let session = 0; session < 1001; session++) {
    agents.readBody(claude(`s-${session}`), 'svc_k_1', { user: NEW_USER, head: undefined })
  }
  assert.equal(agents.complete(claude('s-0'), 'svc_k_1'), null)
  assert.equal(agents.complete(claude('s-1000'), 'svc_k_1')?.device, 'd-1')
})
