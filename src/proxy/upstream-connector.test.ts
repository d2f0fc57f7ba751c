// Real TLS and TCP servers on loopback, with certificates made for these tests.

import assert from 'node:assert/strict'
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'

import { readAuthority, readCertificate } from '../../test/fakes/certificates.ts'
import type { CertificateName } from '../../test/fakes/certificates.ts'
import { closed, open, openSocket } from '../../test/fakes/upstreams/open-upstream.ts'
import { openTlsUpstream } from '../../test/fakes/upstreams/tls-upstream.ts'
import { createUpstreamConnector } from './upstream-connector.ts'
import type { UpstreamConnector } from './upstream-connector.ts'

function toUpstream(port: number, host = '127.0.0.1'): UpstreamConnector {
  return createUpstreamConnector({
    origin: new URL(`https://${host}:${port}`),
    ca: readAuthority(),
  })
}

const CERTIFICATES: readonly (readonly [CertificateName, host: string, outcome: string])[] = [
  ['server', 'localhost', 'connected'],
  ['server', '127.0.0.1', 'connected'],
  ['expired', '127.0.0.1', 'CERT_HAS_EXPIRED'],
  ['elsewhere', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['elsewhere', 'localhost', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['foreign', '127.0.0.1', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
]

for (const [certificate, host, outcome] of CERTIFICATES) {
  test(`a certificate "${certificate}" at ${host}: ${outcome}`, async (t) => {
    const { port } = await openTlsUpstream(t, { certificate })
    const result = await open(toUpstream(port, host))
    assert.equal(result.kind === 'connected' ? 'connected' : result.reason, outcome)
    if (result.kind === 'connected') await closed(result.socket)
  })
}

test('an authority that nobody named is not trusted, whatever the environment says', async (t) => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.after(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
  })
  const { port } = await openTlsUpstream(t)
  const origin = new URL(`https://127.0.0.1:${port}`)
  const result = await open(createUpstreamConnector({ origin }))
  assert.deepEqual(result, {
    kind: 'failed',
    reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    isProxy: false,
  })
})

test('an authority that comes along with the certificate is not trusted for that', async (t) => {
  const { cert } = readCertificate('server')
  const { port } = await openTlsUpstream(t, { tls: { cert: cert + readAuthority() } })
  const origin = new URL(`https://127.0.0.1:${port}`)
  const result = await open(createUpstreamConnector({ origin }))
  assert.equal(result.kind === 'failed' && result.reason, 'SELF_SIGNED_CERT_IN_CHAIN')
})

test('two authorities in one file are both trusted', async (t) => {
  const ca = readAuthority() + readAuthority('other-authority')
  for (const certificate of ['server', 'foreign'] as const) {
    const { port } = await openTlsUpstream(t, { certificate })
    const origin = new URL(`https://127.0.0.1:${port}`)
    await closed(await openSocket(createUpstreamConnector({ origin, ca })))
  }
})

test('names the host by SNI, and names no address', async (t) => {
  const { port, connections } = await openTlsUpstream(t, {
    script: ({ socket }) => socket.write('!'),
  })
  for (const host of ['localhost', '127.0.0.1']) {
    const socket = await openSocket(toUpstream(port, host))
    socket.write('?')
    await once(socket, 'data')
    await closed(socket)
  }
  assert.deepEqual(
    connections.map(({ servername }) => servername),
    ['localhost', false],
  )
})

test('offers HTTP/1.1 alone, and takes an upstream that negotiates nothing', async (t) => {
  const both = await openTlsUpstream(t, { tls: { ALPNProtocols: ['h2', 'http/1.1'] } })
  const socket = await openSocket(toUpstream(both.port))
  assert.equal(socket.alpnProtocol, 'http/1.1')
  await closed(socket)
  const neither = await openTlsUpstream(t)
  await closed(await openSocket(toUpstream(neither.port)))
  const other = await openTlsUpstream(t, { tls: { ALPNProtocols: ['h2'] } })
  assert.equal((await open(toUpstream(other.port))).kind, 'failed')
})

test('refuses versions of TLS before 1.2', async (t) => {
  const tls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const { port } = await openTlsUpstream(t, { tls })
  assert.equal((await open(toUpstream(port))).kind, 'failed')
})

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`resumes sessions of ${version}`, async (t) => {
    const tls = { minVersion: version, maxVersion: version }
    const { port, connections } = await openTlsUpstream(t, {
      tls,
      script: ({ socket }) => socket.write('!'),
    })
    const connector = toUpstream(port)
    for (let count = 0; count < 4; count++) {
      const socket = await openSocket(connector)
      // Tickets of 1.3 come behind the handshake: by the first answer they are there.
      socket.write('?')
      await once(socket, 'data')
      await closed(socket)
    }
    assert.deepEqual(
      connections.map(({ isResumed }) => isResumed),
      [false, true, true, true],
    )
  })
}

