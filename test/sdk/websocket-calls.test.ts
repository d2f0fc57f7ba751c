// Each response on a WebSocket is a call: let in by its key, its limits and its budgets when it is
// asked for, recorded when it ends; and a key that may no longer be used ends its sockets.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { ResponsesWS } from 'openai/resources/responses/ws'
import type { WebSocket } from 'ws'

import type { ApiKey } from '../../src/core/api-key.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { google } from '../../src/providers/google.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { createProvider } from '../../src/providers/registry.ts'
import { readAuthority, readCertificate } from '../fakes/certificates.ts'
import { createState, toReport, usd } from '../fakes/budget-states.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openCaller, startCaller } from '../fakes/callers/socket-caller.ts'
import type { Caller } from '../fakes/callers/socket-caller.ts'
import { createManualClock } from '../fakes/manual-clock.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy, TestProxyOptions } from '../fakes/open-proxy.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'
import { openSocketUpstream } from '../fakes/upstreams/socket-upstream.ts'
import type { SocketUpstream } from '../fakes/upstreams/socket-upstream.ts'
import { CALLER_MASK, CONTINUATION, writeFrame } from '../fakes/upstreams/websocket-frame.ts'

const TIMEOUT = { timeout: 30_000 }
const PATH = '/v1/realtime?model=wren'
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const PLAIN = { perMessageDeflate: false }
const DEFLATE = { perMessageDeflate: { threshold: 0 } }
const ASK = JSON.stringify({ type: 'response.create' })
const CREATED = { type: 'response.created', response: { id: 'r' } }
const USAGE = { input_tokens: 20, output_tokens: 40, total_tokens: 60 }
const DONE = { type: 'response.done', response: { id: 'r', status: 'completed', usage: USAGE } }

interface Scene {
  readonly proxy: TestProxy
  readonly upstream: SocketUpstream
  /** The kinds of messages that reached the upstream. */
  readonly received: string[]
}

function answerAll(socket: WebSocket, type: string): void {
  if (type !== 'response.create') return
  for (const message of [CREATED, DONE]) socket.send(JSON.stringify(message))
}

async function openScene(
  t: TestContext,
  options: Partial<TestProxyOptions> = {},
  answer = answerAll,
): Promise<Scene> {
  const received: string[] = []
  const upstream = await openSocketUpstream(
    (socket) => {
      socket.on('message', (data: Buffer) => {
        const { type = 'none' } = JSON.parse(data.toString()) as { type?: string }
        received.push(type)
        answer(socket, type)
      })
    },
    { perMessageDeflate: { threshold: 0 } },
  )
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
  return { proxy, upstream, received }
}

async function nextOf(caller: Caller, type: string): Promise<Record<string, unknown>> {
  for (;;) {
    const got = JSON.parse((await caller.next()).data.toString()) as Record<string, unknown>
    if (got['type'] === type) return got
  }
}

async function respond(caller: Caller): Promise<void> {
  caller.socket.send(ASK)
  await nextOf(caller, 'response.done')
}

async function leave(caller: Caller): Promise<void> {
  caller.socket.close(1000)
  await caller.closed
}

/** Each message as its own record, in short. */
function brief({ status, usage, chargeable, tokens, errorCode }: UsageEvent): unknown[] {
  return [status, errorCode, usage, chargeable, tokens?.input ?? null]
}

const REPORTED = ['delivered', null, 'reported', true, 20]

async function untilCount(of: readonly unknown[], count: number): Promise<void> {
  while (of.length < count) await new Promise((resolve) => setImmediate(resolve))
}

