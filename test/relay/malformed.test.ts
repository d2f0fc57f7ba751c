// What cannot be framed with certainty is answered once and closed, and nothing of it, nor of what
// hides behind it, becomes a request at the upstream.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

import { openNodeReader } from '../fuzz/read-requests.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { OK, openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import { answering } from '../fakes/upstreams/scripted-upstream.ts'
import { readIds } from './expected-wire.ts'
import { MALFORMED_BODIES } from './malformed-bodies.ts'
import { MALFORMED_REQUESTS } from './malformed-requests.ts'
import { writeCut } from './play-wire.ts'
import type { Cuts } from './play-wire.ts'

const HEAD_BYTES_MAX = 65_536
const CLOSE_WAIT_MS = 30_000
const WHOLE: Cuts = []
const BYTE_BY_BYTE: Cuts = [1]

interface Refused {
  readonly status?: number
  readonly code?: string
  readonly cuts: Cuts
}

/**
 * Sends the bytes, with a good request behind them, and checks that there is one answer and an end.
 */
async function checkRefused(scene: RelayScene, text: string, expected: Refused): Promise<void> {
  const { status = 400, code = 'bad_request', cuts } = expected
  const client = await openRawClient(scene.proxy.port)
  const behind = `GET /v1/some/behind HTTP/1.1\r\n${scene.headers}\r\n`
  await writeCut(client.socket, text + behind, cuts)
  // A second answer is the end of the wait as well: it says that the connection went on.
  await client.until((received) => client.isClosed || readIds(received).length > 1)
  const response = client.received
  const how = `${cuts === WHOLE ? 'sent whole' : 'sent byte by byte'}: ${response}`
  assert.equal(readIds(response).length, 1, how)
  const end = response.indexOf('\r\n\r\n')
  const lines = response.slice(0, end).split('\r\n')
  const body = response.slice(end + 4)
  assert.ok(lines[0]?.startsWith(`HTTP/1.1 ${status} `), how)
  assert.ok(lines.includes(`X-SVC-Error: ${code}`), how)
  assert.ok(lines.includes(`Content-Length: ${Buffer.byteLength(body, 'latin1')}`), how)
  const parsed = JSON.parse(body) as { code: string; request_id: string }
  assert.deepEqual([parsed.code, [parsed.request_id]], [code, readIds(response)])
}

for (const { name, text, ...expected } of MALFORMED_REQUESTS) {
  test(`refuses a request with ${name}, and not a byte reaches the upstream`, async (t) => {
    const scene = await openRelayScene(t, answering(OK))
    const request = text.replaceAll('{key}', scene.proxy.credential)
    for (const cuts of [WHOLE, BYTE_BY_BYTE]) {
      await checkRefused(scene, request, { ...expected, cuts })
      assert.equal(scene.upstream.connections.length, 0)
    }
  })
}

test('refuses a head of one byte too much with 431, and takes one that just fits', async (t) => {
  const scene = await openRelayScene(t, answering(OK))
  const start = `GET /v1/some/x HTTP/1.1\r\n${scene.headers}Connection: close\r\nX: `
  const fill = 'x'.repeat(HEAD_BYTES_MAX - start.length - 4)
  const large = { status: 431, code: 'headers_too_large', cuts: WHOLE }
  await checkRefused(scene, `${start}${fill}x\r\n\r\n`, large)
  await checkRefused(scene, `${start}${fill}${fill}`, large)
  assert.equal(scene.upstream.connections.length, 0)
  const client = await openRawClient(scene.proxy.port)
  client.send(`${start}${fill}\r\n\r\n`)
  assert.match(await client.closed(), /^HTTP\/1.1 200 /)
})

for (const { name, body } of MALFORMED_BODIES) {
  test(`refuses a chunked body with ${name}, and no whole request reaches the upstream`, async (t) => {
    const scene = await openRelayScene(t, () => {})
    const head = `POST /v1/some/x HTTP/1.1\r\n${scene.headers}Transfer-Encoding: chunked\r\n\r\n`
    await checkRefused(scene, head + body, { cuts: WHOLE })
    assert.equal(scene.upstream.received(), '')
    await checkRefused(scene, head + body, { cuts: BYTE_BY_BYTE })
    const { connections } = scene.upstream
    await Promise.all(
      connections.map(async ({ socket, isClosed }) => {
        if (!isClosed) await once(socket, 'close', { signal: AbortSignal.timeout(CLOSE_WAIT_MS) })
      }),
    )
    const node = openNodeReader()
    for (const { received } of connections) {
      const { requests } = await node.read(received)
      assert.ok(requests.length <= 1, received)
      assert.ok(!requests.some(({ isWhole }) => isWhole), received)
      const sent = received.slice(received.indexOf('\r\n\r\n') + 4)
      assert.ok(received === '' || body.startsWith(sent), received)
      // Other readers than Node take it for the end of a line, and go on behind it with a request.
      assert.doesNotMatch(sent, /(?<!\r)\n/)
    }
    node.close()
  })
}

test('the tables are as long as was promised, and no name stands twice', () => {
  const names = [...MALFORMED_REQUESTS, ...MALFORMED_BODIES].map(({ name }) => name)
  assert.ok(names.length >= 60, `${names.length} requests`)
  assert.equal(new Set(names).size, names.length)
})
