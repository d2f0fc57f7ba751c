// CPU time of processes to the nanosecond: the ticks of proc(5) `stat` are too long for one
// question.

import { readdirSync, readFileSync } from 'node:fs'

/** By process: PostgreSQL has one for each connection, and they come and go. */
export function readChildrenMicros(pid: number): ReadonlyMap<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return new Map(children.map((child) => [child, readMicros(Number(child))]))
}

/** Of all its threads. */
export function readMicros(pid: number): number {
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
