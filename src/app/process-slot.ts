// A place among the processes that is never left empty: who dies in it is started again, after a pause
// that grows while it keeps dying. Must stay true: a process that was relieved is never started again.

import type { Clock } from '../core/clock.ts'
import type { RoleProcess } from './role-process.ts'

/** The first pause before a dead process is started again; each further one doubles it. */
const RESTART_MS = 50
const RESTART_MS_MAX = 10_000
/** A process that lived this long has the first pause again. */
const STEADY_MS = 60_000

export interface Life {
  /** The pause before this life; 0 when it was the first. */
  readonly lastPauseMs: number
  readonly livedMs: number
}

export function nextPauseMs({ lastPauseMs, livedMs }: Life): number {
  if (lastPauseMs === 0 || livedMs > STEADY_MS) return RESTART_MS
  return Math.min(lastPauseMs * 2, RESTART_MS_MAX)
}

export interface ProcessSlotOptions {
  readonly clock: Clock
  /** Called when the process has died, before the pause. */
  readonly died: (process: RoleProcess, reason: string) => void
  /** Starts one of the same role and configuration. */
  readonly restart: (dead: RoleProcess) => RoleProcess
}

export class ProcessSlot {
  readonly #options: ProcessSlotOptions
  #process: RoleProcess
  #startedAt = 0
  #pauseMs = 0
  #timer: NodeJS.Timeout | null = null
  #isHeld = true

  constructor(process: RoleProcess, options: ProcessSlotOptions) {
    this.#options = options
    this.#process = process
    this.#sit(process)
  }

  /** Who sits here, or sat here last. */
  get process(): RoleProcess {
    return this.#process
  }

  /** Puts another process here and returns the one it relieves. */
  take(successor: RoleProcess): RoleProcess {
    const predecessor = this.leave()
    this.#pauseMs = 0
    this.#isHeld = true
    this.#sit(successor)
    return predecessor
  }

  /** From now on nobody is started here. */
  leave(): RoleProcess {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#isHeld = false
    return this.#process
  }

  #sit(process: RoleProcess): void {
    this.#process = process
    this.#startedAt = this.#options.clock.monotonic()
    void process.ended.then((reason) => {
      if (this.#isHeld && this.#process === process) this.#restart(reason)
    })
  }

  #restart(reason: string): void {
    const dead = this.#process
    const livedMs = this.#options.clock.monotonic() - this.#startedAt
    this.#pauseMs = nextPauseMs({ lastPauseMs: this.#pauseMs, livedMs })
    this.#options.died(dead, reason)
    this.#timer = setTimeout(() => this.#sit(this.#options.restart(dead)), this.#pauseMs)
  }
}
