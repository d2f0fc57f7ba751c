import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import type { RawClient } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import type { ManualClock } from '../../test/fakes/manual-clock.ts'
import { OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'

const LIMIT_MS = 20
/** Three of them stay within the limit. */
const STEP_MS = 6

function countLimit({ proxy }: RelayScene, limit: string): number {
  const samples = proxy.meter.samples()
  const found = samples.find(({ metric, labels }) => metric === 'limitsHit' && labels[0] === limit)
  return found?.value ?? 0
}

/** Sends pieces at a steady pace, until all are sent or the other side has closed. */
async function trickle(client: RawClient, clock: ManualClock, pieces: string[]): Promise<void> {
  for (const piece of pieces) {
    if (client.isClosed) return
    client.send(piece)
    await clock.pass(STEP_MS)
  }
}

test('takes a head of exactly the allowed size, and refuses and counts one byte more', async (t) => {
  const headBytesMax = 1024
  const scene = await openRelayScene(t, answering(OK), { limits: { headBytesMax } })
  const start = `GET /v1/some/ HTTP/1.1\r\n${scene.headers}X: `
  const fits = `${start}${'x'.repeat(headBytesMax - start.length - 4)}\r\n\r\n`
  assert.equal(fits.length, headBytesMax)
  const client = await openRawClient(scene.proxy.port)
  client.send(fits)
  await client.until((text) => text.endsWith('ok'))
  assert.equal(countLimit(scene, 'head_bytes'), 0)
  client.send(fits.replace('X: x', 'X: xx'))
  assert.match(await client.closed(), /HTTP\/1\.1 431 [^]*X-SVC-Error: headers_too_large\r\n/)
  assert.equal(countLimit(scene, 'head_bytes'), 1)
})

test('gives up a head without an end as soon as it is too large', async (t) => {
  const scene = await openRelayScene(t, answering(OK), { limits: { headBytesMax: 1024 } })
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\nX: ${'x'.repeat(1024)}`)
  assert.match(await client.closed(), /^HTTP\/1\.1 431 /)
  assert.equal(countLimit(scene, 'head_bytes'), 1)
})

test('takes as many headers as are allowed, and refuses and counts one more', async (t) => {
  const scene = await openRelayScene(t, answering(OK), { limits: { headersMax: 8 } })
  const client = await openRawClient(scene.proxy.port)
  const lines = (count: number): string => 'X: x\r\n'.repeat(count)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}${lines(6)}\r\n`)
  await client.until((text) => text.endsWith('ok'))
  client.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}${lines(7)}\r\n`)
  assert.match(await client.closed(), /HTTP\/1\.1 431 [^]*headers_too_large[^]*more than 8 headers/)
  assert.equal(countLimit(scene, 'head_count'), 1)
})

test('closes and counts a connection whose head does not arrive in time, however busy it is', async (t) => {
  const limitsClock = createManualClock()
  const limits = { headTimeoutMs: LIMIT_MS }
  const scene = await openRelayScene(t, answering(OK), { limits, limitsClock })
  const client = await openRawClient(scene.proxy.port)
  await trickle(client, limitsClock, `GET /v1/some/ HTTP/1.1\r\n${scene.headers}`.split(''))
  assert.equal(await client.closed(), '')
  assert.equal(countLimit(scene, 'head_time'), 1)
  assert.equal(scene.upstream.received(), '')
})

test('gives each head on a connection its own time', async (t) => {
  const limitsClock = createManualClock()
  const limits = { headTimeoutMs: LIMIT_MS }
  const scene = await openRelayScene(t, answering(OK), { limits, limitsClock })
  const client = await openRawClient(scene.proxy.port)
  const head = `GET /v1/some/ HTTP/1.1\r\n${scene.headers}\r\n`
  for (let call = 1; call <= 3; call++) {
    await trickle(client, limitsClock, [head.slice(0, 9), head.slice(9, 20), head.slice(20)])
    await client.until((text) => text.split('200 Fine').length === call + 1)
  }
  assert.equal(countLimit(scene, 'head_time'), 0)
})

const POST = 'POST /v1/some/ HTTP/1.1\r\n'

test('lets a body take its time while something of it comes', async (t) => {
  const limitsClock = createManualClock()
  const script = answering('')
  const scene = await openRelayScene(
    t,
    (connection) => {
      script(connection)
      if (connection.received.endsWith('0123456789')) connection.socket.write(OK)
    },
    { limits: { bodyTimeoutMs: LIMIT_MS }, limitsClock },
  )
  const client = await openRawClient(scene.proxy.port)
  client.send(`${POST}${scene.headers}Content-Length: 10\r\n\r\n`)
  await trickle(client, limitsClock, '0123456789'.split(''))
  await client.until((text) => text.endsWith('ok'))
  assert.equal(countLimit(scene, 'body_time'), 0)
})

test('answers, closes and counts a caller that stops in the middle of a body', async (t) => {
  const limitsClock = createManualClock()
  const limits = { bodyTimeoutMs: LIMIT_MS }
  const scene = await openRelayScene(t, () => {}, { limits, limitsClock })
  const client = await openRawClient(scene.proxy.port)
  client.send(`${POST}${scene.headers}Content-Length: 10\r\n\r\n0123`)
  while (!scene.upstream.received().endsWith('0123')) await limitsClock.pass(0)
  // A piece that comes later has its own time to the next.
  client.send('45')
  while (!scene.upstream.received().endsWith('012345')) await limitsClock.pass(0)
  await limitsClock.pass(2 * LIMIT_MS)
  const answer = await client.closed()
  assert.match(answer, /^HTTP\/1\.1 400 [^]*X-SVC-Error: bad_request\r\n[^]*stopped coming/)
  assert.equal(countLimit(scene, 'body_time'), 1)
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['aborted', 'bad_request'])
})

test('does not take a caller that waits for "100 Continue" for a silent one', async (t) => {
  const scene = await openRelayScene(t, () => {}, {
    limits: { bodyTimeoutMs: LIMIT_MS, firstByteTimeoutMs: 10 * LIMIT_MS },
  })
  const client = await openRawClient(scene.proxy.port)
  client.send(`${POST}${scene.headers}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`)
  assert.match(await client.closed(), /^HTTP\/1\.1 504 /)
  assert.equal(countLimit(scene, 'body_time'), 0)
  assert.equal(countLimit(scene, 'first_byte_time'), 1)
})

test('does not wait for ever for the body of a refused request', async (t) => {
  const scene = await openRelayScene(t, () => {}, { limits: { bodyTimeoutMs: LIMIT_MS } })
  const client = await openRawClient(scene.proxy.port)
  client.send('POST /v1/some/ HTTP/1.1\r\nHost: p\r\nContent-Length: 10\r\n\r\n0123')
  assert.match(await client.closed(), /^HTTP\/1\.1 401 /)
  assert.equal(countLimit(scene, 'body_time'), 1)
})

test('counts connections that are idle, cut or too many, and answers that pause for too long', async (t) => {
  const limitsClock = createManualClock()
  const limits = { idleTimeoutMs: LIMIT_MS, connectionsMax: 1, streamIdleTimeoutMs: LIMIT_MS }
  const scene = await openRelayScene(
    t,
    ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
    { limits, limitsClock },
  )
  const cut = await openRawClient(scene.proxy.port)
  const busy = await openRawClient(scene.proxy.port)
  assert.equal(await cut.closed(), '')
  busy.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}\r\n`)
  await busy.until((text) => text.endsWith('half'))
  const surplus = await openRawClient(scene.proxy.port)
  surplus.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}\r\n`)
  assert.match(await surplus.closed(), /^HTTP\/1\.1 503 /)
  const idle = await openRawClient(scene.proxy.port)
  await limitsClock.pass(2 * LIMIT_MS)
  assert.equal(await idle.closed(), '')
  assert.match(await busy.closed(), /half$/)
  const counts = ['client_connections', 'client_cut', 'client_idle', 'stream_idle']
  assert.deepEqual(
    counts.map((limit) => countLimit(scene, limit)),
    [2, 1, 1, 1],
  )
})
