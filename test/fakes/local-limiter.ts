// A worker's limiter with its limit bank in the same process: what they say to each other arrives
// at once, later, or never.

import type { BudgetReport } from '../../src/core/budget-state.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Meter } from '../../src/core/telemetry.ts'
import { Limiter } from '../../src/limits/limiter.ts'
import type { OnOutage } from '../../src/limits/call-reservation.ts'
import type { LimitListener } from '../../src/limits/limit-messages.ts'
import { LimitBank } from '../../src/limits/limit-bank.ts'
import type { LimiterMessage } from '../../src/limits/limit-bank.ts'

export interface LocalLimiter {
  readonly limiter: Limiter
  readonly bank: LimitBank
  /** What the worker said, in order. */
  readonly messages: readonly LimiterMessage[]
  /** Of these, what could not wait for the end of the turn. */
  readonly urgent: readonly LimiterMessage[]
  /**
   * How the worker reaches the limit bank: at once, not at all while nobody listens, or not even a
   * line is there.
   */
  way: 'open' | 'silent' | 'cut'
  /** Hands on what was said in silence. */
  deliver(): void
  /** As from the ledger: to the limit bank, and from there to the worker. */
  report(report: BudgetReport): void
  /** How many workers the budgets are shared by. */
  workers: number
}

const WORKER = 'w0'

export interface LocalLimiterOptions {
  readonly clock: Clock
  readonly meter: Meter
  readonly onOutage?: OnOutage | undefined
}

export function createLocalLimiter(options: LocalLimiterOptions): LocalLimiter {
  const { clock, meter, onOutage = 'refuse' } = options
  const bank = new LimitBank(clock)
  const messages: LimiterMessage[] = []
  const urgent: LimiterMessage[] = []
  let waiting: LimiterMessage[] = []
  let reports = 0
  const known = new Set<string>()
  let listener: LimitListener | null = null

  function pass(message: LimiterMessage): void {
    if (message.kind === 'vacate') {
      bank.vacate(message.callId)
    } else if (message.kind === 'release') {
      bank.release(message.callId, message.endedAt, message.isUnused)
    } else if (message.kind === 'report') {
      reports++
      bank.count(WORKER, message.request)
    } else {
      const answer = { callId: message.request.callId, ...bank.reserve(WORKER, message.request) }
      // Never within the question: a process channel cannot do that either.
      queueMicrotask(() => listener?.answered([answer]))
    }
  }

  const connection = {
    send(message: LimiterMessage, isUrgent: boolean): boolean {
      if (local.way === 'cut') return false
      messages.push(message)
      if (isUrgent) urgent.push(message)
      if (local.way === 'open') pass(message)
      else waiting.push(message)
      return true
    },
    listen(next: LimitListener): void {
      listener = next
    },
  }
  // A hub's models come with their makers.
  const slugOf = (id: string, model: string): string => (id === 'hub' ? model : `${id}/${model}`)
  const limiter = new Limiter({ connection, slugOf, clock, meter, onOutage })
  const local: LocalLimiter = {
    limiter,
    bank,
    messages,
    urgent,
    way: 'open',
    workers: 1,
    deliver() {
      const said = waiting
      waiting = []
      for (const message of said) pass(message)
    },
    report(report) {
      bank.report(report)
      const states = bank.states()
      for (const { budget } of states) known.add(budget.id)
      const gone = [...known].filter((id) => !bank.has(id))
      for (const id of gone) known.delete(id)
      listener?.updated({ states, gone, workers: local.workers, reports })
    },
  }
  return local
}
