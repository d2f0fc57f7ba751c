// What is said on a WebSocket is read while it passes: model and tokens are recorded, whichever
// client talks and whether its messages are compressed.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { ResponsesWS } from 'openai/resources/responses/ws'
import type { WebSocket } from 'ws'

import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { google } from '../../src/providers/google.ts'
import { createProvider } from '../../src/providers/registry.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { readAuthority, readCertificate } from '../fakes/certificates.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy, TestProxyOptions } from '../fakes/open-proxy.ts'
import { openRealtimeUpstream } from '../fakes/upstreams/realtime-upstream.ts'
import { openCaller } from '../fakes/callers/socket-caller.ts'
import type { Caller } from '../fakes/callers/socket-caller.ts'
import { openSocketUpstream } from '../fakes/upstreams/socket-upstream.ts'
import type { SocketUpstream } from '../fakes/upstreams/socket-upstream.ts'

const MIB = 1_048_576
const TIMEOUT = { timeout: 30_000 }
const DEFLATE = { perMessageDeflate: { threshold: 0 } }
const LIVE_PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** What the fake upstream reports for one response. */
const RESPONSE = { input: 20, output: 40, inputAudio: 8, outputAudio: 30 }

async function openProxy(
  t: TestContext,
  upstream: SocketUpstream,
  options: Partial<TestProxyOptions> = {},
): Promise<TestProxy> {
  const provider = createProvider({ id: 'some', shape: 'openai', upstream: upstream.url })
  const proxy = await openTestProxy({
    upstreams: { some: upstream.url },
    providers: [provider as Provider],
    ...options,
  })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  return proxy
}

async function readEvent(proxy: TestProxy): Promise<Partial<UsageEvent>> {
  const [event] = await proxy.events(1)
  return pick(event as UsageEvent)
}

function pick(event: UsageEvent): Partial<UsageEvent> {
  const { operation, requestedModel, model, status, usage, tokens, chargeable } = event
  return { operation, requestedModel, model, status, usage, tokens, chargeable }
}

/** Until a message of that kind comes. */
async function nextOf(caller: Caller, type: string): Promise<void> {
  let got: { type?: string } = {}
  while (got.type !== type) got = JSON.parse((await caller.next()).data.toString()) as object
}

for (const [name, options] of [
  ['plain', { perMessageDeflate: false }],
  ['compressed', DEFLATE],
] as const) {
  test(`two responses on a ${name} socket are two calls`, TIMEOUT, async (t) => {
    const proxy = await openProxy(t, await openRealtimeUpstream(options))
    const path = '/v1/realtime?model=gpt-realtime'
    const caller = await openCaller(proxy, { path, ...options })
    assert.equal(caller.socket.extensions !== '', name === 'compressed')
    for (let turn = 0; turn < 2; turn++) {
      caller.socket.send(JSON.stringify({ type: 'response.create' }))
      await nextOf(caller, 'response.done')
    }
    caller.socket.close(1000)
    await caller.closed
    const events = await proxy.events(2)
    assert.equal(events.length, 2)
    assert.equal(new Set(events.map(({ id }) => id)).size, 2)
    for (const event of events) {
      assert.deepEqual(pick(event), {
        operation: 'openai-realtime',
        requestedModel: 'gpt-realtime',
        model: 'gpt-realtime',
        status: 'delivered',
        usage: 'reported',
        tokens: createTokenCounts(RESPONSE),
        chargeable: true,
      })
      assert.deepEqual([event.httpStatus, event.requestBytes > 0], [101, true])
    }
  })
}

/** Sends these, and one response behind them. */
function sayBefore(messages: readonly Buffer[]) {
  const usage = { input_tokens: 20, output_tokens: 40, total_tokens: 60 }
  const response = { id: 'r1', object: 'realtime.response', status: 'completed', usage }
  return (socket: WebSocket): void => {
    socket.send('{"type":"session.created","session":{"model":"wren"}}')
    for (const message of messages) socket.send(message)
    socket.send(JSON.stringify({ type: 'response.done', response }))
  }
}

function countOf({ meter }: TestProxy, metric: string): number {
  return meter.samples().find((sample) => sample.metric === metric)?.value ?? 0
}

/** What is recorded of a compressed socket that brings so many messages before its response. */
async function talkBehind(t: TestContext, messages: readonly Buffer[]): Promise<unknown[]> {
  const proxy = await openProxy(t, await openSocketUpstream(sayBefore(messages), DEFLATE))
  const caller = await openCaller(proxy, { path: '/v1/realtime?model=wren', ...DEFLATE })
  await nextOf(caller, 'session.created')
  for (const message of messages) assert.ok((await caller.next()).data.equals(message))
  await nextOf(caller, 'response.done')
  caller.socket.close(1000)
  await caller.closed
  const { usage, tokens } = await readEvent(proxy)
  return [usage, tokens?.input, countOf(proxy, 'sseSkipped'), countOf(proxy, 'tapOverflows')]
}

test('usage behind messages that cannot be compressed is read', TIMEOUT, async (t) => {
  const large = [randomBytes(9 * MIB), randomBytes(40 * MIB)]
  assert.deepEqual(await talkBehind(t, large), ['reported', 20, 2, 0])
})

test('a message that grows without end is given up, and counted', TIMEOUT, async (t) => {
  assert.deepEqual(await talkBehind(t, [Buffer.alloc(65 * MIB)]), ['none', undefined, 0, 1])
})

test('what is not JSON is passed over, but not tried without end', TIMEOUT, async (t) => {
  const many = (text: string): Buffer[] => Array.from({ length: 200 }, () => Buffer.from(text))
  assert.deepEqual(await talkBehind(t, many('sound')), ['reported', 20, 0, 0])
  assert.deepEqual(await talkBehind(t, many('{sound}')), ['none', undefined, 0, 0])
})

