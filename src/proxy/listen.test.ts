import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openTestProxy } from '../../test/fakes/open-proxy.ts'
import type { TestProxy, TestProxyOptions } from '../../test/fakes/open-proxy.ts'
import { openRawClient, rawCall } from '../../test/fakes/raw-client.ts'
import { answering, openScriptedUpstream } from '../../test/fakes/scripted-upstream.ts'
import type { Script, ScriptedUpstream } from '../../test/fakes/scripted-upstream.ts'

interface Scene {
  readonly upstream: ScriptedUpstream
  readonly proxy: TestProxy
  /** The headers that every request here needs. */
  readonly headers: string
}

async function openScene(
  t: TestContext,
  script: Script,
  options: Partial<TestProxyOptions> = {},
): Promise<Scene> {
  const upstream = await openScriptedUpstream(script)
  const proxy = await openTestProxy({ upstreams: { some: `${upstream.url}/base` }, ...options })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  return { upstream, proxy, headers: `Host: proxy\r\nX-SVC-API-Key: ${proxy.credential}\r\n` }
}

const OK = 'HTTP/1.1 200 Fine\r\nX-One: 1\r\ncontent-length: 2\r\nX-one: 2\r\n\r\nok'
const ID =
  /X-SVC-Request-Id: [0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\r\n/

test('passes on head and body as they came, but for Host, X-SVC-* and connection headers', async (t) => {
  const { upstream, proxy, headers } = await openScene(t, answering(OK))
  const client = await openRawClient(proxy.port)
  client.send(
    `POST /v1/some/v1/x%2Fy?q=1&q=%20 HTTP/1.1\r\nAccept:a\r\n${headers}aCCept:  b \r\nX-SVC-Dims: a=b\r\n` +
      'Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\nProxy-Authorization: x\r\n' +
      'TE: trailers\r\nContent-Length: 4\r\n\r\nbody',
  )
  const response = await client.until((text) => text.endsWith('ok'))
  const { host } = new URL(upstream.url)
  assert.equal(
    upstream.received(),
    `POST /base/v1/x%2Fy?q=1&q=%20 HTTP/1.1\r\nAccept:a\r\nHost: ${host}\r\naCCept:  b \r\n` +
      'TE: trailers\r\nContent-Length: 4\r\n\r\nbody',
  )
  assert.match(response, ID)
  assert.equal(
    response.replace(ID, ''),
    'HTTP/1.1 200 Fine\r\nX-One: 1\r\ncontent-length: 2\r\nX-one: 2\r\n\r\nok',
  )
  client.socket.destroy()
})

test('passes on chunk framing, extensions and trailers in both directions as they came', async (t) => {
  const answer =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX-T: 1\r\n\r\n'
  const { upstream, proxy, headers } = await openScene(t, (connection) => {
    if (connection.received.endsWith('X-R: 2\r\n\r\n')) connection.socket.write(answer)
  })
  const body = '1\r\na\r\n02;e\r\nbc\r\n0\r\nX-R: 2\r\n\r\n'
  const client = await openRawClient(proxy.port)
  client.send(`POST /v1/some/ HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`)
  client.send(body)
  const response = await client.until((text) => text.endsWith('X-T: 1\r\n\r\n'))
  assert.ok(upstream.received().endsWith(`\r\n\r\n${body}`))
  assert.equal(response.replace(ID, ''), answer)
  const [event] = await proxy.events(1)
  assert.equal(event?.requestBytes, body.length)
  client.socket.destroy()
})

test('hands on each piece of a stream before the next one exists', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
  const { upstream, proxy, headers } = await openScene(t, ({ socket }) => void socket.write(head))
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/s HTTP/1.1\r\n${headers}\r\n`)
  await client.until((text) => text.endsWith('\r\n\r\n'))
  for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
    upstream.connections[0]?.socket.write(piece)
    await client.until((text) => text.endsWith(piece))
  }
  upstream.connections[0]?.socket.end()
  assert.match(await client.closed(), /Connection: close\r\n\r\ndata: 1\n\ndata: 2\n\n$/)
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.streamed, event?.httpStatus], ['delivered', true, 200])
})

test('uses one upstream connection for calls that follow each other', async (t) => {
  const { upstream, proxy, headers } = await openScene(t, answering(OK))
  const client = await openRawClient(proxy.port)
  for (let count = 1; count <= 3; count++) {
    client.send(`GET /v1/some/${count} HTTP/1.1\r\n${headers}\r\n`)
    await client.until((text) => text.split('\r\n\r\nok').length === count + 1)
  }
  assert.equal(upstream.connections.length, 1)
  client.socket.destroy()
})

test('answers pipelined requests in their order, refused ones among them', async (t) => {
  const { proxy, headers } = await openScene(t, (connection) => {
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

test('passes on informational responses and lets the final one follow', async (t) => {
  const { proxy, headers } = await openScene(t, (connection) => {
    if (connection.received.endsWith('\r\n\r\n')) {
      connection.socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    } else if (connection.received.endsWith('body')) {
      connection.socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`)
    }
  })
  const client = await openRawClient(proxy.port)
  client.send(
    `PUT /v1/some/ HTTP/1.1\r\n${headers}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`,
  )
  await client.until((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n')
  client.send('body')
  const text = await client.until((received) => received.endsWith('ok'))
  assert.match(
    text,
    /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1.1 200/,
  )
  client.socket.destroy()
})

