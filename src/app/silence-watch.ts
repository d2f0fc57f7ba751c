// Notices processes that do not answer: stopped, stuck on a disk, or in an endless loop. Each sends
// its figures every second; one that is silent is told of after ten seconds and ended after thirty.
// Must stay true: time in which this process itself did not run (a laptop that slept, a machine
// that was paused) is nobody's silence.

import { readFileSync } from 'node:fs'

import type { Clock } from '../core/clock.ts'
import type { RoleProcess } from './role-process.ts'

type Watched = Pick<RoleProcess, 'role' | 'pid'>

export interface SilenceWatchOptions<Process extends Watched> {
  readonly clock: Clock
  /** Called when a process falls silent, and when it answers again. */
  readonly changed: (process: Process, isSilent: boolean) => void
  /** Called once, when a process has been silent for too long. */
  readonly end: (process: Process) => void
  /** What a process has computed so far, in any unit; null where the system does not say. */
  readonly readCpu?: (pid: number) => number | null
}

interface Silence {
  /** Since it was last heard of. */
  ms: number
  /** Of this, the time since it last computed anything. */
  idleMs: number
  cpu: number | null
  isEnded: boolean
}

const LOOK_MS = 1000
/** Of one look. What is beyond is time in which this process stood still, and all others may. */
const LOOK_MS_MAX = 2 * LOOK_MS
export const SILENT_MS = 10_000
export const SILENT_MS_MAX = 30_000
/**
 * A ledger that computes is not ended before: SQLite answers in the same thread, and a new budget
 * is counted from all calls of its month in one statement.
 */
const BUSY_MS_MAX = 600_000

export class SilenceWatch<Process extends Watched> {
  readonly #options: SilenceWatchOptions<Process>
  readonly #silences = new Map<Process, Silence>()
  readonly #timer: NodeJS.Timeout
  #lookedAt: number

  constructor(options: SilenceWatchOptions<Process>) {
    this.#options = options
    this.#lookedAt = options.clock.monotonic()
    this.#timer = setInterval(() => this.look(), LOOK_MS)
    this.#timer.unref()
  }

  /** From when it is ready: bringing large files up to date takes as long as it takes. */
  add(process: Process): void {
    this.#silences.set(process, { ms: 0, idleMs: 0, cpu: null, isEnded: false })
  }

  answered(process: Process): void {
    const silence = this.#silences.get(process)
    if (silence === undefined) return
    const wasSilent = isLong(silence)
    silence.ms = 0
    silence.idleMs = 0
    if (wasSilent) this.#options.changed(process, false)
  }

  gone(process: Process): void {
    const silence = this.#silences.get(process)
    this.#silences.delete(process)
    if (silence !== undefined && isLong(silence)) this.#options.changed(process, false)
  }

  isSilent(process: Process): boolean {
    const silence = this.#silences.get(process)
    return silence !== undefined && isLong(silence)
  }

  /** For how long each process of a role is silent; 0 for one that answers. */
  silencesOf(role: Process['role']): readonly number[] {
    return [...this.#silences]
      .filter(([process]) => process.role === role)
      .map(([, silence]) => (isLong(silence) ? silence.ms : 0))
  }

  look(): void {
    const { clock } = this.#options
    const now = clock.monotonic()
    const passedMs = Math.min(now - this.#lookedAt, LOOK_MS_MAX)
    this.#lookedAt = now
    for (const [process, silence] of this.#silences) this.#add(process, silence, passedMs)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #add(process: Process, silence: Silence, passedMs: number): void {
    const wasSilent = isLong(silence)
    silence.ms += passedMs
    silence.idleMs += passedMs
    if (process.role === 'ledger') this.#noteCpu(process, silence)
    if (!wasSilent && isLong(silence)) this.#options.changed(process, true)
    if (silence.isEnded || silence.ms < SILENT_MS_MAX) return
    if (silence.idleMs < SILENT_MS && silence.ms < BUSY_MS_MAX) return
    silence.isEnded = true
    this.#options.end(process)
  }

  #noteCpu({ pid }: Process, silence: Silence): void {
    const { readCpu = readCpuTicks } = this.#options
    const cpu = pid === undefined ? null : readCpu(pid)
    if (cpu !== silence.cpu) silence.idleMs = 0
    silence.cpu = cpu
  }
}

function isLong({ ms }: Silence): boolean {
  return ms >= SILENT_MS
}

/** Of Linux: time in the program and in the system, the 14th and 15th word of its line. */
function readCpuTicks(pid: number): number | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second word is the program's name, which may contain anything.
    const words = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return Number(words[11]) + Number(words[12])
  } catch {
    return null
  }
}
