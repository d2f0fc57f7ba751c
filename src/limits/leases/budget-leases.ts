// This node's leases on blocking budgets: asked for ahead of need, given back when they are idle.
// Must stay true: a call is reserved only within the leases of all its budgets.

import { usedOf } from '../../core/budget-state.ts'
import type { Clock } from '../../core/clock.ts'
import { memberIdOf } from '../../core/budgets/each-budget.ts'
import type { Money } from '../../core/money.ts'
import { LEASE_MS } from '../../store/limits/lease-store.ts'
import type { Lease, LeaseAsk, LeaseOwner, LeaseStore } from '../../store/limits/lease-store.ts'
import type { BudgetUse } from '../budget-use.ts'
import type { ExpectedCost, LimitBank } from '../limit-bank.ts'
import { BudgetLease, EMPTY_MS } from './budget-lease.ts'
import { Rounds } from './rounds.ts'

export interface BudgetLeasesOptions {
  readonly store: Pick<LeaseStore, 'leaseBudgets'>
  readonly owner: LeaseOwner
  readonly clock: Clock
  readonly bank: Pick<LimitBank, 'find' | 'has'>
  readonly failed: (error: unknown) => void
  readonly answerMsMax?: number | undefined
  /** The store does not know this owner any more: introduces it again. */
  readonly introduce: () => Promise<unknown>
  /** For tests that show what a mistake in it would cost. */
  readonly createLease?: (startMs: number) => BudgetLease
}

/** An older figure of what is spent is not sent: other nodes' are better. */
const REPORT_MS_MAX = 5000
/** Once this part of a lease was settled, the store is told soon; otherwise at the next tick. */
const SETTLED_PARTS = 4n

const IDLE = { usedAt: -Infinity, offered: 0n } as const

interface Need {
  all: Money
  once: Money
}

interface Sent {
  readonly running: number
  readonly reserved: Money
  readonly amount: Money
}

export class BudgetLeases {
  readonly rounds: Rounds
  readonly #options: BudgetLeasesOptions
  readonly #leases = new Map<string, BudgetLease>()
  readonly #needs = new Map<string, Need>()
  readonly #sent = new Map<string, Sent>()
  #due = new Set<string>()
  #sequence = 0
  #reportedAt = -Infinity
  /** When the last statement was sent that was answered: the leases' time runs from then on. */
  #renewedAt = -Infinity

