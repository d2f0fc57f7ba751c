// What a question of GET /v1/analysis costs on any store with ten million calls of two years: (a)
// any question within 31 days, through HTTP, (b) all months by month. Filling takes a quarter of an
// hour: `--tenth` takes a tenth of the calls, `--keep DIR` keeps the filled store for other runs of
// the same day. `--store postgres` and `--store clickhouse` start servers.

import { createRandom } from '../test/torture/random.ts'
import { drawMonths, drawQuestion } from './analysis/questions.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { isTenth, readStore } from './harness/options.ts'
import { readTreeCpuMicros, watchOthers } from './harness/process-figures.ts'
import { formatQuantiles, quantile } from './harness/quantile.ts'
import { atMost, printTable } from './harness/report.ts'
import { openFilledWeir } from './query/filled-weir.ts'
import { MONTHS } from './query/two-years.ts'

const QUESTIONS = 400
const MONTHS_QUESTIONS = 100
const WARM_UP = 20
const SEED = 20_261_117
const DAYS_MS_MAX = 300
const MONTHS_MS_MAX = 500

await runBenchmark(async (open) => {
  const filled = await openFilledWeir(open, { store: readStore(), isFull: !isTenth })
  const { processes } = filled
  const random = createRandom(SEED)
  const endMs = Date.now()
  const asker = await filled.openAsker()
  const rows: string[][] = []
  /** The hundredth, in milliseconds. */
  const measure = async (name: string, draw: () => string, count: number): Promise<number> => {
    const readOthers = watchOthers()
    const before = processes.map(({ pid }) => readTreeCpuMicros(pid))
    const ms: number[] = []
    while (ms.length < count) ms.push((await asker.ask(draw())).ms)
    const cpuMs = processes.map(
      ({ pid }, at) => (readTreeCpuMicros(pid) - (before[at] ?? 0)) / 1000 / count,
    )
    rows.push([
      name,
      ...formatQuantiles(ms, [0.5, 0.9, 0.99, 1], 0),
      ...cpuMs.map((each) => each.toFixed(1)),
      readOthers().toFixed(2),
    ])
    return quantile(ms, 0.99)
  }
  const drawDays = () => drawQuestion(random, endMs)
  const ofMonths = `${MONTHS} months by month`
  for (let index = 0; index < WARM_UP; index += 1) await asker.ask(drawDays())
  const daysMs = await measure('within 31 days', drawDays, QUESTIONS)
  const drawAll = () => drawMonths(random, endMs)
  const monthsMs = await measure(ofMonths, drawAll, MONTHS_QUESTIONS)
  const names = processes.map(({ name }) => name)
  printTable(`(a), (b) answers, ms, and CPU of each, ms a question. Seed ${SEED}.`, [
    ['', 'p50', 'p90', 'p99', 'most', ...names, 'others had of a core'],
    ...rows,
  ])
  const ms = { unit: 'ms', digits: 0 }
  return [
    atMost('(a) any question within 31 days, p99', daysMs, { limit: DAYS_MS_MAX, ...ms }),
    atMost(`(b) ${ofMonths}, p99`, monthsMs, { limit: MONTHS_MS_MAX, ...ms }),
  ]
})
