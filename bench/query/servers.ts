// What a usage question costs on PostgreSQL: every question of the catalogue through HTTP, worked
// out by a `weir api`, and in this process what is asked of the request log and of analysis. Times
// are of this machine with whoever shares it; CPU, of PostgreSQL's processes and of Weir's, is not.

import { migrateStores } from '../../src/store/databases.ts'
import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import { createNameReader } from '../../src/store/usage/postgres/name-reader.ts'
import { createPostgresRecords } from '../../src/store/usage/postgres/records.ts'
import { createPostgresUsage } from '../../src/store/usage/postgres/store.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import type { UsageStore } from '../../src/store/usage/usage-store.ts'
import { openProgram } from '../../test/fakes/program.ts'
import { OTHERS_MAX } from '../ledger/calm-rounds.ts'
import { createRandom } from '../ledger/company.ts'
import type { Random } from '../ledger/company.ts'
import { watchOthers } from '../ledger/others-share.ts'
import { printBars } from '../relay/bars.ts'
import { quantile } from '../relay/measure.ts'
import { printTable } from '../relay/print-table.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { createPurse, openAsker } from './asker.ts'
import type { Asker } from './asker.ts'
import { createTokens } from './filled-store.ts'
import type { FillOptions } from './filled-store.ts'
import { openFilledPostgres } from './postgres-store.ts'
import { readChildrenMicros, readMicros } from './process-micros.ts'
import { listQuestions, toSearch } from './questions.ts'
import { listMonthStarts } from './two-years.ts'

const PASSES = 100
const WARM_UP_PASSES = 5
const SEED = 20_261_117
const PAGE_ROWS = 50
const DAY_MS = 86_400_000
const LIMIT_MS = 60
/** A token may ask sixty times a minute. */
const TOKENS = 300
/** The API's clock is the database's, as far as that can be measured. */
const CLOCK_MS = 50

interface Sources {
  readonly usage: UsageStore
  readonly asker: Asker
  readonly random: Random
}

interface Asked {
  readonly name: string
  /** By the API's process; else in this one. */
  readonly isRemote: boolean
  readonly ask: (sources: Sources) => Promise<unknown>
}

interface Figures {
  readonly ms: number[]
  serverMicros: number
  weirMicros: number
}

interface Api {
  readonly asker: Asker
  readonly pid: number
}

/** Whether the bars are met. */
export async function measurePostgres(open: OpenItems, options: FillOptions): Promise<boolean> {
  const { url, server } = await openFilledPostgres(open, options)
  const database = open.add(
    openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage, connectionsMax: 1 }),
  )
  await printSizes(database)
  const names = createNameReader()
  const records = createPostgresRecords(database, { names })
  const usage = createPostgresUsage(database, { canWrite: true, records, names })
  const { asker, pid } = await openApi(open, url)
  const asked = [...listCatalogue(), ...listOthers()]
  const sources = { usage, asker, random: createRandom(SEED) }
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) await makePass(asked, sources)
  const figures = new Map(
    asked.map((each) => [each, { ms: [], serverMicros: 0, weirMicros: 0 } as Figures]),
  )
  const tellOthers = watchOthers()
  for (let pass = 0; pass < PASSES; pass += 1) {
    await makePass(asked, sources, { figures, server: server.pid, api: pid })
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
      claim: 'the same, CPU of PostgreSQL and Weir together',
      figure: worstCpu,
      limit: LIMIT_MS,
      side: 'at most',
      unit: 'ms',
    },
  ])
}

async function openApi(open: OpenItems, url: string): Promise<Api> {
  await migrateStores({ settings: url, usage: url })
  // Calls older than its default would be removed beside the measurements.
  const settings = { SETTINGS_URL: url, RETENTION_EVENTS: '36500' }
  const program = open.add(await openProgram({ command: 'api', settings }))
  const tokens = await createTokens({ dataDir: program.dataDir, url }, TOKENS)
  const [pid] = program.pids('api')
  if (pid === undefined) throw new Error('The API is not running.')
  const port = Number(new URL(program.addresses.api).port)
  return { asker: open.add(await openAsker(port, createPurse(tokens))), pid }
}