  constructor(options: BudgetLeasesOptions) {
    this.#options = options
    this.rounds = new Rounds({ ...options, run: () => this.#round() })
  }

  /** What may be reserved without asking; null for a budget that is not known. */
  room(budgetId: string): Money | null {
    const use = this.#options.bank.find(budgetId)
    if (use === undefined) return null
    if (this.#options.clock.monotonic() - this.#renewedAt >= LEASE_MS) return 0n
    const room = this.#leaseOf(budgetId, use).room(use.reserved)
    return room > 0n ? room : 0n
  }

  /** The workers let calls through by themselves, up to a part of it. */
  offer(budgetId: string): Money | null {
    // Of a rule's many counters few are in use: each begins its lease with a call that needs it.
    const isIdle = memberIdOf(budgetId) !== null && !this.#options.bank.find(budgetId)?.isInUse
    const room = isIdle ? 0n : this.room(budgetId)
    const lease = this.#leases.get(budgetId)
    if (lease !== undefined) lease.offered = room ?? 0n
    return room
  }

  hasRoom({ id, expected }: ExpectedCost): boolean {
    const room = this.room(id)
    return room === null || room >= expected
  }

  /** Nothing was free a moment ago. */
  isEmpty(budgetId: string): boolean {
    const lease = this.#leases.get(budgetId)
    return lease !== undefined && this.#options.clock.monotonic() < lease.emptyUntil
  }

  /** Whether the store answered in time. */
  askFor(costs: readonly ExpectedCost[]): Promise<boolean> {
    const nowMs = this.#options.clock.monotonic()
    for (const { id, expected } of costs) {
      const need = this.#needs.get(id) ?? { all: 0n, once: 0n }
      this.#needs.set(id, { all: need.all + expected, once: max(need.once, expected) })
      const lease = this.#leases.get(id)
      if (lease !== undefined) lease.usedAt = nowMs
      this.#due.add(id)
    }
    return this.rounds.nextInTime()
  }

  /** A call was counted: more is asked for before it is needed. */
  used(costs: readonly ExpectedCost[]): void {
    const nowMs = this.#options.clock.monotonic()
    for (const { id, expected } of costs) {
      const [lease, use] = [this.#leases.get(id), this.#options.bank.find(id)]
      if (lease === undefined || use === undefined) continue
      lease.usedAt = nowMs
      if (!this.#due.has(id) && lease.isLow(use.reserved, expected)) this.#ask(id)
    }
  }

  reported(settled: ReadonlyMap<string, Money>): void {
    this.#reportedAt = this.#options.clock.monotonic()
    for (const [id, amount] of settled) {
      const lease = this.#leases.get(id)
      if (lease === undefined || amount === 0n) continue
      lease.settle(amount)
      const stored = this.#sent.get(id)?.amount ?? 0n
      if ((stored - lease.amount) * SETTLED_PARTS >= stored) this.#ask(id)
    }
    for (const id of this.#leases.keys()) {
      if (!this.#options.bank.has(id)) this.#forget(id)
    }
  }

  /** Once a second: what has changed is stored, and what is idle given back. */
  tick(): void {
    for (const [id, lease] of this.#leases) {
      const use = this.#options.bank.find(id)
      if (use === undefined) continue
      const sent = this.#sent.get(id)
      const isSame =
        sent?.running === use.running &&
        sent.reserved === use.reserved &&
        sent.amount === lease.amount &&
        lease.room(use.reserved) <= 0n
      if (!isSame) this.#ask(id)
    }
  }

  /** The store knows nothing of this node any more. */
  sendAll(): void {
    for (const id of this.#leases.keys()) this.#ask(id)
  }

  /** No more calls come: what they do not use is given back. */
  stop(): void {
    for (const lease of this.#leases.values()) Object.assign(lease, IDLE)
    this.sendAll()
  }

  #ask(budgetId: string): void {
    this.#due.add(budgetId)
    void this.rounds.next()
  }

  #forget(budgetId: string): void {
    this.#leases.delete(budgetId)
    this.#sent.delete(budgetId)
    this.#due.delete(budgetId)
    this.#needs.delete(budgetId)
  }

  /** With a new period begins a new lease: what still runs is taken into it. */
  #leaseOf(budgetId: string, use: BudgetUse): BudgetLease {
    const { startMs } = use.stateAt(this.#options.clock.now()).span
    const known = this.#leases.get(budgetId)
    if (known?.startMs === startMs) return known
    const { createLease = (at: number) => new BudgetLease(at) } = this.#options
    const lease = createLease(startMs)
    lease.usedAt = known?.usedAt ?? -Infinity
    this.#leases.set(budgetId, lease)
    this.#sent.delete(budgetId)
    return lease
  }

  async #round(): Promise<void> {
    const { clock, bank } = this.#options
    const startedAt = clock.monotonic()
    const asked = new Map<string, { lease: BudgetLease; ask: LeaseAsk }>()
    for (const id of this.#due) {
      const use = bank.find(id)
      if (use === undefined) continue
      const lease = this.#leaseOf(id, use)
      asked.set(id, { lease, ask: this.#toAsk(use, lease) })
    }
    this.#due = new Set()
    this.#needs.clear()
    if (asked.size === 0) return
    const asks = [...asked.values()].map(({ ask }) => ask)
    const leases = await this.#lease(asks)
    this.#renewedAt = startedAt
    for (const { budgetId, startMs, amount } of leases) {
      const { lease, ask } = asked.get(budgetId) ?? {}
      const use = bank.find(budgetId)
      if (lease?.startMs !== startMs || ask === undefined || use === undefined) continue
      lease.end(amount, use.reserved)
      const isEmpty = ask.need > 0n && amount - ask.keep < ask.needOnce
      if (isEmpty) lease.emptyUntil = clock.monotonic() + EMPTY_MS
      const { running, reserved } = ask
      this.#sent.set(budgetId, { running, reserved, amount })
    }
  }

  async #lease(asks: readonly LeaseAsk[]): Promise<readonly Lease[]> {
    const { store, owner, introduce } = this.#options
    const leases = await store.leaseBudgets(owner, ++this.#sequence, asks)
    if (leases.length > 0) return leases
    await introduce()
    return store.leaseBudgets(owner, ++this.#sequence, asks)
  }

  #toAsk(use: BudgetUse, lease: BudgetLease): LeaseAsk {
    const { clock } = this.#options
    const nowMs = clock.monotonic()
    const state = use.stateAt(clock.now())
    const { budget, span } = state
    const isFresh = nowMs - this.#reportedAt < REPORT_MS_MAX
    const need = this.#needs.get(budget.id)
    if (need !== undefined) lease.usedAt = nowMs
    const kept = lease.begin(use.reserved, nowMs)
    return {
      budgetId: budget.id,
      startMs: span.startMs,
      endMs: span.endMs,
      limit: budget.limit,
      spent: isFresh ? usedOf(state) : null,
      ...kept,
      need: need?.all ?? 0n,
      needOnce: need?.once ?? 0n,
      running: use.running,
      reserved: use.reserved,
      ended: use.ended,
    }
  }
}

function max(one: Money, other: Money): Money {
  return one > other ? one : other
}
