// The slots of this node's calls with keys that limit calls at once: each is a row of the database
// while the call runs. Must stay true: a slot that was taken for a call is given back, also where
// the answer came when nobody waited for it any more.

import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { LeaseOwner, LeaseStore, Slot, SlotAsk } from '../../store/limits/lease-store.ts'
import { Rounds } from './rounds.ts'

export interface SlotLeasesOptions {
  readonly store: Pick<LeaseStore, 'takeSlots'>
  readonly owner: LeaseOwner
  readonly clock: Clock
  readonly failed: (error: unknown) => void
  readonly answerMsMax?: number | undefined
  /** The store does not know this owner any more: introduces it again. */
  readonly introduce: () => Promise<unknown>
}

export type SlotOutcome = 'taken' | 'refused' | 'unanswered'

/** A caller may call another node before this one has given back the slot of its last call. */
const LOOK_AGAIN_MS = 25

export class SlotLeases {
  readonly rounds: Rounds
  readonly #options: SlotLeasesOptions
  readonly #taken = new Map<string, Slot>()
  /** Asked for in the next round, by the call's id. */
  #asks = new Map<string, SlotAsk>()
  /** Calls that still wait for an answer. */
  readonly #waiting = new Set<string>()
  #released: string[] = []

  constructor(options: SlotLeasesOptions) {
    this.#options = options
    this.rounds = new Rounds({ ...options, run: () => this.#round() })
  }

  get taken(): readonly Slot[] {
    return [...this.#taken.values()]
  }

  async take(ask: SlotAsk): Promise<SlotOutcome> {
    const first = await this.#takeOnce(ask)
    if (first !== 'refused') return first
    await pause(LOOK_AGAIN_MS)
    return this.#takeOnce(ask)
  }

  /** Harmless for a call that has none. */
  release(callId: string): void {
    this.#waiting.delete(callId)
    if (this.#taken.delete(callId)) this.#giveBack(callId)
  }

  async #takeOnce(ask: SlotAsk): Promise<SlotOutcome> {
    const { callId } = ask
    this.#asks.set(callId, ask)
    this.#waiting.add(callId)
    const isAnswered = await this.rounds.nextInTime()
    this.#asks.delete(callId)
    this.#waiting.delete(callId)
    if (this.#taken.has(callId)) return 'taken'
    return isAnswered ? 'refused' : 'unanswered'
  }

  #giveBack(callId: string): void {
    this.#released.push(callId)
    void this.rounds.next()
  }

  async #round(): Promise<void> {
    const { store, owner, introduce } = this.#options
    const [asks, released] = [this.#asks, this.#released]
    this.#asks = new Map()
    this.#released = []
    if (asks.size === 0 && released.length === 0) return
    try {
      const take = () => store.takeSlots(owner, [...asks.values()], released)
      let taken = await take()
      if (taken === null) {
        await introduce()
        taken = await take()
      }
      for (const callId of taken ?? []) this.#took(asks.get(callId) as SlotAsk)
    } catch (error) {
      // Whether they were taken is not known.
      this.#released.push(...released, ...asks.keys())
      throw error
    }
  }

  #took({ callId, keyId }: SlotAsk): void {
    if (this.#waiting.has(callId)) this.#taken.set(callId, { callId, keyId })
    else this.#giveBack(callId)
  }
}
