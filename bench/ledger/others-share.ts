// How much of the machine other processes took: the slowest call of a hundred says nothing about
// Weir when they had the cores. Judged by their CPU time, never by what was measured meanwhile.

import { readFileSync } from 'node:fs'

import { readTreeCpuMicros } from '../relay/process-figures.ts'

const MICROS_PER_TICK = 10_000

/** The function returned gives the share of one core that others have taken since. */
export function watchOthers(): () => number {
  const before = readOthersMicros()
  const startedAt = performance.now()
  return () => (readOthersMicros() - before) / ((performance.now() - startedAt) * 1000)
}

function readOthersMicros(): number {
  return readBusyMicros() - readTreeCpuMicros(process.pid)
}

/**
 * In the first line of proc(5) `stat`, behind the name: idle and waiting for a disk are no work.
 */
const IDLE_COLUMNS: ReadonlySet<number> = new Set([3, 4])
/** What guests used is in the user's time already. */
const COLUMNS = 8

/** The host's time that was stolen counts: it was taken as well. */
function readBusyMicros(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line
    .split(/\s+/)
    .slice(1, 1 + COLUMNS)
    .map(Number)
  const busy = ticks.reduce((sum, each, at) => (IDLE_COLUMNS.has(at) ? sum : sum + each), 0)
  return busy * MICROS_PER_TICK
}
