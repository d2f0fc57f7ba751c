// The ledger's thread gives way to everybody else on the machine's cores: callers come first while it catches up.
// Must stay true: no other thread of the process is slowed, and a machine that is always busy does not keep the
// ledger from its work for good.

import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * `idle` runs when nobody else wants the core, and whoever wakes has it at once. `low` has a tenth of a core where
 * everybody wants it, but keeps it for a moment when somebody wakes: callers then wait some milliseconds more.
 */
export type LedgerPriority = 'idle' | 'low'

const NICENESS = 10
const CHRT_MS_MAX = 2000

/**
 * Only on Linux: there the call sets the calling thread's, elsewhere the whole process's, and the API answers in
 * this process. Threads that are begun later by this one inherit it, so it is called when the pool for files exists.
 * Returns the number of the thread if it runs when nobody else wants the core.
 */
export function giveWay(
  wanted: LedgerPriority,
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (platform !== 'linux') return null
  try {
    setPriority(0, NICENESS)
    if (wanted === 'low') return null
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1) as string
    // Nothing in Node sets a thread's policy; the tool is part of every distribution's base.
    const words = ['-i', '-p', '0', thread]
    execFileSync('chrt', words, { stdio: 'ignore', timeout: CHRT_MS_MAX })
    return thread
  } catch {
    // A container may forbid it or lack the tool. The ledger then works at the priority it has.
    return null
  }
}

export interface ThreadTimes {
  readonly ranNs: number
  /** How long it could have run and others had the core. */
  readonly waitedNs: number
}

/** The kernel's own count (proc(5), `schedstat`). */
export function readThreadTimes(thread: string): ThreadTimes {
  const [ran, waited] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')
  return { ranNs: Number(ran), waitedNs: Number(waited) }
}

const LOOK_MS = 10_000
/** Below it `low` would give it more. */
const SHARE_MIN = 0.05
const WAITED_NS_MIN = 5e9

/**
 * Tells once when a thread that runs when nobody else wants the core hardly ran for ten seconds that it wanted to.
 * Another thread has to look: the one that starves comes to nothing.
 */
export function watchForStarving(
  read: () => ThreadTimes,
  tell: () => void,
): { readonly close: () => void } {
  let last = read()
  const timer = setInterval(() => {
    const times = read()
    const ranNs = times.ranNs - last.ranNs
    const waitedNs = times.waitedNs - last.waitedNs
    last = times
    if (waitedNs < WAITED_NS_MIN || ranNs / (ranNs + waitedNs) >= SHARE_MIN) return
    clearInterval(timer)
    tell()
  }, LOOK_MS)
  return { close: () => clearInterval(timer) }
}
