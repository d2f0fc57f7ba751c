// Small compressed bodies of a key with allowed models that become large when they are decoded:
// those that stop before their end take no more than was sent, the others wait for their turn, and
// what grows a hundred times is refused.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

import { createProvider } from '../../src/providers/registry.ts'
import { SLICE_BYTES } from '../../src/wire/paced-feed.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import type { RawClient } from '../fakes/callers/raw-client.ts'
import type { TestProxyOptions } from '../fakes/open-proxy.ts'
import { OK, openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import { createSlowClock, openTurnWork } from '../fakes/turn-work.ts'

const MIB = 1_048_576
const GROWN_MIB_MAX = 150
/** Enough for every decoder that runs at once to have done its part. */
const OTHER_CALLS = 200
/** Of the stalled ones, to save time. */
const ENDED = 12

function bodyOf(bytes: number): Buffer {
  return bodyWith(' '.repeat(bytes))
}

function bodyWith(content: string): Buffer {
  const [start, end] = ['{"model":"wren","messages":[{"role":"user","content":"', '"}]}']
  return Buffer.from(start + content + end)
}

const { ZSTD_c_windowLog, BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants
const zstd = (body: Buffer, windowLog: number): Buffer =>
  zstdCompressSync(body, { params: { [ZSTD_c_windowLog]: windowLog } })
const brotli = brotliCompressSync(bodyOf(17_000_000), {
  params: { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_QUALITY]: 5 },
})

function requestOf({ headers }: RelayScene, body: Buffer, coding: string): Buffer {
  const lines = `Content-Type: application/json\r\nContent-Encoding: ${coding}\r\n`
  const length = `Content-Length: ${body.length}\r\n\r\n`
  const head = `POST /v1/some/v1/chat/completions HTTP/1.1\r\n${headers}${lines}${length}`
  return Buffer.concat([Buffer.from(head), body])
}

const PROVIDER = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })

async function openScene(
  t: TestContext,
  options: Partial<TestProxyOptions> = {},
): Promise<RelayScene> {
  return openRelayScene(
    t,
    (connection) => {
      const [head = '', body] = connection.received.split('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/.exec(head) ?? []
      if (body?.length !== Number(length)) return
      connection.received = ''
      connection.socket.write(OK)
    },
    { providers: [PROVIDER], key: { allowedModels: ['some/wren'] }, ...options },
  )
}

interface Stalled {
  readonly clients: readonly RawClient[]
  /** The most that memory grew by until other calls were answered. */
  readonly grownMib: number
}

/** Requests of which all but the last byte has come. */
async function stall(scene: RelayScene, request: Buffer, count: number): Promise<Stalled> {
  const before = process.memoryUsage().rss
  const clients = await Promise.all(
    Array.from({ length: count }, () => openRawClient(scene.proxy.port)),
  )
  for (const { socket } of clients) socket.write(request.subarray(0, -1))
  const other = await openRawClient(scene.proxy.port)
  const small = requestOf(scene, gzipSync(bodyOf(10)), 'gzip')
  let most = before
  for (let call = 1; call <= OTHER_CALLS; call++) {
    other.socket.write(small)
    await other.until((text) => text.split('200 Fine').length > call)
    most = Math.max(most, process.memoryUsage().rss)
  }
  other.socket.destroy()
  return { clients, grownMib: (most - before) / MIB }
}

function report(t: TestContext, { clients, grownMib }: Stalled): void {
  t.diagnostic(`memory grew by ${Math.round(grownMib)} MiB for ${clients.length} stalled bodies`)
  assert.ok(grownMib < GROWN_MIB_MAX, `${grownMib} MiB`)
}

test('forty brotli bodies of a hundred bytes take no memory, and are refused once whole', async (t) => {
  const scene = await openScene(t)
  const request = requestOf(scene, brotli, 'br')
  const stalled = await stall(scene, request, 40)
  const ended = stalled.clients.slice(0, ENDED)
  for (const { socket } of stalled.clients.slice(ENDED)) socket.destroy()
  report(t, stalled)
  const before = process.memoryUsage().rss
  for (const { socket } of ended) socket.write(request.subarray(-1))
  let most = before
  for (const client of ended) {
    const text = await client.until((received) => received.endsWith('}'))
    assert.match(text, /^HTTP\/1\.1 403 [^]*it decodes to more than 100 times its size/)
    most = Math.max(most, process.memoryUsage().rss)
  }
  const grownMib = (most - before) / MIB
  t.diagnostic(`memory grew by ${Math.round(grownMib)} MiB while they were decoded`)
  assert.ok(grownMib < GROWN_MIB_MAX, `${grownMib} MiB`)
})

test('sixty zstd bodies of a kilobyte that stop before their end take no memory', async (t) => {
  const scene = await openScene(t)
  const request = requestOf(scene, zstd(bodyOf(27_000_000), 27), 'zstd')
  const stalled = await stall(scene, request, 60)
  for (const { socket } of stalled.clients) socket.destroy()
  report(t, stalled)
})

test('a zstd body that needs a window above 8 MiB is refused, at 8 MiB it goes on', async (t) => {
  const scene = await openScene(t)
  const client = await openRawClient(scene.proxy.port)
  const body = bodyWith(randomBytes(5_000_000).toString('hex'))
  client.socket.write(requestOf(scene, zstd(body, 23), 'zstd'))
  await client.until((text) => text.endsWith('ok'))
  client.socket.write(requestOf(scene, zstd(body, 24), 'zstd'))
  const text = await client.until((received) => received.endsWith('}'))
  assert.match(text, /HTTP\/1\.1 403 [^]*model_not_allowed[^]*its zstd window is larger than 8 MiB/)
})

test('of twenty bodies that grow, a slice or two is read in a turn of the event loop', async (t) => {
  const work = openTurnWork(t)
  const provider = { ...PROVIDER, operations: PROVIDER.operations.map(work.count) }
  const scene = await openScene(t, { providers: [provider], clock: createSlowClock() })
  const request = requestOf(scene, gzipSync(bodyOf(1_000_000)), 'gzip')
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => openRawClient(scene.proxy.port)),
  )
  for (const { socket } of clients) socket.write(request)
  for (const client of clients) await client.until((text) => text.endsWith('ok'))
  const { fedBytes } = work.most()
  t.diagnostic(`${fedBytes} bytes in one turn`)
  // One for what is being read, one for the next, and what the tap has of all that came at once.
  assert.ok(fedBytes > 0 && fedBytes <= 4 * SLICE_BYTES + 20 * request.length, `${fedBytes} bytes`)
})

test('a body may grow a hundred times, or to a mebibyte, and no further', async (t) => {
  const scene = await openScene(t)
  const client = await openRawClient(scene.proxy.port)
  const noise = randomBytes(20_000).toString('hex')
  const grown = (bytes: number): Buffer => gzipSync(bodyWith(noise + ' '.repeat(bytes)))
  for (const body of [gzipSync(bodyOf(1_000_000)), grown(1_800_000)]) {
    client.received = ''
    client.socket.write(requestOf(scene, body, 'gzip'))
    await client.until((text) => text.endsWith('ok'))
  }
  for (const body of [gzipSync(bodyOf(1_100_000)), grown(3_000_000)]) {
    client.received = ''
    client.socket.write(requestOf(scene, body, 'gzip'))
    const text = await client.until((received) => received.endsWith('}'))
    assert.match(text, /^HTTP\/1\.1 403 [^]*it decodes to more than 100 times its size/)
  }
})