test('a response is open in the journal while it runs, and closed when it ends', async (t) => {
  const { proxy, received } = await openScene(t, {}, (socket, type) => {
    const answers = type === 'response.create' ? [CREATED] : [DONE]
    for (const message of answers) socket.send(JSON.stringify(message))
  })
  const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
  const lines: string[] = []
  for (let turn = 0; turn < 2; turn++) {
    caller.socket.send(ASK)
    await nextOf(caller, 'response.created')
    lines.push((await proxy.entries()).map(({ kind }) => kind).join(' '))
    caller.socket.send('{"type":"end"}')
    await nextOf(caller, 'response.done')
    await proxy.events(turn + 1)
  }
  assert.deepEqual(lines, ['start open', 'start open close open'])
  await leave(caller)
  await untilCount(received, 4)
  const kinds = (await proxy.entries()).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['start', 'open', 'close', 'open', 'close'])
})

describe('with a blocking budget of 4 calls, of 80 responses that are asked for at once', () => {
  for (const [name, options] of [
    ['plain', PLAIN],
    ['compressed', DEFLATE],
  ] as const) {
    test(`4 run on a ${name} socket, and the caller is told why`, TIMEOUT, async (t) => {
      const { proxy, received } = await openScene(t)
      // A call of which nothing is known yet is expected to cost a cent.
      proxy.local.report(toReport([createState({ limit: usd(0.04), endMs: Date.UTC(2100, 0) })]))
      const caller = await openCaller(proxy, { path: PATH, ...options })
      assert.equal(caller.socket.extensions !== '', name === 'compressed')
      for (let count = 0; count < 80; count++) caller.socket.send(ASK)
      // So many at once may be too many for a socket as well.
      for (let code = ''; code !== 'budget_exceeded';) {
        code = ((await nextOf(caller, 'error')) as { error: { code: string } }).error.code
      }
      const closed = await caller.closed
      assert.deepEqual([closed.code, closed.reason.split(':')[0]], [1008, 'budget_exceeded'])
      assert.ok(received.length <= 4, `${received.length} reached the upstream`)
      const events = await proxy.events(5)
      const forwarded = events.filter(({ status }) => status !== 'denied')
      assert.equal(forwarded.length, 4)
      // What cannot be left out of a compressed socket ends it, and what runs on it.
      if (name === 'plain') assert.deepEqual(forwarded.map(brief), Array(4).fill(REPORTED))
    })
  }

  test('no more run one after the other, nor on further sockets', TIMEOUT, async (t) => {
    const { proxy, received } = await openScene(t)
    proxy.local.report(toReport([createState({ limit: usd(0.04), endMs: Date.UTC(2100, 0) })]))
    const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
    for (let count = 0; count < 4; count++) await respond(caller)
    caller.socket.send(ASK)
    assert.equal((await caller.closed).code, 1008)
    const second = startCaller(proxy, { path: PATH, ...PLAIN })
    second.on('error', () => {})
    const [, response] = (await once(second, 'unexpected-response')) as { statusCode?: number }[]
    assert.equal(response?.statusCode, 402)
    second.terminate()
    assert.equal(received.length, 4)
  })
})

test(
  'a response above the calls a minute is answered, and the socket stays',
  TIMEOUT,
  async (t) => {
    const { proxy, received } = await openScene(t, { key: { rateLimitRpm: 2 } })
    const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
    await respond(caller)
    await respond(caller)
    caller.socket.send(ASK)
    caller.socket.send('{"type":"input_audio_buffer.clear"}')
    const said = (await nextOf(caller, 'error')) as { error: { code: string } }
    assert.equal(said.error.code, 'rate_limited')
    await untilCount(received, 3)
    assert.deepEqual(received, ['response.create', 'response.create', 'input_audio_buffer.clear'])
    await leave(caller)
    const events = await proxy.events(3)
    assert.deepEqual(
      events.map(({ status, errorCode }) => [status, errorCode]),
      [
        ['delivered', null],
        ['delivered', null],
        ['denied', 'rate_limited'],
      ],
    )
  },
)

