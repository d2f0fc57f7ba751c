// What a process used, as the kernel counts it: only the one under test is charged, never the load
// generator or the upstream beside it. Linux only, since the figures come from /proc.

import { existsSync, readFileSync } from 'node:fs'

/** Linux reports times in hundredths of a second to user space, whatever its own tick is. */
const MICROS_PER_TICK = 10_000
const BYTES_PER_KB = 1024

/** User and system time of the processes with all their threads. */
export function readCpuMicros(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const { user, system } = readTicks(pid)
    return user + system
  })
  return ticks.reduce((sum, value) => sum + value, 0) * MICROS_PER_TICK
}

/**
 * The same of a process, of all that it began, and of all that they began; of those that ended
 * meanwhile too.
 */
export function readTreeCpuMicros(pid: number): number {
  try {
    // First the children: what one that ends now has used is the parent's when that is read.
    const below = readChildren(pid).map(readTreeCpuMicros)
    const { user, system, ended } = readTicks(pid)
    return below.reduce((sum, value) => sum + value, (user + system + ended) * MICROS_PER_TICK)
  } catch {
    return 0
  }
}

interface Ticks {
  readonly user: number
  readonly system: number
  /** Of children that have ended and were waited for. */
  readonly ended: number
}

function readTicks(pid: number): Ticks {
  // The name in brackets may contain blanks; fields are counted from behind it.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return { user, system, ended: endedUser + endedSystem }
}

/**
 * Time that the machine's host gave to others while we wanted to run, summed over the cores; 0 on
 * bare metal.
 */
export function readStolenMicros(): number {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.trim().split(/\s+/) ?? []
  return Number(fields[8] ?? 0) * MICROS_PER_TICK
}

export function readResidentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (match === null) throw new Error(`The kernel names no resident memory of process ${pid}.`)
  return Number(match[1]) * BYTES_PER_KB
}

export function readChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/**
 * How many files and sockets a process started by this one may open. Node has raised the soft limit
 * already.
 */
export function readOpenFilesMax(): number {
  const match = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  return match?.[1] === 'unlimited' ? Infinity : Number(match?.[1])
}

export function assertLinux(): void {
  if (existsSync('/proc/self/stat')) return
  throw new Error('CPU and memory are read from /proc: this benchmark runs on Linux.')
}
