// How soon the API says that it is alive while it is asked much, over a million calls on SQLite: 32
// summaries of the request log at once, then 60 questions of analysis, each beside probes of
// `/healthz` and `/readyz` every ten milliseconds. `--keep DIR` leaves the filled store there for
// other runs of the same day.

import { mkdir } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { openProgram } from '../test/fakes/program.ts'
import { createTokens, fillStore } from './query/filled-store.ts'
import { printBars } from './relay/bars.ts'
import { quantile } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import { runBenchmark } from './relay/run-benchmark.ts'

const SUMMARIES = 32
const ANALYSES = 60
const ROUNDS = 3
const PROBES = ['/healthz', '/readyz']
const PROBE_EVERY_MS = 10
const QUIET_MS = 3000
const P99_MS_MAX = 100
const DAY_MS = 86_400_000

const { values } = parseArgs({ options: { keep: { type: 'string' } } })

interface Load {
  readonly name: string
  readonly waits: number[]
  readonly statuses: number[]
  tookMs: number
}

await runBenchmark(async (open) => {
  const filling = new AbortController()
  open.add({ close: async () => filling.abort() })
  const program = open.add(
    await openProgram({
      // Calls older than its default would be removed beside the measurements.
      settings: { RETENTION_EVENTS: '36500' },
      prepare: async (dataDir) => {
        await mkdir(dataDir, { mode: 0o700 })
        const fill = { isFull: false, keep: values.keep, signal: filling.signal }
        await fillStore(join(dataDir, 'usage.db'), fill)
      },
    }),
  )
  const { api } = program.addresses
  const tokens = await createTokens({ dataDir: program.dataDir }, 2 * ROUNDS)
  const ask = createAsk(api)
  const loads = ['nothing', `${SUMMARIES} summaries`, `${ANALYSES} analyses`].map((name): Load => ({
    name,
    waits: [],
    statuses: [],
    tookMs: 0,
  }))
  const [quiet, summaries, analyses] = loads as [Load, Load, Load]
  // The ledger may still be starting.
  while ((await ask('/readyz')) !== 200) await pause(PROBE_EVERY_MS)
  await measure(ask, quiet, () => pause(QUIET_MS))
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = tokens.slice(2 * round)
    await measure(ask, summaries, () =>
      askAll(ask, summaries, { paths: listSummaries(), token: one }),
    )
    await measure(ask, analyses, () =>
      askAll(ask, analyses, { paths: listAnalyses(round), token: other }),
    )
  }
  printTable(`Milliseconds until ${PROBES.join(' and ')} are answered, beside`, [
    ['', 'probes', 'p50', 'p99', 'longest', 'answered', '429', 'took, ms'],
    ...loads.map(toRow),
  ])
  return printBars(
    [summaries, analyses].map(({ name, waits }) => ({
      claim: `health beside ${name}, p99`,
      figure: quantile(Float64Array.from(waits).sort(), 0.99),
      limit: P99_MS_MAX,
      side: 'at most' as const,
      unit: 'ms',
    })),
  )
})

type Ask = (path: string, token?: string) => Promise<number>

/** Each on a connection of its own, as most probes have one. */
function createAsk(api: string): Ask {
  return (path, token) =>
    new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const request = get(api + path, { agent: false, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      })
      request.on('error', reject)
    })
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

async function askAll(
  ask: Ask,
  { statuses }: Load,
  { paths, token = '' }: { readonly paths: readonly string[]; readonly token: string | undefined },
): Promise<void> {
  statuses.push(...(await Promise.all(paths.map((path) => ask(path, token)))))
}

function listSummaries(): readonly string[] {
  return Array.from({ length: SUMMARIES }, () => '/v1/requests/summary')
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
  const ms = Float64Array.from(waits).sort()
  const count = (status: number): string =>
    String(statuses.filter((each) => each === status).length)
  const shares = [0.5, 0.99, 1].map((share) => quantile(ms, share).toFixed(1))
  return [name, String(waits.length), ...shares, count(200), count(429), tookMs.toFixed(0)]
}
