// What a question of GET /v1/analysis costs on PostgreSQL, or with the calls in a ClickHouse beside
// it, through HTTP and a `weir api`: any question within 31 days, and all months by month. CPU is
// of the servers and of the API, a question.

import { createRandom } from '../ledger/company.ts'
import { watchOthers } from '../ledger/others-share.ts'
import type { Asker } from '../query/asker.ts'
import { openApi } from '../query/open-api.ts'
import type { FilledServers } from '../query/postgres-store.ts'
import { MONTHS } from '../query/two-years.ts'
import { quantile } from '../relay/measure.ts'
import { printTable } from '../relay/print-table.ts'
import { readTreeCpuMicros } from '../relay/process-figures.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { drawMonths, drawQuestion } from './questions.ts'

const TOKENS = 100
const QUESTIONS = 300
const MONTHS_QUESTIONS = 60
const WARM_UP = 20
const SEED = 20_261_117

interface Measured {
  readonly asker: Asker
  readonly pids: readonly number[]
}

interface Answers {
  readonly name: string
  readonly ms: Float64Array
  readonly cells: readonly string[]
}

export interface AnalysisTimes {
  readonly days: Float64Array
  readonly months: Float64Array
}

/** Ascending. */
export async function measureServers(
  open: OpenItems,
  filled: FilledServers,
): Promise<AnalysisTimes> {
  const api = await openApi(open, filled, TOKENS)
  const asker = await api.openAsker()
  const processes = [...filled.servers, api.process]
  const measured = { asker, pids: processes.map(({ pid }) => pid) }
  const random = createRandom(SEED)
  const endMs = Date.now()
  const within = () => drawQuestion(random, endMs, MONTHS)
  for (let index = 0; index < WARM_UP; index += 1) await asker.ask(within(), '/v1/analysis')
  const days = await measure(measured, 'within 31 days', { draw: within, count: QUESTIONS })
  const months = await measure(measured, `${MONTHS} months by month`, {
    draw: () => drawMonths(random, endMs, MONTHS),
    count: MONTHS_QUESTIONS,
  })
  printTable('(a), (b) answers, ms, and CPU of each, ms a question', [
    ['', 'p50', 'p90', 'p99', 'most', ...processes.map(({ name }) => name), 'others had'],
    ...[days, months].map(({ name, cells }) => [name, ...cells]),
  ])
  return { days: days.ms, months: months.ms }
}

async function measure(
  { asker, pids }: Measured,
  name: string,
  { draw, count }: { readonly draw: () => string; readonly count: number },
): Promise<Answers> {
  const readOthers = watchOthers()
  const before = pids.map(readTreeCpuMicros)
  const waits: number[] = []
  while (waits.length < count) waits.push((await asker.ask(draw(), '/v1/analysis')).ms)
  const cpu = pids.map((pid, at) => (readTreeCpuMicros(pid) - (before[at] ?? 0)) / 1000 / count)
  const ms = Float64Array.from(waits).sort()
  const cells = [
    ...[0.5, 0.9, 0.99, 1].map((share) => quantile(ms, share).toFixed(0)),
    ...cpu.map((each) => each.toFixed(1)),
    readOthers().toFixed(2),
  ]
  return { name, ms, cells }
}
