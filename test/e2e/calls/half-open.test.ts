// Connections without a credential, as many as a port takes and more: the real program goes on
// answering those that ask something.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'

import { systemClock } from '../../../src/core/clock.ts'
import { NEEDS_PROC } from '../../fakes/callers/caller-ports.ts'
import { openRawClient } from '../../fakes/callers/raw-client.ts'
import { createCommandLineAt } from '../../fakes/command-line.ts'
import { openProgram } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { openScriptedUpstream } from '../../fakes/upstreams/scripted-upstream.ts'
import type {
  ScriptedUpstream,
  UpstreamConnection,
} from '../../fakes/upstreams/scripted-upstream.ts'

const PROXY_CONNECTIONS_MAX = 64
/** More than the API's port takes. */
const API_CONNECTIONS = 1100
/** Below the shortest time limit of a head, which is ten seconds. */
const WAIT_MS_MAX = 8000
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const HALF_HEAD = 'GET /v1/openai/v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: '

let program: Program
let upstream: ScriptedUpstream
let call = ''
const unanswered: UpstreamConnection[] = []

before(async () => {
  upstream = await openScriptedUpstream((connection) => {
    if (!connection.received.endsWith('\r\n\r\n')) return
    if (connection.received.includes('/unanswered')) unanswered.push(connection)
    else connection.socket.write(OK)
    connection.received = ''
  })
  program = await openProgram({
    settings: {
      PROVIDER_OPENAI_URL: upstream.url,
      PROXY_WORKERS: '1',
      PROXY_CONNECTIONS_MAX: String(PROXY_CONNECTIONS_MAX),
    },
    prepare: async (dataDir) => {
      const { json } = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
      const { key } = await json<{ key: string }>('keys', 'create', '--name', 'honest')
      call = `GET /v1/openai/v1/models HTTP/1.1\r\nHost: weir\r\nX-SVC-API-Key: ${key}\r\n\r\n`
    },
  })
})

after(async () => {
  await program.close()
  await upstream.close()
})

const portOf = (address: string): number => Number(new URL(address).port)

interface Flood {
  readonly port: number
  readonly count: number
  /** What each of them sends. */
  readonly text: string
  readonly localAddress?: string
}

async function openFlood(t: Cleaning, flood: Flood): Promise<Socket[]> {
  const { port, count, text, localAddress = '127.0.0.1' } = flood
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.on('error', () => {})
    socket.resume()
    socket.write(text)
    return socket
  })
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

interface Cleaning {
  after(close: () => void): void
}

/** The status of the answer on a connection of its own; fails when it takes too long. */
async function ask(port: number, request: string): Promise<string> {
  const startedAt = systemClock.monotonic()
  const client = await openRawClient(port)
  client.send(request)
  const answer = await client.until((text) => text.includes('\r\n\r\n'))
  client.socket.destroy()
  const waitedMs = systemClock.monotonic() - startedAt
  assert.ok(waitedMs < WAIT_MS_MAX, `answered after ${Math.round(waitedMs)} ms`)
  return answer.slice(9, 12)
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

test('half a head on every connection of the proxy keeps no caller and no probe out', async (t) => {
  const port = portOf(program.addresses.proxy)
  await openFlood(t, { port, count: 3 * PROXY_CONNECTIONS_MAX, text: HALF_HEAD })
  for (const request of [call, get('/healthz'), get('/readyz'), call]) {
    assert.equal(await ask(port, request), '200')
  }
})

test('refused requests whose bodies never come keep no caller out of the proxy', async (t) => {
  const port = portOf(program.addresses.proxy)
  const text = 'POST /v1/openai/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n'
  await openFlood(t, { port, count: 3 * PROXY_CONNECTIONS_MAX, text })
  for (const request of [call, get('/healthz')]) assert.equal(await ask(port, request), '200')
})

test(
  'a caller who is slow with a head is not cut for a flood from another address',
  { skip: NEEDS_PROC },
  async (t) => {
    const port = portOf(program.addresses.proxy)
    const slow = await openRawClient(port)
    t.after(() => slow.socket.destroy())
    slow.send(call.slice(0, 20))
    const flood = { port, count: 3 * PROXY_CONNECTIONS_MAX, text: HALF_HEAD }
    await openFlood(t, { ...flood, localAddress: '127.0.0.2' })
    assert.equal(await ask(port, get('/healthz')), '200')
    slow.send(call.slice(20))
    assert.match(await slow.until((text) => text.endsWith('ok')), /^HTTP\/1\.1 200 /)
  },
)

test('with a call on every connection of the proxy probes are answered, and no call is cut', async (t) => {
  const port = portOf(program.addresses.proxy)
  const request = call.replace('/v1/models', '/v1/unanswered')
  const callers = await Promise.all(
    Array.from({ length: PROXY_CONNECTIONS_MAX }, () => openRawClient(port)),
  )
  t.after(() => callers.forEach(({ socket }) => socket.destroy()))
  for (const caller of callers) caller.send(request)
  while (unanswered.length < callers.length) await new Promise((resolve) => setImmediate(resolve))
  await openFlood(t, { port, count: 3 * PROXY_CONNECTIONS_MAX, text: HALF_HEAD })
  assert.equal(await ask(port, get('/healthz')), '200')
  assert.equal(await ask(port, get('/readyz')), '200')
  const refused = await openRawClient(port)
  refused.send(call)
  assert.match(await refused.closed(), /^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*"overloaded"/)
  for (const { socket } of unanswered.splice(0)) socket.write(OK)
  for (const caller of callers) await caller.until((text) => text.endsWith('ok'))
})

const API_FLOODS: [name: string, text: string][] = [
  ['nothing sent', ''],
  ['half a head', HALF_HEAD],
  [
    'half a body',
    'POST /v1/setup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
]

for (const [name, text] of API_FLOODS) {
  test(`${name} on every connection of the API keeps no one out`, async (t) => {
    const port = portOf(program.addresses.api)
    await openFlood(t, { port, count: API_CONNECTIONS, text })
    for (const path of ['/v1/info', '/healthz', '/readyz']) {
      assert.equal(await ask(port, get(path)), '200')
    }
  })
}
