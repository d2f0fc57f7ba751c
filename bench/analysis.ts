// What a question of GET /v1/analysis costs on SQLite with ten million calls of two years: (a) any
// question within 31 days, through HTTP, (b) all months by month, (c) a peer without sums, which
// reads the records, (d) what keeping the sums costs the ledger, in CPU and in bytes. Filling takes
// a quarter of an hour: `--tenth` takes a tenth of the calls, `--keep DIR` keeps the filled store
// for other runs of the same day. `--store postgres` and `--store clickhouse` ask (a) and (b) of
// servers that it starts; `--full` then makes a hundred million calls of the ten, in ClickHouse.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

import { measurePartCost } from './analysis/part-cost.ts'
import type { PartCost } from './analysis/part-cost.ts'
import { drawMonths, drawQuestion } from './analysis/questions.ts'
import { measureServers } from './analysis/servers.ts'
import { createRandom } from './ledger/company.ts'
import { watchOthers } from './ledger/others-share.ts'
import { createPurse, openAsker } from './query/asker.ts'
import type { Asker } from './query/asker.ts'
import { openFilledClickhouse } from './query/clickhouse-store.ts'
import { createTokens, fillStore } from './query/filled-store.ts'
import { openFilledPostgres } from './query/postgres-store.ts'
import { MONTHS } from './query/two-years.ts'
import { printBars } from './relay/bars.ts'
import type { Bar } from './relay/bars.ts'
import { findFreePort } from './relay/contender.ts'
import { quantile } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux, readCpuMicros } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'
import { openUpstream } from './relay/upstream.ts'
import { openWeir } from './relay/weir.ts'

const TOKENS = 100
const QUESTIONS = 400
const MONTHS_QUESTIONS = 100
const WARM_UP = 20
const PEER_TIMES = 5
const SEED = 20_261_117
const DAYS_MS_MAX = 300
/** Ten times the calls are read where calls are read. */
const FULL_DAYS_MS_MAX = 3000
const BATCHES = [10_000, 100] as const

