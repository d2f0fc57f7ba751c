import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'
import { NEEDS_PROC, findCallerPorts } from '../../fakes/callers/caller-ports.ts'
import { createCommandLineAt } from '../../fakes/command-line.ts'
import { openProgram } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { openRawClient } from '../../fakes/callers/raw-client.ts'
import type { RawClient } from '../../fakes/callers/raw-client.ts'
import { openScriptedUpstream } from '../../fakes/upstreams/scripted-upstream.ts'
import type {
  ScriptedUpstream,
  UpstreamConnection,
} from '../../fakes/upstreams/scripted-upstream.ts'

const CONNECTIONS = 8
const CONNECTIONS_MAX = 64
const WAIT_MS_MAX = 120_000
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

interface Shared {
  readonly program: Program
  readonly upstream: ScriptedUpstream
  readonly unanswered: UpstreamConnection[]
  readonly often: string
  readonly many: string
}

let shared: Shared | null = null

before(async () => {
  const unanswered: UpstreamConnection[] = []
  const upstream = await openScriptedUpstream((connection) => {
    if (!connection.received.endsWith('\r\n\r\n')) return
    if (connection.received.includes('/unanswered')) unanswered.push(connection)
    else connection.socket.write(OK)
    connection.received = ''
  })
  const keys: string[] = []
  const program = await openProgram({
    settings: { PROVIDER_OPENAI_URL: upstream.url, PROXY_WORKERS: '2' },
    prepare: async (dataDir) => {
      const { json } = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
      for (const limit of [
        ['--rpm', '5'],
        ['--max-parallel', '2'],
      ]) {
        const made = await json<{ key: string }>('keys', 'create', '--name', 'limited', ...limit)
        keys.push(made.key)
      }
    },
  })
  const [often = '', many = ''] = keys
  shared = { program, upstream, unanswered, often, many }
})

after(async () => {
  await shared?.program.close()
  await shared?.upstream.close()
})

/** Connections of which every worker has some. */
async function connectAll({ program }: Shared): Promise<RawClient[]> {
  const port = Number(new URL(program.addresses.proxy).port)
  const clients: RawClient[] = []
  const isSpread = (): boolean =>
    program.pids('proxy').every((pid) => findCallerPorts(pid, port).size > 0)
  while (clients.length < CONNECTIONS || !isSpread()) {
    assert.ok(clients.length < CONNECTIONS_MAX, 'one worker takes no connection')
    clients.push(await openRawClient(port))
  }
  return clients
}

const headOf = (target: string, key: string): string =>
  `GET /v1/openai/${target} HTTP/1.1\r\nHost: weir\r\nX-SVC-API-Key: ${key}\r\n\r\n`

/** Sends a call on each connection at once; returns the status of each answer. */
async function callAll(clients: readonly RawClient[], request: string): Promise<string[]> {
  for (const client of clients) {
    client.received = ''
    client.send(request)
  }
  const answers = clients.map((client) => client.until((text) => /ok$|\}$/.test(text)))
  return (await Promise.all(answers)).map((answer) => answer.slice(9, 12))
}

const countOf = (statuses: readonly string[], status: string): number =>
  statuses.filter((one) => one === status).length

async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = systemClock.monotonic() + WAIT_MS_MAX
  while (!isSo()) {
    if (systemClock.monotonic() > end) throw new Error(`${what}: not within ${WAIT_MS_MAX} ms`)
    await pause(5)
  }
}

test(
  'of a key that may make 5 calls a minute exactly 5 pass, whichever worker takes them',
  { skip: NEEDS_PROC },
  async (t) => {
    const scene = shared as Shared
    const clients = await connectAll(scene)
    t.after(() => clients.forEach(({ socket }) => socket.destroy()))
    const request = headOf('v1/models', scene.often)
    const startedAt = systemClock.monotonic()
    const statuses = [...(await callAll(clients, request)), ...(await callAll(clients, request))]
    const passedSeconds = (systemClock.monotonic() - startedAt) / 1000
    assert.equal(countOf(statuses, '200'), 5)
    assert.equal(countOf(statuses, '429'), 2 * clients.length - 5)
    const refused = clients.find(({ received }) => received.startsWith('HTTP/1.1 429'))
    const seconds = Number(/\r\nRetry-After: (\d+)\r\n/.exec(refused?.received ?? '')?.[1])
    assert.ok(seconds >= 60 - passedSeconds && seconds <= 60, `${seconds}, ${passedSeconds}`)
  },
)

test(
  'of a key that may have 2 calls at once 2 run, the others are refused, and an ended call makes room',
  { skip: NEEDS_PROC },
  async (t) => {
    const scene = shared as Shared
    const clients = await connectAll(scene)
    t.after(() => clients.forEach(({ socket }) => socket.destroy()))
    const calls = callAll(clients, headOf('v1/unanswered', scene.many))
    const isRefused = ({ received }: RawClient): boolean => received.startsWith('HTTP/1.1 429')
    await until(() => clients.filter(isRefused).length === clients.length - 2, 'the refusals')
    await until(() => scene.unanswered.length === 2, 'the two calls')
    for (const { socket } of scene.unanswered.splice(0)) socket.write(OK)
    assert.equal(countOf(await calls, '200'), 2)
    const [one, another] = clients as [RawClient, RawClient]
    assert.deepEqual(await callAll([one, another], headOf('v1/models', scene.many)), ['200', '200'])
  },
)
