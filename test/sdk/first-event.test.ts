// Nothing on the way waits for more: the caller has an event before the next one exists. The
// upstream makes each event only once the caller has had the one before; a buffer anywhere would
// stand still.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { constants, createGunzip, createGzip } from 'node:zlib'
import type { Gzip } from 'node:zlib'

import { systemClock } from '../../src/core/clock.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'

const EVENTS = 50
/** Some must be quicker than the 40 ms by which a socket delays small pieces. */
const QUICK_EVENTS = 5
const QUICK_MS_MAX = 30
const EVENT_BYTES = 64

interface Framing {
  readonly name: string
  readonly headers: string
  /** The bytes that carry an event; written in one piece. */
  frame(event: Buffer): Buffer
  /** What ends the body; null: the end of the connection. */
  readonly end: string | null
  readonly isGzip?: true
}

const FRAMINGS: readonly Framing[] = [
  {
    name: 'in chunks of their own',
    headers: 'Transfer-Encoding: chunked\r\n',
    frame: toChunk,
    end: '0\r\n\r\n',
  },
  {
    name: 'inside a chunk that has not come whole',
    headers: 'Transfer-Encoding: chunked\r\n',
    frame: partOfLongChunk(),
    end: '\r\n0\r\n\r\n',
  },
  {
    name: 'in a body of known length',
    headers: `Content-Length: ${EVENTS * EVENT_BYTES}\r\n`,
    frame: (event) => event,
    end: '',
  },
  {
    name: 'in a body that ends with its connection',
    headers: 'Connection: close\r\n',
    frame: (event) => event,
    end: null,
  },
  {
    name: 'compressed, in chunks of their own',
    headers: 'Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n',
    frame: toChunk,
    end: '0\r\n\r\n',
    isGzip: true,
  },
]

for (const framing of FRAMINGS) {
  test(
    `each event is there before the next one is made: ${framing.name}`,
    { timeout: 30_000 },
    async (t) => {
      const { upstream, caller } = await openStream(t, framing)
      const gzip = framing.isGzip === true ? createGzip() : null
      const body = framing.isGzip === true ? caller.pipe(createGunzip()) : caller
      const received = createReceiver(body)
      const tookMs: number[] = []
      for (let number = 0; number < EVENTS; number++) {
        const event = Buffer.from(`data: {"number":${number}}`.padEnd(EVENT_BYTES - 2) + '\n\n')
        const bytes = framing.frame(gzip === null ? event : await deflate(gzip, event))
        const writtenAt = systemClock.monotonic()
        upstream.write(bytes)
        const arrivedAt = await received.until((number + 1) * EVENT_BYTES)
        assert.equal(received.bytes(), (number + 1) * EVENT_BYTES, 'only what was made has come')
        tookMs.push(arrivedAt - writtenAt)
      }
      if (framing.end === null) upstream.end()
      else upstream.write(framing.end === '' ? Buffer.alloc(0) : framing.end)
      const isQuick = tookMs.filter((ms) => ms < QUICK_MS_MAX)
      assert.ok(isQuick.length >= QUICK_EVENTS, `events took ${tookMs.join(', ')} ms`)
      gzip?.destroy()
      caller.destroy()
    },
  )
}

test(
  'the head of a response is there before its first event is made',
  { timeout: 30_000 },
  async (t) => {
    const { caller, upstream } = await openStream(t, FRAMINGS[0] as Framing)
    assert.equal(caller.headers['content-type'], 'text/event-stream')
    const received = createReceiver(caller)
    assert.equal(received.bytes(), 0)
    upstream.write(toChunk(Buffer.alloc(EVENT_BYTES)))
    await received.until(EVENT_BYTES)
    caller.destroy()
  },
)

/** A call whose head has arrived, and nothing of its body. */
async function openStream(
  t: TestContext,
  { headers }: Framing,
): Promise<{ upstream: Socket; caller: IncomingMessage }> {
  const { proxy, upstream } = await openRelayScene(t, ({ socket, received }) => {
    if (!received.endsWith('\r\n\r\n')) return
    socket.setNoDelay(true)
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${headers}\r\n`)
  })
  const request = get({
    host: '127.0.0.1',
    port: proxy.port,
    path: '/v1/some/stream',
    headers: { 'X-SVC-API-Key': proxy.credential },
    agent: false,
  })
  const [caller] = (await once(request, 'response')) as [IncomingMessage]
  request.on('error', () => {})
  caller.on('error', () => {})
  return { upstream: upstream.connections[0]?.socket as Socket, caller }
}

interface Receiver {
  bytes(): number
  /** When so many bytes had come. */
  until(bytes: number): Promise<number>
}

function createReceiver(body: Readable): Receiver {
  let bytes = 0
  let waiting: { bytes: number; resolve: (at: number) => void } | null = null
  body.on('error', () => {})
  body.on('data', (part: Buffer) => {
    bytes += part.length
    if (waiting === null || bytes < waiting.bytes) return
    waiting.resolve(systemClock.monotonic())
    waiting = null
  })
  return {
    bytes: () => bytes,
    until: (count) => {
      if (bytes >= count) return Promise.resolve(systemClock.monotonic())
      const { promise, resolve } = Promise.withResolvers<number>()
      waiting = { bytes: count, resolve }
      return promise
    },
  }
}

function toChunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}

/** One chunk is announced that holds all events; they come one by one. */
function partOfLongChunk(): (event: Buffer) => Buffer {
  let isFirst = true
  return (event) => {
    if (!isFirst) return event
    isFirst = false
    return Buffer.concat([Buffer.from(`${(EVENTS * EVENT_BYTES).toString(16)}\r\n`), event])
  }
}

/** As providers do it: one compressed stream, flushed behind every event. */
async function deflate(gzip: Gzip, event: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  const collect = (part: Buffer): void => void parts.push(part)
  gzip.on('data', collect)
  gzip.write(event)
  await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve))
  gzip.off('data', collect)
  return Buffer.concat(parts)
}
