import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { createOpening } from '../../test/contracts/usage-scene.ts'
import { systemClock } from '../core/clock.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { openJournalWriter } from '../journal/writer.ts'
import { createFakeStarter, createTestConfig, settle } from '../../test/fakes/role-process.ts'
import type { FakeProcess } from '../../test/fakes/role-process.ts'
import type { NodeRole } from '../store/nodes/node-store.ts'
import { createMeter } from './meter.ts'
import { openLeases } from './shared-limits.ts'
import { Supervisor } from './supervisor.ts'
import type { SupervisorOptions } from './supervisor.ts'

const READY = { kind: 'ready' } as const
const FAILED = { kind: 'failed', error: new Error('the disk is full') } as const

type SceneOptions = Partial<Pick<SupervisorOptions, 'config' | 'leases' | 'isClaimed' | 'clock'>>

function createScene(workers = 2, nodeRole: NodeRole = 'all', options: SceneOptions = {}) {
  const { config = configOf(workers), leases = null } = options
  const starter = createFakeStarter()
  const said: string[] = []
  const supervisor = new Supervisor({
    config,
    nodeRole,
    start: starter.start,
    leases,
    isClaimed: options.isClaimed ?? true,
    clock: options.clock ?? systemClock,
    meter: createMeter(),
    say: (line) => said.push(line),
  })
  for (const process of starter.processes) process.become(READY)
  return { ...starter, supervisor, config, said }
}

type Scene = ReturnType<typeof createScene>

function configOf(workers: number) {
  return createTestConfig({
    WEIR_PROXY_WORKERS: String(workers),
    WEIR_SHUTDOWN_DRAIN_SECONDS: '7',
    WEIR_PROXY_IDLE_TIMEOUT_MS: '900',
  })
}

/** Lets the successors of a reload become ready, one after the other. */
async function succeed(scene: Scene, reloading: Promise<unknown>): Promise<void> {
  let isDone = false
  void reloading.then(() => (isDone = true))
  while (!isDone) {
    await settle()
    scene.processes.at(-1)?.become(READY)
    for (const ledger of scene.of('ledger').filter(isAsked)) await ledger.die('exit code 0')
  }
}

const isAsked = ({ drains }: FakeProcess): boolean => drains.length > 0

test('is ready when every process is', async () => {
  const scene = createScene(3)
  await scene.supervisor.ready
  assert.deepEqual(
    (['ledger', 'api', 'proxy'] as const).map((role) => scene.of(role).length),
    [1, 1, 3],
  )
})

function sortedRoles(processes: readonly FakeProcess[]): readonly string[] {
  return processes.map(({ role }): string => role).toSorted()
}

for (const [nodeRole, expected] of [
  ['all', ['api', 'ledger', 'proxy', 'proxy']],
  ['proxy', ['ledger', 'proxy', 'proxy']],
  ['api', ['api']],
] as const) {
  test(`a node of role ${nodeRole} runs its processes and no other, also after a reload`, async () => {
    const scene = createScene(2, nodeRole)
    await scene.supervisor.ready
    assert.deepEqual(sortedRoles(scene.processes), expected)
    const reloading = scene.supervisor.reload(configOf(2))
    await succeed(scene, reloading)
    assert.equal((await reloading).kind, 'done')
    assert.deepEqual(sortedRoles(scene.processes.slice(expected.length)), expected)
  })
}

test('fails to start when one process does', async () => {
  const starter = createFakeStarter()
  const { start } = starter
  const say = (): void => {}
  const options = { config: configOf(2), start, clock: systemClock, meter: createMeter(), say }
  const supervisor = new Supervisor({ ...options, leases: null, isClaimed: true, nodeRole: 'all' })
  starter.of('proxy')[1]?.become(FAILED)
  await assert.rejects(supervisor.ready, /the disk is full/)
})

