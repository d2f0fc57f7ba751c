import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openRawClient, rawCall } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import { ID_LINE, OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'

test('answers pipelined requests in their order, refused ones among them', async (t) => {
  const { proxy, headers } = await openRelayScene(t, (connection) => {
    const path = /GET \/base\/(\w+) HTTP\/1.1[^]*\r\n\r\n$/.exec(connection.received)?.[1]
    if (path !== undefined) {
      connection.socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${path.length}\r\n\r\n${path}`)
      connection.received = ''
    }
  })
  const client = await openRawClient(proxy.port)
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`
  client.send(
    `${get('/v1/some/first')}${get('/v1/none/x')}${get('/healthz')}${get('/v1/some/last')}`,
  )
  const text = await client.until((received) => received.endsWith('last'))
  const order = ['first', 'unknown_provider', '"status":"ok"', 'last'].map((word) =>
    text.indexOf(word),
  )
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  assert.ok(!order.includes(-1))
  client.socket.destroy()
})

const REFUSALS: [name: string, head: (key: string) => string, status: number, code: string][] = [
  ['no key', () => 'GET /v1/some/ HTTP/1.1\r\nHost: p\r\n', 401, 'missing_api_key'],
  [
    'an empty key',
    () => 'GET /v1/some/ HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: \r\n',
    401,
    'missing_api_key',
  ],
  [
    'a wrong secret',
    (key) => `GET /v1/some/ HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}x\r\n`,
    401,
    'invalid_api_key',
  ],
  [
    'two keys',
    (key) =>
      `GET /v1/some/ HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}\r\nX-SVC-API-Key: ${key}\r\n`,
    401,
    'invalid_api_key',
  ],
  [
    'an unknown provider',
    (key) => `GET /v1/none/ HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}\r\n`,
    404,
    'unknown_provider',
  ],
  [
    'a path without a provider',
    (key) => `GET /x HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}\r\n`,
    404,
    'unknown_provider',
  ],
  [
    'a dot segment',
    (key) => `GET /v1/some/a/../b HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}\r\n`,
    400,
    'bad_request',
  ],
  [
    'an encoded dot segment',
    (key) => `GET /v1/some/%2e%2E/b HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}\r\n`,
    400,
    'bad_request',
  ],
  [
    'dims without a value',
    (key) => `GET /v1/some/ HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${key}\r\nX-SVC-Dims: a=\r\n`,
    400,
    'invalid_dims',
  ],
]

for (const [name, head, status, code] of REFUSALS) {
  test(`refuses ${name} with ${status} ${code}, and nothing reaches the upstream`, async (t) => {
    const { upstream, proxy } = await openRelayScene(t, answering(OK))
    const text = await rawCall(proxy.port, `${head(proxy.credential)}Connection: close\r\n\r\n`)
    const [responseHead = '', body = ''] = text.split('\r\n\r\n')
    assert.match(responseHead, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(responseHead, new RegExp(`\r\nX-SVC-Error: ${code}\r\n`))
    assert.match(responseHead, /\r\nx-should-retry: false\r\n/)
    assert.match(`${responseHead}\r\n`, ID_LINE)
    const json = JSON.parse(body) as { code: string; error: { code: string }; request_id: string }
    assert.deepEqual([json.code, json.error.code], [code, code])
    assert.ok(responseHead.includes(json.request_id))
    assert.equal(upstream.connections.length, 0)
  })
}

test("a key in the place of a provider's name is neither kept nor repeated, a name is", async (t) => {
  const { proxy, headers } = await openRelayScene(t, answering(OK))
  const ask = (name: string): Promise<string> =>
    rawCall(proxy.port, `GET /v1/${name}/x HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  const [, secret = ''] = proxy.credential.split('.')
  const answers = [
    await ask(proxy.credential),
    await ask(secret),
    await ask(`sk-proj-${secret}`),
    await ask('Opnai'),
  ]
  assert.match(answers[3] ?? '', /There is no provider at \/v1\/Opnai\./)
  const events = await proxy.events(4)
  assert.deepEqual(
    events.map(({ provider, errorCode }) => [provider, errorCode]),
    [...Array.from({ length: 3 }, () => ['', 'unknown_provider']), ['Opnai', 'unknown_provider']],
  )
  const kept = JSON.stringify([answers, events, proxy.logged, proxy.warned])
  for (let at = 0; at + 6 <= secret.length; at++)
    assert.ok(!kept.includes(secret.slice(at, at + 6)))
})

test('refuses revoked and expired keys by their own codes, and keeps that in the log', async (t) => {
  const { proxy, headers } = await openRelayScene(t, answering(OK))
  const request = `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`
  proxy.key = { ...proxy.key, revokedAt: 1 }
  assert.match(await rawCall(proxy.port, request), /^HTTP\/1.1 401 [^]*revoked_api_key/)
  proxy.key = { ...proxy.key, revokedAt: null, expiresAt: 1 }
  assert.match(await rawCall(proxy.port, request), /^HTTP\/1.1 401 [^]*expired_api_key/)
  proxy.key = { ...proxy.key, expiresAt: null, allowedProviders: ['other'] }
  assert.match(await rawCall(proxy.port, request), /^HTTP\/1.1 403 [^]*provider_not_allowed/)
  proxy.key = { ...proxy.key, allowedProviders: [], requiredDims: ['team'] }
  assert.match(await rawCall(proxy.port, request), /^HTTP\/1.1 400 [^]*missing_dims[^]*team/)
  const events = await proxy.events(2)
  assert.deepEqual(
    events.map((event) => [event.status, event.errorCode, event.keyId]),
    [
      ['denied', 'provider_not_allowed', proxy.key.id],
      ['denied', 'missing_dims', proxy.key.id],
    ],
  )
})

test('refuses what cannot be framed with 400 and closes', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, answering(OK))
  const cases = [
    'NONSENSE\r\n\r\n',
    `GET /v1/some/ HTTP/1.1\n${headers}\r\n`,
    `POST /v1/some/ HTTP/1.1\r\n${headers}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `POST /v1/some/ HTTP/1.1\r\n${headers}Content-Length: x\r\n\r\n`,
  ]
  for (const request of cases) {
    assert.match(await rawCall(proxy.port, request), /^HTTP\/1.1 400 [^]*bad_request/)
  }
  const large = `GET /v1/some/ HTTP/1.1\r\n${headers}X: ${'x'.repeat(70_000)}\r\n\r\n`
  assert.match(await rawCall(proxy.port, large), /^HTTP\/1.1 431 [^]*headers_too_large/)
  assert.equal(upstream.connections.length, 0)
})

test('goes on with the connection after a refusal whose body it has read', async (t) => {
  const { proxy, headers } = await openRelayScene(t, answering(OK))
  const client = await openRawClient(proxy.port)
  client.send(`POST /v1/none/ HTTP/1.1\r\n${headers}Content-Length: 4\r\n\r\nbo`)
  await client.until((text) => text.includes('unknown_provider'))
  client.send(`dyGET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await client.until((text) => text.endsWith('ok'))
  client.socket.destroy()
})

test('drains: idle connections close at once, running calls end first', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha')
  })
  const idle = await openRawClient(proxy.port)
  idle.send(`GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n`)
  await idle.until((text) => text.includes('"ok"'))
  const busy = await openRawClient(proxy.port)
  busy.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await busy.until((text) => text.endsWith('ha'))
  const drained = proxy.drain({ timeoutMs: 10_000, idleMs: 0 })
  await idle.closed()
  upstream.connections[0]?.socket.write('lf')
  assert.ok((await busy.closed()).endsWith('half'))
  await drained
})

test('in a handover a connection whose answer did not say that it ends carries one more call', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha')
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await client.until((text) => text.endsWith('ha'))
  const drained = proxy.drain({ timeoutMs: 10_000, idleMs: 10_000 })
  upstream.connections[0]?.socket.write('lf')
  assert.doesNotMatch(await client.until((text) => text.endsWith('half')), /Connection: close/)
  client.send('GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n')
  assert.match(await client.closed(), /half[^]*Connection: close\r\n[^]*"ok"/)
  await drained
})

test('a second drain can only shorten the time of the first', async (t) => {
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha')
  })
  const idle = await openRawClient(proxy.port)
  idle.send(`GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n`)
  await idle.until((text) => text.includes('"ok"'))
  const busy = await openRawClient(proxy.port)
  busy.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await busy.until((text) => text.endsWith('ha'))
  const handover = proxy.drain({ timeoutMs: 600_000, idleMs: 600_000 })
  idle.send(`GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n`)
  assert.match(await idle.closed(), /Connection: close\r\n[^]*"ok"/)
  await Promise.all([proxy.drain({ timeoutMs: 0, idleMs: 0 }), handover])
  assert.ok((await busy.closed()).endsWith('ha'))
})

test('closes a connection on which no request comes', async (t) => {
  const { proxy } = await openRelayScene(t, answering(OK), { limits: { idleTimeoutMs: 20 } })
  const client = await openRawClient(proxy.port)
  assert.equal(await client.closed(), '')
})

test('leaves a connection open while its call runs longer than it may lie idle', async (t) => {
  const limitsClock = createManualClock()
  const { upstream, proxy, headers } = await openRelayScene(t, () => {}, {
    limits: { idleTimeoutMs: 20 },
    limitsClock,
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  const idle = await openRawClient(proxy.port)
  while (upstream.connections.length === 0) await limitsClock.pass(0)
  await limitsClock.pass(100)
  await idle.closed()
  upstream.connections[0]?.socket.write(OK)
  await client.until((text) => text.endsWith('ok'))
})

test('answers 503 when all connections have a call, and goes on when one has ended', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, () => {}, {
    limits: { connectionsMax: 1 },
  })
  const request = `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`
  const first = await openRawClient(proxy.port)
  first.send(request)
  while (!upstream.received().endsWith('\r\n\r\n')) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const refused = await rawCall(proxy.port, request)
  assert.match(refused, /^HTTP\/1.1 503 [^]*Retry-After: 1\r\n[^]*Connection: close[^]*overloaded/)
  upstream.connections[0]?.socket.write(OK)
  await first.until((text) => text.endsWith('ok'))
  const second = await openRawClient(proxy.port)
  second.send('GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n')
  await second.until((text) => text.includes('"ok"'))
  assert.match(await first.closed(), /ok$/)
  second.socket.destroy()
})

test('closes strangers before a connection that has had a call, and neither before its answer', async (t) => {
  const { proxy, headers } = await openRelayScene(t, answering(OK), {
    limits: { connectionsMax: 2 },
  })
  const request = `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`
  const known = await openRawClient(proxy.port)
  known.send(request)
  await known.until((text) => text.endsWith('ok'))
  const stranger = await openRawClient(proxy.port)
  stranger.send('GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n')
  await stranger.until((text) => text.includes('"ok"'))
  const next = await openRawClient(proxy.port)
  await stranger.closed()
  known.send(request)
  await known.until((text) => text.endsWith('ok') && text.split('200 Fine').length === 3)
  for (const { socket } of [known, next]) socket.destroy()
})

test("records dimensions: the key's defaults, the request's own, the key's locked ones", async (t) => {
  const key = { defaultDims: { team: 'a', app: 'x' }, lockedDims: { env: 'prod' } }
  const { proxy, headers } = await openRelayScene(t, answering(OK), { key })
  const request = `GET /v1/some/ HTTP/1.1\r\n${headers}X-SVC-Dims: team=b, env=dev\r\nConnection: close\r\n\r\n`
  await rawCall(proxy.port, request)
  const [event] = await proxy.events(1)
  assert.deepEqual(event?.dims, { team: 'b', app: 'x', env: 'prod' })
})
