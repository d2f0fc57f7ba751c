// What processes used, as the kernel counts it: only the one under test is charged, never the load
// generator or the upstream beside it. Linux only, since the figures come from /proc.

import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux reports times in hundredths of a second to user space, whatever its own tick is. */
const MICROS_PER_TICK = 10_000

if (!existsSync('/proc/self/stat')) {
  throw new Error('CPU and memory are read from /proc: this runs on Linux.')
}

/** User and system time of the processes with all their threads. */
export function readCpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + readTicks(pid).own * MICROS_PER_TICK, 0)
}

/**
 * The same of a process, of all that it began, and of all that they began; of those that ended
 * meanwhile too.
 */
export function readTreeCpuMicros(pid: number): number {
  try {
    // First the children: what one that ends now has used is the parent's when that is read.
    const below = readChildren(pid).map(readTreeCpuMicros)
    const { own, ended } = readTicks(pid)
    return below.reduce((sum, value) => sum + value, (own + ended) * MICROS_PER_TICK)
  } catch {
    return 0
  }
}

/** Of the process, and of children that have ended and were waited for. */
function readTicks(pid: number): { readonly own: number; readonly ended: number } {
  // The name in brackets may contain blanks; fields are counted from behind it.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return { own: user + system, ended: endedUser + endedSystem }
}

/**
 * The function returned gives the share of one core that other processes have taken since: the
 * slowest call of a hundred says nothing about Weir when they had the cores. What the machine's
 * host took away counts, and so does work in the kernel that is no process's.
 */
export function watchOthers(): () => number {
  const [before, startedAt] = [readOthersMicros(), performance.now()]
  return () => (readOthersMicros() - before) / ((performance.now() - startedAt) * 1000)
}

function readOthersMicros(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.split(/\s+/).slice(1).map(Number)
  // What guests used behind them is in the user's time already. Idle, and idle with a disk at work,
  // is no work.
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = ticks
  const busy = user + nice + system + interrupts + soft + stolen
  return busy * MICROS_PER_TICK - readTreeCpuMicros(process.pid)
}

/** A process whose CPU a benchmark reads question by question. */
export interface MeasuredProcess {
  readonly name: string
  readonly pid: number
  /**
   * Its threads come and go and take their clocks with them, so ticks of a hundredth of a second
   * are read: right over many questions only.
   */
  readonly isByTicks?: boolean
}

/** The function returned gives the microseconds since it was asked last, children included. */
export function watchProcess({ pid, isByTicks }: MeasuredProcess): () => number {
  const readOne = isByTicks === true ? (one: number) => readCpuMicros([one]) : readThreadMicros
  // PostgreSQL has a process for each connection: they come and go.
  const read = () => new Map([pid, ...readChildren(pid)].map((each) => [each, readOne(each)]))
  let before = read()
  return () => {
    const now = read()
    let used = 0
    for (const [each, micros] of now) used += micros - (before.get(each) ?? 0)
    before = now
    return used
  }
}

/** To the nanosecond. */
function readThreadMicros(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanos = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanos) / 1000
    }, 0)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/** What a process adds to the machine: pages that several of them share count once. */
export function readPssBytes(pid: number): number {
  const match = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(match?.[1]) * 1024
}

export function readChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}
