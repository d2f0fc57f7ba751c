// What a usage question costs, on SQLite with two years of a company's calls: (a) every question of
// the catalogue through HTTP, worked out and asked again, (b) answers a second on one core, (c) a
// peer without rollups, (d) what the proxy's callers feel of being polled, (e) single calls. By
// default a tenth of the calls that makes the same rollups; `--full` stores all ten million, which
// takes a quarter of an hour. `--keep DIR` leaves the filled store there for other runs of the same
// day. `--store postgres` asks (a) and (e) of a PostgreSQL that it starts, `--store clickhouse` the
// same of ten million calls in a ClickHouse beside it; `--tenth` of one, `--full` of a hundred.

import { statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

import { openLedgerStore } from '../src/store/open-store.ts'
import { systemClock } from '../src/core/clock.ts'
import { createWaitBars, describeCalm, formatRounds } from './ledger/calm-rounds.ts'
import { createRandom, DIM_VALUES, KEYS, MODELS } from './ledger/company.ts'
import { createPurse, openAsker } from './query/asker.ts'
import type { Asker } from './query/asker.ts'
import { openFilledClickhouse } from './query/clickhouse-store.ts'
import { createTokens, fillStore } from './query/filled-store.ts'
import {
  countCalm,
  findWorst,
  listFigures,
  measureAnswers,
  measureThroughput,
  PASSES,
} from './query/measure-answers.ts'
import type { Pass, Sample, Throughput } from './query/measure-answers.ts'
import { measurePeer } from './query/peer.ts'
import type { PeerFigures } from './query/peer.ts'
import { measurePolled, ROUNDS } from './query/polled.ts'
import type { Polled } from './query/polled.ts'
import { openFilledPostgres } from './query/postgres-store.ts'
import { LIMITS, listQuestions, toSearch } from './query/questions.ts'
import type { Question } from './query/questions.ts'
import { measureServers } from './query/servers.ts'
import { measureSingleCalls, readIds } from './query/single-calls.ts'
import { MONTHS, PROVIDERS } from './query/two-years.ts'
import { printBars } from './relay/bars.ts'
import { findFreePort } from './relay/contender.ts'
import { quantile } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'
import type { OpenItems } from './relay/run-benchmark.ts'
import { openUpstream } from './relay/upstream.ts'
import { openWeir } from './relay/weir.ts'

/** A token may ask sixty times a minute. */
const TOKENS = 3000
const POLLERS_TOKENS = 200
const CONNECTIONS = 8
const CACHED_ANSWERS = 20_000
const SEED = 20_261_115
const MEGABYTE = 1_000_000
const ALL_QUESTIONS = 'all questions alike'
const ROUNDS_IN_A_ROW = 10

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    tenth: { type: 'boolean', default: false },
    keep: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
})

await runBenchmark(async (open) => {
  assertLinux()
  const filling = new AbortController()
  open.add({ close: async () => filling.abort() })
  const { full: isFull, tenth, keep } = values
  const { signal } = filling
  if (values.store === 'postgres') {
    return measureServers(open, await openFilledPostgres(open, { isFull, keep, signal }))
  }
  if (values.store === 'clickhouse') {
    const fill = { isFull: !tenth, isMultiplied: isFull, keep, signal }
    return measureServers(open, await openFilledClickhouse(open, fill))
  }
  const dir = await mkdtemp(join(tmpdir(), 'weir-bench-query-'))
  open.add({ close: () => rm(dir, { recursive: true, force: true }) })
  const dataDir = join(dir, 'data')
  await mkdir(dataDir)
  const file = join(dataDir, 'usage.db')
  await fillStore(file, { isFull, keep, signal })
  printStore(file)
  const tokens = await createTokens({ dataDir }, TOKENS)
  const purse = createPurse(tokens.slice(POLLERS_TOKENS))

  const upstream = open.add(await openUpstream())
  await upstream.answerWith('chat')
  const apiPort = await findFreePort()
  // Calls older than its default would be removed beside the measurements.
  const settings = { DATA_DIR: dataDir, API_PORT: String(apiPort), RETENTION_EVENTS: '36500' }
  const weir = open.add(await openWeir(upstream.port, settings))
  const { usage } = open.add(await openLedgerStore({ dataDir, clock: systemClock }))

  const questions = listQuestions()
  const random = createRandom(SEED)
  const ids = await readIds({ port: apiPort, token: tokens[0] as string, random })
  const asker = open.add(await openAsker(apiPort, purse))
  const passes = await measureAnswers({ questions, asker, usage, random })
  printAnswers(questions, passes)
  printTable('(e) single calls, milliseconds', await measureSingleCalls(ids, asker, random))
  const askers = await openAskers(open, () => openAsker(apiPort, purse))
  const speeds = await measureSpeeds(askers, weir.apiPid)
  printSpeeds(speeds)
  printPeer(await measurePeer(file, usage))
  const polled = await measurePolled(open, {
    weir,
    apiPort,
    tokens: tokens.slice(0, POLLERS_TOKENS),
  })
  printPolled(polled)
  return printBars([
    {
      claim: '(a) the slowest question, worked out, p99',
      figure: findWorst(passes, (sample) => sample.uncachedMs),
      limit: 20,
      side: 'at most',
      unit: 'ms',
    },
    {
      claim: '(a) the slowest question, asked again, p99',
      figure: findWorst(passes, (sample) => sample.cachedMs),
      limit: 2,
      side: 'at most',
      unit: 'ms',
    },
    {
      claim: '(b) answers asked again, on one core',
      figure: speeds.get(ALL_QUESTIONS)?.answersPerCpuSecond ?? null,
      limit: 2000,
      side: 'at least',
      unit: 'answers/CPU s',
      digits: 0,
    },
    ...createWaitBars('(d)', 'while polled', polled.rounds),
  ])
})

