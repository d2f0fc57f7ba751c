// A slot with a running process: one that dies is restarted, after a pause that grows each time.
// Must stay true: a process that was replaced is never restarted.

import type { Clock } from '../core/clock.ts'
import type { RoleProcess } from './role-process.ts'

/** Doubles with each further death. */
const RESTART_MS = 50
const RESTART_MS_MAX = 10_000
/** After this long the pause is short again. */
const STEADY_MS = 60_000

export interface Life {
  /** 0 in the first life. */
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
  /** With the same role and configuration. */
  readonly restart: (dead: RoleProcess) => RoleProcess
}

export class ProcessSlot {
  readonly #options: ProcessSlotOptions
  #process: RoleProcess
  #startedAt = 0
  #pauseMs = 0
  #timer: NodeJS.Timeout | null = null
  #isOpen = true

  constructor(process: RoleProcess, options: ProcessSlotOptions) {
    this.#options = options
    this.#process = process
    this.#fill(process)
  }

  /** The current one, or the last. */
  get process(): RoleProcess {
    return this.#process
  }

  replace(successor: RoleProcess): RoleProcess {
    const predecessor = this.close()
    this.#pauseMs = 0
    this.#isOpen = true
    this.#fill(successor)
    return predecessor
  }

  close(): RoleProcess {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#isOpen = false
    return this.#process
  }

  #fill(process: RoleProcess): void {
    this.#process = process
    this.#startedAt = this.#options.clock.monotonic()
    void process.ended.then((reason) => {
      if (this.#isOpen && this.#process === process) this.#restart(reason)
    })
  }

  #restart(reason: string): void {
    const dead = this.#process
    const livedMs = this.#options.clock.monotonic() - this.#startedAt
    this.#pauseMs = nextPauseMs({ lastPauseMs: this.#pauseMs, livedMs })
    this.#options.died(dead, reason)
    this.#timer = setTimeout(() => this.#fill(this.#options.restart(dead)), this.#pauseMs)
  }
}
