// A process gives way to everybody else on the machine's cores: callers come first while a backlog is stored or
// the API is asked. Must stay true: a machine that is always busy does not keep anybody from his work for good.

import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * `idle` runs when nobody else wants the core. `low` has a tenth of a core where everybody wants it, and callers wait
 * longer for it.
 */
export type Priority = 'idle' | 'low'

const NICENESS = 10
const CHRT_MS_MAX = 2000

/** Of this whole process, the engine's helpers included. Returns whether it has what was wanted. */
export function giveWay(wanted: Priority): boolean {
  try {
    if (wanted === 'low') {
      for (const thread of listThreads(process.pid)) setPriority(thread, NICENESS)
      return true
    }
    // Nothing in Node sets the policy; the tool is part of every Linux distribution's base.
    const words = ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]
    execFileSync('chrt', words, { stdio: 'ignore', timeout: CHRT_MS_MAX })
    return true
  } catch {
    // A container may forbid it or lack the tool. It then works at the priority it has.
    return false
  }
}

/** On Linux a priority is a thread's, elsewhere a process's. */
function listThreads(pid: number): number[] {
  if (process.platform !== 'linux') return [pid]
  return readdirSync(`/proc/${pid}/task`).map(Number)
}

export interface ProcessTimes {
  readonly ranNs: number
  /** How long it could have run and others had the core. */
  readonly waitedNs: number
}

/** The kernel's own count (proc(5), `schedstat`), of all threads: where one waits for another, only that one counts. */
export function readProcessTimes(pid: number): ProcessTimes {
  const times = { ranNs: 0, waitedNs: 0 }
  try {
    for (const thread of listThreads(pid)) {
      const counts = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      times.ranNs += Number(counts[0])
      times.waitedNs += Number(counts[1])
    }
  } catch {
    // It ended while it was read, or one of its threads: the next look tells.
  }
  return times
}

/** What it is to get no core, between two looks. */
export interface Starving {
  readonly waitedNsMin: number
  /** Of the time in which it could have run. */
  readonly shareMin: number
}

export function isStarved(before: ProcessTimes, now: ProcessTimes, starving: Starving): boolean {
  const ranNs = now.ranNs - before.ranNs
  const waitedNs = now.waitedNs - before.waitedNs
  return waitedNs >= starving.waitedNsMin && ranNs / (ranNs + waitedNs) < starving.shareMin
}

const LOOK_MS = 10_000
/** Below that share `low` would give it more. */
const STARVED: Starving = { waitedNsMin: 5e9, shareMin: 0.05 }

/**
 * Tells once when a process that runs when nobody else wants the core hardly ran for ten seconds that it wanted to.
 * Another has to look: the one that starves comes to nothing.
 */
export function watchForStarving(
  read: () => ProcessTimes,
  tell: () => void,
): { readonly close: () => void } {
  let last = read()
  const timer = setInterval(() => {
    const before = last
    last = read()
    if (!isStarved(before, last, STARVED)) return
    clearInterval(timer)
    tell()
  }, LOOK_MS)
  return { close: () => clearInterval(timer) }
}