test("OpenAI's realtime client is recorded with model and tokens", TIMEOUT, async (t) => {
  const proxy = await openProxy(t, await openRealtimeUpstream(), {
    tls: readCertificate('server'),
  })
  const baseURL = `https://localhost:${proxy.port}/v1/some/v1`
  const client = new OpenAI({ apiKey: 'sk-invented', baseURL })
  const headers = { 'X-SVC-API-Key': proxy.credential }
  const realtime = new OpenAIRealtimeWS(
    { model: 'gpt-realtime', options: { headers, ca: readAuthority() } },
    client,
  )
  const done = new Promise<number | undefined>((resolve, reject) => {
    realtime.on('error', reject)
    realtime.on('response.done', ({ response }) => resolve(response.usage?.total_tokens))
  })
  await once(realtime.socket, 'open')
  realtime.send({ type: 'response.create' })
  assert.equal(await done, 60)
  const closed = once(realtime.socket, 'close')
  realtime.close()
  await closed
  const { model, usage, tokens } = await readEvent(proxy)
  assert.deepEqual([model, usage], ['gpt-realtime', 'reported'])
  assert.deepEqual(tokens, createTokenCounts(RESPONSE))
})

test(
  'a caller that leaves inside a response is recorded with what is known',
  TIMEOUT,
  async (t) => {
    const upstream = await openSocketUpstream((socket) => {
      socket.send('{"type":"session.created","session":{"model":"wren-2026"}}')
      socket.send('{"type":"response.created","response":{}}')
    })
    const proxy = await openProxy(t, upstream)
    const caller = await openCaller(proxy, { path: '/v1/realtime?model=wren' })
    await nextOf(caller, 'response.created')
    caller.socket.terminate()
    const event = await readEvent(proxy)
    assert.deepEqual([event.model, event.usage, event.tokens], ['wren-2026', 'none', null])
    assert.equal(event.chargeable, true)
  },
)

test('a session in which nothing ran is not charged', TIMEOUT, async (t) => {
  const proxy = await openProxy(t, await openRealtimeUpstream())
  const caller = await openCaller(proxy, { path: '/v1/realtime?model=wren' })
  await nextOf(caller, 'session.created')
  caller.socket.close()
  await caller.closed
  assert.equal((await readEvent(proxy)).chargeable, false)
})

/** Answers each `response.create` with the events of one response. */
function respond(socket: WebSocket): void {
  socket.on('message', (data: Buffer) => {
    const { model } = JSON.parse(data.toString()) as { model: string }
    const response = { id: 'resp_1', object: 'response', background: false, model, output: [] }
    const usage = {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 10 },
      output_tokens: 12,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 42,
    }
    const running = { ...response, status: 'in_progress', usage: null }
    const completed = { ...response, status: 'completed', usage, service_tier: 'default' }
    socket.send(JSON.stringify({ type: 'response.created', response: running }))
    socket.send(JSON.stringify({ type: 'response.output_text.delta', delta: 'Broad' }))
    socket.send(JSON.stringify({ type: 'response.completed', response: completed }))
  })
}

test("OpenAI's client of Responses on a WebSocket is recorded by response", TIMEOUT, async (t) => {
  const proxy = await openProxy(t, await openSocketUpstream(respond))
  const baseURL = `http://127.0.0.1:${proxy.port}/v1/some/v1`
  const client = new OpenAI({ apiKey: 'sk-invented', baseURL })
  const responses = new ResponsesWS(client, { headers: { 'X-SVC-API-Key': proxy.credential } })
  const errors: unknown[] = []
  responses.on('error', (error) => errors.push(error))
  for (const model of ['sparrow', 'sparrow', 'wren']) {
    const done = new Promise<void>((resolve) =>
      responses.once('response.completed', () => resolve()),
    )
    responses.send({ type: 'response.create', model, input: 'How wide?' })
    await done
  }
  responses.close()
  const events = await proxy.events(3)
  assert.deepEqual(errors, [])
  const one = createTokenCounts({ input: 30, output: 12, cacheRead: 10, reasoning: 4 })
  assert.deepEqual(
    events.map(({ model, serviceTier, tokens, shares }) => [model, serviceTier, tokens, shares]),
    ['sparrow', 'sparrow', 'wren'].map((model) => [model, 'default', one, undefined]),
  )
})

test("a Live session's model is the one of the caller's first message", TIMEOUT, async (t) => {
  const upstream = await openSocketUpstream((socket) => {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as object
      const answer =
        'setup' in message
          ? { setupComplete: {} }
          : {
              serverContent: { modelTurn: { parts: [{ text: 'Broad.' }] }, turnComplete: true },
              usageMetadata: { promptTokenCount: 9, responseTokenCount: 4, totalTokenCount: 13 },
            }
      // As the service does: JSON in binary messages.
      socket.send(Buffer.from(JSON.stringify(answer)))
    })
  })
  const proxy = await openProxy(t, upstream, { providers: [{ ...google, id: 'some' }] })
  const caller = await openCaller(proxy, { path: `${LIVE_PATH}?key=invented` })
  caller.socket.send(JSON.stringify({ setup: { model: 'models/wren-live' } }))
  await caller.next()
  caller.socket.send(JSON.stringify({ clientContent: { turns: [], turnComplete: true } }))
  await caller.next()
  caller.socket.close()
  await caller.closed
  assert.deepEqual(await readEvent(proxy), {
    operation: 'gemini-live',
    requestedModel: 'wren-live',
    model: 'wren-live',
    status: 'delivered',
    usage: 'reported',
    tokens: createTokenCounts({ input: 9, output: 4 }),
    chargeable: true,
  })
})