test('tunnels an upgrade in both directions', async (t) => {
  const { proxy, headers } = await openScene(t, ({ socket, received }) => {
    if (received.endsWith('\r\n\r\n')) {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhi',
      )
    } else if (received.endsWith('ping')) socket.write('pong')
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}Connection: Upgrade\r\nUpgrade: echo\r\n\r\n`)
  await client.until((text) => text.endsWith('hi'))
  client.send('ping')
  assert.match(await client.until((text) => text.endsWith('pong')), /Upgrade: echo\r\n/)
  client.socket.end()
  await client.closed()
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.httpStatus], ['delivered', 101])
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
    const { upstream, proxy } = await openScene(t, answering(OK))
    const text = await rawCall(proxy.port, `${head(proxy.credential)}Connection: close\r\n\r\n`)
    const [responseHead = '', body = ''] = text.split('\r\n\r\n')
    assert.match(responseHead, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(responseHead, new RegExp(`\r\nX-SVC-Error: ${code}\r\n`))
    assert.match(responseHead, /\r\nx-should-retry: false\r\n/)
    assert.match(`${responseHead}\r\n`, ID)
    const json = JSON.parse(body) as { code: string; error: { code: string }; request_id: string }
    assert.deepEqual([json.code, json.error.code], [code, code])
    assert.ok(responseHead.includes(json.request_id))
    assert.equal(upstream.connections.length, 0)
  })
}

test('refuses revoked and expired keys by their own codes, and keeps that in the log', async (t) => {
  const { proxy, headers } = await openScene(t, answering(OK))
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
  const { upstream, proxy, headers } = await openScene(t, answering(OK))
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
  const { proxy, headers } = await openScene(t, answering(OK))
  const client = await openRawClient(proxy.port)
  client.send(`POST /v1/none/ HTTP/1.1\r\n${headers}Content-Length: 4\r\n\r\nbo`)
  await client.until((text) => text.includes('unknown_provider'))
  client.send(`dyGET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await client.until((text) => text.endsWith('ok'))
  client.socket.destroy()
})

test('says 502 when the upstream cannot be reached, and forwards nothing', async (t) => {
  const { upstream, proxy, headers } = await openScene(t, answering(OK))
  await upstream.close()
  const text = await rawCall(
    proxy.port,
    `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
  )
  assert.match(text, /^HTTP\/1.1 502 [^]*upstream_unreachable/)
  assert.doesNotMatch(text, /x-should-retry/)
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['denied', 'upstream_unreachable'])
  assert.ok((await proxy.entries()).every((entry) => entry.kind !== 'open'))
})

test('says 504 when the upstream is silent, and records the call as cut', async (t) => {
  const limits = { firstByteTimeoutMs: 20 }
  const { proxy, headers } = await openScene(t, () => {}, { limits })
  const text = await rawCall(
    proxy.port,
    `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
  )
  assert.match(text, /^HTTP\/1.1 504 [^]*upstream_timeout/)
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_timeout'])
})

test('cuts the caller as the upstream cut, once something has been sent', async (t) => {
  const { proxy, headers } = await openScene(t, ({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
  })
  const text = await rawCall(proxy.port, `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  assert.ok(text.endsWith('\r\n\r\nhalf'))
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.httpStatus, event?.responseBytes], ['cut', 200, 4])
})

test('ends the upstream call when the caller leaves, and records it as aborted', async (t) => {
  const { upstream, proxy, headers } = await openScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await client.until((text) => text.endsWith('half'))
  client.socket.destroy()
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.responseBytes], ['aborted', 4])
  assert.equal(upstream.connections.length, 1)
  await new Promise<void>((resolve) => {
    const [connection] = upstream.connections
    if (connection?.isClosed === true) resolve()
    else connection?.socket.once('close', () => resolve())
  })
})

test('returns an early answer while the body still comes, then closes', async (t) => {
  const { proxy, headers } = await openScene(t, (connection) => {
    if (!connection.received.includes('HTTP/1.1 413')) {
      connection.socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig')
    }
  })
  const client = await openRawClient(proxy.port)
  client.send(`POST /v1/some/ HTTP/1.1\r\n${headers}Content-Length: 1000000\r\n\r\npart`)
  assert.ok((await client.closed()).endsWith('big'))
})

test('a slow caller pauses its upstream and gets every byte', async (t) => {
  const size = 20_000_000
  const { proxy, headers } = await openScene(t, ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`)
    socket.write(Buffer.alloc(size, 'x'))
  })
  const client = await openRawClient(proxy.port)
  client.socket.pause()
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await new Promise((resolve) => setImmediate(resolve))
  client.socket.resume()
  const text = await client.until((received) => received.length > size)
  assert.equal(text.length - text.indexOf('\r\n\r\n') - 4, size)
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.responseBytes], ['delivered', size])
  client.socket.destroy()
})

