import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { openLedgerStore } from '../../../src/store/open-store.ts'
import { systemClock } from '../../../src/core/clock.ts'
import type { UsageSum } from '../../../src/store/usage/usage-store.ts'
import { NEEDS_PROC, findCallerPorts } from '../../fakes/callers/caller-ports.ts'
import { callOnce, keepCalling } from '../../fakes/callers/keep-calling.ts'
import type { CallOutcome, Callers } from '../../fakes/callers/keep-calling.ts'
import { freeze, whileFrozen } from '../../fakes/processes.ts'
import type { Program } from '../../fakes/program.ts'
import { openScene } from '../scene.ts'
import type { CallerKey, Scene } from '../scene.ts'

const CALLERS = 8
const CALLS_MAX = 20_000
const WAIT_MS_MAX = 120_000
const MESSAGES = [{ role: 'user' as const, content: 'Where are rivers measured?' }]

let finishSlow = (): void => {}
/** An upstream whose answer is begun at once and ended when the test says so. */
const slow = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"id":"1"}\n\n')
  finishSlow = () => void response.end('data: [DONE]\n\n')
})
const closes: (() => Promise<void>)[] = []
let shared: Scene

before(async () => {
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  shared = await openScene(
    { after: (close) => closes.push(close) },
    {
      PROXY_WORKERS: '2',
      PROVIDER_SLOW_URL: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
      PROVIDER_SLOW_SHAPE: 'openai',
    },
  )
})

after(async () => {
  slow.close().closeAllConnections()
  for (const close of closes.toReversed()) await close()
})

function chatUrl({ program }: Scene, provider = 'gateway'): string {
  return `${program.addresses.proxy}/v1/${provider}/v1/chat/completions`
}

function listPids(program: Program): number[] {
  return (['proxy', 'ledger', 'api'] as const).flatMap((role) => program.pids(role))
}

function load(scene: Scene, { key }: CallerKey): Callers {
  return keepCalling({
    url: chatUrl(scene),
    key,
    count: CALLERS,
    callsMax: CALLS_MAX,
  })
}

function faults(outcomes: readonly CallOutcome[]): CallOutcome[] {
  return outcomes.filter(({ fault, status }) => fault !== null || status !== 200)
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    if (systemClock.monotonic() > end) throw new Error(`${what}: not within ${WAIT_MS_MAX} ms`)
    await pause(20)
  }
}

/** The sums of a key's calls, once there are at least so many. */
async function readSums(
  { program }: Scene,
  { id: keyId }: CallerKey,
  requests: number,
): Promise<UsageSum> {
  const store = await openLedgerStore({ dataDir: program.dataDir, clock: systemClock })
  const period = { grain: 'month', from: '2020-01', to: '2099-12' } as const
  try {
    let sums: UsageSum | undefined
    await until(async () => {
      ;[sums] = await store.usage.sum({ period, grouping: { by: 'total' }, keyId })
      return (sums?.requests ?? 0) >= requests
    }, `${requests} records`)
    return sums as UsageSum
  } finally {
    await store.close()
  }
}

test(
  'kill -9 of one worker of two under load: its own calls fail, no other, and no connection is refused',
  { skip: NEEDS_PROC },
  async (t) => {
    const scene = shared
    const key = scene.nextKey()
    const callsBefore = scene.upstream.callCount
    const proxyPort = Number(new URL(scene.program.addresses.proxy).port)
    const callers = load(scene, key)
    t.after(() => callers.stop())
    await callers.more(150)
    const workers = scene.program.pids('proxy')
    assert.equal(workers.length, 2)
    // Stopped first, so that it takes no connection between the look and the kill.
    const victims = workers.map((pid) => ({ pid, ports: findCallerPorts(pid, proxyPort) }))
    const victim = victims.toSorted((a, b) => b.ports.size - a.ports.size)[0] as (typeof victims)[0]
    await freeze(victim.pid)
    const ports = findCallerPorts(victim.pid, proxyPort)
    assert.ok(ports.size > 0)
    process.kill(victim.pid, 'SIGKILL')
    await until(() => {
      const pids = scene.program.pids('proxy')
      return pids.length === 2 && !pids.includes(victim.pid)
    }, 'the worker is back')
    await callers.more(150)
    await callers.stop()

    const failed = faults(callers.outcomes)
    assert.deepEqual(
      failed.filter(({ port }) => !ports.has(port)),
      [],
    )
    assert.ok(failed.length <= ports.size)
    assert.deepEqual(
      failed.filter(({ fault }) => fault === 'ECONNREFUSED'),
      [],
    )
    const sums = await readSums(scene, key, scene.upstream.callCount - callsBefore)
    assert.ok(sums.requests <= callers.outcomes.length, 'a call was recorded twice')
    assert.ok(sums.unpriced <= ports.size, `${sums.unpriced} were interrupted`)
    for (const { requestId, fault } of failed) {
      if (fault !== 'cut') continue
      const { event } = await scene.record(requestId as string)
      assert.equal(event.status, 'interrupted')
    }
  },
)

