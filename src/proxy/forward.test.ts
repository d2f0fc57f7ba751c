import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import type { TestProxy } from '../../test/fakes/open-proxy.ts'
import { watchAccepted } from '../../test/fakes/callers/accepted-sockets.ts'
import { openRawClient, rawCall } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import { ID_LINE, OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { createProvider } from '../providers/registry.ts'

const openaiShaped = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })

test('passes on head and body as they came, but for Host, X-SVC-* and connection headers', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, answering(OK))
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
  assert.match(response, ID_LINE)
  assert.equal(
    response.replace(ID_LINE, ''),
    'HTTP/1.1 200 Fine\r\nX-One: 1\r\ncontent-length: 2\r\nX-one: 2\r\n\r\nok',
  )
  client.socket.destroy()
})

test('passes on chunk framing, extensions and trailers in both directions as they came', async (t) => {
  const answer =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX-T: 1\r\n\r\n'
  const { upstream, proxy, headers } = await openRelayScene(t, (connection) => {
    if (connection.received.endsWith('X-R: 2\r\n\r\n')) connection.socket.write(answer)
  })
  const body = '1\r\na\r\n02;e\r\nbc\r\n0\r\nX-R: 2\r\n\r\n'
  const client = await openRawClient(proxy.port)
  client.send(`POST /v1/some/ HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`)
  client.send(body)
  const response = await client.until((text) => text.endsWith('X-T: 1\r\n\r\n'))
  assert.ok(upstream.received().endsWith(`\r\n\r\n${body}`))
  assert.equal(response.replace(ID_LINE, ''), answer)
  const [event] = await proxy.events(1)
  assert.equal(event?.requestBytes, body.length)
  client.socket.destroy()
})

test('hands on each piece of a stream before the next one exists', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
  const { upstream, proxy, headers } = await openRelayScene(
    t,
    ({ socket }) => void socket.write(head),
  )
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
  const { upstream, proxy, headers } = await openRelayScene(t, answering(OK))
  const client = await openRawClient(proxy.port)
  for (let count = 1; count <= 3; count++) {
    client.send(`GET /v1/some/${count} HTTP/1.1\r\n${headers}\r\n`)
    await client.until((text) => text.split('\r\n\r\nok').length === count + 1)
  }
  assert.equal(upstream.connections.length, 1)
  client.socket.destroy()
})

test('passes on informational responses and lets the final one follow', async (t) => {
  const { proxy, headers } = await openRelayScene(t, (connection) => {
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
  const { proxy, headers } = await openRelayScene(t, ({ socket, received }) => {
    if (received.endsWith('\r\n\r\n')) {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhi',
      )
    } else if (received.endsWith('ping')) socket.write('pong')
  })
  const client = await openRawClient(proxy.port)
  client.send(
    `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  )
  await client.until((text) => text.endsWith('hi'))
  client.send('ping')
  assert.match(await client.until((text) => text.endsWith('pong')), /Upgrade: websocket\r\n/)
  client.socket.end()
  await client.closed()
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.httpStatus], ['delivered', 101])
})

test('says 502 when the upstream cannot be reached, and forwards nothing', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, answering(OK))
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
  const { proxy, headers } = await openRelayScene(t, () => {}, { limits })
  const text = await rawCall(
    proxy.port,
    `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
  )
  assert.match(text, /^HTTP\/1.1 504 [^]*upstream_timeout/)
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_timeout'])
})

test('cuts the caller as the upstream cut, once something has been sent', async (t) => {
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
  })
  const text = await rawCall(proxy.port, `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  assert.ok(text.endsWith('\r\n\r\nhalf'))
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.httpStatus, event?.responseBytes], ['cut', 200, 4])
})

test('ends the upstream call when the caller leaves, and records it as aborted', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, ({ socket }) => {
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

test('returns an early answer while the body still comes, then closes as it says', async (t) => {
  const answer = 'HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig'
  for (const body of ['Content-Length: 1000000', 'Transfer-Encoding: chunked']) {
    const { proxy, headers } = await openRelayScene(t, ({ socket }) => void socket.write(answer))
    const client = await openRawClient(proxy.port)
    client.send(`POST /v1/some/ HTTP/1.1\r\n${headers}${body}\r\n\r\n4\r\npart\r\n`)
    assert.match(await client.closed(), /\r\nConnection: close\r\n\r\nbig$/)
  }
})

test('says that it closes when it gives an upload up for its own reasons', async (t) => {
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => socket.destroy())
  const client = await openRawClient(proxy.port)
  client.send(`POST /v1/some/ HTTP/1.1\r\n${headers}Content-Length: 1000000\r\n\r\npart`)
  assert.match(await client.closed(), /^HTTP\/1\.1 502 [^]*\r\nConnection: close\r\n\r\n\{/)
})

test('ends a call once whose body breaks while its answer waits for the caller', async (t) => {
  const sockets = watchAccepted(t)
  const { upstream, proxy, headers } = await openRelayScene(t, ({ socket, received }) => {
    if (received.endsWith('\r\na\r\n')) socket.write(OK)
  })
  const client = await openRawClient(proxy.port)
  const accepted = await sockets.of(client.socket.localPort)
  accepted.cork()
  client.send(`POST /v1/some/ HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`)
  while (accepted.writableLength === 0) await new Promise((resolve) => setImmediate(resolve))
  client.send('not a chunk\r\n')
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['aborted', 'bad_request'])
  assert.match(await client.closed(), /\r\n\r\nok$/)
  await proxy.drain({ timeoutMs: 60_000, idleMs: 0 })
  assert.deepEqual([upstream.connections.length, (await proxy.events(1)).length], [1, 1])
})

test('a slow caller pauses its upstream and gets every byte', async (t) => {
  const size = 20_000_000
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => {
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

test('cuts a stream that falls silent for too long', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha'
  const limits = { streamIdleTimeoutMs: 20 }
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => void socket.write(head), {
    limits,
  })
  const text = await rawCall(proxy.port, `GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  assert.ok(text.endsWith('ha'))
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_timeout'])
})

