import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'

import type { TestProxyOptions } from '../../test/fakes/open-proxy.ts'
import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import type { RawClient } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import type { ManualClock } from '../../test/fakes/manual-clock.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { createTalkProvider, talkAnswer } from '../../test/fakes/upstreams/talk-provider.ts'
import { createMeter } from '../app/meter.ts'
import { systemClock } from '../core/clock.ts'
import { UNREADABLE } from '../providers/provider.ts'
import { ByteBudget } from '../wire/byte-budget.ts'
import { BodyBuffer } from './body-buffer.ts'
import { DECODES_WAITING_MAX, DecodeQueue } from './decode-queue.ts'
import type { Refusal } from './refusal.ts'

const POST = 'POST /v1/some/talk HTTP/1.1\r\n'
const ALLOWED = '{"model":"big-1"}'
const DENIED = '{"model":"small"}'
const ANSWER = talkAnswer('big-1')
const LIMIT_MS = 20

async function openBuffered(
  t: TestContext,
  script: Script,
  options: Partial<TestProxyOptions> = {},
): Promise<RelayScene> {
  const key = { allowedModels: ['some/big-*'] }
  return openRelayScene(t, script, { providers: [createTalkProvider('some')], key, ...options })
}

/** Answers once everything it waits for has come. */
function answerAfter(ending: string, answer: string = ANSWER): Script {
  return ({ received, socket }) => {
    if (received.endsWith(ending)) socket.write(answer, 'latin1')
  }
}

function sized(headers: string, body: string): string {
  return `${POST}${headers}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`
}

function countOf({ proxy }: RelayScene, metric: string, label?: string): number {
  const samples = proxy.meter.samples()
  const isIt = (sample: (typeof samples)[number]): boolean =>
    sample.metric === metric && (label === undefined || sample.labels[0] === label)
  return samples.find(isIt)?.value ?? 0
}

function bodyOf(received: string): string {
  return received.slice(received.indexOf('\r\n\r\n') + 4)
}

async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const BODIES: readonly (readonly [name: string, headers: string, body: string])[] = [
  ['a sized body', `Content-Length: ${ALLOWED.length}\r\n`, ALLOWED],
  [
    'a chunked body with extensions and trailers',
    'Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n',
    '3;a=b\r\n{"m\r\n00e\r\nodel":"big-1"}\r\n0;last\r\nX-Sum: 1\r\n\r\n',
  ],
  [
    'a compressed body in chunks',
    'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n',
    toChunks(gzipSync(ALLOWED).toString('latin1'), 5),
  ],
]

function toChunks(text: string, size: number): string {
  const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
}

for (const [name, headers, body] of BODIES) {
  test(`sends ${name} on as it came, once all of it was read`, async (t) => {
    for (const cut of [body.length, 1]) {
      const scene = await openBuffered(t, answerAfter(body))
      const client = await openRawClient(scene.proxy.port)
      client.send(`${POST}${scene.headers}${headers}\r\n`)
      for (let at = 0; at < body.length; at += cut) {
        await nextTurns()
        assert.equal(scene.upstream.connections.length, 0)
        client.send(body.slice(at, at + cut))
      }
      await client.until((text) => text.endsWith('{"model":"big-1"}'))
      assert.equal(bodyOf(scene.upstream.received()), body)
      const [event] = await scene.proxy.events(1)
      assert.deepEqual(
        [event?.status, event?.requestedModel, event?.model, event?.requestBytes],
        ['delivered', 'big-1', 'big-1', body.length],
      )
    }
  })
}

