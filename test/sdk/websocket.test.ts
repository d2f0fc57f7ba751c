// WebSockets through the tunnel: what one side sends the other gets, and the call is recorded once.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { WebSocket } from 'ws'

import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { openRealtimeUpstream } from '../fakes/upstreams/realtime-upstream.ts'
import type { RealtimeEvent } from '../fakes/upstreams/realtime-upstream.ts'
import { openCaller, startCaller } from '../fakes/callers/socket-caller.ts'
import type { CallerOptions } from '../fakes/callers/socket-caller.ts'
import { echo, openSocketUpstream } from '../fakes/upstreams/socket-upstream.ts'
import type { SocketUpstream } from '../fakes/upstreams/socket-upstream.ts'

const MEGABYTE = 1_000_000
/** Request and response heads, and the frames around messages. */
const OVERHEAD_BYTES_MAX = 2000
const TIMEOUT = { timeout: 30_000 }

async function openProxyTo(t: TestContext, upstream: SocketUpstream): Promise<TestProxy> {
  const proxy = await openTestProxy({ upstreams: { some: upstream.url } })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  return proxy
}

async function openEcho(t: TestContext, options: CallerOptions = {}) {
  const upstream = await openSocketUpstream(echo, { perMessageDeflate: true })
  const proxy = await openProxyTo(t, upstream)
  return { upstream, proxy, caller: await openCaller(proxy, options) }
}

async function checkRecordedOnce(proxy: TestProxy, payloadBytes: number): Promise<void> {
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.httpStatus, event?.provider], ['delivered', 101, 'some'])
  for (const bytes of [event?.requestBytes ?? 0, event?.responseBytes ?? 0]) {
    assert.ok(
      bytes >= payloadBytes && bytes <= payloadBytes + OVERHEAD_BYTES_MAX,
      `${bytes} bytes were counted for ${payloadBytes}`,
    )
  }
  assert.equal(await countClosed(proxy), 1)
}

async function countClosed(proxy: TestProxy): Promise<number> {
  return (await proxy.entries()).filter(({ kind }) => kind === 'close').length
}

test(
  'text, binary and large messages pass both ways, and the call is recorded once',
  TIMEOUT,
  async (t) => {
    const { proxy, caller } = await openEcho(t, { perMessageDeflate: false })
    const large = Buffer.from(Array.from({ length: MEGABYTE }, (_, index) => (index * 31) % 256))
    const messages: [data: string | Buffer, isBinary: boolean][] = [
      ['Fluß 川 🌊', false],
      ['', false],
      [Buffer.from([0, 255, 1, 254]), true],
      [large, true],
      ['ä'.repeat(MEGABYTE / 2), false],
    ]
    for (const [data, isBinary] of messages) {
      caller.socket.send(data)
      const got = await caller.next()
      assert.equal(got.isBinary, isBinary)
      assert.ok(got.data.equals(Buffer.from(data)))
    }
    caller.socket.close(1000)
    await caller.closed
    await checkRecordedOnce(proxy, 2 * MEGABYTE)
  },
)

test('200 messages in a burst come back in their order', TIMEOUT, async (t) => {
  const { caller } = await openEcho(t)
  for (let index = 0; index < 200; index++) caller.socket.send(`message ${index}`)
  for (let index = 0; index < 200; index++) {
    assert.equal((await caller.next()).data.toString(), `message ${index}`)
  }
  caller.socket.close()
  await caller.closed
})

test('compressed messages pass as they are', TIMEOUT, async (t) => {
  const { proxy, caller, upstream } = await openEcho(t, {
    perMessageDeflate: { threshold: 0 },
  })
  assert.match(caller.socket.extensions, /permessage-deflate/)
  assert.match(upstream.sockets[0]?.extensions ?? '', /permessage-deflate/)
  caller.socket.send('a'.repeat(MEGABYTE))
  assert.equal((await caller.next()).data.length, MEGABYTE)
  caller.socket.close()
  await caller.closed
  const [event] = await proxy.events(1)
  assert.ok((event?.requestBytes ?? Infinity) < MEGABYTE / 10)
})

test('pings reach the other side and pongs come back', TIMEOUT, async (t) => {
  const { caller, upstream } = await openEcho(t)
  const pinged = once(upstream.sockets[0] as WebSocket, 'ping')
  const ponged = once(caller.socket, 'pong')
  caller.socket.ping('here?')
  assert.equal(String((await pinged)[0]), 'here?')
  assert.equal(String((await ponged)[0]), 'here?')
  const pingedBack = once(caller.socket, 'ping')
  upstream.sockets[0]?.ping('there?')
  assert.equal(String((await pingedBack)[0]), 'there?')
})

test("the caller's close code and reason reach the upstream", TIMEOUT, async (t) => {
  const { proxy, caller, upstream } = await openEcho(t)
  caller.socket.close(4001, 'genug')
  assert.deepEqual(await upstream.closed, { code: 4001, reason: 'genug' })
  assert.deepEqual(await caller.closed, { code: 4001, reason: 'genug' })
  await checkRecordedOnce(proxy, 0)
})

test("the upstream's close code and reason reach the caller", TIMEOUT, async (t) => {
  const { proxy, caller, upstream } = await openEcho(t)
  upstream.sockets[0]?.close(4402, 'no credit')
  assert.deepEqual(await caller.closed, { code: 4402, reason: 'no credit' })
  assert.deepEqual(await upstream.closed, { code: 4402, reason: 'no credit' })
  await checkRecordedOnce(proxy, 0)
})