test('reads into the buffer that it was given, over TCP and TLS', async (t) => {
  const tcp = createServer((socket) => socket.write('over TCP'))
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  t.after(() => tcp.close())
  const { port } = await openTlsUpstream(t, { script: ({ socket }) => socket.write('over TLS') })
  const tcpOrigin = new URL(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}`)
  const cases = [
    ['over TCP', createUpstreamConnector({ origin: tcpOrigin })],
    ['over TLS', toUpstream(port)],
  ] as const
  for (const [expected, connector] of cases) {
    const buffer = Buffer.alloc(64)
    const read = Promise.withResolvers<string>()
    const callback = (bytes: number): boolean => {
      read.resolve(buffer.toString('latin1', 0, bytes))
      return true
    }
    const result = await open(connector, { buffer, callback })
    assert.ok(result.kind === 'connected' && result.hasOnread)
    result.socket.write('?')
    assert.equal(await read.promise, expected)
    await closed(result.socket)
  }
})

function hasIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address?.address === '::1')
}
const WITHOUT_IPV6 = hasIpv6() ? false : 'this machine has no ::1'

test('reaches an IPv6 address', { skip: WITHOUT_IPV6 }, async (t) => {
  const { port } = await openTlsUpstream(t, { host: '::1' })
  await closed(await openSocket(toUpstream(port, '[::1]')))
})

test('reaches a name at whichever of its addresses answers', { skip: WITHOUT_IPV6 }, async (t) => {
  const addresses = [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  // Machines differ in what they know localhost by.
  const lookup = (_name: string, _options: object, done: (...found: unknown[]) => void): void =>
    process.nextTick(done, null, addresses)
  t.mock.method(dns, 'lookup', lookup)
  for (const host of ['::1', '127.0.0.1']) {
    const upstream = await openTlsUpstream(t, { host, script: ({ socket }) => socket.write('!') })
    const read = Promise.withResolvers<number>()
    const callback = (bytes: number): boolean => {
      read.resolve(bytes)
      return true
    }
    const onread = { buffer: Buffer.alloc(9), callback }
    const socket = await openSocket(toUpstream(upstream.port, 'localhost'), onread)
    socket.write('?')
    assert.equal(await read.promise, 1)
    assert.equal(upstream.connections[0]?.servername, 'localhost')
    await closed(socket)
  }
})

test('tells why nobody answered, in a word', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const origin = new URL(`http://127.0.0.1:${port}`)
  const result = await open(createUpstreamConnector({ origin }))
  assert.deepEqual(result, { kind: 'failed', reason: 'ECONNREFUSED', isProxy: false })
  const nowhere = createUpstreamConnector({ origin: new URL('https://nowhere.invalid') })
  const unknown = await open(nowhere)
  assert.match(unknown.kind === 'failed' ? unknown.reason : '', /^(ENOTFOUND|EAI_AGAIN)$/)
})

test('gives up a handshake without a trace', async (t) => {
  const accepted: Socket[] = []
  const server = createServer((socket) => void accepted.push(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const unexpected = (): void => assert.fail('called after it was given up')
  const giveUp = toUpstream((server.address() as AddressInfo).port)({
    connected: unexpected,
    failed: unexpected,
  })
  await once(server, 'connection')
  giveUp()
  const [socket] = accepted
  assert.ok(socket)
  socket.resume()
  await once(socket, 'close')
})