describe('a socket is closed with the reason, its running response recorded, when its key', () => {
  const cases: Readonly<Record<string, readonly [Partial<ApiKey>, code: string]>> = {
    'is revoked': [{ revokedAt: 1 }, 'revoked_api_key'],
    'is paused': [{ pausedAt: 1 }, 'key_paused'],
    expires: [{ expiresAt: 1 }, 'expired_api_key'],
    'may no longer use the provider': [{ allowedProviders: ['other'] }, 'provider_not_allowed'],
    'may use other models': [{ allowedModels: ['some/owl'] }, 'model_not_allowed'],
    'has another secret': [{ secretHash: 'f'.repeat(64) }, 'invalid_api_key'],
  }
  for (const [name, [change, code]] of Object.entries(cases)) {
    test(name, TIMEOUT, async (t) => {
      const { proxy, upstream } = await openScene(t, {}, (socket, type) => {
        if (type === 'response.create') socket.send(JSON.stringify(CREATED))
      })
      const caller = await openCaller(proxy, { path: PATH, ...DEFLATE })
      caller.socket.send(ASK)
      await nextOf(caller, 'response.created')
      proxy.key = { ...proxy.key, ...change, version: 2 }
      const said = (await nextOf(caller, 'error')) as { error: { code: string } }
      assert.equal(said.error.code, code)
      const closed = await caller.closed
      assert.deepEqual([closed.code, closed.reason.split(':')[0]], [1008, code])
      assert.equal((await upstream.closed).code, 1006)
      const [event] = await proxy.events(1)
      assert.deepEqual(brief(event as UsageEvent), ['aborted', code, 'none', true, null])
    })
  }

  test('is revoked, where nothing that is said can be read', TIMEOUT, async (t) => {
    const { proxy } = await openScene(t)
    const caller = await openCaller(proxy, { path: '/v1/elsewhere', ...PLAIN })
    proxy.key = { ...proxy.key, revokedAt: 1, version: 2 }
    assert.equal((await caller.closed).code, 1006)
    const [event] = await proxy.events(1)
    assert.deepEqual([event?.status, event?.errorCode], ['aborted', 'revoked_api_key'])
  })
})

test('no response runs for a key between its revocation and the close', TIMEOUT, async (t) => {
  const { proxy, received } = await openScene(t, { key: { rateLimitRpm: 1000 } })
  const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
  await respond(caller)
  proxy.key = { ...proxy.key, revokedAt: 1, version: 2 }
  for (let count = 0; count < 10; count++) caller.socket.send(ASK)
  assert.equal((await caller.closed).code, 1008)
  assert.equal(received.length, 1)
})

describe('responses that the upstream begins by itself', () => {
  const begin = (socket: WebSocket): void => {
    for (const message of [CREATED, DONE]) socket.send(JSON.stringify(message))
  }

  test('are calls', TIMEOUT, async (t) => {
    const { proxy } = await openScene(t, {}, begin)
    const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
    for (let count = 0; count < 3; count++) {
      caller.socket.send('{"type":"input_audio_buffer.append"}')
      await nextOf(caller, 'response.done')
    }
    await leave(caller)
    const events = await proxy.events(3)
    assert.deepEqual(events.map(brief), [REPORTED, REPORTED, REPORTED])
  })

  test('end the socket where the key may not make another call', TIMEOUT, async (t) => {
    const { proxy } = await openScene(t, { key: { rateLimitRpm: 2 } }, begin)
    const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
    for (let count = 0; count < 3; count++) {
      caller.socket.send('{"type":"input_audio_buffer.append"}')
    }
    const closed = await caller.closed
    assert.deepEqual([closed.code, closed.reason.split(':')[0]], [1008, 'rate_limited'])
    // The third has run: it is on record as any other.
    const ran = (await proxy.events(3)).filter(({ status }) => status !== 'denied')
    assert.deepEqual(ran.map(brief), [REPORTED, REPORTED, REPORTED])
  })
})