function listCatalogue(): readonly Asked[] {
  return listQuestions().map((question) => ({
    name: question.limit === null ? question.name : `${question.name}, ${question.limit} rows`,
    isRemote: true,
    ask: async ({ asker, random }) => {
      const search = toSearch(question, random)
      const askedAtMs = Date.now()
      const { asOfMs } = await asker.ask(search)
      if (!(asOfMs >= askedAtMs - CLOCK_MS)) throw new Error(`Not computed again: ${search}`)
    },
  }))
}

function listOthers(): readonly Asked[] {
  const [monthMs = 0, nextMs = 0] = listMonthStarts(Date.now()).slice(-3)
  const month = { fromMs: monthMs, toMs: nextMs, filters: [], hasLatencies: true }
  const page = { before: null, rowsMax: PAGE_ROWS }
  const others: readonly Omit<Asked, 'isRemote'>[] = [
    {
      name: 'request log, a page',
      ask: ({ usage }) => usage.requests.list(ALL_REQUESTS, page),
    },
    {
      name: 'request log, a page of one key in a month',
      ask: ({ usage }) =>
        usage.requests.list(
          { ...ALL_REQUESTS, fromMs: monthMs, toMs: nextMs, keyId: 'svc_k_0000000000000001' },
          page,
        ),
    },
    {
      name: 'request log, a day by cost',
      ask: ({ usage }) =>
        usage.requests.listSorted(
          { ...ALL_REQUESTS, endedFromMs: monthMs, endedToMs: monthMs + DAY_MS },
          { order: { by: 'cost', isAscending: false }, after: null, rowsMax: PAGE_ROWS },
        ),
    },
    {
      name: 'analysis, a month by model',
      ask: ({ usage }) => usage.analyze([{ ...month, interval: 'none', groupBy: ['model'] }]),
    },
  ]
  return others.map((each) => ({ ...each, isRemote: false }))
}

interface Meters {
  readonly figures: ReadonlyMap<Asked, Figures>
  /** Processes: of PostgreSQL, and of the API. */
  readonly server: number
  readonly api: number
}

async function makePass(
  asked: readonly Asked[],
  sources: Sources,
  meters: Meters | null = null,
): Promise<void> {
  const line = { repricing: null, at: Date.now(), who: 'bench', what: 'nothing', prices: [] }
  // No earlier answer is valid behind it, so every question is worked out.
  await sources.usage.upkeep.changeCosts([], line)
  for (const each of asked) {
    const taken = meters?.figures.get(each)
    if (meters === null || taken === undefined) {
      await each.ask(sources)
      continue
    }
    const pid = each.isRemote ? meters.api : process.pid
    const [server, weir] = [readChildrenMicros(meters.server), readMicros(pid)]
    const startedAt = performance.now()
    await each.ask(sources)
    taken.ms.push(performance.now() - startedAt)
    taken.weirMicros += readMicros(pid) - weir
    for (const [child, micros] of readChildrenMicros(meters.server)) {
      taken.serverMicros += micros - (server.get(child) ?? 0)
    }
  }
}

function findFigures(figures: ReadonlyMap<Asked, Figures>, name: string): Figures {
  const found = [...figures].find(([asked]) => asked.name === name)
  return found?.[1] ?? { ms: [], serverMicros: 0, weirMicros: 0 }
}

function p99(ms: readonly number[]): number {
  return quantile(Float64Array.from(ms).sort(), 0.99)
}

function toMs({ ms, serverMicros, weirMicros }: Figures): number {
  return (serverMicros + weirMicros) / ms.length / 1000
}

function printFigures(figures: ReadonlyMap<Asked, Figures>): void {
  printTable(`milliseconds for a question, ${PASSES} times each`, [
    ['', 'p50', 'p99', 'PostgreSQL CPU', 'Weir CPU'],
    ...Array.from(figures, ([{ name, isRemote }, { ms, serverMicros, weirMicros }]) => [
      isRemote ? name : `${name} (without HTTP)`,
      quantile(Float64Array.from(ms).sort(), 0.5).toFixed(2),
      p99(ms).toFixed(2),
      (serverMicros / ms.length / 1000).toFixed(2),
      (weirMicros / ms.length / 1000).toFixed(2),
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
