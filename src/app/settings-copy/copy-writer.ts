// Keeps the copies of keys and blocking budgets in the data directory up to date, for a start
// without the database. It runs in the ledger's process: there is one on a node, and no call waits
// for it.

import { isDeepStrictEqual } from 'node:util'

import type { BudgetReport, BudgetState } from '../../core/budget-state.ts'
import type { Clock } from '../../core/clock.ts'
import { followKeys } from '../../store/settings/follow.ts'
import type { FollowedKeys } from '../../store/settings/follow.ts'
import type { KeyStore } from '../../store/settings/key-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import { writeBudgetCopy } from './budget-copy.ts'
import { confirmKeyCopy, writeKeyCopy } from './key-copy.ts'

export interface CopyWriterOptions {
  readonly dataDir: string
  readonly keys: Pick<KeyStore, 'readChanges'>
  readonly clock: Clock
  readonly warn: (fields: object, message: string) => void
  readonly intervalMs?: number
  readonly confirmMs?: number
}

const INTERVAL_MS = 1000
/** With very many keys, at most a twentieth of the time goes into writing. */
const REST_PART = 20
/** How often a copy that did not change is marked as still true. */
const CONFIRM_MS = 10_000

export class CopyWriter {
  readonly #options: CopyWriterOptions
  readonly #keys: FollowedKeys
  #hasKeyCopy = false
  #confirmedAt = -Infinity
  #report: BudgetReport | null = null
  /** Counters that a report does not name stay as they were. */
  #states = new Map<string, BudgetState>()
  #copied: BudgetReport | null = null
  #hasFailed = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(options: CopyWriterOptions) {
    this.#options = options
    this.#keys = followKeys(options.keys)
    this.#start()
  }

  /** The ledger's newest. */
  noteBudgets({ isPartial = false, ...report }: BudgetReport): void {
    if (!isPartial) this.#states = new Map()
    for (const state of report.states) this.#states.set(state.budget.id, state)
    this.#report = { ...report, states: [...this.#states.values()] }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#writing
  }

  #start(): void {
    this.#writing = this.#writeSafely()
  }

  async #writeSafely(): Promise<void> {
    const { clock, warn, intervalMs = INTERVAL_MS } = this.#options
    const beganAt = clock.monotonic()
    try {
      await this.#writeBudgets()
      await this.#writeKeys()
      this.#hasFailed = false
    } catch (error) {
      // A database that is away is reported by those that need it now.
      const isNew = !this.#hasFailed && !(error instanceof StoreBusy)
      if (isNew)
        warn({ err: error }, 'the copy of settings could not be written; it is tried again')
      this.#hasFailed ||= isNew
    }
    if (this.#isClosed) return
    const tookMs = clock.monotonic() - beganAt
    this.#timer = setTimeout(() => this.#start(), Math.max(intervalMs, tookMs * REST_PART))
    this.#timer.unref()
  }

  async #writeKeys(): Promise<void> {
    const { dataDir, clock, confirmMs = CONFIRM_MS } = this.#options
    const hasChanged = await this.#keys.look()
    const isCurrent = this.#hasKeyCopy && !hasChanged
    if (isCurrent && clock.monotonic() - this.#confirmedAt < confirmMs) return
    // What fails here, or was removed, is written the next time.
    this.#hasKeyCopy = false
    if (!isCurrent) await writeKeyCopy(dataDir, this.#keys.byId.values())
    await confirmKeyCopy(dataDir, clock.now())
    this.#hasKeyCopy = true
    this.#confirmedAt = clock.monotonic()
  }

  async #writeBudgets(): Promise<void> {
    const report = this.#report
    if (report === null || isDeepStrictEqual(report.states, this.#copied?.states)) return
    await writeBudgetCopy(this.#options.dataDir, report)
    this.#copied = report
  }
}
