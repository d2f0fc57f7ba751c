// The memory of Weir's processes (decisions 0067 and 0078). Left alone, the engine sizes its heaps
// for speed on a machine of its own, and it and the allocator keep what a start or a burst took.
// Must stay true: a process is made to collect only while it has next to nothing to do, since
// callers wait while it does.

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
 * is collected, and then at once. In steps between batches it would grow to twice that meanwhile.
 */
const EARLY_COLLECTION = ['--heap-growing-percent=60', '--no-incremental-marking']

/**
 * The engine's own threads start before the ledger gives way to the workers, and never do so
 * themselves: with a backlog, callers waited 6 ms longer at the 99th percentile, without them 2 ms.
 */
const NO_HELPERS = '--single-threaded-gc'

/** Engines before that of Node 26 do not know the flags, and do not start with one like that. */
const HAS_COMPILER_PAGES = Number.parseInt(process.versions.node, 10) >= 26

/**
 * The compilers of hot code take up to 25 MB for some milliseconds, which the allocator would keep
 * for ever: they get pages of their own, which go back a second after they were last used.
 */
const COMPILER_PAGES = HAS_COMPILER_PAGES
  ? ['--managed-zone-memory', '--memory-pool-timeout=1']
  : []

export const HEAP_FLAGS: Readonly<Record<Role, readonly string[]>> = {
  proxy: [SMALL_YOUNG, LATE_COLLECTION, ...COMPILER_PAGES],
  api: [SMALL_YOUNG, LATE_COLLECTION, ...COMPILER_PAGES],
  ledger: [SMALL_YOUNG, ...EARLY_COLLECTION, NO_HELPERS, ...COMPILER_PAGES],
}

/**
 * One arena for the main thread, one for all others: left alone, each of Node's eight threads keeps
 * an arena of its own. Whoever starts Weir may say otherwise.
 */
export const ALLOCATOR_SETTINGS = { MALLOC_ARENA_MAX: '2' }

const LOOK_MS = 2000
/**
 * Of one core since the last look. Of a worker, some hundred calls a second; nobody waits for a
 * ledger, and its looks at the journals alone take a hundredth or two.
 */
const IDLE_SHARE_MAX = 0.01
const LEDGER_IDLE_SHARE_MAX = 0.05
/** More than young objects take: a process with little to do collects once after a burst. */
const GROWN_BYTES_MIN = 16_000_000

/** Gives back what the start took, and what a burst took once it is over. For a whole process. */
export function giveBackMemory(role: Role | 'supervisor'): void {
  const collect = findCollector()
  const idleShareMax = role === 'ledger' ? LEDGER_IDLE_SHARE_MAX : IDLE_SHARE_MAX
  let smallest = 0
  let before = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isIdle = (user + system) / 1000 < idleShareMax * LOOK_MS
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