test('uses no upstream connection that the upstream will soon close, or has closed', async (t) => {
  const brief = OK.replace('X-One: 1', 'Keep-Alive: timeout=1')
  const answer = { text: brief }
  const { upstream, proxy, headers } = await openRelayScene(
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

test('writes the open line before the request leaves', async (t) => {
  const openAtArrival: number[] = []
  let entries: TestProxy['entries'] | null = null
  const { proxy, headers } = await openRelayScene(t, ({ socket }) => {
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

test('a drain ends when every call is in the journal, decoded bodies too', async (t) => {
  const body = gzipSync(Buffer.alloc(20_000_000, 'x')).toString('latin1')
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`
  const { proxy, headers } = await openRelayScene(t, answering(head + body), {
    providers: openaiShaped === null ? [] : [openaiShaped],
  })
  const request = `POST /v1/some/v1/chat/completions HTTP/1.1\r\n${headers}Connection: close\r\n`
  await rawCall(proxy.port, `${request}Content-Length: 2\r\n\r\n{}`)
  await proxy.drain({ timeoutMs: 10_000, idleMs: 0 })
  // The line is handed over; the turn's end writes it.
  await new Promise((resolve) => setImmediate(resolve))
  const kinds = (await proxy.entries()).map((entry) => entry.kind)
  assert.deepEqual(kinds, ['start', 'open', 'close'])
})

test('a caller that stops reading is given up like one that left', async (t) => {
  const size = 50_000_000
  const limits = { streamIdleTimeoutMs: 20 }
  const limitsClock = createManualClock()
  const script: Script = ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`)
    socket.write(Buffer.alloc(size, 'x'))
  }
  const { proxy, headers } = await openRelayScene(t, script, { limits, limitsClock })
  const client = await openRawClient(proxy.port)
  client.socket.pause()
  client.send(`GET /v1/some/ HTTP/1.1\r\n${headers}\r\n`)
  let isRecorded = false
  const recorded = proxy.events(1).finally(() => (isRecorded = true))
  while (!isRecorded) await limitsClock.pass(6)
  const [event] = await recorded
  assert.deepEqual([event?.status, event?.errorCode], ['aborted', null])
  client.socket.destroy()
})

test('tries a few new connections and no more while its line waits for the disk', async (t) => {
  const waiting: (() => void)[] = []
  const journal = {
    append: (source: unknown, written?: () => void): void => {
      if (typeof source === 'function') source()
      if (written !== undefined) waiting.push(written)
    },
    canOpen: () => true,
    fault: () => null,
    close: async () => {},
  }
  let connects = 0
  const server = createServer((socket) => {
    connects++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const upstreams = { some: `http://127.0.0.1:${port}` }
  const { proxy, headers } = await openRelayScene(t, () => {}, { journal, upstreams })
  const answer = await rawCall(
    proxy.port,
    `GET /v1/some/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 502 [^]*X-SVC-Error: upstream_unreachable\r\n/)
  assert.equal(connects, 3)
  for (const written of waiting) written()
})

test('logs a call by its ids and figures, and nothing that it said', async (t) => {
  const { proxy, headers } = await openRelayScene(t, answering(OK))
  const request = `POST /v1/some/x?key=in-query HTTP/1.1\r\n${headers}X-Secret: in-head\r\nContent-Length: 7\r\n`
  await rawCall(proxy.port, `${request}Connection: close\r\n\r\nin-body`)
  const [event] = await proxy.events(1)
  const [fields] = proxy.logged
  const figures = ['status', 'httpStatus', 'firstByteMs', 'durationMs']
  const names = ['id', 'keyId', 'provider', ...figures]
  assert.deepEqual(Object.keys(fields as object), names)
  assert.equal((fields as { id: string }).id, event?.id)
  assert.doesNotMatch(JSON.stringify(proxy.logged), /in-query|in-head|in-body/)
  assert.ok(!JSON.stringify(proxy.logged).includes(proxy.credential))
})