test('a reload replaces one worker at a time, and the old one is asked to end only when the new one is ready', async () => {
  const scene = createScene()
  const [first, second] = scene.of('proxy') as [FakeProcess, FakeProcess]
  const config = configOf(2)
  const reloading = scene.supervisor.reload(config)
  await settle()
  assert.equal(scene.of('proxy').length, 3)
  assert.equal(isAsked(first), false)
  scene.of('proxy')[2]?.become(READY)
  await settle()
  assert.deepEqual(first.drains, [{ timeoutMs: 3_600_000, idleMs: 900 }])
  assert.deepEqual([scene.of('proxy').length, isAsked(second)], [4, false])
  const [ledger] = scene.of('ledger') as [FakeProcess]
  assert.equal(isAsked(ledger), false)
  scene.of('proxy')[3]?.become(READY)
  await settle()
  // Two would store the same journals.
  assert.deepEqual([isAsked(second), isAsked(ledger)], [true, true])
  assert.equal(scene.of('ledger').length, 1)
  await ledger.die('exit code 0')
  assert.equal(scene.of('ledger').length, 2)
  scene.of('ledger')[1]?.become(READY)
  await settle()
  const [api, nextApi] = scene.of('api') as [FakeProcess, FakeProcess]
  assert.equal(isAsked(api), false)
  nextApi.become(READY)
  assert.deepEqual(await reloading, { kind: 'done', workers: 2 })
  assert.deepEqual(api.drains, [{ timeoutMs: 7000, idleMs: 5000 }])
  assert.ok(scene.processes.slice(4).every((process) => process.config === config))
  assert.deepEqual(scene.said, [])
})

test('a first successor that cannot start leaves everything as it was', async () => {
  const scene = createScene()
  const reloading = scene.supervisor.reload(configOf(2))
  await settle()
  scene.of('proxy')[2]?.become(FAILED)
  assert.deepEqual(await reloading, { kind: 'refused', reason: 'the disk is full' })
  assert.deepEqual([scene.processes.length, scene.processes.some(isAsked)], [5, false])
  assert.equal(scene.of('proxy')[2]?.isKilled(), true)
})

test('a second successor that cannot start stops the reload, and the others go on', async () => {
  const scene = createScene()
  const reloading = scene.supervisor.reload(configOf(2))
  await settle()
  scene.of('proxy')[2]?.become(READY)
  await settle()
  scene.of('proxy')[3]?.become(FAILED)
  assert.deepEqual(await reloading, { kind: 'failed', reason: 'the disk is full', workers: 1 })
  assert.deepEqual(scene.of('proxy').map(isAsked), [true, false, false, false])
  assert.equal(scene.of('ledger').length, 1)
})

test('a successor that does not become ready is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene()
  const reloading = scene.supervisor.reload(configOf(2))
  await settle()
  t.mock.timers.tick(30_000)
  const outcome = await reloading
  assert.equal(outcome.kind, 'refused')
  assert.equal(scene.of('proxy')[2]?.isKilled(), true)
})

test('a ledger that cannot start with the new configuration goes on with the old one', async () => {
  const scene = createScene(1)
  const reloading = scene.supervisor.reload(configOf(1))
  await settle()
  scene.of('proxy')[1]?.become(READY)
  await settle()
  await scene.of('ledger')[0]?.die('exit code 0')
  scene.of('ledger')[1]?.become(FAILED)
  assert.deepEqual(await reloading, { kind: 'failed', reason: 'the disk is full', workers: 1 })
  assert.equal(scene.of('ledger').length, 3)
  assert.equal(scene.of('ledger')[2]?.config, scene.config)
  assert.deepEqual(scene.of('api').map(isAsked), [false])
})

test('an API that cannot start with the new configuration leaves the old one to answer', async () => {
  const scene = createScene(1)
  const reloading = scene.supervisor.reload(configOf(1))
  await settle()
  scene.of('proxy')[1]?.become(READY)
  await settle()
  await scene.of('ledger')[0]?.die('exit code 0')
  scene.of('ledger')[1]?.become(READY)
  await settle()
  scene.of('api')[1]?.become(FAILED)
  assert.deepEqual(await reloading, { kind: 'failed', reason: 'the disk is full', workers: 1 })
  assert.deepEqual(scene.of('api').map(isAsked), [false, false])
  assert.equal(scene.of('api')[1]?.isKilled(), true)
})

