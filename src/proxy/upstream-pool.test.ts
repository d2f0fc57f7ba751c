// The pool in front of real sockets: what it keeps, what it hands out again, and what it never
// does.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createMeter } from '../app/meter.ts'
import type { CountingMeter } from '../app/meter.ts'
import { readAuthority } from '../../test/fakes/certificates.ts'
import { openConnectProxy } from '../../test/fakes/upstreams/connect-proxy.ts'
import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import { OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import { answering, openScriptedUpstream } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { ScriptedUpstream } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { UpstreamConnection } from './upstream-connection.ts'
import { createUpstreamConnector } from './upstream-connector.ts'
import { UpstreamPool, connectRefusal } from './upstream-pool.ts'
import type { Connected, UpstreamPoolOptions } from './upstream-pool.ts'

interface PoolScene {
  readonly pool: UpstreamPool
  readonly upstream: ScriptedUpstream
  readonly meter: CountingMeter
  readonly clock: { nowMs: number }
}

async function openPool(
  t: TestContext,
  options: Partial<UpstreamPoolOptions> = {},
): Promise<PoolScene> {
  const upstream = await openScriptedUpstream(() => {})
  const clock = { nowMs: 1000 }
  const meter = createMeter()
  const pool = new UpstreamPool({
    connector: createUpstreamConnector({ origin: new URL(upstream.url) }),
    connectTimeoutMs: 5000,
    idleTimeoutMs: 15_000,
    connectionsMax: 10,
    clock: { now: () => clock.nowMs, monotonic: () => clock.nowMs },
    meter,
    ...options,
  })
  t.after(async () => {
    pool.close()
    await upstream.close()
  })
  return { pool, upstream, meter, clock }
}

function connect(pool: UpstreamPool): Promise<Connected> {
  return new Promise((resolve) => pool.connect(resolve))
}

async function open(pool: UpstreamPool): Promise<UpstreamConnection> {
  const result = await connect(pool)
  assert.ok(result.kind === 'connected', JSON.stringify(result))
  return result.connection
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

function gauge(meter: CountingMeter): unknown {
  return meter.samples().find(({ metric }) => metric === 'upstreamConnections')?.value
}

test('hands out the newest idle connection, and each once', async (t) => {
  const { pool } = await openPool(t)
  const [older, newer] = [await open(pool), await open(pool)]
  pool.giveBack(older, null)
  pool.giveBack(newer, null)
  assert.equal(pool.takeIdle(), newer)
  assert.equal(pool.takeIdle(), older)
  assert.equal(pool.takeIdle(), null)
  for (const connection of [older, newer]) connection.destroy()
})

test('opens as many connections as it may and not one more', async (t) => {
  const { pool, meter } = await openPool(t, { connectionsMax: 2 })
  const first = await open(pool)
  await open(pool)
  assert.deepEqual(await connect(pool), { kind: 'full' })
  assert.equal(gauge(meter), 2)
  first.destroy()
  await once(first.socket, 'close')
  await open(pool)
  assert.equal(gauge(meter), 2)
})

test('counts an attempt that failed or was given up as one no more', async (t) => {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const origin = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const connector = createUpstreamConnector({ origin })
  const { pool, meter } = await openPool(t, { connector, connectionsMax: 1 })
  for (let count = 0; count < 3; count++) {
    assert.equal((await connect(pool)).kind, 'failed')
    assert.equal(gauge(meter), 0)
  }
  const giveUp = pool.connect(() => assert.fail('called after it was given up'))
  giveUp()
  giveUp()
  assert.equal(gauge(meter), 0)
})

test('waits for a connection until its time is up, TLS included', async (t) => {
  const sockets = { open: 0 }
  const server = createServer((socket) => {
    sockets.open++
    socket.resume()
    socket.on('close', () => sockets.open--)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const origin = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const connector = createUpstreamConnector({ origin })
  const { pool, meter } = await openPool(t, { connector, connectTimeoutMs: 40 })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const connecting = connect(pool)
  await until(() => sockets.open === 1)
  t.mock.timers.tick(39)
  assert.equal(gauge(meter), 1)
  t.mock.timers.tick(1)
  assert.deepEqual(await connecting, { kind: 'timeout' })
  assert.equal(gauge(meter), 0)
  await until(() => sockets.open === 0)
})

test('waits no longer for an outgoing proxy', async (t) => {
  const proxy = await openConnectProxy(t, { answer: ['HTTP/1.1 200 '], canTunnel: false })
  const connector = createUpstreamConnector({
    origin: new URL('https://upstream.test'),
    proxy: new URL(`http://127.0.0.1:${proxy.port}`),
    ca: readAuthority(),
  })
  const { pool } = await openPool(t, { connector, connectTimeoutMs: 40 })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const connecting = connect(pool)
  await until(() => proxy.heads.length === 1)
  t.mock.timers.tick(40)
  assert.deepEqual(await connecting, { kind: 'timeout' })
  await until(() => proxy.open() === 0)
})

test('closes what has lain idle for its time, not a moment earlier', async (t) => {
  const { pool, clock } = await openPool(t, { idleTimeoutMs: 100 })
  const connection = await open(pool)
  pool.giveBack(connection, null)
  clock.nowMs += 99
  pool.checkDeadline(clock.nowMs)
  assert.equal(connection.socket.destroyed, false)
  clock.nowMs += 1
  pool.checkDeadline(clock.nowMs)
  assert.equal(connection.socket.destroyed, true)
  assert.equal(pool.takeIdle(), null)
})

test('does not hand out what has lain idle for too long, swept or not', async (t) => {
  const { pool, clock } = await openPool(t, { idleTimeoutMs: 100 })
  const connection = await open(pool)
  pool.giveBack(connection, null)
  clock.nowMs += 100
  assert.equal(pool.takeIdle(), null)
  assert.equal(connection.socket.destroyed, true)
})

// A second is left to the upstream, whose time began earlier than ours.
const HINTS: readonly (readonly [hint: string | null, keptMs: number])[] = [
  [null, 15_000],
  ['timeout=5', 4000],
  ['timeout=5, max=100', 4000],
  ['max=100, TIMEOUT=3', 2000],
  ['timeout=600', 15_000],
  ['timeout=1', 0],
  ['timeout=0', 0],
  ['nonsense', 15_000],
]

for (const [hint, keptMs] of HINTS) {
  test(`keeps a connection for ${keptMs} ms after Keep-Alive ${hint}`, async (t) => {
    const { pool, clock } = await openPool(t)
    const connection = await open(pool)
    pool.giveBack(connection, hint)
    assert.equal(connection.socket.destroyed, keptMs === 0)
    if (keptMs === 0) return
    clock.nowMs += keptMs - 1
    assert.equal(pool.takeIdle(), connection)
    pool.giveBack(connection, hint)
    clock.nowMs += keptMs
    assert.equal(pool.takeIdle(), null)
  })
}

test('drops an idle connection that the upstream ends, resets or speaks on', async (t) => {
  const { pool, upstream, meter } = await openPool(t)
  const acts = ['end', 'resetAndDestroy', 'write'] as const
  for (const act of acts) {
    const connection = await open(pool)
    pool.giveBack(connection, null)
    await until(() => upstream.connections.at(-1)?.isClosed === false)
    const { socket } = upstream.connections.at(-1) as { socket: typeof connection.socket }
    if (act === 'write') socket.write('HTTP/1.1 408 Request Timeout\r\n\r\n')
    else socket[act]()
    await until(() => connection.socket.destroyed && gauge(meter) === 0)
    assert.equal(pool.takeIdle(), null, act)
  }
})

test('closes its idle connections with itself, and keeps none that comes back later', async (t) => {
  const { pool } = await openPool(t)
  const [idle, busy] = [await open(pool), await open(pool)]
  pool.giveBack(idle, null)
  pool.close()
  assert.equal(idle.socket.destroyed, true)
  assert.equal(busy.socket.destroyed, false)
  pool.giveBack(busy, null)
  assert.equal(busy.socket.destroyed, true)
})

test('never sends a call on a connection that ended as the call came', async (t) => {
  const { proxy, upstream, headers } = await openRelayScene(t, answering(OK))
  const client = await openRawClient(proxy.port)
  const rounds = 200
  for (let round = 1; round <= rounds; round++) {
    client.send(`POST /v1/some/${round} HTTP/1.1\r\n${headers}Content-Length: 0\r\n\r\n`)
    await client.until((text) => text.split(/\r\n\r\n(?:ok|\{.*\})/).length === round + 1)
    // The end goes out now and the next request with it: both arrive in the same turn of the proxy.
    const { socket } = upstream.connections.at(-1) as { socket: Socket }
    if (round % 2 === 0) socket.end()
    else socket.resetAndDestroy()
  }
  const statuses = client.received.match(/HTTP\/1.1 \d+/g) ?? []
  const delivered = statuses.filter((status) => status === 'HTTP/1.1 200').length
  assert.equal(statuses.length, rounds)
  // While no byte has left, another connection does as well: no call fails by it.
  assert.equal(delivered, rounds)
  // Each connection was ended behind its first answer: a second request on one would be a call
  // lost.
  const requests = upstream.connections.map(({ received }) => received.split('POST ').length - 1)
  assert.deepEqual(requests, Array(delivered).fill(1))
  client.socket.destroy()
})

test('answers 503 to the call beyond the connections that it may hold', async (t) => {
  const { proxy, upstream, headers } = await openRelayScene(t, () => {}, { connectionsMax: 1 })
  const first = await openRawClient(proxy.port)
  first.send(`GET /v1/some/1 HTTP/1.1\r\n${headers}\r\n`)
  await until(() => upstream.received().includes('\r\n\r\n'))
  const second = await openRawClient(proxy.port)
  second.send(`GET /v1/some/2 HTTP/1.1\r\n${headers}\r\n`)
  const text = await second.until((received) => received.includes('overloaded'))
  assert.match(text, /^HTTP\/1.1 503 [^]*Retry-After: 1\r\n/)
  upstream.connections[0]?.socket.write(OK)
  await first.until((received) => received.endsWith('ok'))
  second.send(`GET /v1/some/3 HTTP/1.1\r\n${headers}\r\n`)
  await until(() => upstream.received().includes('/3'))
  assert.equal(upstream.connections.length, 1)
  for (const { socket } of [first, second]) socket.destroy()
})

const FAILURES: readonly (readonly [reason: string, isProxy: boolean, message: RegExp])[] = [
  ['ECONNREFUSED', false, /^The address of acme could not be reached \(ECONNREFUSED\)\.$/],
  ['SELF_SIGNED_CERT_IN_CHAIN', false, /SELF_SIGNED_CERT_IN_CHAIN.*providers\.acme\.ca\.$/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, /providers\.acme\.ca\.$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false, /providers\.acme\.url\.$/],
  ['CERT_HAS_EXPIRED', false, /CERT_HAS_EXPIRED.*renewed/],
  ['proxy answered 407', true, /proxy answered 407.*upstream\.httpsProxy/],
  ['ECONNREFUSED', true, /ECONNREFUSED.*upstream\.httpsProxy/],
]

for (const [reason, isProxy, message] of FAILURES) {
  test(`says what helps against ${reason}${isProxy ? ' of a proxy' : ''}`, () => {
    const refusal = connectRefusal({ kind: 'failed', reason, isProxy }, 'acme')
    assert.equal(refusal.code, 'upstream_unreachable')
    assert.match(refusal.message, message)
  })
}
