import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createEnvironment, runWeir } from '../../fakes/program.ts'
import type { CommandOutcome } from '../../fakes/program.ts'
import { shareScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

const TODAY = 'metric=cost_usd&window=today'
/** Longer than the test waits for an end that is not a drain's. */
const sharedScene = shareScene({ SHUTDOWN_DRAIN_SECONDS: '600', PROXY_WORKERS: '1' })
const END_MS_MAX = 60_000
const MESSAGES = [{ role: 'user' as const, content: 'Where are rivers measured?' }]

function findLedger({ program }: Scene): number {
  const pids = program.pids('ledger')
  assert.equal(pids.length, 1)
  return pids[0] as number
}

test('killing the API costs no figure, and another answers; the ledger goes on', async () => {
  const scene = sharedScene()
  const before = { api: scene.program.pids('api'), ledger: findLedger(scene) }
  process.kill(before.api[0] as number, 'SIGKILL')
  const key = scene.nextKey()
  const call = { model: 'acme/writer', messages: MESSAGES, metadata: { cost: '0.04' } }
  await scene.sdk('gateway', key).chat.completions.create(call)
  await scene.untilValue(`${TODAY}&api_key=${key.id}`, 0.04)
  assert.equal(findLedger(scene), before.ledger)
  assert.notDeepEqual(scene.program.pids('api'), before.api)
})

test('killing the ledger while calls run costs no caller anything, and no figure', async () => {
  const scene = sharedScene()
  const key = scene.nextKey()
  const sdk = scene.sdk('gateway', key)
  const stream = async (): Promise<number> => {
    const chunks = await sdk.chat.completions.create({
      model: 'acme/writer',
      messages: MESSAGES,
      stream: true,
      metadata: { cost: '0.01', chunks: '20', delay_ms: '20' },
    })
    let count = 0
    for await (const _ of chunks) count++
    return count
  }
  const first = Array.from({ length: 10 }, stream)
  const before = findLedger(scene)
  process.kill(before, 'SIGKILL')
  const second = Array.from({ length: 10 }, stream)
  const counts = await Promise.all([...first, ...second])
  assert.deepEqual(new Set(counts), new Set([counts[0]]))
  await scene.untilValue(`${TODAY}&api_key=${key.id}`, 0.2)
  assert.notEqual(findLedger(scene), before)
})

test('killing a proxy worker leaves its calls as interrupted, and the port answers on', async () => {
  const scene = sharedScene()
  const response = await fetch(`${scene.program.addresses.proxy}/v1/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-api-key': scene.key.key },
    body: JSON.stringify({
      model: 'acme/writer',
      messages: MESSAGES,
      stream: true,
      metadata: { fail: 'hang-after-2' },
    }),
  })
  process.kill(scene.program.pids('proxy')[0] as number, 'SIGKILL')
  await assert.rejects(response.text())
  await scene.sdk('gateway').chat.completions.create({ model: 'acme/writer', messages: MESSAGES })
  const { event, cost } = await scene.record(response.headers.get('x-svc-request-id') as string)
  assert.deepEqual([event.status, event.usage, cost.source], ['interrupted', 'none', 'unpriced'])
})

test('SIGTERM lets a running stream end, stores it, and exits with 0', async () => {
  const scene = sharedScene()
  const key = scene.nextKey()
  const stream = await scene.sdk('gateway', key).chat.completions.create({
    model: 'acme/writer',
    messages: MESSAGES,
    stream: true,
    // For six seconds: a busy machine takes some until the port is closed.
    metadata: { cost: '0.25', chunks: '40', delay_ms: '150' },
  })
  let last: string | null = null
  let code: Promise<number | null> | null = null
  let isRefusing = false
  for await (const chunk of stream) {
    code ??= scene.program.stop()
    last = chunk.choices[0]?.finish_reason ?? null
    isRefusing ||= await isRefused(scene.program.addresses.proxy)
  }
  assert.equal(last, 'stop')
  assert.equal(isRefusing, true)
  assert.equal(await code, 0)
  await scene.program.restart()
  await scene.untilValue(`${TODAY}&api_key=${key.id}`, 0.25, 0)
})

/** Whether no process listens there any more. */
async function isRefused(address: string): Promise<boolean> {
  try {
    await fetch(`${address}/healthz`, { headers: { connection: 'close' } })
    return false
  } catch (error) {
    return (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED'
  }
}

test('a second signal ends a drain at once, and the call is recorded as interrupted', async () => {
  const scene = sharedScene()
  const { data, response } = await scene
    .sdk('gateway')
    .chat.completions.create({
      model: 'acme/writer',
      messages: MESSAGES,
      stream: true,
      metadata: { fail: 'hang-after-1' },
    })
    .withResponse()
  const reading = assert.rejects(async () => {
    for await (const _ of data);
  })
  const ended = scene.program.stop()
  while (!(await isRefused(scene.program.addresses.proxy)));
  // Signals that follow within a second are one: a terminal and npm both pass on one Ctrl-C. Those
  // that come while the program ends do not change how it ends.
  const insisting = setInterval(() => scene.program.process.kill('SIGTERM'), 2)
  const insistedAt = performance.now()
  assert.equal(await ended.finally(() => clearInterval(insisting)), 1)
  assert.ok(performance.now() - insistedAt < END_MS_MAX, 'the drain went on')
  await reading
  await scene.program.restart()
  const { event } = await scene.record(response.headers.get('x-svc-request-id') as string)
  assert.equal(event.status, 'interrupted')
})

test('a caller that leaves ends the upstream call, which is recorded as aborted', async () => {
  const scene = sharedScene()
  const leaving = new AbortController()
  const { data, response } = await scene
    .sdk('gateway')
    .chat.completions.create(
      {
        model: 'acme/writer',
        messages: MESSAGES,
        stream: true,
        metadata: { fail: 'hang-after-3' },
      },
      { signal: leaving.signal },
    )
    .withResponse()
  for await (const _ of data) {
    leaving.abort()
    break
  }
  await scene.upstream.whenEnded(scene.upstream.callCount)
  const { event } = await scene.record(response.headers.get('x-svc-request-id') as string)
  assert.equal(event.status, 'aborted')
  assert.equal(scene.upstream.calls.at(-1)?.outcome, 'aborted')
})

async function startWith(
  t: TestContext,
  settings: Record<string, string>,
  file = '',
): Promise<CommandOutcome> {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-e2e-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  writeFileSync(join(cwd, 'weir.yaml'), file)
  const env = createEnvironment({ PROXY_PORT: '0', API_PORT: '0', ...settings })
  return runWeir(['start'], { cwd, env })
}

test('three faults in the configuration are reported at once, each with what to write', async (t) => {
  const { code, err, out } = await startWith(
    t,
    { JOURNAL_FSYNC: 'sometimes' },
    'proxy:\n  prot: 80\nproviders:\n  gateway:\n    url: not an address\n',
  )
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /WEIR_JOURNAL_FSYNC.*always.*interval.*never/)
  assert.match(err, /proxy\.prot.*port/)
  assert.match(err, /providers\.gateway\.url.*http/)
})

test('a data directory that cannot be written is one clear line and exit code 1', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-e2e-')), 'file')
  writeFileSync(file, '')
  const { code, err } = await startWith(t, { DATA_DIR: join(file, 'data') })
  assert.equal(code, 1)
  assert.match(err, /The data directory .* cannot be written \(ENOTDIR\)/)
  assert.match(err, /WEIR_DATA_DIR/)
})

test('a port that is taken is one clear line and exit code 1', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  for (const setting of ['PROXY_PORT', 'API_PORT']) {
    const { code, err } = await startWith(t, { [setting]: String(port) })
    assert.equal(code, 1)
    assert.match(err, new RegExp(`127.0.0.1:${port} is taken`))
    assert.match(err, new RegExp(`WEIR_${setting}`))
  }
})

test('a second start on the same data directory is refused', async (t) => {
  const { program } = sharedScene()
  const { code, err } = await startWith(t, { DATA_DIR: program.dataDir })
  assert.equal(code, 1)
  assert.match(err, /Another weir start is running/)
})
