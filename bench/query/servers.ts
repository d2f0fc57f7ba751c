// What a usage question costs on PostgreSQL, or with the calls in a ClickHouse beside it: every
// question of the catalogue and what is asked of single calls, through HTTP, worked out by a `weir
// api`. Times are of this machine with whoever shares it; CPU, of the servers and of Weir, is not.

import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import { ONE_EPOCH } from '../../src/store/sql/sql.ts'
import { createNameReader } from '../../src/store/usage/sql/name-reader.ts'
import { POSTGRES } from '../../src/store/usage/postgres/dialect.ts'
import { createPostgresRecords, createPostgresUsage } from '../../src/store/usage/postgres/store.ts'
import type { UsageUpkeep } from '../../src/store/usage/usage-upkeep.ts'
import { OTHERS_MAX } from '../ledger/calm-rounds.ts'
import { createRandom } from '../ledger/company.ts'
import type { Random } from '../ledger/company.ts'
import { watchOthers } from '../ledger/others-share.ts'
import { printBars } from '../relay/bars.ts'
import type { Bar } from '../relay/bars.ts'
import { quantile } from '../relay/measure.ts'
import { printTable } from '../relay/print-table.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import type { Asker } from './asker.ts'
import { openApi } from './open-api.ts'
import type { FilledServers } from './postgres-store.ts'
import { createProcessMeter } from './process-micros.ts'
import type { ProcessMeter } from './process-micros.ts'
import { listQuestions, toSearch } from './questions.ts'
import { listSingleCalls, readIds } from './single-calls.ts'

const PASSES = 100
const WARM_UP_PASSES = 5
const SEED = 20_261_117
const LIMIT_MS = 60
const PAGE_LIMIT_MS = 300
/** A token may ask sixty times a minute. */
const TOKENS = 600

interface Asked {
  readonly name: string
  readonly kind: 'catalogue' | 'page' | 'other'
  readonly ask: (asker: Asker, random: Random) => Promise<unknown>
}

interface Figures {
  readonly ms: number[]
  /** By process, in the order of the meters. */
  readonly micros: number[]
}

interface Sources {
  readonly asked: readonly Asked[]
  readonly asker: Asker
  readonly random: Random
  readonly upkeep: UsageUpkeep
  readonly meters: readonly ProcessMeter[]
}

/** Whether the bars are met. */
export async function measureServers(open: OpenItems, filled: FilledServers): Promise<boolean> {
  const { url, servers } = filled
  const database = open.add(
    openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage, connectionsMax: 1 }),
  )
  await printSizes(database)
  const names = createNameReader(ONE_EPOCH, POSTGRES)
  const records = createPostgresRecords(database, { names })
  const { upkeep } = createPostgresUsage(database, { canWrite: true, records, names })
  const api = await openApi(open, filled, TOKENS)
  const random = createRandom(SEED)
  const ids = await readIds({ ...api, random })
  const asked = [...listCatalogue(), ...listOthers(ids)]
  const meters = [...servers, api.process].map(createProcessMeter)
  const sources = { asked, asker: await api.openAsker(), random, upkeep, meters }
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) await makePass(sources, () => {})
  const figures = new Map(
    asked.map((each) => [each, { ms: [], micros: meters.map(() => 0) } as Figures]),
  )
  const readOthers = watchOthers()
  for (let pass = 0; pass < PASSES; pass += 1) {
    await makePass(sources, (each, ms) => addFigures(figures.get(each) as Figures, meters, ms))
  }
  const others = readOthers()
  printFigures(figures, meters)
  console.log(`  others had ${others.toFixed(2)} cores meanwhile`)
  return printBars(createBars(figures, others <= OTHERS_MAX))
}

function listCatalogue(): readonly Asked[] {
  const answered = new Map<string, number>()
  return listQuestions().map((question) => ({
    name: question.limit === null ? question.name : `${question.name}, ${question.limit} rows`,
    kind: 'catalogue',
    ask: async (asker, random) => {
      const search = toSearch(question, random)
      const { asOfMs } = await asker.ask(search)
      if (answered.get(search) === asOfMs) throw new Error(`Not computed again: ${search}`)
      answered.set(search, asOfMs)
    },
  }))
}

function listOthers(ids: readonly string[]): readonly Asked[] {
  return listSingleCalls(ids).map(({ name, isPage, ask }) => ({
    name,
    kind: isPage ? 'page' : 'other',
    ask,
  }))
}

async function makePass(
  { asked, asker, random, upkeep, meters }: Sources,
  add: (each: Asked, ms: number) => void,
): Promise<void> {
  const line = { repricing: null, at: Date.now(), who: 'bench', what: 'nothing', prices: [] }
  // No earlier answer is valid behind it, so every question is worked out.
  await upkeep.changeCosts([], line)
  for (const { readNew } of meters) readNew()
  for (const each of asked) {
    const startedAt = performance.now()
    await each.ask(asker, random)
    add(each, performance.now() - startedAt)
  }
}

/** Since the question before; there is nothing else to do for them. */
function addFigures(figures: Figures, meters: readonly ProcessMeter[], ms: number): void {
  figures.ms.push(ms)
  for (const [index, { readNew }] of meters.entries()) {
    figures.micros[index] = (figures.micros[index] ?? 0) + readNew()
  }
}

function p99({ ms }: Figures): number {
  return quantile(Float64Array.from(ms).sort(), 0.99)
}

function toCpuMs({ ms, micros }: Figures): number {
  return micros.reduce((sum, each) => sum + each, 0) / ms.length / 1000
}

function createBars(figures: ReadonlyMap<Asked, Figures>, isCalm: boolean): readonly Bar[] {
  const worst = (kind: Asked['kind'], pick: (taken: Figures) => number): number =>
    Math.max(...[...figures].flatMap(([asked, taken]) => (asked.kind === kind ? pick(taken) : [])))
  const bar = { side: 'at most', unit: 'ms' } as const
  return [
    {
      ...bar,
      claim: 'the slowest question of the catalogue, p99',
      figure: isCalm ? worst('catalogue', p99) : null,
      limit: LIMIT_MS,
    },
    {
      ...bar,
      claim: 'the same, CPU of servers and Weir together',
      figure: worst('catalogue', toCpuMs),
      limit: LIMIT_MS,
    },
    {
      ...bar,
      claim: 'the slowest page of the request log, p99',
      figure: isCalm ? worst('page', p99) : null,
      limit: PAGE_LIMIT_MS,
    },
  ]
}

function printFigures(figures: ReadonlyMap<Asked, Figures>, meters: readonly ProcessMeter[]): void {
  printTable(`milliseconds for a question, ${PASSES} times each, and CPU`, [
    ['', 'p50', 'p99', ...meters.map(({ name }) => name)],
    ...Array.from(figures, ([{ name }, taken]) => [
      name,
      quantile(Float64Array.from(taken.ms).sort(), 0.5).toFixed(2),
      p99(taken).toFixed(2),
      ...taken.micros.map((micros) => (micros / taken.ms.length / 1000).toFixed(2)),
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
  printTable('The store in PostgreSQL', [['', 'rows', 'MB'], ...rows])
}