for (const [before, after] of [
  [1, 3],
  [3, 1],
] as const) {
  test(`a reload changes the number of workers from ${before} to ${after}`, async () => {
    const scene = createScene(before)
    const reloading = scene.supervisor.reload(configOf(after))
    await succeed(scene, reloading)
    assert.deepEqual(await reloading, { kind: 'done', workers: after })
    const old = scene.of('proxy').slice(0, before)
    const young = scene.of('proxy').slice(before)
    assert.deepEqual([old.every(isAsked), young.length, young.some(isAsked)], [true, after, false])
  })
}

test('a reload is refused while too many relieved workers still finish their calls', async () => {
  const scene = createScene(1)
  for (let count = 0; count < 4; count++) {
    const reloading = scene.supervisor.reload(configOf(1))
    await succeed(scene, reloading)
    assert.equal((await reloading).kind, 'done')
  }
  const started = scene.processes.length
  const refused = await scene.supervisor.reload(configOf(1))
  assert.equal(refused.kind, 'refused')
  assert.equal(scene.processes.length, started)
  await scene.of('proxy')[0]?.die('exit code 0')
  const reloading = scene.supervisor.reload(configOf(1))
  await succeed(scene, reloading)
  assert.equal((await reloading).kind, 'done')
})

test('a drain in the middle of a reload ends all processes, the relieved ones within the normal time', async () => {
  const scene = createScene()
  const reloading = scene.supervisor.reload(configOf(2))
  await settle()
  scene.of('proxy')[2]?.become(READY)
  await settle()
  const draining = scene.supervisor.drain()
  const ends = { timeoutMs: 7000, idleMs: 0 }
  assert.deepEqual(
    scene.of('proxy').map(({ drains }) => drains.at(-1)),
    [ends, ends, ends, ends],
  )
  assert.equal(scene.of('ledger').some(isAsked), false)
  for (const process of scene.of('proxy')) await process.die('exit code 0')
  for (const process of [...scene.of('ledger'), ...scene.of('api')]) {
    assert.equal(isAsked(process), true)
    await process.die('exit code 0')
  }
  await draining
  assert.deepEqual(await reloading, { kind: 'ended' })
  assert.deepEqual(await scene.supervisor.reload(configOf(2)), { kind: 'ended' })
  assert.deepEqual([scene.processes.length, scene.said], [6, []])
})

test('a worker that dies is started again, a relieved one is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene(1)
  await scene.of('proxy')[0]?.die('SIGKILL')
  t.mock.timers.tick(50)
  assert.equal(scene.of('proxy').length, 2)
  scene.of('proxy')[1]?.become(READY)
  assert.deepEqual(scene.said, ['the proxy process ended (SIGKILL); starting it again'])
  const reloading = scene.supervisor.reload(configOf(1))
  await succeed(scene, reloading)
  await scene.of('proxy')[1]?.die('SIGSEGV')
  t.mock.timers.tick(10_000)
  assert.deepEqual([scene.of('proxy').length, scene.said.length], [3, 1])
})

test("relieved workers' figures are summed while they live, and their counters afterwards", async () => {
  const scene = createScene(1)
  const samples = [
    { metric: 'journalLines', labels: [], value: 10 },
    { metric: 'clientConnections', labels: [], value: 3 },
  ] as const
  scene.of('proxy')[0]?.report(samples)
  const reloading = scene.supervisor.reload(configOf(1))
  await succeed(scene, reloading)
  const shared = (): Record<string, number> => {
    scene.of('proxy')[1]?.report(samples)
    const sent = scene.of('api')[1]?.sent.findLast(({ kind }) => kind === 'metrics')
    const figures = sent?.kind === 'metrics' ? sent.samples : []
    return Object.fromEntries(figures.map(({ metric, value }) => [metric, value]))
  }
  assert.deepEqual(shared(), { journalLines: 20, clientConnections: 6 })
  await scene.of('proxy')[0]?.die('exit code 0')
  assert.deepEqual(shared(), { journalLines: 20, clientConnections: 3 })
})