test('refuses without a connection or an open line, and goes on with the next request', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED))
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, DENIED))
  const text = await client.until((received) => received.endsWith('}'))
  assert.match(text, /^HTTP\/1\.1 403 [^]*X-SVC-Error: model_not_allowed\r\n/)
  assert.match(text, /x-should-retry: false\r\n[^]*some\/small/)
  await scene.proxy.events(1)
  assert.equal(scene.upstream.connections.length, 0)
  const entries = await scene.proxy.entries()
  assert.ok(!entries.some(({ kind }) => kind === 'open'))
  const [denied] = await scene.proxy.events(1)
  assert.deepEqual(
    [
      denied?.status,
      denied?.errorCode,
      denied?.requestedModel,
      denied?.operation,
      denied?.chargeable,
    ],
    ['denied', 'model_not_allowed', 'small', 'talk', false],
  )
  client.send(sized(scene.headers, ALLOWED))
  await client.until((received) => received.endsWith('{"model":"big-1"}'))
  assert.equal(countOf(scene, 'refusals', 'model_not_allowed'), 1)
})

test('answers requests that were sent ahead in their order, refused ones among them', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED))
  const client = await openRawClient(scene.proxy.port)
  const bodies = [ALLOWED, DENIED, DENIED, ALLOWED, DENIED]
  client.send(bodies.map((body) => sized(scene.headers, body)).join(''))
  const text = await client.until((received) => received.split('HTTP/1.1 ').length === 6)
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  assert.deepEqual(statuses, ['200', '403', '403', '200', '403'])
})

test('says "100 Continue" itself, and passes that of the upstream on to nobody', async (t) => {
  const scene = await openBuffered(
    t,
    answerAfter(ALLOWED, `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n${ANSWER}`),
  )
  const client = await openRawClient(scene.proxy.port)
  const expecting = `${scene.headers}Expect: 100-continue\r\nContent-Length: ${ALLOWED.length}\r\n\r\n`
  client.send(POST + expecting)
  await client.until((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n')
  assert.equal(scene.upstream.connections.length, 0)
  client.send(ALLOWED)
  const text = await client.until((received) => received.endsWith('{"model":"big-1"}'))
  assert.equal(text.split('100 Continue').length, 2)
  assert.equal(text.split('103 Hints').length, 2)
  assert.match(scene.upstream.received(), /Expect: 100-continue\r\n[^]*big-1"}$/)
})

test('asks for no body that it need not see', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED))
  const client = await openRawClient(scene.proxy.port)
  const expecting = 'Expect: 100-continue\r\nContent-Length: 9\r\n\r\n'
  client.send(`POST /v1/some/unknown HTTP/1.1\r\n${scene.headers}${expecting}`)
  const text = await client.closed()
  assert.match(text, /^HTTP\/1\.1 403 [^]*Weir does not know what POST \/unknown runs at some/)
})

test('gives up a body that stops coming, and holds nothing of it', async (t) => {
  const limits = { bodyTimeoutMs: LIMIT_MS, policyBufferBytesMax: 20 }
  const scene = await openBuffered(t, answerAfter(ALLOWED), { limits })
  for (const expect of ['', 'Expect: 100-continue\r\n', 'Expect: something\r\n']) {
    const client = await openRawClient(scene.proxy.port)
    client.send(`${POST}${scene.headers}${expect}Content-Length: 17\r\n\r\n${ALLOWED.slice(0, 16)}`)
    assert.match(await client.closed(), /HTTP\/1\.1 400 [^]*stopped coming/)
  }
  assert.equal(countOf(scene, 'limitsHit', 'body_time'), 3)
  assert.equal(scene.upstream.connections.length, 0)
})

const PACE = { bodyTimeoutMs: LIMIT_MS, policyPaceBytesMin: 10 }
/** Three of them stay within the time. */
const STEP_MS = 6

async function sendSlowly(scene: RelayScene, clock: ManualClock, step: number): Promise<RawClient> {
  const client = await openRawClient(scene.proxy.port)
  const body = bodyOfBytes(200)
  client.send(`${POST}${scene.headers}Content-Length: ${body.length}\r\n\r\n`)
  for (let at = 0; at < body.length && !client.isClosed; at += step) {
    client.send(body.slice(at, at + step))
    await clock.pass(STEP_MS)
  }
  return client
}

