// What a usage question costs, on any store with two years of a company's calls: (a) every question
// of the catalogue through HTTP, worked out and asked again, and those of single calls, (b) answers
// a second on one core; and on SQLite (c) a peer without rollups, (d) what the proxy's callers feel
// of being polled. By default a tenth of the calls that makes the same rollups; `--full` stores all
// ten million, which takes a quarter of an hour. `--keep DIR` leaves the filled store there for
// other runs of the same day. `--store postgres` and `--store clickhouse` start servers.

import { createRandom } from '../test/torture/random.ts'
import { atLeast, atMost, printTable } from './harness/report.ts'
import type { Bar } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { DIM_VALUES, KEYS, MODELS } from './harness/company.ts'
import type { MeasuredProcess } from './harness/process-figures.ts'
import { formatQuantiles, quantile } from './harness/quantile.ts'
import { isFull, readStore } from './harness/options.ts'
import { createWaitBars, printRounds } from './ledger/calm-rounds.ts'
import type { Asker } from './query/asker.ts'
import { openFilledWeir } from './query/filled-weir.ts'
import type { FilledWeir } from './query/filled-weir.ts'
import { measureAnswers, measureThroughput, PASSES } from './query/measure-answers.ts'
import type { Answers, Figures } from './query/measure-answers.ts'
import { measurePeer } from './query/peer.ts'
import { measurePolled, ROUNDS } from './query/polled.ts'
import { listCatalogue, listOthers, readIds } from './query/questions.ts'
import type { Question } from './query/questions.ts'
import { MONTHS, PROVIDERS } from './query/two-years.ts'

const POLLERS_TOKENS = 200
const CONNECTIONS = 8
const CACHED_ANSWERS = 20_000
const SEED = 20_261_115
const ROUNDS_IN_A_ROW = 10
const MS_MAX = { sqlite: 20, postgres: 60, clickhouse: 60 } as const
const PAGE_MS_MAX = 300

await runBenchmark(async (open) => {
  const store = readStore()
  console.log(
    `${KEYS} keys, ${MODELS} models of ${PROVIDERS.length} providers, 3 dimensions with ${DIM_VALUES} values, ` +
      `${MONTHS} months${isFull ? '' : '; --full stores all of the ten million calls'}. Seed ${SEED}.`,
  )
  const filled = await openFilledWeir(open, { store, isFull })
  const { weir, processes } = filled
  const [token = '', ...tokens] = await filled.createTokens(1 + POLLERS_TOKENS)
  const random = createRandom(SEED)
  const ids = await readIds(weir.program.addresses.api, token, random)
  const questions = [...listCatalogue(), ...listOthers(ids)]
  const asker = await filled.openAsker()
  const answers = await measureAnswers({ ...filled, questions, asker, random })
  printAnswers(answers, processes)
  const perCpuSecond = await measureSpeeds(filled)
  if (store !== 'sqlite') return createBars(answers, MS_MAX[store])

  await measurePeer(filled)
  const polled = await measurePolled(open, weir, tokens)
  const title = `(d) callers' waits while two pollers ask, ${ROUNDS} rounds in turns`
  printRounds(title, polled.rounds, ROUNDS_IN_A_ROW)
  const share = (100 * polled.uncachedShare).toFixed(0)
  const polls = polled.answersPerSecond.toFixed(0)
  console.log(`  polled: ${polls} answers/s, ${share} % of them worked out`)
  const again = findWorst(answers, 'catalogue', ({ againMs }) => quantile(againMs, 0.99))
  return [
    ...createBars(answers, MS_MAX[store]),
    atMost('(a) the slowest question, asked again, p99', again, { limit: 2, unit: 'ms' }),
    atLeast('(b) answers asked again, on one core', perCpuSecond, {
      limit: 2000,
      unit: 'answers/CPU s',
      digits: 0,
    }),
    ...createWaitBars('(d)', 'while polled', polled.rounds),
  ]
})

/** Of the questions of a kind; null when others had the machine in too many passes. */
function findWorst(
  { figures, calmPasses }: Answers,
  kind: Question['kind'],
  pick: (figures: Figures) => number,
): number | null {
  if (calmPasses < PASSES) return null
  return Math.max(...[...figures].flatMap(([asked, own]) => (asked.kind === kind ? pick(own) : [])))
}

function createBars(answers: Answers, msMax: number): Bar[] {
  const p99 = ({ ms }: Figures): number => quantile(ms, 0.99)
  const worst = findWorst(answers, 'catalogue', p99)
  const page = findWorst(answers, 'page', p99)
  // The others' time is no part of it.
  const cpu = findWorst({ ...answers, calmPasses: PASSES }, 'catalogue', ({ cpuMs }) =>
    cpuMs.reduce((sum, each) => sum + each),
  )
  const [ms, pageMs] = [
    { limit: msMax, unit: 'ms' },
    { limit: PAGE_MS_MAX, unit: 'ms' },
  ]
  return [
    atMost('(a) the slowest question, worked out, p99', worst, ms),
    atMost('(a) the same, CPU of servers and API together', cpu, ms),
    atMost('(a) the slowest page of the request log, p99', page, pageMs),
  ]
}

function printAnswers(
  { figures, calmPasses }: Answers,
  processes: readonly MeasuredProcess[],
): void {
  const toRow = ([question, { ms, againMs, bytes, cpuMs }]: [Question, Figures]): string[] => [
    question.name,
    ...formatQuantiles(ms, [0.5, 0.99], 2),
    ...(againMs.length === 0 ? ['', ''] : formatQuantiles(againMs, [0.5, 0.99], 2)),
    (bytes / 1000).toFixed(1),
    ...cpuMs.map((each) => each.toFixed(2)),
  ]
  printTable(`(a) milliseconds for a question, ${PASSES} times each, and CPU of one worked out`, [
    ['', 'worked out: p50', 'p99', 'again: p50', 'p99', 'KB', ...processes.map(({ name }) => name)],
    ...Array.from(figures, toRow),
  ])
  console.log(`  ${calmPasses} passes were calm enough to count`)
}

/** Answers by the second of the API's CPU. */
async function measureSpeeds({ weir, openAsker }: FilledWeir): Promise<number> {
  const askers: Asker[] = []
  while (askers.length < CONNECTIONS) askers.push(await openAsker())
  const targets = listCatalogue().map(({ draw }) => draw(createRandom(SEED)))
  const options = { answers: CACHED_ANSWERS, apiPid: weir.apiPid }
  const { perCpuSecond, perSecond } = await measureThroughput(askers, targets, options)
  printTable(`(b) ${CACHED_ANSWERS} answers asked again, on ${CONNECTIONS} connections`, [
    ['', 'answers/CPU s', 'answers/s'],
    ['all questions alike', perCpuSecond.toFixed(0), perSecond.toFixed(0)],
  ])
  return perCpuSecond
}
