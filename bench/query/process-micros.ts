// CPU time of a process and its children, question by question.

import { readdirSync, readFileSync } from 'node:fs'

import { readChildren, readCpuMicros } from '../relay/process-figures.ts'

/** A process whose CPU a benchmark reads. */
export interface MeasuredProcess {
  readonly name: string
  readonly pid: number
  /**
   * Its threads come and go and take their clocks with them, so the ticks of proc(5) `stat` are
   * read, of a hundredth of a second: right over many questions only.
   */
  readonly isByTicks?: boolean
}

export interface ProcessMeter {
  readonly name: string
  /** Since it was read last. */
  readonly readNew: () => number
}

/** PostgreSQL has a process for each connection: they come and go. */
export function createProcessMeter({ name, pid, isByTicks }: MeasuredProcess): ProcessMeter {
  const readOne = isByTicks === true ? readTicks : readThreads
  const read = (): ReadonlyMap<number, number> =>
    new Map([pid, ...readChildren(pid)].map((each) => [each, readOne(each)]))
  let before = read()
  return {
    name,
    readNew() {
      const now = read()
      let used = 0
      for (const [each, micros] of now) used += micros - (before.get(each) ?? 0)
      before = now
      return used
    },
  }
}

function readTicks(pid: number): number {
  return readCpuMicros([pid])
}

/** To the nanosecond. */
function readThreads(pid: number): number {
  try {
    const taken = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [nanos = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return Number(nanos) / 1000
    })
    return taken.reduce((sum, each) => sum + each, 0)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}
