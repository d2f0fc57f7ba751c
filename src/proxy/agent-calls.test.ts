// What coding agents say of themselves, on calls that go through a proxy.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { Agents } from '../agents/agents.ts'
import { anthropic } from '../providers/anthropic.ts'
import { openTestProxy } from '../../test/fakes/open-proxy.ts'
import { openFakeUpstream } from '../../test/fakes/upstreams/upstream.ts'

const USER = JSON.stringify({ device_id: 'd-1', account_uuid: 'u-1', session_id: 's-1' })

function toBody(user: string): string {
  const messages = [{ role: 'user', content: 'x'.repeat(100_000) }]
  return JSON.stringify({ model: 'claude-sonnet-5', messages, metadata: { user_id: user } })
}

/** Claude Code's, twice in one session, then as another agent of it. */
const CALLS: readonly (readonly [headers: Readonly<Record<string, string>>, body: string])[] = [
  [{ 'x-claude-code-session-id': 's-1' }, toBody(USER)],
  [{ 'x-claude-code-session-id': 's-1', 'x-stainless-retry-count': '1' }, toBody('')],
  [{ 'x-claude-code-session-id': 's-1', 'x-claude-code-agent-id': 'a-1' }, toBody('')],
]

async function record(agents: Agents | null) {
  const upstream = await openFakeUpstream()
  const proxy = await openTestProxy({
    upstreams: { openai: `${upstream.url}/openai` },
    agents,
  })
  try {
    for (const [headers, body] of CALLS) {
      const response = await fetch(`http://127.0.0.1:${proxy.port}/v1/openai/v1/chat/completions`, {
        method: 'POST',
        headers: {
          ...headers,
          'user-agent': 'claude-cli/2.1.197 (external, cli)',
          'x-svc-api-key': proxy.credential,
          'content-type': 'application/json',
        },
        body,
      })
      await response.text()
    }
    return { events: await proxy.events(CALLS.length), sent: upstream.calls }
  } finally {
    await proxy.close()
    await upstream.close()
  }
}

test('records session, device, account and subagent, and passes all of it on as it came', async () => {
  const agents = new Agents({ sessions: 'on', salt: '', keepsRepository: false })
  const { events, sent } = await record(agents)
  const said = { toolVersion: '2.1.197', session: 's-1', device: 'd-1', account: 'u-1' }
  assert.deepEqual(
    events.map(({ agent }) => agent),
    [said, { ...said, retry: 1 }, { ...said, agent: 'a-1' }],
  )
  const facts = { '@tool': 'claude-code', '@tool_version': '2' }
  assert.deepEqual(
    events.map(({ dims }) => dims),
    ['main', 'main', 'subagent'].map((kind) => ({ ...facts, '@agent_kind': kind })),
  )
  for (const [index, [headers, body]] of CALLS.entries()) {
    const call = sent[index]
    assert.equal(String(call?.body), body)
    for (const [name, value] of Object.entries(headers)) {
      assert.equal(call?.rawHeaders[call.rawHeaders.indexOf(name) + 1], value)
    }
  }
})

test('with sessions off, reads nothing', async () => {
  const { events } = await record(null)
  for (const { agent, dims } of events) assert.deepEqual([agent, dims], [undefined, {}])
})

test('a plan pays for a call by its only credential, unless the answer says otherwise', async () => {
  const isOverage = [false, true]
  const upstream = createServer((_, response) => {
    const overage = { 'anthropic-ratelimit-unified-overage-in-use': String(isOverage.shift()) }
    response.writeHead(200, { ...overage, 'content-type': 'application/json' }).end('{}')
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  const upstreams = { anthropic: `http://127.0.0.1:${port}` }
  const proxy = await openTestProxy({ upstreams, providers: [anthropic] })
  try {
    for (let call = 0; call < 2; call++) {
      const response = await fetch(`http://127.0.0.1:${proxy.port}/v1/anthropic/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer sk-ant-oat01-x',
          'x-svc-api-key': proxy.credential,
        },
        body: '{}',
      })
      await response.text()
    }
    const events = await proxy.events(2)
    assert.deepEqual(
      events.map(({ billing }) => billing?.isPlan),
      [true, undefined],
    )
  } finally {
    await proxy.close()
    upstream.close()
  }
})
