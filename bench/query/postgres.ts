// What a usage question costs on PostgreSQL: every question of the catalogue through the API's code
// path, without HTTP, and what is asked of the request log and of analysis. Times are of this
// machine with whoever shares it; CPU, of the server's processes and of this one, is not.

import { readFileSync } from 'node:fs'

import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { readUsage } from '../../src/api/usage/usage-query.ts'
import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import { createPostgresUsage } from '../../src/store/usage/postgres/store.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import type { UsageStore } from '../../src/store/usage/usage-store.ts'
import { OTHERS_MAX } from '../ledger/calm-rounds.ts'
import { createRandom } from '../ledger/company.ts'
import type { Random } from '../ledger/company.ts'
import { watchOthers } from '../ledger/others-share.ts'
import { printBars } from '../relay/bars.ts'
import { quantile } from '../relay/measure.ts'
import { printTable } from '../relay/print-table.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import type { FillOptions } from './filled-store.ts'
import { openFilledPostgres } from './postgres-store.ts'
import { listQuestions, toSearch } from './questions.ts'
import { listMonthStarts } from './two-years.ts'

const PASSES = 100
const WARM_UP_PASSES = 5
const SEED = 20_261_117
const PAGE_ROWS = 50
const DAY_MS = 86_400_000
const LIMIT_MS = 60

interface Asked {
  readonly name: string
  readonly ask: (usage: UsageStore, random: Random) => Promise<unknown>
}

interface Figures {
  readonly ms: number[]
  serverMicros: number
  clientMicros: number
}

/** Whether the bars are met. */
export async function measurePostgres(open: OpenItems, options: FillOptions): Promise<boolean> {
  const { url, server } = await openFilledPostgres(open, options)
  const database = open.add(
    openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage, connectionsMax: 1 }),
  )
  await printSizes(database)
  const usage = createPostgresUsage(database, { canWrite: false })
  const asked = [...listCatalogue(), ...listOthers()]
  const random = createRandom(SEED)
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) await makePass(asked, { usage, random })
  const figures = new Map(
    asked.map((each) => [each, { ms: [], serverMicros: 0, clientMicros: 0 } as Figures]),
  )
  const tellOthers = watchOthers()
  for (let pass = 0; pass < PASSES; pass += 1) {
    await makePass(asked, { usage, random, figures, server: server.pid })
  }
  const others = tellOthers()
  printFigures(figures)
  console.log(`  others had ${others.toFixed(2)} cores meanwhile`)
  const worst = Math.max(...listCatalogue().map(({ name }) => p99(findFigures(figures, name).ms)))
  const worstCpu = Math.max(...listCatalogue().map(({ name }) => toMs(findFigures(figures, name))))
  return printBars([
    {
      claim: 'the slowest question of the catalogue, p99',
      figure: others <= OTHERS_MAX ? worst : null,
      limit: LIMIT_MS,
      side: 'at most',
      unit: 'ms',
    },
    {
      claim: 'the same, CPU of server and client together',
      figure: worstCpu,
      limit: LIMIT_MS,
      side: 'at most',
      unit: 'ms',
    },
  ])
}

function listCatalogue(): readonly Asked[] {
  return listQuestions().map((question) => ({
    name: question.limit === null ? question.name : `${question.name}, ${question.limit} rows`,
    ask: (usage, random) => {
      const query = parseUsageQuery(new URLSearchParams(toSearch(question, random)), Date.now())
      return readUsage(query, usage, Date.now())
    },
  }))
}

function listOthers(): readonly Asked[] {
  const [monthMs = 0, nextMs = 0] = listMonthStarts(Date.now()).slice(-3)
  const month = { fromMs: monthMs, toMs: nextMs, filters: [], hasLatencies: true }
  const page = { before: null, rowsMax: PAGE_ROWS }
  return [
    { name: 'request log, a page', ask: ({ requests }) => requests.list(ALL_REQUESTS, page) },
    {
      name: 'request log, a page of one key in a month',
      ask: ({ requests }) =>
        requests.list(
          { ...ALL_REQUESTS, fromMs: monthMs, toMs: nextMs, keyId: 'svc_k_0000000000000001' },
          page,
        ),
    },
    {
      name: 'request log, a day by cost',
      ask: ({ requests }) =>
        requests.listSorted(
          { ...ALL_REQUESTS, endedFromMs: monthMs, endedToMs: monthMs + DAY_MS },
          { order: { by: 'cost', isAscending: false }, after: null, rowsMax: PAGE_ROWS },
        ),
    },
    {
      name: 'analysis, a month by model',
      ask: (usage) => usage.analyze([{ ...month, interval: 'none', groupBy: ['model'] }]),
    },
  ]
}

interface PassOptions {
  readonly usage: UsageStore
  readonly random: Random
  readonly figures?: ReadonlyMap<Asked, Figures>
  readonly server?: number
}

async function makePass(
  asked: readonly Asked[],
  { usage, random, figures, server = 0 }: PassOptions,
): Promise<void> {
  for (const each of asked) {
    const taken = figures?.get(each)
    const before = taken === undefined ? 0 : readServerMicros(server)
    const cpuBefore = process.cpuUsage()
    const startedAt = performance.now()
    await each.ask(usage, random)
    if (taken === undefined) continue
    taken.ms.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(cpuBefore)
    taken.clientMicros += user + system
    taken.serverMicros += readServerMicros(server) - before
  }
}

/** Of all its processes, to the nanosecond: the ticks of `stat` are too long for one question. */
function readServerMicros(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const taken = children.map((child) => {
    const [nanos = '0'] = readFileSync(`/proc/${child}/schedstat`, 'utf8').split(' ')
    return Number(nanos) / 1000
  })
  return taken.reduce((sum, each) => sum + each, 0)
}

function findFigures(figures: ReadonlyMap<Asked, Figures>, name: string): Figures {
  const found = [...figures].find(([asked]) => asked.name === name)
  return found?.[1] ?? { ms: [], serverMicros: 0, clientMicros: 0 }
}

function p99(ms: readonly number[]): number {
  return quantile(Float64Array.from(ms).sort(), 0.99)
}

function toMs({ ms, serverMicros, clientMicros }: Figures): number {
  return (serverMicros + clientMicros) / ms.length / 1000
}

function printFigures(figures: ReadonlyMap<Asked, Figures>): void {
  printTable(`milliseconds for a question, ${PASSES} times each`, [
    ['', 'p50', 'p99', 'server CPU', 'client CPU'],
    ...Array.from(figures, ([{ name }, { ms, serverMicros, clientMicros }]) => [
      name,
      quantile(Float64Array.from(ms).sort(), 0.5).toFixed(2),
      p99(ms).toFixed(2),
      (serverMicros / ms.length / 1000).toFixed(2),
      (clientMicros / ms.length / 1000).toFixed(2),
    ]),
  ])
}

async function printSizes(database: ReturnType<typeof openPostgresDatabase>): Promise<void> {
  const rows: string[][] = []
  for (const table of ['records', 'total_rollup', 'model_rollup', 'dim_rollup', 'analysis_parts']) {
    const row = await database.first<{ rows: number; megabytes: number }>(
      `SELECT (SELECT COUNT(*) FROM ${table}) AS rows, ((pg_total_relation_size('${table}')
        + (SELECT COALESCE(SUM(pg_total_relation_size(relid)), 0)
          FROM pg_partition_tree('${table}'))) / 1000000)::bigint AS megabytes`,
    )
    rows.push([table, String(row?.rows), String(row?.megabytes)])
  }
  printTable('The store', [['', 'rows', 'MB'], ...rows])
}