test(
  'a side that vanishes takes the other with it, and the call is recorded',
  TIMEOUT,
  async (t) => {
    const first = await openEcho(t)
    first.caller.socket.terminate()
    assert.equal((await first.upstream.closed).code, 1006)
    await checkRecordedOnce(first.proxy, 0)
    const second = await openEcho(t)
    second.upstream.sockets[0]?.terminate()
    assert.equal((await second.caller.closed).code, 1006)
    await checkRecordedOnce(second.proxy, 0)
  },
)

test(
  'path, query, subprotocol and headers are kept, ours and nothing else taken out',
  TIMEOUT,
  async (t) => {
    const upstream = await openSocketUpstream(echo, { handleProtocols: () => 'realtime' })
    const proxy = await openProxyTo(t, upstream)
    const caller = await openCaller(proxy, {
      path: '/v1/realtime?model=gpt-realtime&x=%2F',
      protocols: ['realtime', 'openai-insecure-api-key.ek_invented'],
      headers: { Authorization: 'Bearer sk-invented', 'X-SVC-Dims': 'team=a' },
    })
    assert.equal(caller.socket.protocol, 'realtime')
    const request = upstream.requests[0]
    assert.equal(request?.url, '/v1/realtime?model=gpt-realtime&x=%2F')
    const { headers } = request ?? { headers: {} }
    assert.equal(headers['authorization'], 'Bearer sk-invented')
    assert.equal(headers['sec-websocket-protocol'], 'realtime,openai-insecure-api-key.ek_invented')
    assert.equal(headers.host, new URL(upstream.url).host)
    assert.deepEqual([headers.upgrade, headers.connection], ['websocket', 'Upgrade'])
    assert.ok(!Object.keys(headers).some((name) => name.startsWith('x-svc-')))
    caller.socket.close()
    await caller.closed
    assert.deepEqual((await proxy.events(1))[0]?.dims, { team: 'a' })
  },
)

test(
  "an upgrade that the upstream refuses is refused with the upstream's own answer",
  TIMEOUT,
  async (t) => {
    const upstream = await openSocketUpstream(echo, {
      verifyClient: (_info, done) => done(false, 401, 'Bad key', { 'X-Why': 'no such key' }),
    })
    const proxy = await openProxyTo(t, upstream)
    const socket = startCaller(proxy)
    socket.on('error', () => {})
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number; headers: Record<string, string> },
    ]
    assert.equal(response.statusCode, 401)
    assert.equal(response.headers['x-why'], 'no such key')
    assert.equal(response.headers['x-svc-error'], undefined)
    socket.terminate()
    const [event] = await proxy.events(1)
    assert.deepEqual([event?.status, event?.httpStatus], ['refused', 401])
  },
)

test('an upgrade without a key is refused by Weir itself', TIMEOUT, async (t) => {
  const upstream = await openSocketUpstream(echo)
  const proxy = await openProxyTo(t, upstream)
  const socket = startCaller(proxy, { headers: { 'X-SVC-API-Key': '' } })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number; headers: Record<string, string> },
  ]
  assert.deepEqual([response.statusCode, response.headers['x-svc-error']], [401, 'missing_api_key'])
  socket.terminate()
  assert.equal(upstream.requests.length, 0)
})

test(
  'a tunnel on a connection that served another call counts its own bytes only',
  TIMEOUT,
  async (t) => {
    const upstream = await openSocketUpstream(echo)
    const proxy = await openProxyTo(t, upstream)
    const response = await fetch(`http://127.0.0.1:${proxy.port}/v1/some/upload`, {
      method: 'POST',
      headers: { 'X-SVC-API-Key': proxy.credential },
      body: Buffer.alloc(MEGABYTE),
    })
    assert.equal(await response.text(), String(MEGABYTE))
    const caller = await openCaller(proxy)
    caller.socket.close()
    await caller.closed
    const events = await proxy.events(2)
    const tunnel = events.find(({ httpStatus }) => httpStatus === 101)
    assert.ok((tunnel?.requestBytes ?? Infinity) < OVERHEAD_BYTES_MAX, `${tunnel?.requestBytes}`)
  },
)

test('a realtime conversation passes event by event, and is recorded once', TIMEOUT, async (t) => {
  const upstream = await openRealtimeUpstream()
  const proxy = await openProxyTo(t, upstream)
  const caller = await openCaller(proxy, {
    path: '/v1/realtime?model=gpt-realtime',
    protocols: ['realtime', 'openai-insecure-api-key.ek_invented'],
  })
  const next = async (): Promise<RealtimeEvent> =>
    JSON.parse((await caller.next()).data.toString()) as RealtimeEvent
  const send = (event: RealtimeEvent): void => caller.socket.send(JSON.stringify(event))

  const created = await next()
  assert.equal((created['session'] as { model: string }).model, 'gpt-realtime')
  send({ type: 'session.update', session: { instructions: 'Kurz, bitte.' } })
  assert.equal((await next()).type, 'session.updated')
  for (const id of ['resp_1', 'resp_2']) {
    send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(9600).toString('base64') })
    send({ type: 'response.create' })
    const events: RealtimeEvent[] = []
    do events.push(await next())
    while (events.at(-1)?.type !== 'response.done')
    const transcript = events.filter(({ type }) => type.endsWith('transcript.delta'))
    assert.equal(transcript.map(({ delta }) => delta).join(''), 'Rivers are measured at weirs.')
    const done = events.at(-1)?.['response'] as { id: string; usage: { total_tokens: number } }
    assert.deepEqual([done.id, done.usage.total_tokens], [id, 60])
  }
  caller.socket.close(1000)
  await caller.closed
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.httpStatus], ['delivered', 101])
  assert.ok((event?.requestBytes ?? 0) > 25_000)
  assert.ok((event?.responseBytes ?? 0) > 120_000)
  assert.equal(await countClosed(proxy), 1)
})