for (const coding of ['', 'Content-Encoding: gzip\r\n']) {
  const name = coding === '' ? 'a body' : 'a compressed body'
  test(`gives up ${name} that comes in single bytes, and lets one go on that has a pace`, async (t) => {
    const limitsClock = createManualClock()
    const scene = await openBuffered(t, answerAfter(' }'), { limits: PACE, limitsClock })
    const coded = { ...scene, headers: scene.headers + coding }
    const slow = await sendSlowly(coded, limitsClock, 1)
    assert.match(await slow.closed(), /^HTTP\/1\.1 400 [^]*came too slowly/)
    assert.equal(countOf(scene, 'limitsHit', 'body_time'), 1)
    const steady = await sendSlowly(coded, limitsClock, 5)
    const answer = await steady.until((text) => text.endsWith('}'))
    // As far as the time goes: what was sent is no gzip.
    assert.match(answer, coding === '' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 403 /)
    assert.equal(countOf(scene, 'limitsHit', 'body_time'), 1)
  })
}

test('forgets a call whose caller leaves while it is held', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED), {
    limits: { policyBufferBytesMax: 20 },
  })
  const gone = await openRawClient(scene.proxy.port)
  gone.send(`${POST}${scene.headers}Content-Length: 17\r\n\r\n${ALLOWED.slice(0, 16)}`)
  while (countOf(scene, 'openCalls') === 0) await nextTurns()
  gone.socket.destroy()
  while (countOf(scene, 'openCalls') > 0) await nextTurns()
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, ALLOWED))
  await client.until((text) => text.endsWith('{"model":"big-1"}'))
  const events = await scene.proxy.events(1)
  assert.deepEqual(
    events.map(({ status }) => status),
    ['delivered'],
  )
})

test('lets a held call end while the proxy drains', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED))
  const client = await openRawClient(scene.proxy.port)
  client.send(`${POST}${scene.headers}Content-Length: 17\r\n\r\n${ALLOWED.slice(0, 5)}`)
  while (countOf(scene, 'openCalls') === 0) await nextTurns()
  const drained = scene.proxy.drain({ timeoutMs: 5000, idleMs: 0 })
  client.send(ALLOWED.slice(5))
  assert.match(await client.closed(), /^HTTP\/1\.1 200 [^]*Connection: close\r\n[^]*big-1"}$/)
  await drained
})

test('cuts a held call when the time to drain is over', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED))
  const client = await openRawClient(scene.proxy.port)
  client.send(`${POST}${scene.headers}Content-Length: 17\r\n\r\n${ALLOWED.slice(0, 5)}`)
  while (countOf(scene, 'openCalls') === 0) await nextTurns()
  await scene.proxy.drain({ timeoutMs: 20, idleMs: 0 })
  assert.equal(await client.closed(), '')
})

/** A body of exactly that many bytes. */
function bodyOfBytes(bytes: number): string {
  return ALLOWED.slice(0, -1) + ' '.repeat(bytes - ALLOWED.length) + '}'
}

test('holds a body of exactly the allowed size, and refuses and counts one byte more', async (t) => {
  const policyBodyBytesMax = 5000
  const scene = await openBuffered(t, answerAfter(' }'), { limits: { policyBodyBytesMax } })
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, bodyOfBytes(policyBodyBytesMax)))
  await client.until((text) => text.endsWith('{"model":"big-1"}'))
  client.send(sized(scene.headers, bodyOfBytes(policyBodyBytesMax + 1)))
  const text = await client.until((received) => received.split('HTTP/1.1').length === 3)
  assert.match(text, /HTTP\/1\.1 413 [^]*X-SVC-Error: body_too_large\r\n[^]*policy\.bodyBytesMax/)
  const chunked = await openRawClient(scene.proxy.port)
  const body = toChunks(bodyOfBytes(policyBodyBytesMax - 10), 2500)
  assert.ok(body.length > policyBodyBytesMax)
  chunked.send(`${POST}${scene.headers}Transfer-Encoding: chunked\r\n\r\n${body}`)
  assert.match(await chunked.until((received) => received.endsWith('}')), /^HTTP\/1\.1 413 /)
  assert.equal(countOf(scene, 'limitsHit', 'policy_body_bytes'), 2)
  assert.equal(scene.upstream.connections.length, 1)
})

