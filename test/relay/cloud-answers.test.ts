// Other makers' dialects on a cloud, through the relay: the answer comes through as it was, and the
// event has the model and the tokens of the recorded case, for a key that may use that model alone.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'

import { PROVIDERS } from '../../src/providers/registry.ts'
import { readFixture } from '../contracts/provider-fixture.ts'
import type { Fixture } from '../contracts/provider-fixture.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/providers')

/** The case, the operation, and the model that the record has. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['azure/foundry-messages', 'anthropic-messages', 'claude-heron-9-20260901'],
  ['azure/foundry-messages-streamed', 'anthropic-messages', 'claude-heron-9-20260901'],
  ['azure/foundry-count-tokens', 'anthropic-count-tokens', 'heron-prod'],
  ['azure/inference-chat', 'openai-chat', 'finch-r1'],
  ['azure/inference-chat-streamed', 'openai-chat', 'finch-r1'],
  ['azure/inference-embeddings', 'openai-embeddings', 'finch-embed'],
  ['bedrock/invoke-nova', 'bedrock-invoke', 'us.amazon.nova-heron-v1:0'],
  ['bedrock/invoke-nova-streamed', 'bedrock-invoke-stream', 'us.amazon.nova-heron-v1:0'],
  ['bedrock/mantle-v1-chat', 'openai-chat', 'openai.wren-oss-120b'],
  ['bedrock/mantle-v1-chat-bare-name', 'openai-chat', 'us.openai.wren-5.5'],
  ['bedrock/mantle-v1-responses', 'openai-responses', 'openai.wren-5.5'],
  ['bedrock/mantle-messages', 'anthropic-messages', 'anthropic.heron-2'],
  ['google/compatible-chat-thinking', 'openai-chat', 'gemini-2.9-heron'],
  ['google/compatible-chat-thinking-streamed', 'openai-chat', 'gemini-2.9-heron'],
  ['google/compatible-images', 'openai-images', 'gemini-2.9-finch-image'],
  ['vertex/compatible-chat-thinking', 'openai-chat', 'gemini-2.9-heron'],
]

function toAnswer({ head, body }: Fixture): Buffer {
  const headers = Object.entries(head.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `HTTP/1.1 ${head.status} OK\r\n${headers.join('')}Content-Length: ${body.length}`
  return Buffer.concat([Buffer.from(`${start}\r\n\r\n`), body])
}

function toRequest(provider: string, fixture: Fixture, credential: string): string {
  const { path, query, headers } = fixture.request
  const target = `/v1/${provider}${path}${query === undefined ? '' : `?${query}`}`
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${target} HTTP/1.1\r\nHost: proxy\r\nX-SVC-API-Key: ${credential}\r\n`
  const body = fixture.requestBody.toString('latin1')
  return `${head}${own.join('')}Content-Length: ${body.length}\r\n\r\n${body}`
}

for (const [name, operation, model] of CASES) {
  test(`${name} becomes an event of ${model}`, async (t) => {
    const [provider = ''] = name.split('/')
    const fixture = readFixture(join(FIXTURES, name))
    const { requestedModel, tokens, toolCalls, serviceTier } = fixture.expected
    const request = fixture.requestBody.toString('latin1')
    const upstream = await openScriptedUpstream(
      ({ socket, received }) =>
        void (received.endsWith(request) && socket.write(toAnswer(fixture))),
    )
    t.after(() => upstream.close())
    const proxy = await openTestProxy({
      upstreams: { [provider]: upstream.url },
      providers: PROVIDERS,
      key: { allowedModels: [`${provider}/${String(requestedModel)}`] },
    })
    t.after(() => proxy.close())
    const client = await openRawClient(proxy.port)
    client.send(toRequest(provider, fixture, proxy.credential))
    await client.until((received) => received.endsWith(fixture.body.toString('latin1')))
    const [event] = await proxy.events(1)
    client.socket.destroy()
    assert.deepEqual(
      [event?.status, event?.operation, event?.model, event?.requestedModel, event?.violation],
      ['delivered', operation, model, requestedModel, undefined],
    )
    assert.deepEqual(event?.tokens ?? null, tokens)
    assert.deepEqual([event?.toolCalls, event?.serviceTier], [toolCalls, serviceTier])
  })
}
