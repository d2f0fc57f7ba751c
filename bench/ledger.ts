// What recording costs, from the lines of the journals to the rollups, and what callers feel of it:
// (a) the ledger over real journals against a bare INSERT of the same records, (b) whether the cost
// stays flat as the store grows, (c) the callers' waits while a backlog of a million calls is
// stored. Take the ratios, not the times: all share the machine. `--full` stores ten million calls
// for (b) instead of two, which takes a quarter of an hour. `--store postgres` asks instead what
// batches cost on PostgreSQL.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { createWaitBars, describeCalm, formatRounds } from './ledger/calm-rounds.ts'
import { BACKLOG_CALLS, measureCatchUp, ROUNDS } from './ledger/catch-up.ts'
import type { CatchUpRound } from './ledger/catch-up.ts'
import { DIM_VALUES, KEYS, MODELS } from './ledger/company.ts'
import type { Portion } from './ledger/portion.ts'
import { measureClickhouse } from './ledger/clickhouse.ts'
import { measurePostgres } from './ledger/postgres.ts'
import { printBars } from './relay/bars.ts'
import type { Bar } from './relay/bars.ts'
import { quantile } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'

const MILLION = 1_000_000
const PORTIONS = 2
const FULL_PORTIONS = 10
const PEER_CALLS = 300_000
const HOSTILE_CALLS = 300_000
/** Far enough back for ten million calls; all processes draw the same times. */
const START_MS = Date.parse('2026-10-15T12:00:00Z')

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    store: { type: 'string', default: 'sqlite' },
  },
})

await runBenchmark(async (open) => {
  assertLinux()
  if (values.store === 'clickhouse') {
    await measureClickhouse(open, values.full)
    return true
  }
  if (values.store === 'postgres') return printBars(await measurePostgres(open, values.full))
  const dir = await mkdtemp(join(tmpdir(), 'weir-bench-ledger-'))
  open.add({ close: () => rm(dir, { recursive: true, force: true }) })
  const portions = values.full ? FULL_PORTIONS : PORTIONS
  console.log(
    `${KEYS} keys, ${MODELS} models, 3 dimensions with ${DIM_VALUES} values; two workers' journals. ` +
      `${portions} million calls for (a) and (b)${values.full ? '' : '; --full stores ten'}.`,
  )
  const peers = [await runPeer(dir)]
  const company = await runLedger(dir, { mix: 'company', calls: MILLION, portions })
  peers.push(await runPeer(dir))
  const hostile = await runLedger(dir, { mix: 'hostile', calls: HOSTILE_CALLS, portions: 1 })
  printStoring({ company, hostile, peers })
  const rounds = await measureCatchUp(open, await makeDir(dir, 'catch-up'))
  printRounds(rounds)
  return printBars([
    ...createStoringBars(company),
    {
      claim: '(c) calls stored a second beside 500 callers’ calls',
      figure: median(rounds, (round) => round.callsPerSecond),
      limit: 15_000,
      side: 'at least',
      unit: 'calls/s',
      digits: 0,
    },
    ...createWaitBars('(c)', 'with a backlog', rounds),
  ])
})

async function makeDir(dir: string, name: string): Promise<string> {
  const made = join(dir, name)
  await rm(made, { recursive: true, force: true })
  await mkdir(made)
  return made
}

interface LedgerRun {
  readonly mix: string
  readonly calls: number
  readonly portions: number
}

async function runLedger(dir: string, words: LedgerRun): Promise<Portion[]> {
  const own = await makeDir(dir, words.mix)
  const portions = await runChild('run-ledger.ts', { ...words, dir: own, start: START_MS })
  await rm(own, { recursive: true })
  return portions
}

async function runPeer(dir: string): Promise<Portion> {
  const own = await makeDir(dir, 'peer')
  const [portion] = await runChild('run-peer.ts', { dir: own, calls: PEER_CALLS, start: START_MS })
  return portion as Portion
}

async function runChild(entry: string, words: object): Promise<Portion[]> {
  const file = fileURLToPath(new URL(`./ledger/${entry}`, import.meta.url))
  const list = Object.entries(words).map(([name, value]) => `--${name}=${value}`)
  const { stdout } = await run(process.execPath, [file, ...list])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Portion)
}

interface Stored {
  readonly company: readonly Portion[]
  readonly hostile: readonly Portion[]
  readonly peers: readonly Portion[]
}

function printStoring({ company, hostile, peers }: Stored): void {
  const bytes = (portions: readonly Portion[]): number =>
    (portions.at(-1)?.bytes ?? 0) / portions.reduce((sum, { calls }) => sum + calls, 0)
  const [peerCpu, peerBytes] = [median(peers, cpuMicros), bytes(peers.slice(0, 1))]
  const toRow = (name: string, portions: readonly Portion[], size: number): string[] => [
    name,
    median(portions, callsPerSecond).toFixed(0),
    median(portions, cpuMicros).toFixed(1),
    (median(portions, cpuMicros) / peerCpu).toFixed(2),
    size.toFixed(0),
    (size / peerBytes).toFixed(2),
  ]
  printTable('(a) from journal to rollups, the median of the portions', [
    ['', 'calls/s', 'CPU µs/call', '× peer', 'bytes/call', '× peer'],
    toRow('peer: bare INSERT of the records', peers, peerBytes),
    toRow('ledger, a company', company, bytes(company)),
    toRow('ledger, all names drawn independently', hostile, bytes(hostile)),
  ])
  printTable('(b) the cost as the store grows', [
    ['million', 'calls/s', 'CPU µs/call', 'of the middle batch', 'file MB'],
    ...company.map((portion, index) => [
      String(index + 1),
      callsPerSecond(portion).toFixed(0),
      cpuMicros(portion).toFixed(1),
      portion.middleMicros.toFixed(1),
      (portion.bytes / MILLION).toFixed(0),
    ]),
  ])
}

function printRounds(rounds: readonly CatchUpRound[]): void {
  const title = `(c) callers' waits beside a backlog of ${ROUNDS} × ${BACKLOG_CALLS} calls, in turns`
  printTable(title, formatRounds(rounds))
  const speed = median(rounds, (round) => round.callsPerSecond).toFixed(0)
  console.log(`  stored beside the traffic: ${speed} calls/s`)
  console.log(`  ${describeCalm(rounds)}`)
}

function createStoringBars(company: readonly Portion[]): Bar[] {
  const [first, last] = [company[0] as Portion, company.at(-1) as Portion]
  return [
    {
      claim: '(a) calls stored a second',
      figure: median(company, callsPerSecond),
      limit: 20_000,
      side: 'at least',
      unit: 'calls/s',
      digits: 0,
    },
    {
      claim: '(a) CPU a call, from journal to rollups',
      figure: median(company, cpuMicros),
      limit: 60,
      side: 'at most',
      unit: 'µs',
      digits: 1,
    },
    {
      claim: `(b) CPU a call in million ${company.length}, against the first`,
      figure: last.middleMicros / first.middleMicros,
      limit: 1.2,
      side: 'at most',
      unit: '×',
    },
  ]
}

function callsPerSecond({ calls, seconds }: Portion): number {
  return calls / seconds
}

function cpuMicros(portion: Portion): number {
  return portion.cpuMicros / portion.calls
}

function median<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return quantile(Float64Array.from(items, pick).sort(), 0.5)
}