test('SIGHUP under load, twice: no call fails, a stream is finished whole, and the changes are in force', async (t) => {
  const scene = shared
  const key = scene.nextKey()
  const { program, upstream } = scene
  const callsBefore = upstream.callCount
  const before = listPids(program)
  const callers = load(scene, key)
  t.after(() => callers.stop())
  const stream = await fetch(chatUrl(scene, 'slow'), {
    method: 'POST',
    headers: { 'x-svc-api-key': key.key },
    body: '{}',
  })
  await callers.more(100)
  // On connections of their own: one that is open already may have its next call from the old
  // worker.
  const callRivers = async (): Promise<number> => {
    const call = { url: chatUrl(scene, 'rivers'), key: key.key, isStreamed: false }
    return (await callOnce({ ...call, agent: new Agent() })).status
  }
  assert.equal(await callRivers(), 404)
  program.writeConfig(`providers:\n  rivers:\n    url: ${upstream.url}/openai\n    shape: openai\n`)
  program.signal('SIGHUP')
  await program.untilSaid('configuration reloaded; 2 workers replaced')
  assert.equal(await callRivers(), 200)
  program.writeConfig('')
  program.signal('SIGHUP')
  await program.untilSaid('configuration reloaded; 2 workers replaced', 2)
  assert.equal(await callRivers(), 404)
  finishSlow()
  assert.equal(await stream.text(), 'data: {"id":"1"}\n\ndata: [DONE]\n\n')
  await callers.more(50)
  await callers.stop()
  assert.deepEqual(faults(callers.outcomes), [])
  assert.ok(callers.outcomes.length < CALLS_MAX, 'the callers stopped before the end')
  await until(() => {
    const pids = listPids(program)
    return pids.length === 4 && !pids.some((pid) => before.includes(pid))
  }, 'the old processes end')

  const calls = upstream.callCount - callsBefore
  assert.equal(calls, callers.outcomes.length + 1)
  const sums = await readSums(scene, key, calls + 1)
  // Two calls went to providers of our own and have no price; every other has its cost.
  assert.deepEqual([sums.requests, sums.unpriced], [callers.outcomes.length + 2, 2])
  assert.equal(sums.cost, 1_000_000_000n * BigInt(callers.outcomes.length))
})

test('a configuration with a fault, or one that needs a restart, changes nothing at SIGHUP', async () => {
  const { program } = shared
  const pids = listPids(program)
  program.writeConfig('proxy:\n  prot: 80\ndims:\n  onInvalid: ignore\n')
  program.signal('SIGHUP')
  await program.untilSaid('not reloaded, nothing has changed: The configuration has 2 errors')
  await program.untilSaid('proxy.prot')
  await program.untilSaid('dims.onInvalid')
  program.writeConfig('proxy:\n  host: 127.0.0.2\n')
  program.signal('SIGHUP')
  await program.untilSaid('nothing has changed: proxy.host: a change here needs a restart')
  assert.deepEqual(listPids(program), pids)
  await until(async () => {
    const metrics = await (await fetch(`${program.addresses.api}/metrics`)).text()
    return metrics.includes('weir_reloads_total{result="refused"} 2')
  }, 'both are counted')
})

test('SIGHUP changes the number of workers; SIGTERM in the middle of a reload lets streams end, exit code 0', async (t) => {
  const scene = await openScene(t)
  const { program } = scene
  program.writeConfig('proxy:\n  workers: 1\n')
  program.signal('SIGHUP')
  await program.untilSaid('configuration reloaded; 1 worker replaced')
  await until(() => program.pids('proxy').length === 1, 'one worker')
  const stream = await scene.sdk('gateway').chat.completions.create({
    model: 'acme/writer',
    messages: MESSAGES,
    stream: true,
    metadata: { chunks: '15', delay_ms: '100' },
  })
  program.signal('SIGHUP')
  await until(() => program.pids('proxy').length > 1, 'a successor')
  const code = program.stop()
  let last: string | null | undefined
  for await (const chunk of stream) last = chunk.choices[0]?.finish_reason ?? last
  assert.deepEqual([last, await code], ['stop', 0])
})

test(
  'a revoked key is refused by every worker, also on connections that were open before',
  { skip: NEEDS_PROC },
  async (t) => {
    const scene = shared
    const key = scene.nextKey()
    const call = { url: chatUrl(scene), key: key.key, isStreamed: false }
    const [first, second] = scene.program.pids('proxy') as [number, number]
    const agents: Agent[] = []
    for (const [asleep, awake] of [
      [second, first],
      [first, second],
    ] as const) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.after(() => agent.destroy())
      agents.push(agent)
      // While the one is stopped, only the other can take the connection.
      await whileFrozen(asleep, async () => {
        const outcome = await callOnce({ ...call, agent })
        assert.equal(outcome.status, 200)
        const port = Number(new URL(scene.program.addresses.proxy).port)
        assert.ok(findCallerPorts(awake, port).has(outcome.port))
      })
    }
    await scene.commands.json('keys', 'revoke', key.id)
    for (const agent of agents) {
      await until(async () => {
        const outcome = await callOnce({ ...call, agent })
        assert.equal(outcome.isFresh, false)
        return outcome.status === 401
      }, 'the key is refused')
    }
  },
)
