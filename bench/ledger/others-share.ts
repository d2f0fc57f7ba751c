// How much of the machine others took: the hundredth call of a second tells nothing about Weir when somebody else had
// the cores. Judged by the time of processes that are not the benchmark's, never by what was measured meanwhile.

import { readMachineTimes } from '../../src/app/machine-times.ts'
import { readTreeCpuMicros } from '../relay/process-figures.ts'

const MICROS_PER_TICK = 10_000

/** Starts to look; the function returned tells the share of one core that others have taken since. */
export function watchOthers(): () => number {
  const before = readOthersMicros()
  const startedAt = performance.now()
  return () => (readOthersMicros() - before) / ((performance.now() - startedAt) * 1000)
}

function readOthersMicros(): number {
  return readBusyMicros() - readTreeCpuMicros(process.pid)
}

/** The host's time that was stolen counts: it was taken as well. */
function readBusyMicros(): number {
  const { all, idle } = readMachineTimes()
  return (all - idle) * MICROS_PER_TICK
}
