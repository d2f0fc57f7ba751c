// Once a second: this node lives, gives back what it does not need, and says what it has where the
// store has forgotten it.

import type { Clock } from '../../core/clock.ts'
import type { LeaseOwner, LeaseStore } from '../../store/limits/lease-store.ts'
import type { BudgetLeases } from './budget-leases.ts'
import type { PermitLeases } from './permit-leases.ts'
import { Rounds } from './rounds.ts'
import type { SlotLeases } from './slot-leases.ts'

export interface HeartbeatOptions {
  readonly store: LeaseStore
  readonly owner: LeaseOwner
  readonly clock: Clock
  readonly budgets: BudgetLeases
  readonly permits: PermitLeases
  readonly slots: SlotLeases
  /** Once when the store stops to answer, with the reason; null when it answers again. */
  readonly silent: (error: unknown) => void
}

const BEAT_MS = 1000
/** Rows of calls that this node does not know any more are removed now and then. */
const SLOTS_EVERY_BEATS = 10

export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #rounds: Rounds
  readonly #startedAt: number
  #timer: NodeJS.Timeout
  #beats = 0
  #isSilent = false
  /** The calls of this node's run before are on record. */
  #isAlone = false
  #canForget = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
    const { clock } = options
    this.#startedAt = clock.now()
    const failed = (error: unknown): void => this.failed(error)
    this.#rounds = new Rounds({ clock, failed, run: () => this.#round() })
    this.#timer = setInterval(() => void this.beat(), BEAT_MS).unref()
    void this.beat()
  }

  beat(): Promise<boolean> {
    return this.#rounds.next()
  }

  failed(error: unknown): void {
    if (!this.#isSilent) this.#options.silent(error)
    this.#isSilent = true
  }

  /** Calls that ended before are on record: once they all are, those of the run before are, too. */
  reported(completeUntil: number): void {
    this.#canForget ||= completeUntil > this.#startedAt
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    const { budgets, permits, slots } = this.#options
    budgets.stop()
    permits.tick()
    // A node that ends while the store is silent does not wait for it: its leases run out.
    await Promise.all([budgets, permits, slots].map(({ rounds }) => rounds.nextInTime()))
  }

  async #round(): Promise<void> {
    const { store, owner, budgets, permits, slots } = this.#options
    const isDue = this.#beats++ % SLOTS_EVERY_BEATS === 0
    const isNew = await store.beat(owner, isDue ? slots.taken : null)
    if (isNew) {
      if (!isDue) await store.beat(owner, slots.taken)
      budgets.sendAll()
    }
    if (this.#canForget && !this.#isAlone) {
      await store.forgetEarlierRuns(owner)
      this.#isAlone = true
    }
    budgets.tick()
    permits.tick()
    if (this.#isSilent) this.#options.silent(null)
    this.#isSilent = false
  }
}