test('what a worker asks at the gate is answered, and a worker that died has left it', async () => {
  const scene = createScene()
  const [first, second] = scene.of('proxy') as [FakeProcess, FakeProcess]
  const ask = { keyId: 'k', rpm: null, maxParallel: 1, budgets: [] }
  const asked = async (process: FakeProcess, callId: string): Promise<unknown> => {
    process.receive({
      kind: 'limiterMessages',
      messages: [{ kind: 'reserve', request: { ...ask, callId } }],
    })
    await new Promise((resolve) => setImmediate(resolve))
    const sent = process.sent.at(-1)
    return sent?.kind === 'reservationAnswers' ? sent.answers[0]?.kind : sent?.kind
  }
  assert.equal(await asked(first, 'c1'), 'granted')
  assert.equal(await asked(second, 'c2'), 'parallel')
  await first.die('SIGKILL')
  assert.equal(await asked(second, 'c3'), 'granted')
})

test('without the database of shared limits, calls follow limits.onOutage of the last reload', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-supervisor-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const env = {
    WEIR_DATA_DIR: dataDir,
    WEIR_PROXY_WORKERS: '1',
    WEIR_SETTINGS_URL: 'postgres://weir@127.0.0.1:1/weir',
  }
  const config = createTestConfig(env)
  const scene = createScene(1, 'proxy', { config, leases: await openLeases(config) })
  const asked = async (callId: string): Promise<unknown> => {
    const worker = scene.of('proxy').at(-1) as FakeProcess
    const request = { callId, keyId: 'k', rpm: 5, maxParallel: null, budgets: [] }
    worker.receive({ kind: 'limiterMessages', messages: [{ kind: 'reserve', request }] })
    for (;;) {
      const sent = worker.sent.at(-1)
      if (sent?.kind === 'reservationAnswers') return sent.answers[0]?.kind
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  assert.equal(await asked('c1'), 'unanswered')
  const allow = createTestConfig({ ...env, WEIR_LIMITS_ON_OUTAGE: 'allow' })
  await succeed(scene, scene.supervisor.reload(allow))
  assert.equal(await asked('c2'), 'granted')
  const draining = scene.supervisor.drain()
  for (const process of scene.processes) await process.die('exit code 0')
  await draining
})

test('what a ledger left in its journals is known when it ends, not when it is killed', async () => {
  const tally = { forwarded: 3, recorded: 3, dead: 0 }
  for (const [reason, isKnown] of [
    ['exit code 0', true],
    ['SIGKILL', false],
  ] as const) {
    const scene = createScene()
    const { health } = scene.supervisor
    assert.equal(await health.measureJournal(), null)
    const stand = { cursors: [], open: 0, tally, caughtUpAt: null }
    scene.of('ledger')[0]?.receive({ kind: 'stand', stand })
    assert.equal(health.isExact, true)
    const draining = scene.supervisor.drain()
    for (const process of scene.processes) await process.die(reason)
    await draining
    assert.equal(health.isExact, isKnown)
    assert.equal((await health.measureJournal())?.recorded, 3)
  }
})

test('the API has the current status of the ledger, whenever it was started', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene(1)
  const faultsOf = (index: number): (string | null)[] =>
    (scene.of('api')[index]?.sent ?? []).flatMap((sent) =>
      sent.kind === 'ledgerFault' ? [sent.fault] : [],
    )
  assert.deepEqual(faultsOf(0), ['The ledger has not started yet.'])
  scene.of('ledger')[0]?.receive({ kind: 'ledgerFault', fault: null })
  assert.equal(faultsOf(0).at(-1), null)
  await scene.of('ledger')[0]?.die('SIGKILL')
  assert.equal(faultsOf(0).at(-1), 'The ledger ended and is started again.')
  await scene.of('api')[0]?.die('SIGKILL')
  t.mock.timers.tick(50)
  assert.deepEqual(faultsOf(1), ['The ledger ended and is started again.'])
  scene.of('ledger')[1]?.receive({ kind: 'ledgerFault', fault: null })
  assert.equal(faultsOf(1).at(-1), null)
})

