// Callers that come by TLS: real handshakes, with a certificate made for these tests.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { RequestOptions } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { readAuthority, readCertificate } from '../../test/fakes/certificates.ts'
import type { TestProxy, TestProxyOptions } from '../../test/fakes/open-proxy.ts'
import { OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'

const ca = readAuthority()

function openTlsScene(
  t: TestContext,
  script: Script,
  options: Partial<TestProxyOptions> = {},
): Promise<RelayScene> {
  return openRelayScene(t, script, { tls: readCertificate('server'), ...options })
}

async function openCaller(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port, ca, ...options })
  await once(socket, 'secureConnect')
  return socket.on('error', () => {})
}

/** Whether the system asks now and then if the other side of a connection is still there. */
function isKeptAlive(port: number | undefined, remotePort: number | undefined): boolean {
  const toHex = (value = 0): string => value.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const ends = new RegExp(`:${toHex(port)} [0-9A-F]{8}:${toHex(remotePort)} `)
  // The sixth field is the timer that runs: 02 is that one.
  return lines.some((line) => ends.test(line) && line.trim().split(/\s+/)[5]?.startsWith('02:'))
}

for (const name of ['plain', 'TLS'] as const) {
  const skip = process.platform === 'linux' ? false : 'reads what Linux shows of its connections'
  test(
    `a caller that is gone is noticed on a ${name} connection`,
    { skip, timeout: 30_000 },
    async (t) => {
      const { proxy } = await (name === 'TLS' ? openTlsScene : openRelayScene)(t, answering(OK))
      const socket = name === 'TLS' ? await openCaller(proxy.port) : connectTcp(proxy.port)
      if (name === 'plain') await once(socket, 'connect')
      await until(() => count(proxy, 'clientConnections') === 1)
      // Not while the system waits for what it has sent.
      await until(() => isKeptAlive(proxy.port, socket.localPort))
      socket.destroy()
    },
  )
}

function count(proxy: TestProxy, metric: string): number {
  const found = proxy.meter.samples().filter((sample) => sample.metric === metric)
  return found.reduce((sum, sample) => sum + Number(sample.value), 0)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/** Text from a socket until it passes the test. */
async function read(socket: TLSSocket, isEnough: (text: string) => boolean): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (isEnough(text)) return text
  }
  throw new Error(`ended after ${JSON.stringify(text)}`)
}

async function call(proxy: TestProxy, options: RequestOptions, body = ''): Promise<string> {
  const headers = { 'x-svc-api-key': proxy.credential }
  const sent = request({ host: '127.0.0.1', port: proxy.port, ca, headers, ...options })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return `${response.statusCode} ${text}`
}

test('answers calls over TLS, many on one connection', async (t) => {
  const { proxy } = await openTlsScene(t, answering(OK))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  for (let round = 0; round < 5; round++) {
    const options = { agent, path: '/v1/some/x', method: 'POST' }
    assert.equal(await call(proxy, options, '{}'), '200 ok')
  }
  assert.equal(count(proxy, 'clientConnections'), 1)
  assert.equal((await proxy.events(5)).length, 5)
})

test('hands on each piece of a stream over TLS before the next one exists', async (t) => {
  const { proxy, upstream, headers } = await openTlsScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n')
  })
  const caller = await openCaller(proxy.port)
  caller.write(`GET /v1/some/s HTTP/1.1\r\n${headers}\r\n`)
  await read(caller, (text) => text.endsWith('\r\n\r\n'))
  for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
    upstream.connections[0]?.socket.write(piece)
    assert.equal(await read(caller, (text) => text.endsWith('\n\n')), piece)
  }
  upstream.connections[0]?.socket.end()
  caller.resume()
  await once(caller, 'end')
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.streamed], ['delivered', true])
})

test('takes an upload of several megabytes over TLS, byte for byte', async (t) => {
  const body = Array.from({ length: 400_000 }, (_, index) => `${index},`).join('')
  const { proxy, upstream } = await openTlsScene(t, ({ socket, received }) => {
    if (received.endsWith('399999,')) socket.write(OK)
  })
  const headers = { 'x-svc-api-key': proxy.credential, 'content-length': body.length }
  assert.equal(await call(proxy, { path: '/v1/some/', method: 'POST', headers }, body), '200 ok')
  assert.equal(upstream.received().split('\r\n\r\n')[1], body)
  const [event] = await proxy.events(1)
  assert.equal(event?.requestBytes, body.length)
})

