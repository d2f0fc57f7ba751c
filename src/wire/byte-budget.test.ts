// Bodies that wait for a policy and texts that are kept for an estimate take from budgets which all
// calls of a worker share: whatever becomes of a call, it gives back all that it took.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'

import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import type { RawClient } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import type { ManualClock } from '../../test/fakes/manual-clock.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { CALLER_MASK, writeFrame } from '../../test/fakes/upstreams/websocket-frame.ts'
import { createProvider } from '../providers/registry.ts'
import type { Provider } from '../providers/provider.ts'
import { ByteBudget } from './byte-budget.ts'

const BUDGET_BYTES = 5000
/** What a text or a second piece may take beside a request that takes all of the budget. */
const SPARE_BYTES = 512
const BODY_BYTES_MAX = 5000
const BODY_MS_MAX = 20
/** How often time passes for what may still be on its way to the proxy. */
const TIMES_MAX = 1000

test('hands out no more than there is, and takes it back', () => {
  const budget = new ByteBudget(10)
  assert.ok(budget.take(10))
  assert.ok(!budget.take(1))
  budget.giveBack(4)
  assert.ok(!budget.take(5))
  assert.ok(budget.take(4))
})

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
const TEXT = 'data: {"model":"wren","choices":[{"index":0,"delta":{"content":"a word"}}]}\n\n'
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'
const UPGRADED =
  'HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n'

/** What the upstream does once it has the request; requests say which in a header of their own. */
const ANSWERS: Readonly<Record<string, Script>> = {
  telling: ({ socket }) => void socket.end(`${HEAD}${TEXT}${USAGE}data: [DONE]\n\n`),
  untelling: ({ socket }) => void socket.end(`${HEAD}${TEXT}data: [DONE]\n\n`),
  refusing: ({ socket }) =>
    void socket.end(`HTTP/1.1 429 Slow\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`),
  cutting: ({ socket }) => {
    socket.write(HEAD.replace('connection: close', 'content-length: 1000') + TEXT)
    socket.end()
  },
  closing: ({ socket }) => void socket.destroy(),
  streaming: ({ socket }) => void socket.write(HEAD + TEXT),
  silent: () => {},
  upgrading: (connection) => {
    const { socket, received } = connection
    if (received.endsWith('\r\n\r\n')) socket.write(UPGRADED)
    else socket.destroy()
  },
}

const script: Script = (connection) => {
  const [, name = ''] = /X-Answer: (\w+)/.exec(connection.received) ?? []
  const isWhole = /\}(?:\r\n\r\n)?$/.test(connection.received) || name === 'upgrading'
  if (isWhole) ANSWERS[name]?.(connection)
}

function bodyOf(bytes: number, model = 'wren'): string {
  const [start, end] = [`{"model":"${model}","messages":[{"role":"user","content":"`, '"}]}']
  return start + 'a'.repeat(bytes - start.length - end.length) + end
}

interface Sent {
  readonly answer?: string
  readonly headers?: string
  readonly body?: string
  /** Bytes of the body that come, where not all of them do. */
  readonly bytes?: number
}

function requestOf(scene: RelayScene, sent: Sent): string {
  const { answer = 'untelling', headers = '', body = bodyOf(2000), bytes = body.length } = sent
  const length = headers.includes('chunked') ? '' : `Content-Length: ${body.length}\r\n`
  const lines = `${scene.headers}X-Answer: ${answer}\r\n${headers}${length}`
  const type = 'Content-Type: application/json\r\nConnection: close\r\n'
  return `POST /v1/some/v1/chat/completions HTTP/1.1\r\n${lines}${type}\r\n${body.slice(0, bytes)}`
}

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nX-Answer: upgrading\r\n\r\n'

async function openSocket(scene: RelayScene, client: RawClient): Promise<void> {
  client.send(`GET /v1/some/v1/realtime?model=wren HTTP/1.1\r\n${scene.headers}${UPGRADE}`)
  await client.until((text) => text.endsWith('\r\n\r\n'))
}

const MESSAGE = writeFrame('a'.repeat(2000), { mask: CALLER_MASK })

interface Scene extends RelayScene {
  readonly limitsClock: ManualClock
}

type End = (scene: Scene, client: RawClient) => Promise<unknown>

const ended =
  (sent: Sent): End =>
  (scene, client) => {
    client.send(requestOf(scene, sent))
    return client.closed()
  }

/** The caller leaves once the other side has come to that. */
const leaving =
  (sent: Sent, isReached: (scene: RelayScene, client: RawClient) => boolean): End =>
  async (scene, client) => {
    client.send(requestOf(scene, sent))
    while (!isReached(scene, client)) await nextTurn()
    client.socket.destroy()
  }

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const zipped = gzipSync(bodyOf(2000)).toString('latin1')