test('decodes no more than that, however small the body is', async (t) => {
  const scene = await openBuffered(t, answerAfter('x'), { limits: { policyBodyBytesMax: 100_000 } })
  const client = await openRawClient(scene.proxy.port)
  const bomb = gzipSync(`{"a":"${'a'.repeat(10_000_000)}"}`).toString('latin1')
  client.send(sized(`${scene.headers}Content-Encoding: gzip\r\n`, bomb))
  assert.match(await client.until((text) => text.endsWith('}')), /^HTTP\/1\.1 413 /)
  assert.equal(countOf(scene, 'limitsHit', 'policy_body_bytes'), 1)
})

test('refuses a broken coding, and one that it does not know', async (t) => {
  const scene = await openBuffered(t, answerAfter('x'))
  const client = await openRawClient(scene.proxy.port)
  const broken = gzipSync(ALLOWED).toString('latin1').slice(0, -1)
  client.send(sized(`${scene.headers}Content-Encoding: gzip\r\n`, broken))
  const text = await client.until((received) => received.endsWith('}'))
  assert.match(text, /^HTTP\/1\.1 403 [^]*its Content-Encoding is broken/)
  client.send(sized(`${scene.headers}Content-Encoding: compress\r\n`, ALLOWED))
  const more = await client.until((received) => received.split('HTTP/1.1').length === 3)
  assert.match(more, /HTTP\/1\.1 415 [^]*X-SVC-Error: unsupported_encoding\r\n/)
  assert.equal(scene.upstream.connections.length, 0)
})

test('holds so much of all bodies together, and says 503 beyond it until some went on', async (t) => {
  const limits = { policyBufferBytesMax: 8000 }
  const scene = await openBuffered(t, answerAfter(' }'), { limits })
  const body = bodyOfBytes(5000)
  const first = await openRawClient(scene.proxy.port)
  first.send(sized(scene.headers, body).slice(0, -1))
  while (countOf(scene, 'openCalls') === 0) await nextTurns()
  const second = await openRawClient(scene.proxy.port)
  second.send(sized(scene.headers, body))
  const text = await second.until((received) => received.endsWith('}'))
  assert.match(text, /^HTTP\/1\.1 503 [^]*X-SVC-Error: overloaded\r\n[^]*Retry-After: 1\r\n/)
  assert.equal(countOf(scene, 'limitsHit', 'policy_held_bytes'), 1)
  first.send('}')
  await first.until((received) => received.endsWith('{"model":"big-1"}'))
  second.send(sized(scene.headers, body))
  await second.until((received) => received.endsWith('{"model":"big-1"}'))
})

test('sends a large body on to an upstream that takes it slowly', async (t) => {
  const body = `{"model":"big-1","text":"${'0123456789abcdef'.repeat(300_000)}"}`
  const scene = await openBuffered(t, (connection) => {
    const { socket, received } = connection
    socket.pause()
    setImmediate(() => socket.resume())
    if (received.endsWith('"}')) socket.write(ANSWER)
  })
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, body))
  await client.until((text) => text.endsWith('{"model":"big-1"}'))
  assert.ok(bodyOf(scene.upstream.received()) === body)
  client.send(sized(scene.headers, '{"model":"big-1","text":"b"}'))
  await client.until((text) => text.split('{"model":"big-1"}').length === 3)
  assert.equal(scene.upstream.connections.length, 1)
})

test('gives an upstream that takes a large body slowly its time for an answer behind it', async (t) => {
  const restMs = 6
  const limits = { firstByteTimeoutMs: 4 * restMs }
  const limitsClock = createManualClock()
  const body = `{"model":"big-1","text":"${'a'.repeat(32_000_000)}"}`
  let rests = 0
  const scene = await openBuffered(
    t,
    ({ socket, received }) => {
      // It rests at each of the first megabytes: longer than the limit in all, never as long at
      // once.
      if (rests < 6 && received.length > rests * 1_000_000) {
        rests += 1
        socket.pause()
        void limitsClock.pass(restMs).then(() => socket.resume())
      } else if (received.length > body.length && received.endsWith('"}')) {
        socket.write(ANSWER)
      }
    },
    { limits, limitsClock },
  )
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, body))
  const text = await client.until((received) => received.endsWith('}'))
  assert.match(text, /^HTTP\/1\.1 200 /)
  assert.equal(rests, 6)
})

