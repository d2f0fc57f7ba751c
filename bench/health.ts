// How soon the API says that it is alive while it is asked much, over a million calls on SQLite: 32
// summaries of the request log at once, then 60 questions of analysis, each beside probes of
// `/healthz` and `/readyz` every ten milliseconds. `--keep DIR` leaves the filled store there for
// other runs of the same day.

import { setTimeout as pause } from 'node:timers/promises'

import { atMost, printTable } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { formatQuantiles, quantile } from './harness/quantile.ts'
import { until } from './harness/until.ts'
import { openFilledWeir } from './query/filled-weir.ts'

const SUMMARIES = 32
const SUMMARY_PATHS = Array.from({ length: SUMMARIES }, () => '/v1/requests/summary')
const ANALYSES = 60
const ROUNDS = 3
const PROBES = ['/healthz', '/readyz']
const PROBE_EVERY_MS = 10
const QUIET_MS = 3000
const P99_MS_MAX = 100
const DAY_MS = 86_400_000

interface Load {
  readonly name: string
  readonly waits: number[]
  readonly statuses: number[]
  tookMs: number
}

await runBenchmark(async (open) => {
  const { weir, createTokens } = await openFilledWeir(open, { store: 'sqlite', isFull: false })
  const tokens = [...(await createTokens(2 * ROUNDS))]
  const ask = createAsk(weir.program.addresses.api)
  const quiet = createLoad('nothing')
  const summaries = createLoad(`${SUMMARIES} summaries`)
  const analyses = createLoad(`${ANALYSES} analyses`)
  const askAll = async ({ statuses }: Load, paths: readonly string[]): Promise<void> => {
    const token = tokens.shift()
    statuses.push(...(await Promise.all(paths.map((path) => ask(path, token)))))
  }
  await until(async () => (await ask('/readyz')) === 200, 'the ledger has started')
  await measure(ask, quiet, () => pause(QUIET_MS))
  for (let round = 0; round < ROUNDS; round += 1) {
    await measure(ask, summaries, () => askAll(summaries, SUMMARY_PATHS))
    await measure(ask, analyses, () => askAll(analyses, listAnalyses(round)))
  }
  printTable(`Milliseconds until ${PROBES.join(' and ')} are answered, beside`, [
    ['', 'probes', 'p50', 'p99', 'longest', 'answered', '429', 'took, ms'],
    ...[quiet, summaries, analyses].map(toRow),
  ])
  return [summaries, analyses].map(({ name, waits }) => {
    const limit = { limit: P99_MS_MAX, unit: 'ms' }
    return atMost(`health beside ${name}, p99`, quantile(waits, 0.99), limit)
  })
})

function createLoad(name: string): Load {
  return { name, waits: [], statuses: [], tookMs: 0 }
}

type Ask = (path: string, token?: string) => Promise<number>

/** Each on a connection of its own, as most probes have one. */
function createAsk(api: string): Ask {
  return async (path, token = '') => {
    const headers = { connection: 'close', authorization: `Bearer ${token}` }
    const answer = await fetch(api + path, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
}

async function measure(ask: Ask, load: Load, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  let isOver = false
  const working = work().finally(() => (isOver = true))
  const probing: Promise<void>[] = []
  while (!isOver) {
    probing.push(...PROBES.map((path) => probe(ask, load, path)))
    await pause(PROBE_EVERY_MS)
  }
  await Promise.all([working, ...probing])
  load.tookMs += performance.now() - startedAt
}

/** Sent whether or not the ones before are answered: a wait counts for all who would wait. */
async function probe(ask: Ask, { waits }: Load, path: string): Promise<void> {
  const sentAt = performance.now()
  if ((await ask(path)) !== 200) throw new Error(`${path} says that Weir is not well.`)
  waits.push(performance.now() - sentAt)
}

/** None is a repetition of another. */
function listAnalyses(round: number): readonly string[] {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return Array.from({ length: ANALYSES }, (_, place) => {
    const from = new Date(today - (60 + round * ANALYSES + place) * DAY_MS).toISOString()
    const search = { from, interval: 'day', group_by: 'model', latency: 'true', limit: '50' }
    return `/v1/analysis?${new URLSearchParams(search).toString()}`
  })
}

function toRow({ name, waits, statuses, tookMs }: Load): string[] {
  const count = (status: number): string =>
    String(statuses.filter((each) => each === status).length)
  const shares = formatQuantiles(waits, [0.5, 0.99, 1], 1)
  return [name, String(waits.length), ...shares, count(200), count(429), tookMs.toFixed(0)]
}