async function openAskers(open: OpenItems, openOne: () => Promise<Asker>): Promise<Asker[]> {
  const askers: Asker[] = []
  while (askers.length < CONNECTIONS) askers.push(open.add(await openOne()))
  return askers
}

async function measureSpeeds(
  askers: readonly Asker[],
  apiPid: number,
): Promise<ReadonlyMap<string, Throughput>> {
  const mixes: readonly (readonly [string, readonly Question[]])[] = [
    [ALL_QUESTIONS, listQuestions()],
    [`at most ${LIMITS[0]} rows`, listQuestions().filter(({ limit }) => limit !== LIMITS[1])],
  ]
  const speeds = new Map<string, Throughput>()
  for (const [name, questions] of mixes) {
    const searches = questions.map((question) => toSearch(question, createRandom(SEED)))
    const options = { answers: CACHED_ANSWERS, apiPid }
    speeds.set(name, await measureThroughput(askers, searches, options))
  }
  return speeds
}

function printStore(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  const count = (table: string): string =>
    String(database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.['n'])
  console.log(
    `${KEYS} keys, ${MODELS} models of ${PROVIDERS.length} providers, 3 dimensions with ${DIM_VALUES} values, ` +
      `${MONTHS} months${values.full ? '' : '; --full stores all of the ten million calls'}. Seed ${SEED}.`,
  )
  const tables = ['records', 'total_rollup', 'model_rollup', 'dim_rollup']
  printTable('The store', [
    ['', 'rows', 'a month'],
    ...tables.map((table) => {
      const rows = count(table)
      return [table, rows, (Number(rows) / MONTHS).toFixed(0)]
    }),
    ['file, MB', (statSync(file).size / MEGABYTE).toFixed(0), ''],
  ])
  database.close()
}

function printAnswers(questions: readonly Question[], passes: readonly Pass[]): void {
  const toRow = (question: Question): string[] => {
    const format = (part: number, pick: (sample: Sample) => number | readonly number[]): string =>
      quantile(listFigures(question, passes, pick), part).toFixed(2)
    return [
      question.name,
      question.limit === null ? '' : String(question.limit),
      format(0.5, (sample) => sample.uncachedMs),
      format(0.99, (sample) => sample.uncachedMs),
      format(0.5, (sample) => sample.bareMs),
      format(0.99, (sample) => sample.bareMs),
      format(0.5, (sample) => sample.cachedMs),
      format(0.99, (sample) => sample.cachedMs),
      format(0.5, (sample) => sample.bytes / 1000),
    ]
  }
  const sides = ['worked out', 'bare', 'again'].flatMap((side) => [`${side}: p50`, 'p99'])
  printTable(`(a) milliseconds for a question, ${PASSES} times each`, [
    ['', 'limit', ...sides, 'KB'],
    ...questions.map(toRow),
  ])
  const others = passes[Math.floor(passes.length / 2)]?.others ?? Number.NaN
  console.log('  bare: readUsage without HTTP, token and snapshot')
  console.log(
    `  others had ${others.toFixed(2)} cores in the middle pass; ${countCalm(passes)} were calm enough to count`,
  )
}

function printSpeeds(speeds: ReadonlyMap<string, Throughput>): void {
  printTable(`(b) ${CACHED_ANSWERS} answers asked again, on ${CONNECTIONS} connections`, [
    ['', 'answers/CPU s', 'answers/s'],
    ...Array.from(speeds, ([name, speed]) => [
      name,
      speed.answersPerCpuSecond.toFixed(0),
      speed.answersPerSecond.toFixed(0),
    ]),
  ])
}

function printPeer(figures: readonly PeerFigures[]): void {
  printTable('(c) against SUM and GROUP BY over the records of the month, medians', [
    ['', 'records', 'peer ms', 'Weir, bare ms', 'peer × Weir'],
    ...figures.map(({ question, records, peerMs, weirMs }) => [
      question,
      String(records),
      peerMs.toFixed(1),
      weirMs.toFixed(2),
      (peerMs / weirMs).toFixed(0),
    ]),
  ])
}

function printPolled({ rounds, answersPerSecond, uncachedShare }: Polled): void {
  printTable(
    `(d) callers' waits while two pollers ask, ${ROUNDS} rounds in turns`,
    formatRounds(rounds, ROUNDS_IN_A_ROW),
  )
  const share = (100 * uncachedShare).toFixed(0)
  console.log(`  polled: ${answersPerSecond.toFixed(0)} answers/s, ${share} % of them worked out`)
  console.log(`  ${describeCalm(rounds)}`)
}