test('uses no connection again whose upstream answered before it had the whole body', async (t) => {
  const body = `{"model":"big-1","text":"${'a'.repeat(20_000_000)}"}`
  const scene = await openBuffered(t, ({ socket, received }) => {
    if (received.length < 100_000) socket.write(ANSWER)
    socket.pause()
  })
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, body))
  await client.until((text) => text.endsWith('{"model":"big-1"}'))
  client.send(sized(scene.headers, ALLOWED))
  await client.until((text) => text.split('{"model":"big-1"}').length === 3)
  assert.equal(scene.upstream.connections.length, 2)
})

test('lets the request of a key without a policy through while it comes', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED), { key: {} })
  const client = await openRawClient(scene.proxy.port)
  client.send(`${POST}${scene.headers}Content-Length: 17\r\n\r\n{"mo`)
  while (!scene.upstream.received().endsWith('\r\n\r\n{"mo')) await nextTurns()
  client.send(ALLOWED.slice(4))
  await client.until((text) => text.endsWith('{"model":"big-1"}'))
})

test('records and counts a model that ran although it is not allowed', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED, talkAnswer('small')))
  const client = await openRawClient(scene.proxy.port)
  client.send(sized(scene.headers, ALLOWED))
  await client.until((text) => text.endsWith('{"model":"small"}'))
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.model, event?.violation], ['small', 'small'])
  assert.equal(countOf(scene, 'policyViolations'), 1)
})

test('answers 503 and counts it when too many bodies of its key wait to be decoded', (t) => {
  const budget = new ByteBudget(100_000)
  const decodes = new DecodeQueue(budget, systemClock)
  const [keyId, codings, meter] = ['k', ['gzip'], createMeter()]
  const stuck = { keyId, codings, bytesMax: 0, output: () => false, done: () => {} }
  const pieces = (): Iterator<Buffer> => [Buffer.from([0x1f])].values()
  const all = Array.from({ length: DECODES_WAITING_MAX + 1 }, () =>
    decodes.add({ ...stuck, pieces }),
  )
  t.after(() => all.reverse().forEach((decoding) => decoding?.cancel()))
  let refusal: Refusal | null = null
  const reader = { feed: () => {}, end: () => UNREADABLE }
  const provider = createTalkProvider('some')
  const body = new BodyBuffer(
    { reader, codings },
    {
      policy: { keyId, provider, models: null, blocked: [], names: new Set() },
      services: { limits: { policyBodyBytesMax: 1000 }, meter },
      framing: { kind: 'length', length: 4 },
      budget,
      decodes,
      drained: () => {},
      judged: (judgement) => {
        refusal = judgement
      },
    },
  )
  body.take(Buffer.from('gzip'), Buffer.from('gzip'))
  body.end()
  assert.partialDeepStrictEqual(refusal, { code: 'overloaded', retryAfterSeconds: 1 })
  const [hit] = meter.samples().filter(({ metric }) => metric === 'limitsHit')
  assert.deepEqual([hit?.labels, hit?.value], [['policy_decodes'], 1])
})

test('opens no connection for a caller that is gone when its body was read', async (t) => {
  const scene = await openBuffered(t, answerAfter(ALLOWED))
  const client = await openRawClient(scene.proxy.port)
  const body = gzipSync(ALLOWED + ' '.repeat(5_000_000)).toString('latin1')
  client.send(sized(`${scene.headers}Content-Encoding: gzip\r\n`, body))
  client.socket.destroy()
  await once(client.socket, 'close')
  while (countOf(scene, 'clientConnections') > 0) await nextTurns()
  await nextTurns()
  assert.equal(countOf(scene, 'openCalls'), 0)
})
