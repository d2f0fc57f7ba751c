// This node's permits for calls of keys with a limit of calls a minute. Must stay true: a permit is
// used once, within its time, and never after it was given back; Retry-After is never too early.

import type { Clock } from '../../core/clock.ts'
import { PERMIT_MS, PERMIT_WINDOW_MS } from '../../store/limits/lease-store.ts'
import type {
  LeaseOwner,
  LeaseStore,
  PermitAsk,
  PermitGrant,
} from '../../store/limits/lease-store.ts'
import { Rounds } from './rounds.ts'

export interface PermitLeasesOptions {
  readonly store: Pick<LeaseStore, 'takePermits'>
  readonly owner: LeaseOwner
  readonly clock: Clock
  readonly failed: (error: unknown) => void
  readonly answerMsMax?: number | undefined
}

interface Batch {
  readonly batch: number
  readonly permits: number
  /** More than were needed: the key has plenty. */
  readonly isAhead: boolean
  used: number
  /** On the monotonic clock. */
  readonly until: number
}

interface KeyPermits {
  rpm: number
  /** How many calls wait for one. */
  need: number
  /** A question about it is under way. */
  isAsked: boolean
  batches: Batch[]
  /** Of batches that are over, to be given back. */
  over: Batch[]
  /** When there can be permits again, and until when nobody asks for them. */
  freeAt: number
  refusedUntil: number
}

/** A node whose key has no permits asks again after so long: others may have given some back. */
const REFUSED_MS = 250
/** In a batch of so many more are taken before the last one is used. */
const AHEAD_MIN = 8

export class PermitLeases {
  readonly rounds: Rounds
  readonly #options: PermitLeasesOptions
  /** Bounded by keys that called within a few seconds. */
  readonly #keys = new Map<string, KeyPermits>()
  #lastBatch = 0

  constructor(options: PermitLeasesOptions) {
    this.#options = options
    this.rounds = new Rounds({ ...options, run: () => this.#round() })
  }

  /** Uses one, and returns its batch; null where there is none. */
  take(keyId: string): number | null {
    const key = this.#keys.get(keyId)
    if (key === undefined) return null
    const nowMs = this.#options.clock.monotonic()
    const batch = key.batches.find(({ until, used, permits }) => nowMs < until && used < permits)
    if (batch === undefined) return null
    batch.used++
    const left = batch.permits - batch.used
    if (batch.isAhead && batch.permits >= AHEAD_MIN && left === Math.floor(batch.permits / 4)) {
      key.need = Math.max(key.need, 1)
      void this.rounds.next()
    }
    return batch.batch
  }

  /** The call was not made after all. */
  giveBack(keyId: string, batch: number): void {
    const taken = this.#keys.get(keyId)?.batches.find((each) => each.batch === batch)
    if (taken !== undefined) taken.used--
  }

  /** There was none a moment ago. */
  isRefused(keyId: string): boolean {
    const key = this.#keys.get(keyId)
    return key !== undefined && this.#options.clock.monotonic() < key.refusedUntil
  }

  /** How long there is none, unless another node gives some back. */
  waitMs(keyId: string): number {
    const waitMs = (this.#keys.get(keyId)?.freeAt ?? -Infinity) - this.#options.clock.monotonic()
    return waitMs > 0 ? waitMs : PERMIT_WINDOW_MS
  }

  /** Whether the store answered in time. */
  askFor(keyId: string, rpm: number): Promise<boolean> {
    const key = this.#keys.get(keyId) ?? createKey()
    key.rpm = rpm
    key.need++
    this.#keys.set(keyId, key)
    return this.rounds.nextInTime()
  }

  /** Once a second: what was not used in its time is given back. */
  tick(): void {
    const nowMs = this.#options.clock.monotonic()
    let isDue = false
    for (const [keyId, key] of this.#keys) {
      key.over.push(...key.batches.filter((batch) => isOver(batch, nowMs) && hasUnused(batch)))
      key.batches = key.batches.filter((batch) => !isOver(batch, nowMs))
      if (key.over.length > 0) isDue = true
      const isIdle = key.batches.length === 0 && key.over.length === 0 && key.need === 0
      if (isIdle && !key.isAsked && nowMs >= key.refusedUntil) this.#keys.delete(keyId)
    }
    if (isDue) void this.rounds.next()
  }

  async #round(): Promise<void> {
    const { store, owner, clock } = this.#options
    const sentAt = clock.monotonic()
    const asks: PermitAsk[] = []
    for (const [keyId, key] of this.#keys) {
      if (key.need === 0 && key.over.length === 0) continue
      const used = key.over.map(({ batch, used: calls }) => ({ batch, calls }))
      key.isAsked = true
      asks.push({ keyId, rpm: key.rpm, need: key.need, batch: ++this.#lastBatch, used })
      // If this fails they are free when they leave the window.
      key.over = []
      key.need = 0
    }
    if (asks.length === 0) return
    try {
      const grants = await store.takePermits(owner, asks)
      const asked = new Map(asks.map((ask) => [ask.keyId, ask]))
      for (const grant of grants) {
        this.#granted(grant, asked.get(grant.keyId) as PermitAsk, sentAt)
      }
    } finally {
      for (const { keyId } of asks) (this.#keys.get(keyId) as KeyPermits).isAsked = false
    }
  }

  #granted({ keyId, permits, waitMs }: PermitGrant, { batch, need }: PermitAsk, sentAt: number) {
    const key = this.#keys.get(keyId) as KeyPermits
    // The store's clock began to count after the question was sent, so ours runs out before it.
    const until = sentAt + PERMIT_MS
    const isAhead = permits > need
    if (permits > 0) key.batches.push({ batch, permits, isAhead, used: 0, until })
    if (waitMs === 0) return
    const nowMs = this.#options.clock.monotonic()
    key.freeAt = nowMs + waitMs
    key.refusedUntil = nowMs + REFUSED_MS
  }
}

function createKey(): KeyPermits {
  return {
    rpm: 0,
    need: 0,
    isAsked: false,
    batches: [],
    over: [],
    freeAt: -Infinity,
    refusedUntil: -Infinity,
  }
}

function isOver({ until }: Batch, nowMs: number): boolean {
  return nowMs >= until
}

function hasUnused({ used, permits }: Batch): boolean {
  return used < permits
}