const ENDS: Readonly<Record<string, End>> = {
  'was answered and told its usage': ended({ answer: 'telling' }),
  'was answered and told nothing': ended({}),
  'came in chunks with trailers': ended({
    headers: CHUNKED,
    body: `${chunkOf(bodyOf(2000))}0\r\nX-Sum: }\r\n\r\n`,
  }),
  'was refused by the provider': ended({ answer: 'refusing' }),
  'was cut by the provider': ended({ answer: 'cutting' }),
  'was never answered': ended({ answer: 'closing' }),
  'asked for another model': ended({ body: bodyOf(2000, 'owl') }),
  'is broken in its framing': ended({ headers: CHUNKED, body: `${chunkOf(bodyOf(2000))}x` }),
  'is broken in its coding': ended({
    headers: 'Content-Encoding: gzip\r\n',
    body: `${zipped.slice(0, -9)}broken...`,
  }),
  'is larger than may be read': ended({ headers: CHUNKED, body: chunkOf(bodyOf(BODY_BYTES_MAX)) }),
  'stopped coming': async (scene, client) => {
    client.send(requestOf(scene, { bytes: 1500 }))
    while (countOf(scene, 'openCalls') === 0) await nextTurn()
    await scene.limitsClock.pass(2 * BODY_MS_MAX)
    await client.closed()
  },
  'was left while it was held': leaving(
    { bytes: 1500 },
    (scene) => countOf(scene, 'openCalls') > 0,
  ),
  'was left while nobody answered': leaving({ answer: 'silent' }, (scene) =>
    scene.upstream.received().endsWith('"}]}'),
  ),
  'was left in the middle of its answer': leaving({ answer: 'streaming' }, (_, client) =>
    client.received.includes('a word'),
  ),
  'became a socket, and said there what may not be said': async (scene, client) => {
    await openSocket(scene, client)
    client.socket.write(MESSAGE.subarray(0, 1500))
    client.socket.write(MESSAGE.subarray(1500))
    client.socket.write(MESSAGE.subarray(0, 1500))
    await client.closed()
  },
  'became a socket, and stopped in the middle of a message': async (scene, client) => {
    await openSocket(scene, client)
    client.socket.write(MESSAGE.subarray(0, 1500))
    for (let times = 0; times < TIMES_MAX && !client.isClosed; times++) {
      await scene.limitsClock.pass(2 * BODY_MS_MAX)
    }
    await client.closed()
  },
  'became a socket, and was left in the middle of a message': async (scene, client) => {
    await openSocket(scene, client)
    client.socket.write(MESSAGE.subarray(0, 1500))
    client.socket.end()
    await client.closed()
  },
  'became a socket, and went on when the provider had left': async (scene, { socket }) => {
    socket.destroy()
    // It does not end when the other side does.
    const client = await openRawClient(scene.proxy.port, true)
    await openSocket(scene, client)
    client.socket.write(MESSAGE.subarray(0, 1500))
    scene.upstream.connections.at(-1)?.socket.resetAndDestroy()
    while (countOf(scene, 'openCalls') > 0) await nextTurn()
    await new Promise((resolve) => client.socket.write(MESSAGE.subarray(1500, 1900), resolve))
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    client.socket.destroy()
  },
}

function countOf({ proxy }: RelayScene, metric: string): number {
  const samples = proxy.meter.samples()
  return samples.find((sample) => sample.metric === metric)?.value ?? 0
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function openScene(t: TestContext): Promise<{ scene: Scene; asked: () => number }> {
  const provider = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })
  const limitsClock = createManualClock()
  let asked = 0
  const scene = await openRelayScene(t, script, {
    providers: [provider as Provider],
    key: { allowedModels: ['some/wren'] },
    limits: {
      policyBufferBytesMax: BUDGET_BYTES,
      policyBodyBytesMax: BODY_BYTES_MAX,
      bodyTimeoutMs: BODY_MS_MAX,
    },
    limitsClock,
    estimateBytesMax: BUDGET_BYTES + SPARE_BYTES,
    estimate: (_, done) => {
      asked += 1
      setImmediate(() => done({ input: 1, output: 1 }))
    },
  })
  return { scene: { ...scene, limitsClock }, asked: () => asked }
}

for (const [name, end] of Object.entries(ENDS)) {
  test(`a call that ${name} gives back what it held and kept`, async (t) => {
    const { scene, asked } = await openScene(t)
    // Several times: what one leaves behind may be too little to be missed.
    for (let times = 0; times < 5; times++) {
      const client = await openRawClient(scene.proxy.port)
      await end(scene, client)
      while (countOf(scene, 'openCalls') > 0) await nextTurn()
    }
    const before = asked()
    const client = await openRawClient(scene.proxy.port)
    client.send(requestOf(scene, { body: bodyOf(BUDGET_BYTES) }))
    assert.match(await client.closed(), /^HTTP\/1\.1 200 /)
    while (asked() === before) await nextTurn()
    const entries = await closedEntries(scene)
    assert.equal(entries.open, entries.close)
  })
}

/**
 * How many calls were opened in the journal, and how many of those were closed; once all of them
 * are.
 */
async function closedEntries({ proxy }: RelayScene): Promise<{ open: number; close: number }> {
  await proxy.drain({ timeoutMs: 5000, idleMs: 0 })
  const entries = await proxy.entries()
  const open = entries.filter(({ kind }) => kind === 'open').length
  const isClosed = (entry: (typeof entries)[number]): boolean =>
    entry.kind === 'close' && entry.event.status !== 'denied'
  return { open, close: entries.filter(isClosed).length }
}
