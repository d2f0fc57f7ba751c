// The progress of long work, on standard error: standard output is for the result.

import type { Streams } from './command.ts'

const STEP_PERCENT = 10

/** A line per tenth of a step, and none for a step that is done at once. */
export function createProgress({
  err,
}: Pick<Streams, 'err'>): (step: string, done: number, total: number) => void {
  let last = { step: '', percent: 0 }
  return (step, done, total) => {
    const tenths = total === 0 ? 0 : Math.floor((done / total) * (100 / STEP_PERCENT))
    const percent = tenths * STEP_PERCENT
    if (last.step !== step) last = { step, percent: 0 }
    if (percent <= last.percent || percent >= 100) return
    last = { step, percent }
    err(`${step}: ${percent} %`)
  }
}

/** A line for each so many. */
export function createCounter(
  { err }: Pick<Streams, 'err'>,
  step: number,
  words: string,
): (count: number) => void {
  let next = step
  return (count) => {
    if (count < next) return
    next = count + step
    err(`${count} ${words}`)
  }
}
