import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'
import { whileFrozen } from '../../fakes/processes.ts'
import { findValue, parseMetrics } from '../../fakes/parse-metrics.ts'
import type { MetricFamily } from '../../fakes/parse-metrics.ts'
import { shareScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

/** The tests are one story: each adds calls to those before it. */
const sharedScene = shareScene({ PROXY_WORKERS: '2' })

type Families = ReadonlyMap<string, MetricFamily>

/** Processes report once a second, and one may have to be started again. */
const FIGURES_MS_MAX = 120_000

async function readMetrics({ program }: Scene): Promise<Families> {
  const response = await fetch(`${program.addresses.api}/metrics`)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  return parseMetrics(await response.text())
}

/** The figures, once they are as expected; fails when they do not become so. */
async function untilFigures(scene: Scene, isThere: (figures: Families) => boolean) {
  const until = systemClock.monotonic() + FIGURES_MS_MAX
  for (;;) {
    const figures = await readMetrics(scene)
    if (isThere(figures)) return figures
    if (systemClock.monotonic() > until) {
      const counted = [...figures.values()].flatMap(({ samples }) => samples)
      const shown = counted.filter(({ name, value }) => value > 0 && !name.includes('nodejs'))
      throw new Error(`the figures stayed at ${JSON.stringify(shown, null, 1)}`)
    }
    await pause(100)
  }
}

function total(figures: Families, name: string): number {
  const samples = figures.get(name)?.samples ?? []
  return samples.reduce((sum, { value }) => sum + value, 0)
}

interface CallOptions {
  readonly provider?: 'gateway' | 'openai'
  readonly fail?: string
  readonly key?: string
  readonly signal?: AbortSignal
}

/** On a connection of its own. */
function call(scene: Scene, options: CallOptions = {}): Promise<Response> {
  const { provider = 'gateway', fail, key = scene.key.key, signal } = options
  const isStream = fail?.startsWith('hang-after') === true
  return fetch(`${scene.program.addresses.proxy}/v1/${provider}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', 'x-svc-api-key': key },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Where are rivers measured?' }],
      stream: isStream,
      metadata: fail === undefined ? {} : { fail },
    }),
    signal: signal ?? null,
  })
}

/** Three calls of each of two workers. */
async function callBothWorkers(scene: Scene): Promise<void> {
  const pids = scene.program.pids('proxy')
  assert.equal(pids.length, 2)
  for (const pid of pids) {
    await whileFrozen(pid, async () => {
      for (let count = 0; count < 3; count += 1) await (await call(scene)).text()
    })
  }
}

const DELIVERED = { provider: 'gateway', status: 'delivered', class: '2xx' }

test('every stored call is in the figures, and nothing is left behind in the journals', async () => {
  const scene = sharedScene()
  await callBothWorkers(scene)
  const gauges = {
    weir_calls_forwarded: 6,
    weir_calls_recorded: 6,
    weir_calls_pending: 0,
    weir_calls_dead: 0,
    weir_calls_lost: 0,
    weir_journal_lag_bytes: 0,
    weir_journal_lag_seconds: 0,
  }
  // Each process reports for itself, and workers and ledger not at the same moment.
  const figures = await untilFigures(
    scene,
    (now) =>
      total(now, 'weir_ledger_records_total') === 6 &&
      total(now, 'weir_requests_total') === 6 &&
      // Two starts, and two lines a call.
      total(now, 'weir_journal_lines_total') === 2 + 2 * 6 &&
      Object.entries(gauges).every(([gauge, value]) => findValue(now, gauge) === value),
  )
  for (const gauge of Object.keys(gauges)) assert.equal(figures.get(gauge)?.kind, 'gauge', gauge)
  for (const { name, samples } of figures.values()) {
    for (const { labels, value } of samples) {
      const unwelcome = Object.keys(labels).filter((label) => /key|user|team|model/.test(label))
      assert.deepEqual(unwelcome, [], name)
      if (/_(?:failures|dropped|damaged_lines|overflows)_total$/.test(name)) {
        assert.equal(value, 0, name)
      }
    }
  }
})

test('the figures of two workers are summed, by how their calls ended', async () => {
  const scene = sharedScene()
  await (await call(scene, { provider: 'openai' })).text()
  for (const fail of ['status-429', 'status-503', 'status-503', 'cut-before-head']) {
    await (await call(scene, { fail })).text()
  }
  for (const key of ['', 'no-key-of-ours']) await (await call(scene, { key })).text()
  const leaving = new AbortController()
  const stream = await call(scene, { fail: 'hang-after-1', signal: leaving.signal })

  // Each worker reports for itself, so one may still count a connection that has ended.
  const running = await untilFigures(
    scene,
    (now) =>
      total(now, 'weir_requests_total') === 11 &&
      total(now, 'weir_open_streams') === 1 &&
      total(now, 'weir_open_calls') === 1 &&
      total(now, 'weir_client_connections') === 1,
  )
  assert.ok((findValue(running, 'weir_upstream_connections') as number) >= 1)

  leaving.abort()
  await assert.rejects(stream.text())
  const figures = await untilFigures(
    scene,
    (now) =>
      total(now, 'weir_requests_total') === 12 &&
      total(now, 'weir_refusals_total') === 3 &&
      total(now, 'weir_open_streams') === 0 &&
      total(now, 'weir_open_calls') === 0,
  )
  const requests = figures.get('weir_requests_total')?.samples ?? []
  assert.deepEqual(
    new Set(requests.map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`)),
    new Set([
      'gateway delivered 2xx 6',
      'openai delivered 2xx 1',
      'gateway refused 4xx 1',
      'gateway refused 5xx 2',
      'gateway cut none 1',
      'gateway aborted 2xx 1',
    ]),
  )
  for (const code of ['missing_api_key', 'invalid_api_key', 'upstream_unreachable']) {
    assert.equal(findValue(figures, 'weir_refusals_total', { code }), 1, code)
  }
  const firstByte = (provider: string) =>
    findValue(figures, 'weir_first_byte_seconds_count', { provider })
  assert.deepEqual([firstByte('gateway'), firstByte('openai')], [10, 1])
  const added = findValue(figures, 'weir_added_seconds_count') as number
  assert.ok(added === 11 || added === 12, `added time of ${added} calls; 11 of 12 had an answer`)
  assert.ok((findValue(figures, 'weir_added_seconds_sum') as number) < added)
})

test('what a killed worker had counted stays counted, and what it had open is gone', async () => {
  const scene = sharedScene()
  const [first, second] = scene.program.pids('proxy') as [number, number]
  let stream: Response | null = null
  await whileFrozen(first, async () => {
    stream = await call(scene, { fail: 'hang-after-1' })
  })
  await untilFigures(
    scene,
    (now) => total(now, 'weir_requests_total') === 12 && total(now, 'weir_open_calls') === 1,
  )
  process.kill(second, 'SIGKILL')
  await assert.rejects((stream as unknown as Response).text())
  const gauges = ['weir_open_calls', 'weir_open_streams', 'weir_client_connections']
  const figures = await untilFigures(
    scene,
    (now) =>
      findValue(now, 'weir_worker_restarts_total', { role: 'proxy' }) === 1 &&
      gauges.every((gauge) => findValue(now, gauge) === 0),
  )
  assert.equal(findValue(figures, 'weir_requests_total', DELIVERED), 6)
})
