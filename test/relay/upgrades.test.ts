// A connection becomes a tunnel for a WebSocket that was asked for, and for nothing else: what is
// said on another protocol would be neither counted nor limited.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import { OK, openRelayScene } from '../fakes/relay-scene.ts'

const H2C =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
const WEBSOCKET = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'

function switching(headers: string): string {
  return `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`
}

test('an offer of h2c is not passed on, and each call behind it counts', async (t) => {
  // An upstream that takes an offer wherever it finds one.
  const { upstream, proxy, headers } = await openRelayScene(
    t,
    ({ socket, received }) =>
      void (
        received.endsWith('\r\n\r\n') &&
        socket.write(/h2c|HTTP2/i.test(received) ? switching(H2C) : OK)
      ),
    { key: { rateLimitRpm: 1 } },
  )
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${headers}${H2C}\r\n`)
  assert.match(await client.until((text) => text.endsWith('\r\n\r\nok')), /^HTTP\/1.1 200 Fine\r\n/)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${headers}${H2C}\r\n`)
  assert.match(await client.until((text) => text.endsWith('}')), /HTTP\/1.1 429 [^]*rate_limited/)
  client.socket.destroy()
  assert.doesNotMatch(upstream.received(), /upgrade|h2c|http2/i)
  assert.deepEqual(
    (await proxy.events(2)).map(({ httpStatus, errorCode }) => [httpStatus, errorCode]),
    [
      [200, null],
      [429, 'rate_limited'],
    ],
  )
})

const UNASKED: readonly (readonly [name: string, asked: string, answered: string])[] = [
  ['to a plain request', '', WEBSOCKET],
  ['with h2c to a plain request', '', H2C],
  ['to an offer that stayed here', H2C, H2C],
  ['with h2c to a request for a WebSocket', WEBSOCKET, H2C],
  ['that names no protocol', WEBSOCKET, ''],
  ['to an upgrade that Connection does not name', 'Upgrade: websocket\r\n', WEBSOCKET],
]

for (const [name, asked, answered] of UNASKED) {
  test(`a 101 ${name} ends the call`, async (t) => {
    const { upstream, proxy, headers } = await openRelayScene(t, ({ socket, received }) => {
      if (received.endsWith('\r\n\r\n')) socket.write(switching(answered))
    })
    const client = await openRawClient(proxy.port)
    client.send(`GET /v1/some/x HTTP/1.1\r\n${headers}${asked}\r\n`)
    const text = await client.until(
      (received) => received.endsWith('}') || received.includes('101'),
    )
    assert.match(text, /^HTTP\/1.1 502 [^]*not asked for/)
    assert.equal(upstream.connections.length, 1)
    const [event] = await proxy.events(1)
    assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_unreachable'])
    client.socket.destroy()
  })
}

test('a request of HTTP/1.0 upgrades nothing', async (t) => {
  const { upstream, proxy, headers } = await openRelayScene(t, ({ socket, received }) => {
    if (received.endsWith('\r\n\r\n')) socket.write(OK)
  })
  const client = await openRawClient(proxy.port)
  client.send(`GET /v1/some/x HTTP/1.0\r\n${headers}${WEBSOCKET}\r\n`)
  assert.match(await client.until((text) => text.endsWith('ok')), /^HTTP\/1.1 200 Fine\r\n/)
  assert.doesNotMatch(upstream.received(), /upgrade/i)
  client.socket.destroy()
})
