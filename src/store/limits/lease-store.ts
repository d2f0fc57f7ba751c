// What nodes share of limits: leases on blocking budgets, permits for calls a minute, slots for
// calls at once. Must stay true: leases are given only while what is spent and all leases together
// are below the limit, no window has more permits than a key may make calls, and no more slots are
// taken than it may have calls at once, however many nodes ask in the same instant.

import type { LeasedMoney } from '../../core/budget-state.ts'
import type { Money } from '../../core/money.ts'

/** One run of a node: a restarted node is another owner, as it knows nothing of earlier calls. */
export interface LeaseOwner {
  readonly owner: string
  readonly node: string
}

/** A node that was not seen for so long has no slots: its calls are taken to be over. */
export const SLOT_MS = 5000
/** So long leases stay with a node that is not seen: its calls may have cost money meanwhile. */
export const LEASE_MS = 600_000
/** So long a permit may be used. The window is longer by it than the minute, and so is strict. */
export const PERMIT_MS = 4000
export const PERMIT_WINDOW_MS = 60_000 + PERMIT_MS
/** This part of what is free is leased ahead of need, so that little is left with idle nodes. */
export const LEASED_PARTS = 16

export interface LeaseAsk {
  readonly budgetId: string
  readonly startMs: number
  readonly endMs: number
  readonly limit: Money
  /** Null where the node's figure is old: the others know better. */
  readonly spent: Money | null
  /** What the node does not give back: until it has the answer it uses no more than that. */
  readonly keep: Money
  /** What waiting calls need beyond `keep`, and the first of them alone. */
  readonly need: Money
  readonly needOnce: Money
  /** It is in use: some more is leased ahead of need. */
  readonly isActive: boolean
  readonly running: number
  readonly reserved: Money
  /** Of `reserved`, what is for calls that have ended and are not in `spent` yet. */
  readonly ended: Money
}

export interface Lease {
  readonly budgetId: string
  readonly startMs: number
  /** All that the node may have reserved at once. */
  readonly amount: Money
}

export interface PermitAsk {
  readonly keyId: string
  readonly rpm: number
  /** 0 where unused permits are only given back. */
  readonly need: number
  /** Identifies what is taken now; rises. */
  readonly batch: number
  /** How many of an earlier batch were used; the rest is free again. */
  readonly used: readonly { readonly batch: number; readonly calls: number }[]
}

export interface PermitGrant {
  readonly keyId: string
  readonly permits: number
  /** With fewer than needed: when there can be one more, unless a node gives some back before. */
  readonly waitMs: number
}

export interface Slot {
  readonly callId: string
  readonly keyId: string
}

export interface SlotAsk extends Slot {
  readonly maxParallel: number
}

/** Of one budget in its current period, over all nodes. */
export interface LeaseFigures extends LeasedMoney {
  readonly budgetId: string
  readonly running: number
}

export interface LeaseStore {
  /**
   * To be called every second. True where the owner was not known any more: it has no leases, and
   * asks for all that it needs again. `slots`, where given, are all that it has.
   */
  beat(owner: LeaseOwner, slots: readonly Slot[] | null): Promise<boolean>
  /**
   * `sequence` rises: what arrives late is ignored. An owner that is not known gets no answers.
   */
  leaseBudgets(
    owner: LeaseOwner,
    sequence: number,
    asks: readonly LeaseAsk[],
  ): Promise<readonly Lease[]>
  takePermits(owner: LeaseOwner, asks: readonly PermitAsk[]): Promise<readonly PermitGrant[]>
  /** Returns the ids of the calls that got one. Null: the owner is not known any more. */
  takeSlots(
    owner: LeaseOwner,
    asks: readonly SlotAsk[],
    released: readonly string[],
  ): Promise<readonly string[] | null>
  /** The calls of this node's earlier runs are on record: what they had leased is free. */
  forgetEarlierRuns(owner: LeaseOwner): Promise<void>
  readFigures(): Promise<readonly LeaseFigures[]>
  close(): Promise<void>
}
