// One connection that makes Weir answer and does not read, and an upstream that never comes to its
// response: neither side is read from while what it caused waits to be written.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import type { RawClient } from '../fakes/callers/raw-client.ts'
import { ID_LINE, OK, openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import type { Script } from '../fakes/upstreams/scripted-upstream.ts'

/** Their bytes, and those of their answers, are more than the buffers of two sockets take. */
const REQUESTS = 60_000
const PADDING = `X: ${'x'.repeat(340)}\r\n\r\n`
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n'

/** Until a figure stays the same while another caller is answered many times. */
async function settled({ proxy }: RelayScene, read: () => number): Promise<number> {
  const other = await openRawClient(proxy.port)
  let before = -1
  for (let answers = 0; read() !== before;) {
    before = read()
    for (let round = 0; round < 100; round++) {
      other.send(HEALTH)
      answers += 1
      await other.until((text) => text.split('"ok"').length === answers + 1)
    }
  }
  other.socket.destroy()
  return before
}

function countLimit({ proxy }: RelayScene, limit: string): number {
  const samples = proxy.meter.samples()
  const found = samples.find(({ metric, labels }) => metric === 'limitsHit' && labels[0] === limit)
  return found?.value ?? 0
}

async function pipeline({ proxy }: RelayScene, request: string): Promise<RawClient> {
  const client = await openRawClient(proxy.port)
  client.socket.pause()
  client.send(`${request}${PADDING}`.repeat(REQUESTS))
  return client
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}

const OWN_ANSWERS: readonly (readonly [name: string, request: string, answer: string])[] = [
  ['health checks', 'GET /healthz HTTP/1.1\r\nHost: p\r\n', 'HTTP/1.1 200 OK\r\n'],
  ['refused requests', 'GET /v1/some/ HTTP/1.1\r\nHost: p\r\n', 'HTTP/1.1 401 '],
  [
    'refused requests with a body',
    'POST /v1/some/ HTTP/1.1\r\nHost: p\r\nContent-Length: 0\r\n',
    'HTTP/1.1 401 ',
  ],
]

for (const [name, request, answer] of OWN_ANSWERS) {
  test(`stops reading ${name} of a caller that reads no answers, then answers all`, async (t) => {
    const scene = await openRelayScene(t, () => {})
    const client = await pipeline(scene, request)
    assert.ok((await settled(scene, () => client.socket.writableLength)) > 0)
    client.socket.resume()
    client.send('GET /readyz HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n')
    const received = await client.closed()
    assert.equal(countOf(received, answer), answer.includes('200') ? REQUESTS + 1 : REQUESTS)
    assert.match(received, /Connection: close\r\n\r\n\{"status":"ok"\}$/)
  })
}

test('reads no further ahead with each call of a caller that pipelines', async (t) => {
  const calls = 600
  const scene = await openRelayScene(t, ({ socket, received }) => {
    if (countOf(received, '\r\n\r\n') <= calls) socket.write(OK)
  })
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}${PADDING}`.repeat(REQUESTS))
  await client.until((text) => countOf(text, '200 Fine') === calls)
  assert.ok((await settled(scene, () => client.socket.writableLength)) > 0)
  client.socket.destroy()
})

const EARLY = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'

function writing(text: string): Script {
  return ({ socket, received }) => {
    if (received.endsWith('\r\n\r\n')) socket.write(text)
  }
}

test('passes on a hundred informational responses, and the final one', async (t) => {
  const scene = await openRelayScene(t, writing(EARLY.repeat(100) + OK))
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}\r\n`)
  const received = await client.until((text) => text.endsWith('ok'))
  assert.equal(received.replace(ID_LINE, ''), EARLY.repeat(100) + OK)
  assert.equal(countLimit(scene, 'informational_count'), 0)
  client.socket.destroy()
})

for (const minor of [0, 1]) {
  test(`answers 502 to HTTP/1.${minor} after one informational response more`, async (t) => {
    const scene = await openRelayScene(t, writing(EARLY.repeat(101) + OK))
    const client = await openRawClient(scene.proxy.port)
    client.send(`GET /v1/some/ HTTP/1.${minor}\r\n${scene.headers}Connection: close\r\n\r\n`)
    const received = await client.closed()
    assert.equal(countOf(received, EARLY), minor * 100)
    assert.match(received, /HTTP\/1\.1 502 [^]*X-SVC-Error: upstream_unreachable\r\n/)
    assert.doesNotMatch(received, /200 Fine/)
    assert.equal(countLimit(scene, 'informational_count'), 1)
    const [event] = await scene.proxy.events(1)
    assert.deepEqual([event?.status, event?.errorCode], ['cut', 'upstream_unreachable'])
  })
}

test('reads no informational responses for a caller that does not read them', async (t) => {
  const large = EARLY.replace('</a>', 'x'.repeat(150_000))
  const limits = { headBytesMax: 200_000 }
  const scene = await openRelayScene(t, writing(large.repeat(101)), { limits })
  const client = await openRawClient(scene.proxy.port)
  client.socket.pause()
  client.send(`GET /v1/some/ HTTP/1.1\r\n${scene.headers}\r\n`)
  const waiting = (): number => scene.upstream.connections[0]?.socket.writableLength ?? -2
  assert.ok((await settled(scene, waiting)) > 0)
  assert.equal(countLimit(scene, 'informational_count'), 0)
  client.socket.resume()
  await client.until((text) => text.includes('X-SVC-Error: upstream_unreachable\r\n'))
  assert.equal(countLimit(scene, 'informational_count'), 1)
  client.socket.destroy()
})