test('what is said of speech alone is a call each', TIMEOUT, async (t) => {
  const transcript = {
    type: 'conversation.item.input_audio_transcription.completed',
    usage: { type: 'tokens', input_tokens: 20, output_tokens: 5, total_tokens: 25 },
  }
  const { proxy } = await openScene(t, {}, (socket) => socket.send(JSON.stringify(transcript)))
  const caller = await openCaller(proxy, { path: '/v1/realtime?intent=transcription', ...PLAIN })
  for (let count = 0; count < 2; count++) {
    caller.socket.send('{"type":"input_audio_buffer.append"}')
    await nextOf(caller, transcript.type)
  }
  await leave(caller)
  assert.deepEqual((await proxy.events(2)).map(brief), [REPORTED, REPORTED])
})

test('what the upstream refuses is no call of its own, and free if it was the last', async (t) => {
  let asks = 0
  const { proxy } = await openScene(t, { key: { rateLimitRpm: 1000 } }, (socket, type) => {
    if (asks++ % 2 === 1) return answerAll(socket, type)
    socket.send('{"type":"error","error":{"message":"Not now."}}')
  })
  const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
  for (let count = 0; count < 2; count++) {
    caller.socket.send(ASK)
    await nextOf(caller, 'error')
    await respond(caller)
  }
  caller.socket.send(ASK)
  await nextOf(caller, 'error')
  await leave(caller)
  const events = await proxy.events(3)
  const [, , last] = events.map(brief)
  assert.deepEqual(events.slice(0, 2).map(brief), [REPORTED, REPORTED])
  assert.deepEqual(last, ['delivered', 'provider_error', 'none', false, null])
  assert.equal(events.length, 3)
})

test('a caller that breaks off inside its second response is recorded so', TIMEOUT, async (t) => {
  let asks = 0
  const { proxy } = await openScene(t, {}, (socket, type) => {
    if (asks++ === 0) answerAll(socket, type)
    else socket.send(JSON.stringify(CREATED))
  })
  const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
  await respond(caller)
  caller.socket.send(ASK)
  await nextOf(caller, 'response.created')
  caller.socket.terminate()
  const events = await proxy.events(2)
  assert.deepEqual(events.map(brief), [REPORTED, ['aborted', null, 'none', true, null]])
})

test('each turn of a Live session is a call, with figures behind its end too', async (t) => {
  const usageMetadata = { promptTokenCount: 20, responseTokenCount: 4, totalTokenCount: 24 }
  const answer = (socket: WebSocket): void => {
    const said = { modelTurn: { parts: [{ text: 'Broad.' }] } }
    const messages = [
      { serverContent: said },
      { serverContent: { turnComplete: true } },
      { usageMetadata },
    ]
    for (const message of messages) socket.send(JSON.stringify(message))
  }
  const { proxy } = await openScene(t, { providers: [{ ...google, id: 'some' }] }, answer)
  proxy.key = { ...proxy.key, rateLimitRpm: 3 }
  const caller = await openCaller(proxy, { path: `${LIVE}?key=invented`, ...PLAIN })
  for (let turn = 0; turn < 3; turn++) {
    caller.socket.send('{"clientContent":{"turns":[],"turnComplete":true}}')
    for (let count = 0; count < 3; count++) await caller.next()
  }
  caller.socket.send('{"clientContent":{"turns":[],"turnComplete":true}}')
  const closed = await caller.closed
  assert.deepEqual([closed.code, closed.reason.split(':')[0]], [1008, 'rate_limited'])
  const ran = (await proxy.events(4)).filter(({ status }) => status !== 'denied')
  assert.deepEqual(ran.map(brief), [REPORTED, REPORTED, REPORTED])
})

