// What looks odd and is right by RFC 9112: it is taken, sent whole or byte by byte, and what
// follows on the connection is still framed.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { systemClock } from '../../src/core/clock.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import { writeCut } from './play-wire.ts'

const CUTS = [[], [1]]
/** That of the scene. */
const HEAD_TIMEOUT_MS = 15_000
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Answers every request with the text, and keeps their heads and bodies in one string. */
async function openScene(t: Parameters<typeof openRelayScene>[0], response = OK) {
  let received = ''
  const scene = await openRelayScene(t, (connection) => {
    if (!/(?:\r\n\r\n|0\r\n\r\n)$/.test(connection.received)) return
    if (/chunked\r\n\r\n$/i.test(connection.received)) return
    received += connection.received
    connection.received = ''
    connection.socket.write(response)
  })
  return { ...scene, takeReceived: () => received }
}

interface Accepted {
  readonly scene: RelayScene
  readonly text: string
  readonly cuts: readonly number[]
}

/** Sends the request with a plain one behind it; both must be answered on the connection. */
async function checkAccepted({ scene, text, cuts }: Accepted): Promise<void> {
  const client = await openRawClient(scene.proxy.port)
  const behind = `GET /v1/some/behind HTTP/1.1\r\n${scene.headers}\r\n`
  await writeCut(client.socket, text + behind, cuts)
  const twoAnswers = /^HTTP\/1\.1 200 [^]*\r\n\r\nokHTTP\/1\.1 200 [^]*\r\n\r\nok$/
  await client.until((received) => client.isClosed || twoAnswers.test(received))
  assert.match(client.received, twoAnswers)
  client.socket.destroy()
}

for (const cuts of CUTS) {
  const how = cuts.length === 0 ? 'whole' : 'byte by byte'

  test(`ignores blank lines in front of a request, up to four, sent ${how}`, async (t) => {
    const scene = await openScene(t)
    const request = `GET /v1/some/x HTTP/1.1\r\n${scene.headers}\r\n`
    for (const count of [1, 4]) {
      await checkAccepted({ scene, text: `${'\r\n'.repeat(count)}${request}`, cuts })
      await checkAccepted({ scene, text: `${request}${'\r\n'.repeat(count)}`, cuts })
    }
    assert.doesNotMatch(scene.takeReceived(), /^\r\n|\r\n\r\n\r\n/)
  })

  test(`takes an absolute target whose authority is the Host, sent ${how}`, async (t) => {
    const scene = await openScene(t)
    const key = `X-SVC-API-Key: ${scene.proxy.credential}\r\n`
    for (const [authority, host] of [
      ['http://Weir.example:7070', 'weir.example:7070'],
      ['HTTPS://[::1]:7070', '[::1]:7070'],
    ]) {
      const text = `GET ${authority}/v1/some/abs?q=http://x/ HTTP/1.1\r\nHost: ${host}\r\n${key}\r\n`
      await checkAccepted({ scene, text, cuts })
    }
    const heads = scene.takeReceived().match(/^GET \/base\/abs\?q=http:\/\/x\/ HTTP\/1\.1\r\n/gm)
    assert.equal(heads?.length, 2)
    assert.doesNotMatch(scene.takeReceived(), /weir\.example|::1/i)
  })

  test(`takes chunk sizes of sixteen digits, sent ${how}`, async (t) => {
    const scene = await openScene(t)
    const body = '0000000000000005\r\nhello\r\n0000000000000000\r\n\r\n'
    const text = `POST /v1/some/x HTTP/1.1\r\n${scene.headers}Transfer-Encoding: chunked\r\n\r\n${body}`
    await checkAccepted({ scene, text, cuts })
    assert.ok(scene.takeReceived().includes(`\r\n\r\n${body}`))
  })
}

test('answers a health check by its absolute target', async (t) => {
  const { proxy } = await openScene(t)
  const client = await openRawClient(proxy.port)
  client.send('GET http://weir/healthz HTTP/1.1\r\nHost: weir\r\nConnection: close\r\n\r\n')
  assert.match(await client.closed(), /^HTTP\/1\.1 200 [^]*"ok"/)
})

test("ignores blank lines in front of an upstream's answer, up to four", async (t) => {
  for (const count of [1, 4]) {
    const scene = await openScene(t, `${'\r\n'.repeat(count)}${OK}`)
    const text = `GET /v1/some/x HTTP/1.1\r\n${scene.headers}\r\n`
    await checkAccepted({ scene, text, cuts: [] })
  }
  const scene = await openScene(t, `${'\r\n'.repeat(5)}${OK}`)
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${scene.headers}Connection: close\r\n\r\n`)
  assert.match(await client.closed(), /^HTTP\/1\.1 502 [^]*upstream_unreachable/)
})

test("takes blank lines in front of an upstream's answer piece by piece, informational ones too", async (t) => {
  const pieces = ['\r', '\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n\r', `\n${OK}`]
  const scene = await openRelayScene(t, ({ socket }) => {
    const write = (): void => {
      const piece = pieces.shift()
      if (piece !== undefined) socket.write(piece, () => setImmediate(write))
    }
    write()
  })
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${scene.headers}Connection: close\r\n\r\n`)
  assert.match(await client.closed(), /^HTTP\/1\.1 103 Early Hints\r\n\r\nHTTP\/1\.1 200 [^]*ok$/)
})

test('a blank line behind a request leaves the connection idle, not half a request ahead', async (t) => {
  const scene = await openScene(t)
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${scene.headers}\r\n\r\n`)
  await client.until((text) => text.endsWith('ok'))
  // Only idle connections end at once in a drain; half a head has as long as a head may take.
  const startedAt = systemClock.monotonic()
  await scene.proxy.drain({ timeoutMs: 60_000, idleMs: 0 })
  assert.match(await client.closed(), /ok$/)
  assert.ok(systemClock.monotonic() - startedAt < HEAD_TIMEOUT_MS / 2)
})