test('drains: idle connections close at once, running calls end first', async (t) => {
  const { upstream, proxy, headers } = await openScene(t, ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha')
  })
  const idle = await openRawClient(proxy.port)
  idle.send(`GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n`)
  await idle.until((text) => text.includes('"ok"'))
  const busy = await openRawClient(proxy.port)
  busy.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await busy.until((text) => text.endsWith('ha'))
  const drained = proxy.drain(10_000)
  await idle.closed()
  upstream.connections[0]?.socket.write('lf')
  assert.ok((await busy.closed()).endsWith('half'))
  await drained
})

test('closes a connection on which no request comes', async (t) => {
  const { proxy } = await openScene(t, answering(OK), { limits: { idleTimeoutMs: 20 } })
  const client = await openRawClient(proxy.port)
  assert.equal(await client.closed(), '')
})

test('leaves a connection open while its call runs longer than it may lie idle', async (t) => {
  const { upstream, proxy, headers } = await openScene(t, () => {}, {
    limits: { idleTimeoutMs: 20 },
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  const idle = await openRawClient(proxy.port)
  await idle.closed()
  upstream.connections[0]?.socket.write(OK)
  await client.until((text) => text.endsWith('ok'))
})

test('cuts a stream that falls silent for too long', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha'
  const limits = { streamIdleTimeoutMs: 20 }
  const { proxy, headers } = await openScene(t, ({ socket }) => void socket.write(head), { limits })
  const text = await rawCall(proxy.port, `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  assert.ok(text.endsWith('ha'))
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_timeout'])
})

test('uses no upstream connection that the upstream will soon close, or has closed', async (t) => {
  const brief = OK.replace('X-One: 1', 'Keep-Alive: timeout=1')
  const answer = { text: brief }
  const { upstream, proxy, headers } = await openScene(
    t,
    ({ socket }) => void socket.write(answer.text),
  )
  const client = await openRawClient(proxy.port)
  const call = async (count: number): Promise<void> => {
    client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
    await client.until((text) => text.split('\r\n\r\nok').length === count + 1)
  }
  await call(1)
  answer.text = OK
  await call(2)
  assert.equal(upstream.connections.length, 2)
  const ended = new Promise((resolve) => upstream.connections[1]?.socket.once('close', resolve))
  upstream.connections[1]?.socket.end()
  await ended
  await call(3)
  assert.equal(upstream.connections.length, 3)
  client.socket.destroy()
})

test('answers 503 when all connections are taken', async (t) => {
  const { proxy } = await openScene(t, answering(OK), { limits: { connectionsMax: 1 } })
  const first = await openRawClient(proxy.port)
  first.send('GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n')
  await first.until((text) => text.includes('"ok"'))
  assert.match(await rawCall(proxy.port, ''), /^HTTP\/1.1 503 [^]*Retry-After: 1\r\n[^]*overloaded/)
  first.socket.destroy()
})

test('writes the open line before the request leaves', async (t) => {
  const openAtArrival: number[] = []
  let entries: TestProxy['entries'] | null = null
  const { proxy, headers } = await openScene(t, ({ socket }) => {
    void entries?.().then((found) => {
      openAtArrival.push(found.filter((entry) => entry.kind === 'open').length)
      socket.write(OK)
    })
  })
  entries = proxy.entries
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  await client.until((text) => text.endsWith('ok'))
  assert.deepEqual(openAtArrival, [1])
  client.socket.destroy()
})

test("records dimensions: the key's defaults, the request's own, the key's locked ones", async (t) => {
  const key = { defaultDims: { team: 'a', app: 'x' }, lockedDims: { env: 'prod' } }
  const { proxy, headers } = await openScene(t, answering(OK), { key })
  const request = `GET /v1/some/ HTTP/1.1\r\n${headers}X-SVC-Dims: team=b, env=dev\r\nConnection: close\r\n\r\n`
  await rawCall(proxy.port, request)
  const [event] = await proxy.events(1)
  assert.deepEqual(event?.dims, { team: 'b', app: 'x', env: 'prod' })
})