test('a ledger that hangs is told of and replaced, and its calls are counted from the files', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-supervisor-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const time = { nowMs: 0 }
  const clock = { now: () => time.nowMs, monotonic: () => time.nowMs }
  const config = { ...configOf(1), dataDir }
  const scene = createScene(1, 'all', { clock, config })
  await scene.supervisor.ready
  const { health } = scene.supervisor
  const [hung] = scene.of('ledger') as [FakeProcess]
  const others = [...scene.of('api'), ...scene.of('proxy')]
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time.nowMs += 1000
      for (const process of others) process.report([])
      t.mock.timers.tick(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const gauge = (name: string) =>
    scene.supervisor.samples().find(({ metric }) => metric === name)?.value
  hung.receive({ kind: 'ledgerFault', fault: null })
  const tally = { forwarded: 5, recorded: 5, dead: 0 }
  hung.receive({ kind: 'stand', stand: { cursors: [], open: 0, tally, caughtUpAt: null } })
  hung.report([{ metric: 'callsPending', labels: [], value: 40 }])
  const dir = journalDir(dataDir)
  const journal = openJournalWriter({ dir, worker: 'w0', ...config.journal, meter: createMeter() })
  t.after(() => journal.close())
  journal.append({ kind: 'open', opening: createOpening() })
  await pass(9)
  assert.deepEqual([health.fault, gauge('callsPending'), scene.said], [null, 40, []])

  await pass(3)
  const silent = 'The ledger process has not answered for 10 s'
  assert.equal(health.fault, `${silent}. It is started again after 30 s.`)
  const [api] = scene.of('api')
  const lastFault = api?.sent.filter(({ kind }) => kind === 'ledgerFault').at(-1)
  assert.deepEqual(lastFault, { kind: 'ledgerFault', fault: health.fault })
  while (gauge('callsPending') === undefined) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([gauge('callsPending'), gauge('silentProcesses')], [1, 1])
  assert.deepEqual(scene.said, [silent])
  assert.equal((await health.measureJournal())?.pending, 1)
  assert.equal(hung.isKilled(), false)

  await pass(20)
  assert.equal(hung.isKilled(), true)
  assert.equal(gauge('silentProcesses'), 0)
  assert.equal(health.fault, 'The ledger ended and is started again.')
  assert.equal((await health.measureJournal())?.pending, 1)
  await pass(1)
  const [, next] = scene.of('ledger')
  next?.become(READY)
  next?.receive({ kind: 'ledgerFault', fault: null })
  assert.equal(health.fault, null)
})

test('a ledger stores while the node has its id, and is replaced by one that waits when it has not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const scene = createScene(1, 'proxy', { isClaimed: false })
  const isClaimed = (index: number) =>
    scene.of('ledger')[index]?.sent.some(({ kind }) => kind === 'claimed')
  assert.equal(isClaimed(0), false)
  scene.supervisor.setClaim(true)
  assert.equal(isClaimed(0), true)
  scene.supervisor.setClaim(false)
  assert.equal(scene.of('ledger')[0]?.isKilled(), true)
  await settle()
  t.mock.timers.tick(50)
  assert.equal(isClaimed(1), false)
  scene.supervisor.setClaim(true)
  assert.equal(isClaimed(1), true)
  await scene.of('ledger')[1]?.die('SIGKILL')
  t.mock.timers.tick(100)
  assert.equal(isClaimed(2), true)
})
