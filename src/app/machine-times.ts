// How busy the whole machine is, by the kernel's count (proc(5), `stat`).

import { readFileSync } from 'node:fs'

/** In ticks of a hundredth of a second, over all cores. What the host took from the machine is work too. */
export interface MachineTimes {
  readonly all: number
  readonly idle: number
}

/** In the first line, behind the name: idle and waiting for a disk are nobody's work. */
const IDLE_COLUMNS: ReadonlySet<number> = new Set([3, 4])
/** What guests used is in the user's time already. */
const COLUMNS = 8

/** Elsewhere than on Linux there is nothing to be seen. */
export function readMachineTimes(): MachineTimes {
  const times = { all: 0, idle: 0 }
  for (const [index, ticks] of readColumns().entries()) {
    times.all += ticks
    if (IDLE_COLUMNS.has(index)) times.idle += ticks
  }
  return times
}

function readColumns(): readonly number[] {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    return line
      .split(/\s+/)
      .slice(1, 1 + COLUMNS)
      .map(Number)
  } catch {
    return []
  }
}
