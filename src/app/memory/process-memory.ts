// The memory of Weir's processes (decision 0067). Left alone, the engine sizes its heaps for speed
// on a machine of its own, and keeps what a start or a burst took. Must stay true: a process is
// made to collect only while it has next to nothing to do, since callers wait while it does.

import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import type { Role } from '../roles.ts'

/**
 * Young objects get 8 MB instead of 32: a call's are dead long before these are full, so it costs
 * no time that could be measured.
 */
const SMALL_YOUNG = '--max-semi-space-size=4'

/**
 * Bodies and answers pass in short-lived pieces, which the engine would take for growth: collecting
 * its whole heap every few uploads is a third of their cost, and delays a usage answer by ten
 * milliseconds. This is a threshold, not memory that is taken.
 */
const LATE_COLLECTION = '--initial-old-space-size=128'

/**
 * A batch outlives being young and is garbage when it is stored: the heap grows by 60 % before it
 * is collected, not to several times what is in use.
 */
const EARLY_COLLECTION = '--heap-growing-percent=60'

/**
 * The engine's own threads start before the ledger gives way to the workers, and never do so
 * themselves: with a backlog, callers waited 6 ms longer at the 99th percentile, without them 2 ms.
 */
const NO_HELPERS = '--single-threaded-gc'

export const HEAP_FLAGS: Readonly<Record<Role, readonly string[]>> = {
  proxy: [SMALL_YOUNG, LATE_COLLECTION],
  api: [SMALL_YOUNG, LATE_COLLECTION],
  ledger: [SMALL_YOUNG, EARLY_COLLECTION, NO_HELPERS],
}

const LOOK_MS = 2000
/** Of one core since the last look: some hundred calls a second to a worker. */
const IDLE_SHARE_MAX = 0.01
/** More than young objects take: a process with little to do collects once after a burst. */
const GROWN_BYTES_MIN = 16_000_000

/** Gives back what the start took, and what a burst took once it is over. For a whole process. */
export function giveBackMemory(): void {
  const collect = findCollector()
  let smallest = 0
  let before = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isIdle = (user + system) / 1000 < IDLE_SHARE_MAX * LOOK_MS
    if (!isIdle || readHeapBytes() < smallest + GROWN_BYTES_MIN) return
    collect()
    smallest = readHeapBytes()
    // What it took is no work of the process.
    before = process.cpuUsage()
  }, LOOK_MS).unref()
}

function readHeapBytes(): number {
  return getHeapStatistics().total_heap_size
}

/** By a flag, which is set for a moment only: code that is cached under other flags is not used. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: object) => void
  setFlagsFromString('--no-expose-gc')
  return () => collect({ type: 'major', flavor: 'last-resort' })
}
