// A body that lasts until the connection's end, and breaks off: a caller can tell it from a whole
// one by the reset alone, so it is reset too, whatever broke the answer off.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'

import { readAuthority, readCertificate } from '../fakes/certificates.ts'
import { createManualClock } from '../fakes/manual-clock.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import type { Script } from '../fakes/upstreams/scripted-upstream.ts'

const HALF = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: half\n\n'
const LARGE = Buffer.alloc(50_000_000, 'x')

interface Ended {
  readonly received: string
  /** `end`, or the code of the error. */
  readonly how: string
}

interface Caller {
  readonly socket: Socket
  readonly ended: Promise<Ended>
  readonly until: (text: string) => Promise<void>
}

async function openCaller({ proxy, headers }: RelayScene, isTls = false): Promise<Caller> {
  const to = { host: '127.0.0.1', port: proxy.port }
  const socket = isTls ? connectTls({ ...to, ca: readAuthority() }) : connect(to)
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
  const ended = new Promise<Ended>((resolve) => {
    socket.on('end', () => resolve({ received, how: 'end' }))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ received, how: error.code ?? '' }),
    )
  })
  await once(socket, isTls ? 'secureConnect' : 'connect')
  socket.write(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  const until = async (text: string): Promise<void> => {
    while (!received.endsWith(text)) await new Promise((resolve) => setImmediate(resolve))
  }
  return { socket, ended, until }
}

const writeHalf: Script = ({ socket }) => void socket.write(HALF)

for (const isTls of [false, true]) {
  const way = isTls ? 'a caller over TLS' : 'a caller'
  const tls = isTls ? { tls: readCertificate('server') } : {}

  test(`resets ${way} when the upstream resets a body without a length`, async (t) => {
    const scene = await openRelayScene(t, writeHalf, tls)
    const caller = await openCaller(scene, isTls)
    await caller.until('half\n\n')
    scene.upstream.connections[0]?.socket.resetAndDestroy()
    const { how, received } = await caller.ended
    assert.equal(how, 'ECONNRESET')
    assert.ok(received.endsWith('data: half\n\n'))
    const [event] = await scene.proxy.events(1)
    assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_unreachable'])
  })

  test(`ends cleanly for ${way} when the upstream ends such a body`, async (t) => {
    const scene = await openRelayScene(t, ({ socket }) => void socket.end(HALF), tls)
    const caller = await openCaller(scene, isTls)
    const { how, received } = await caller.ended
    assert.equal(how, 'end')
    assert.ok(received.endsWith('data: half\n\n'))
    const [event] = await scene.proxy.events(1)
    assert.deepEqual([event?.status, event?.errorCode], ['delivered', null])
  })
}

test('resets the caller when such a body falls silent for too long', async (t) => {
  const limitsClock = createManualClock()
  const limits = { streamIdleTimeoutMs: 20 }
  const scene = await openRelayScene(t, writeHalf, { limits, limitsClock })
  const caller = await openCaller(scene)
  await caller.until('half\n\n')
  await limitsClock.pass(40)
  assert.equal((await caller.ended).how, 'ECONNRESET')
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_timeout'])
})

test('resets a caller that is given up because it did not read such a body', async (t) => {
  const limitsClock = createManualClock()
  const limits = { streamIdleTimeoutMs: 20 }
  const script: Script = ({ socket }) => {
    socket.write(HALF)
    socket.write(LARGE)
  }
  const scene = await openRelayScene(t, script, { limits, limitsClock })
  const caller = await openCaller(scene)
  caller.socket.pause()
  let isRecorded = false
  const recorded = scene.proxy.events(1).finally(() => (isRecorded = true))
  while (!isRecorded) await limitsClock.pass(6)
  caller.socket.resume()
  assert.equal((await caller.ended).how, 'ECONNRESET')
  assert.equal((await recorded)[0]?.status, 'aborted')
})

test('resets the caller of such a body when a drain runs out of time', async (t) => {
  const scene = await openRelayScene(t, writeHalf)
  const caller = await openCaller(scene)
  await caller.until('half\n\n')
  await scene.proxy.drain({ timeoutMs: 0, idleMs: 0 })
  assert.equal((await caller.ended).how, 'ECONNRESET')
  assert.equal((await scene.proxy.events(1))[0]?.status, 'aborted')
})

test('ends the connection where the length shows that a body broke off', async (t) => {
  const sized = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'
  const scene = await openRelayScene(t, ({ socket }) => void socket.write(sized))
  const caller = await openCaller(scene)
  await caller.until('half')
  scene.upstream.connections[0]?.socket.resetAndDestroy()
  assert.equal((await caller.ended).how, 'end')
  assert.equal((await scene.proxy.events(1))[0]?.status, 'cut')
})