const { values } = parseArgs({
  options: {
    tenth: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    keep: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
})

interface Answers {
  readonly name: string
  readonly ms: Float64Array
  /** Of the API's process, a question. */
  readonly cpuMs: number
  /** Of one core, that others had meanwhile. */
  readonly others: number
}

await runBenchmark(async (open) => {
  assertLinux()
  if (values.full && values.store !== 'clickhouse') {
    throw new Error('--full is for --store clickhouse; without it there are ten million calls.')
  }
  const filling = new AbortController()
  open.add({ close: async () => filling.abort() })
  const fill = { isFull: !values.tenth, keep: values.keep, signal: filling.signal }
  if (values.store !== 'sqlite') {
    const filled =
      values.store === 'postgres'
        ? await openFilledPostgres(open, fill)
        : await openFilledClickhouse(open, { ...fill, isMultiplied: values.full })
    const { days, months } = await measureServers(open, filled)
    return printBars(createBars(days, months, values.full ? FULL_DAYS_MS_MAX : DAYS_MS_MAX))
  }
  const dir = await mkdtemp(join(tmpdir(), 'weir-bench-analysis-'))
  open.add({ close: () => rm(dir, { recursive: true, force: true }) })
  const dataDir = join(dir, 'data')
  await mkdir(dataDir)
  const file = join(dataDir, 'usage.db')
  await fillStore(file, fill)
  const store = printStore(file)
  const purse = createPurse(await createTokens({ dataDir }, TOKENS))

  const upstream = open.add(await openUpstream())
  await upstream.answerWith('chat')
  const apiPort = await findFreePort()
  // Calls older than its default would be removed beside the measurements.
  const settings = { DATA_DIR: dataDir, API_PORT: String(apiPort), RETENTION_EVENTS: '36500' }
  const weir = open.add(await openWeir(upstream.port, settings))
  const asker = open.add(await openAsker(apiPort, purse))

  const random = createRandom(SEED)
  const within = () => drawQuestion(random, store.endMs, MONTHS)
  for (let index = 0; index < WARM_UP; index += 1) await ask(asker, within())
  const options = { asker, apiPid: weir.apiPid }
  const days = await measure('within 31 days', { ...options, draw: within, count: QUESTIONS })
  const months = await measure(`${MONTHS} months by month`, {
    ...options,
    draw: () => drawMonths(random, store.endMs, MONTHS),
    count: MONTHS_QUESTIONS,
  })
  printAnswers([days, months])
  const peerMs = measurePeer(file, store.endMs)
  console.log(
    `\n(c) the last 31 days by model, by GROUP BY over the records: ${peerMs.toFixed(0)} ms`,
  )
  const costs: PartCost[] = []
  for (const batch of BATCHES) costs.push(await measurePartCost(join(dir, `${batch}.db`), batch))
  printCosts(costs)
  return printBars(createBars(days.ms, months.ms, DAYS_MS_MAX))
})

function createBars(days: Float64Array, months: Float64Array, daysMsMax: number): readonly Bar[] {
  return [
    {
      claim: '(a) any question within 31 days, p99',
      figure: quantile(days, 0.99),
      limit: daysMsMax,
      side: 'at most',
      unit: 'ms',
      digits: 0,
    },
    {
      claim: `(b) ${MONTHS} months by month, p99`,
      figure: quantile(months, 0.99),
      limit: 500,
      side: 'at most',
      unit: 'ms',
      digits: 0,
    },
  ]
}

async function ask(asker: Asker, search: string): Promise<number> {
  return (await asker.ask(search, '/v1/analysis')).ms
}

interface MeasureOptions {
  readonly asker: Asker
  readonly apiPid: number
  readonly draw: () => string
  readonly count: number
}

async function measure(name: string, options: MeasureOptions): Promise<Answers> {
  const { asker, apiPid, draw, count } = options
  const readOthers = watchOthers()
  const cpuBefore = readCpuMicros([apiPid])
  const waits: number[] = []
  while (waits.length < count) waits.push(await ask(asker, draw()))
  const cpuMs = (readCpuMicros([apiPid]) - cpuBefore) / 1000 / count
  return { name, ms: Float64Array.from(waits).sort(), cpuMs, others: readOthers() }
}

function printAnswers(answers: readonly Answers[]): void {
  printTable('(a), (b) answers, ms', [
    ['', 'p50', 'p90', 'p99', 'most', 'CPU', 'others had of a core'],
    ...answers.map(({ name, ms, cpuMs, others }) => [
      name,
      ...[0.5, 0.9, 0.99, 1].map((share) => quantile(ms, share).toFixed(0)),
      cpuMs.toFixed(0),
      others.toFixed(2),
    ]),
  ])
}

/** The calls are in the order of time by their ids, so it reads those of 31 days only. */
function measurePeer(file: string, endMs: number): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const fromMs = endMs - 31 * 86_400_000
  const id = Buffer.from(fromMs.toString(16).padStart(12, '0').padEnd(32, '0'), 'hex')
  const select = database.prepare(`SELECT model, COUNT(*), SUM(cost_pico), SUM(input_tokens),
    SUM(output_tokens), SUM(status <> 'delivered') FROM records
    WHERE id >= ? AND ended_at >= ? GROUP BY model`)
  const times: number[] = []
  while (times.length < PEER_TIMES) {
    const startedAt = performance.now()
    select.all(id, fromMs)
    times.push(performance.now() - startedAt)
  }
  database.close()
  return Math.min(...times)
}

function printCosts(costs: readonly PartCost[]): void {
  printTable('(d) keeping the sums, ledger', [
    ['calls a batch', 'CPU µs/call'],
    ...costs.map(({ batch, calls, cpuMicros }) => [String(batch), (cpuMicros / calls).toFixed(1)]),
  ])
}

function printStore(file: string): { readonly endMs: number } {
  const database = new DatabaseSync(file, { readOnly: true })
  const read = (sql: string): number => Number(database.prepare(sql).get()?.['n'])
  const calls = read(
    'SELECT SUM(requests) AS n FROM total_rollup WHERE key_id = 0 AND period < 1e6',
  )
  const sumOf = (what: string, isHours: boolean): number =>
    read(
      `SELECT SUM(${what}) AS n FROM analysis_parts WHERE (period > 999999) = ${Number(isHours)}`,
    )
  console.log(`${calls} calls of ${MONTHS} months. Seed ${SEED}.`)
  printTable('The sums', [
    ['', 'rows', 'parts', 'bytes/call'],
    ...[true, false].map((isHours) => [
      isHours ? 'by hour' : 'by month',
      sumOf('rows', isHours).toFixed(0),
      sumOf('1', isHours).toFixed(0),
      (sumOf('LENGTH(part)', isHours) / calls).toFixed(1),
    ]),
  ])
  const endMs = read('SELECT MAX(at) AS n FROM key_uses')
  database.close()
  return { endMs }
}