test('what Weir says stands behind the message that is under way', TIMEOUT, async (t) => {
  const switching =
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const provider = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })
  const { upstream, proxy, headers } = await openRelayScene(
    t,
    ({ socket, received }) => void (received.endsWith('\r\n\r\n') && socket.write(switching)),
    { providers: [provider as Provider], key: { rateLimitRpm: 1 } },
  )
  const client = await openRawClient(proxy.port)
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  client.send(`GET /v1/some/v1/realtime HTTP/1.1\r\n${headers}${upgrade}\r\n`)
  await client.until((text) => text.endsWith('\r\n\r\n'))
  const first = writeFrame('{"type":"first"', { isFinal: false })
  const rest = writeFrame('}', { opcode: CONTINUATION })
  const [connection] = upstream.connections
  connection?.socket.write(first)
  await client.until((text) => text.endsWith(first.toString('latin1')))
  const ask = writeFrame(ASK, { mask: CALLER_MASK })
  client.socket.write(Buffer.concat([ask, ask]))
  const [denied] = await proxy.events(1)
  assert.equal(denied?.errorCode, 'rate_limited')
  connection?.socket.write(Buffer.concat([rest, writeFrame('{"type":'.padEnd(70_000))]))
  const text = await client.until((received) => received.endsWith(' '.repeat(1000)))
  const order = ['"first"', `\x80\x01}`, 'rate_limited', '{"type":          ']
  const places = order.map((part) => text.indexOf(part))
  assert.deepEqual(
    [...places].sort((one, other) => one - other),
    places,
  )
  assert.ok(!places.includes(-1), text.slice(0, 1000))
  client.socket.destroy()
})

test("OpenAI's realtime client shows why a response did not run", TIMEOUT, async (t) => {
  const { proxy } = await openScene(t, { tls: readCertificate('server') })
  proxy.local.report(toReport([createState({ limit: usd(0.01), endMs: Date.UTC(2100, 0) })]))
  const baseURL = `https://localhost:${proxy.port}/v1/some/v1`
  const client = new OpenAI({ apiKey: 'sk-invented', baseURL })
  const headers = { 'X-SVC-API-Key': proxy.credential }
  const options = { headers, ca: readAuthority() }
  const realtime = new OpenAIRealtimeWS({ model: 'wren', options }, client)
  const shown = new Promise<Error>((resolve) => realtime.on('error', resolve))
  const done = new Promise<void>((resolve) => realtime.on('response.done', () => resolve()))
  await once(realtime.socket, 'open')
  realtime.send({ type: 'response.create' })
  await done
  realtime.send({ type: 'response.create' })
  assert.match((await shown).message, /budget "name of bud_1" .* is used up/)
})

test("OpenAI's client of Responses shows that its key was revoked", TIMEOUT, async (t) => {
  const { proxy } = await openScene(t)
  const baseURL = `http://127.0.0.1:${proxy.port}/v1/some/v1`
  const client = new OpenAI({ apiKey: 'sk-invented', baseURL })
  const responses = new ResponsesWS(client, { headers: { 'X-SVC-API-Key': proxy.credential } })
  const shown = new Promise<Error>((resolve) => responses.on('error', resolve))
  responses.send({ type: 'response.create', model: 'wren', input: 'How wide?' })
  await new Promise<void>((resolve) => responses.on('event', () => resolve()))
  proxy.key = { ...proxy.key, revokedAt: 1, version: 2 }
  assert.match((await shown).message, /was revoked/)
})

test('a socket on which neither side says anything is closed after a while', TIMEOUT, async (t) => {
  const limitsClock = createManualClock()
  const limits = { tunnelIdleTimeoutMs: 20 }
  const { proxy } = await openScene(t, { limits, limitsClock })
  const caller = await openCaller(proxy, { path: PATH, ...PLAIN })
  let isClosed = false
  void caller.closed.then(() => (isClosed = true))
  for (let count = 0; count < 10; count++) {
    await limitsClock.pass(10)
    await respond(caller)
  }
  assert.equal(isClosed, false)
  while (!isClosed) await limitsClock.pass(10)
  assert.equal((await caller.closed).code, 1001)
  const events = await proxy.events(10)
  assert.deepEqual(events.map(brief), Array(10).fill(REPORTED))
})
