// How long the API takes for each question, when it has to be worked out and when it was asked
// before, and what of CPU the servers and the API take for it. A pass asks all of them, and begins
// with a line in the list of repricings: no earlier figure is valid behind it, so every question is
// new. Of the answers of the catalogue the first must be worked out then, and the others be the
// same. Times are of this machine with whoever shares it; CPU is not.

import type { Random } from '../../test/torture/random.ts'
import { readCpuMicros, watchOthers, watchProcess } from '../harness/process-figures.ts'
import { calmest } from '../harness/quantile.ts'
import { OTHERS_MAX } from '../ledger/calm-rounds.ts'
import type { Asker } from './asker.ts'
import type { FilledWeir } from './filled-weir.ts'
import type { Question } from './questions.ts'

export interface Figures {
  /** Of those that were worked out. */
  readonly ms: readonly number[]
  /** Of those of the catalogue, asked again several times: a hundredth of few would be chance. */
  readonly againMs: readonly number[]
  readonly bytes: number
  /** Of one that was worked out, by process. */
  readonly cpuMs: readonly number[]
}

export interface Answers {
  readonly figures: ReadonlyMap<Question, Figures>
  /** How many passes were left alone by others; with fewer than all, times say nothing. */
  readonly calmPasses: number
}

export interface MeasureOptions extends Pick<FilledWeir, 'usage' | 'processes'> {
  readonly questions: readonly Question[]
  readonly asker: Asker
  readonly random: Random
}

interface Pass {
  readonly samples: ReadonlyMap<Question, Figures>
  /** Of one core, that others had meanwhile. */
  readonly others: number
}

/** With fewer there is no hundredth. */
export const PASSES = 100
/** So many are made until enough of them were left alone by others. */
const PASSES_MAX = 200
/**
 * The API's engine compiles what is asked often between answers: for so long one answer in a few
 * hundred waits for it.
 */
const WARM_UP_PASSES = 30
const REPEATS = 5

/** Of so many passes, those in which others took the least. */
export async function measureAnswers(options: MeasureOptions): Promise<Answers> {
  const makePass = createPass(options)
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) await makePass(pass)
  const passes: Pass[] = []
  const countCalm = () => passes.filter(({ others }) => others <= OTHERS_MAX).length
  while (passes.length < PASSES_MAX && countCalm() < PASSES) {
    passes.push(await makePass(passes.length))
  }
  const counted = calmest(passes, PASSES)
  const figures = options.questions.map((question) => {
    const samples = counted.map((pass) => pass.samples.get(question) as Figures)
    const mean = (pick: (sample: Figures) => number): number =>
      samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length
    const own = {
      ms: samples.flatMap(({ ms }) => ms),
      againMs: samples.flatMap(({ againMs }) => againMs),
      bytes: mean(({ bytes }) => bytes),
      cpuMs: options.processes.map((_, at) => mean(({ cpuMs }) => cpuMs[at] ?? 0)),
    }
    return [question, own] as const
  })
  return { figures: new Map(figures), calmPasses: countCalm() }
}

function createPass(options: MeasureOptions): (pass: number) => Promise<Pass> {
  const { questions, usage, asker, random } = options
  const meters = options.processes.map(watchProcess)
  const answered = new Map<string, number>()

  async function askOften({ kind, draw }: Question): Promise<Figures> {
    const target = draw(random)
    for (const readNew of meters) readNew()
    const { ms, bytes, asOfMs } = await asker.ask(target)
    const cpuMs = meters.map((readNew) => readNew() / 1000)
    const againMs: number[] = []
    if (kind !== 'catalogue') return { ms: [ms], bytes, cpuMs, againMs }
    if (answered.get(target) === asOfMs) throw new Error(`Not computed again: ${target}`)
    answered.set(target, asOfMs)
    while (againMs.length < REPEATS) {
      const again = await asker.ask(target)
      if (again.asOfMs !== asOfMs) throw new Error(`Worked out twice: ${target}`)
      againMs.push(again.ms)
    }
    return { ms: [ms], bytes, cpuMs, againMs }
  }

  return async (pass) => {
    const line = { repricing: null, at: Date.now(), who: 'bench', what: 'nothing', prices: [] }
    await usage.upkeep.changeCosts([], line)
    // Each time another question is the first behind the change.
    const turn = pass % questions.length
    const readOthers = watchOthers()
    const samples = new Map<Question, Figures>()
    for (const question of [...questions.slice(turn), ...questions.slice(0, turn)]) {
      samples.set(question, await askOften(question))
    }
    return { samples, others: readOthers() }
  }
}

/** All askers at once, each as fast as it is answered, with questions that were asked before. */
export async function measureThroughput(
  askers: readonly Asker[],
  targets: readonly string[],
  { answers, apiPid }: { readonly answers: number; readonly apiPid: number },
) {
  for (const target of targets) await askers[0]?.ask(target)
  let asked = 0
  const cpuBefore = readCpuMicros([apiPid])
  const startedAt = performance.now()
  const askOn = async (asker: Asker): Promise<void> => {
    while (asked < answers) {
      const target = targets[asked % targets.length] as string
      asked += 1
      await asker.ask(target)
    }
  }
  await Promise.all(askers.map(askOn))
  const seconds = (performance.now() - startedAt) / 1000
  const cpuSeconds = (readCpuMicros([apiPid]) - cpuBefore) / 1_000_000
  return { perCpuSecond: asked / cpuSeconds, perSecond: asked / seconds }
}
