// How long the API takes for each question, when it has to be worked out and when it was asked
// before. A pass asks all of them, several times each, and begins with a line in the list of
// repricings: no earlier figure is valid behind it, so every question is new. Of its answers the
// first must be worked out then, and the others be the same.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { readUsage } from '../../src/api/usage/usage-query.ts'
import type { UsageStore } from '../../src/store/usage/usage-store.ts'
import { OTHERS_MAX } from '../ledger/calm-rounds.ts'
import type { Random } from '../ledger/company.ts'
import { watchOthers } from '../ledger/others-share.ts'
import { quantile } from '../relay/measure.ts'
import { readCpuMicros } from '../relay/process-figures.ts'
import type { Asker } from './asker.ts'
import { toSearch } from './questions.ts'
import type { Question } from './questions.ts'

export interface Sample {
  readonly uncachedMs: number
  /** Asked again several times: a hundredth of few would be chance. */
  readonly cachedMs: readonly number[]
  /** The same question to `readUsage` in this process: no HTTP, no token, no snapshot. */
  readonly bareMs: number
  readonly bytes: number
}

export interface Pass {
  readonly samples: ReadonlyMap<Question, Sample>
  /** Of one core, that others had meanwhile. */
  readonly others: number
}

export interface MeasureOptions {
  readonly questions: readonly Question[]
  readonly asker: Asker
  /** Of the same data directory. */
  readonly usage: UsageStore
  readonly random: Random
}

export const PASSES = 200
/** So many are made until enough of them were left alone by others. */
const PASSES_MAX = 300
/** With fewer there is no hundredth. */
const CALM_PASSES_MIN = 100
/**
 * The API's engine compiles what is asked often between answers: for so long one answer in a few
 * hundred waits for it.
 */
const WARM_UP_PASSES = 30
const REPEATS = 5

type PickFigure = (sample: Sample) => number | readonly number[]

/** So many, those in which others took the least; the calmest first. */
export async function measureAnswers(options: MeasureOptions): Promise<readonly Pass[]> {
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) await makePass(options, pass)
  const passes: Pass[] = []
  while (passes.length < PASSES_MAX && countCalm(passes) < PASSES) {
    passes.push(await makePass(options, passes.length))
  }
  return passes.toSorted((a, b) => a.others - b.others).slice(0, PASSES)
}

export function countCalm(passes: readonly Pass[]): number {
  return passes.filter(({ others }) => others <= OTHERS_MAX).length
}

/** The slowest question's hundredth answer; null when others had the machine in too many passes. */
export function findWorst(passes: readonly Pass[], pick: PickFigure): number | null {
  const calm = passes.slice(0, countCalm(passes))
  if (calm.length < CALM_PASSES_MIN) return null
  const questions = [...(calm[0] as Pass).samples.keys()]
  return Math.max(...questions.map((question) => quantile(listFigures(question, calm, pick), 0.99)))
}

/** Ascending. */
export function listFigures(
  question: Question,
  passes: readonly Pass[],
  pick: PickFigure,
): Float64Array {
  const found = passes.flatMap(({ samples }) => samples.get(question) ?? [])
  return Float64Array.from(found.flatMap(pick)).sort()
}

async function makePass(options: MeasureOptions, pass: number): Promise<Pass> {
  const { questions, usage } = options
  const line = { repricing: null, at: Date.now(), who: 'bench', what: 'nothing', prices: [] }
  await usage.upkeep.changeCosts([], line)
  // Each time another question is the first behind the change.
  const turn = pass % questions.length
  const tellOthers = watchOthers()
  const asked: Asked[] = []
  for (const question of [...questions.slice(turn), ...questions.slice(0, turn)]) {
    asked.push(await askOften(question, options))
  }
  const others = tellOthers()
  // Behind the last of them: what it leaves behind in this process would be collected while others
  // are timed.
  const samples = new Map<Question, Sample>()
  for (const each of asked) {
    samples.set(each.question, { ...each, bareMs: await readBare(each, options) })
  }
  collectGarbage()
  return { samples, others }
}

interface Asked extends Omit<Sample, 'bareMs'> {
  readonly question: Question
  readonly search: string
  readonly askedAtMs: number
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function askOften(
  question: Question,
  { asker, random }: Pick<MeasureOptions, 'asker' | 'random'>,
): Promise<Asked> {
  const search = toSearch(question, random)
  const askedAtMs = Date.now()
  const first = await asker.ask(search)
  if (!(first.asOfMs >= askedAtMs)) throw new Error(`Not computed again: ${search}`)
  const cachedMs: number[] = []
  while (cachedMs.length < REPEATS) {
    const again = await asker.ask(search)
    if (again.asOfMs !== first.asOfMs) throw new Error(`Worked out twice: ${search}`)
    cachedMs.push(again.ms)
  }
  return { question, search, askedAtMs, uncachedMs: first.ms, cachedMs, bytes: first.bytes }
}

async function readBare({ search, askedAtMs }: Asked, { usage }: MeasureOptions): Promise<number> {
  const query = parseUsageQuery(new URLSearchParams(search), askedAtMs)
  const startedAt = performance.now()
  await readUsage(query, usage, askedAtMs)
  return performance.now() - startedAt
}

export interface Throughput {
  readonly answersPerCpuSecond: number
  readonly answersPerSecond: number
}

/** All askers at once, each as fast as it is answered, with questions that were asked before. */
export async function measureThroughput(
  askers: readonly Asker[],
  searches: readonly string[],
  { answers, apiPid }: { readonly answers: number; readonly apiPid: number },
): Promise<Throughput> {
  for (const search of searches) await askers[0]?.ask(search)
  let asked = 0
  const cpuBefore = readCpuMicros([apiPid])
  const startedAt = performance.now()
  const askOn = async (asker: Asker): Promise<void> => {
    while (asked < answers) {
      const search = searches[asked % searches.length] as string
      asked += 1
      await asker.ask(search)
    }
  }
  await Promise.all(askers.map(askOn))
  const seconds = (performance.now() - startedAt) / 1000
  const cpuSeconds = (readCpuMicros([apiPid]) - cpuBefore) / 1_000_000
  return { answersPerCpuSecond: asked / cpuSeconds, answersPerSecond: asked / seconds }
}
