// Tunnels through an outgoing proxy: what is asked of it, and what its answers lead to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

import { readAuthority } from '../../test/fakes/certificates.ts'
import { openConnectProxy } from '../../test/fakes/upstreams/connect-proxy.ts'
import { closed, open, openSocket } from '../../test/fakes/upstreams/open-upstream.ts'
import { openTlsUpstream } from '../../test/fakes/upstreams/tls-upstream.ts'
import { createUpstreamConnector } from './upstream-connector.ts'
import type { UpstreamConnector } from './upstream-connector.ts'

function throughProxy(proxy: string, port: number, host = 'upstream.test'): UpstreamConnector {
  const origin = new URL(`https://${host}:${port}`)
  return createUpstreamConnector({ origin, proxy: new URL(proxy), ca: readAuthority() })
}

test('tunnels through a proxy, with the credentials of its address', async (t) => {
  const proxy = await openConnectProxy(t)
  const upstream = await openTlsUpstream(t, { script: ({ socket }) => socket.write('pong') })
  const connector = throughProxy(
    `http://us%40er:p%3Ass%C3%A9@127.0.0.1:${proxy.port}`,
    upstream.port,
  )
  const result = await open(connector, { buffer: Buffer.alloc(9), callback: () => true })
  assert.ok(result.kind === 'connected')
  assert.equal(result.hasOnread, false)
  const credentials = Buffer.from('us@er:p:ssé').toString('base64')
  const authority = `upstream.test:${upstream.port}`
  assert.deepEqual(proxy.heads, [
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`,
  ])
  result.socket.write('ping')
  assert.equal(String((await once(result.socket, 'data'))[0]), 'pong')
  assert.equal(upstream.connections[0]?.servername, 'upstream.test')
  await closed(result.socket)
})

test('resumes sessions inside tunnels too', async (t) => {
  const proxy = await openConnectProxy(t)
  const upstream = await openTlsUpstream(t, { script: ({ socket }) => socket.write('!') })
  const connector = throughProxy(`http://127.0.0.1:${proxy.port}`, upstream.port)
  for (let count = 0; count < 2; count++) {
    const socket = await openSocket(connector)
    socket.write('?')
    await once(socket, 'data')
    await closed(socket)
  }
  assert.deepEqual(
    upstream.connections.map(({ isResumed }) => isResumed),
    [false, true],
  )
})

test('reads the answer of a proxy in whatever pieces it comes', async (t) => {
  const text =
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.0 200 OK\r\nVia: x\r\nContent-Length: 9\r\n\r\n'
  const upstream = await openTlsUpstream(t)
  for (const answer of [[text], text.split('')]) {
    const proxy = await openConnectProxy(t, { answer })
    const address = `http://127.0.0.1:${proxy.port}`
    await closed(await openSocket(throughProxy(address, upstream.port)))
    await closed(await openSocket(throughProxy(address, upstream.port, '[::1]')))
    assert.match(
      proxy.heads[1] ?? '',
      /^CONNECT \[::1\]:\d+ HTTP\/1.1\r\nHost: \[::1\]:\d+\r\n\r\n$/,
    )
  }
})

const ANSWERS: readonly (readonly [answer: string, reason: RegExp])[] = [
  ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', /^proxy answered 407$/],
  ['HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno', /^proxy answered 502$/],
  ['HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n', /^proxy answered 302$/],
  ['SSH-2.0-OpenSSH_9.2\r\n\r\n', /^proxy answered a status line/],
  [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(16_384)}\r\n\r\n`, /^proxy answered a head of more than/],
]

for (const [answer, reason] of ANSWERS) {
  test(`fails when a proxy answers ${JSON.stringify(answer.slice(0, 30))}`, async (t) => {
    const proxy = await openConnectProxy(t, { answer: [answer], canTunnel: false })
    const result = await open(throughProxy(`http://127.0.0.1:${proxy.port}`, 443))
    assert.ok(result.kind === 'failed' && result.isProxy)
    assert.match(result.reason, reason)
    while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve))
  })
}

test('hands bytes behind the answer of a proxy to TLS', async (t) => {
  // No upstream speaks first in TLS: what reads these bytes finds that they are none of its own.
  const answer = ['HTTP/1.1 200 OK\r\n\r\nthese bytes are no TLS record at all']
  const proxy = await openConnectProxy(t, { answer, canTunnel: false })
  const result = await open(throughProxy(`http://127.0.0.1:${proxy.port}`, 443))
  assert.ok(result.kind === 'failed' && !result.isProxy)
  assert.match(result.reason, /^ERR_SSL_/)
})

test('trusts a proxy behind TLS by the usual authorities alone', async (t) => {
  const proxy = await openConnectProxy(t, { isTls: true })
  const result = await open(throughProxy(`https://127.0.0.1:${proxy.port}`, 443))
  assert.deepEqual(result, {
    kind: 'failed',
    reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    isProxy: true,
  })
})

test('verifies certificates inside a tunnel too', async (t) => {
  const proxy = await openConnectProxy(t)
  const upstream = await openTlsUpstream(t, { certificate: 'elsewhere' })
  const result = await open(throughProxy(`http://127.0.0.1:${proxy.port}`, upstream.port))
  assert.deepEqual(result, {
    kind: 'failed',
    reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    isProxy: false,
  })
  while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('a tunnel and what is in it end together, whoever ends them', async (t) => {
  const proxy = await openConnectProxy(t)
  const upstream = await openTlsUpstream(t)
  const connector = throughProxy(`http://127.0.0.1:${proxy.port}`, upstream.port)
  const left = await openSocket(connector)
  await closed(left)
  while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve))
  const cut = await openSocket(connector)
  cut.resume()
  proxy.cut()
  await new Promise((resolve) => cut.once('close', resolve))
})