test('pauses the upstream for a caller that reads slowly over TLS, and loses nothing', async (t) => {
  const bytes = 40 * 1024 * 1024
  const { proxy, upstream, headers } = await openTlsScene(t, ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`)
    socket.write(Buffer.alloc(bytes, 'x'))
  })
  const caller = await openCaller(proxy.port)
  caller.write(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  caller.pause()
  await until(() => upstream.connections.length === 1)
  const socket = upstream.connections[0]?.socket
  assert.ok(socket)
  // Nothing more leaves: buffers between here and there are full long before the end.
  let before = -1
  while (before !== socket.bytesWritten - socket.writableLength) {
    before = socket.bytesWritten - socket.writableLength
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(socket.writableLength > bytes / 4, `only ${socket.writableLength} bytes were held back`)
  let received = 0
  for await (const chunk of caller.iterator({ destroyOnReturn: false })) {
    received += (chunk as Buffer).length
    if (received > bytes) break
  }
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.responseBytes], ['delivered', bytes])
  caller.destroy()
})

for (const how of ['destroy', 'end'] as const) {
  test(`cuts the upstream when a caller leaves over TLS by ${how}`, async (t) => {
    const { proxy, upstream, headers } = await openTlsScene(t, () => {})
    const caller = await openCaller(proxy.port)
    caller.write(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
    await until(() => upstream.received().endsWith('\r\n\r\n'))
    caller[how]()
    await until(() => upstream.connections[0]?.isClosed === true)
    const [event] = await proxy.events(1)
    assert.equal(event?.status, 'aborted')
    await until(() => count(proxy, 'clientConnections') === 0)
  })
}

test('speaks HTTP/1.1 alone, from TLS 1.2 on', async (t) => {
  const { proxy } = await openTlsScene(t, answering(OK))
  const caller = await openCaller(proxy.port, { ALPNProtocols: ['h2', 'http/1.1'] })
  assert.equal(caller.alpnProtocol, 'http/1.1')
  caller.destroy()
  const older = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const
  await assert.rejects(openCaller(proxy.port, older))
  await assert.rejects(openCaller(proxy.port, { ALPNProtocols: ['h2'] }))
  await until(() => count(proxy, 'tlsFailures') === 2)
})

test('counts what is no handshake, says nothing of it, and goes on', async (t) => {
  const { proxy } = await openTlsScene(t, answering(OK))
  const stranger = connectTcp(proxy.port, '127.0.0.1')
  stranger.on('error', () => {})
  stranger.write('GET / HTTP/1.1\r\nHost: p\r\n\r\n')
  stranger.resume()
  await new Promise((resolve) => stranger.once('close', resolve))
  await until(() => count(proxy, 'tlsFailures') === 1)
  assert.deepEqual(proxy.logged, [])
  assert.equal(await call(proxy, { path: '/v1/some/x' }), '200 ok')
})

test('ends a handshake that takes too long, also one that trickles', async (t) => {
  const limits = { headTimeoutMs: 60 }
  const { proxy } = await openTlsScene(t, answering(OK), { limits })
  const stranger = connectTcp(proxy.port, '127.0.0.1')
  stranger.on('error', () => {})
  // The start of a record that announces far more than ever comes.
  stranger.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]))
  const timer = setInterval(() => stranger.write('\0'), 10)
  t.after(() => clearInterval(timer))
  stranger.resume()
  await new Promise((resolve) => stranger.once('close', resolve))
  await until(() => count(proxy, 'tlsFailures') === 1)
})

test('does not wait for handshakes when it drains', async (t) => {
  const { proxy } = await openTlsScene(t, answering(OK))
  const stranger = connectTcp(proxy.port, '127.0.0.1')
  await once(stranger, 'connect')
  const other = await openCaller(proxy.port)
  await proxy.drain({ timeoutMs: 60_000, idleMs: 0 })
  stranger.destroy()
  other.destroy()
})

test('answers 503 over TLS when all connections have a call', async (t) => {
  const { proxy, upstream, headers } = await openTlsScene(t, () => {}, {
    limits: { connectionsMax: 1 },
  })
  const request = `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`
  const first = await openCaller(proxy.port)
  first.write(request)
  await until(() => upstream.received().endsWith('\r\n\r\n'))
  const second = await openCaller(proxy.port)
  second.write(request)
  const text = await read(second, (received) => received.includes('overloaded'))
  assert.match(text, /^HTTP\/1.1 503 [^]*Retry-After: 1\r\n/)
  for (const socket of [first, second]) socket.destroy()
})

test('handshakes that never end make room for a caller', async (t) => {
  const { proxy } = await openTlsScene(t, answering(OK), { limits: { connectionsMax: 2 } })
  const strangers = Array.from({ length: 5 }, () => connectTcp(proxy.port, '127.0.0.1'))
  t.after(() => strangers.forEach((socket) => socket.destroy()))
  for (const socket of strangers) socket.on('error', () => {}).resume()
  await Promise.all(strangers.map((socket) => once(socket, 'connect')))
  assert.equal(await call(proxy, { path: '/v1/some/x' }), '200 ok')
  await until(() => count(proxy, 'limitsHit') === 4)
  await until(() => strangers.filter((socket) => socket.destroyed).length === 4)
})
