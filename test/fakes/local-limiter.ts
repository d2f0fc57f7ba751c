// A worker's gate with its gatekeeper in the same process: what they say to each other arrives at once, later, or never.

import type { BudgetReport } from '../../src/core/budget-state.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Meter } from '../../src/core/telemetry.ts'
import { Limiter } from '../../src/limits/limiter.ts'
import type { LimitListener } from '../../src/limits/limiter.ts'
import { LimitBank } from '../../src/limits/limit-bank.ts'
import type { LimiterMessage } from '../../src/limits/limit-bank.ts'

export interface LocalLimiter {
  readonly gate: Limiter
  readonly keeper: LimitBank
  /** What the worker said, in order. */
  readonly acts: readonly LimiterMessage[]
  /** Of these, what could not wait for the end of the turn. */
  readonly urgent: readonly LimiterMessage[]
  /** How the worker reaches the gatekeeper: at once, not at all while nobody listens, or not even a line is there. */
  way: 'open' | 'silent' | 'cut'
  /** Hands on what was said in silence. */
  deliver(): void
  /** As from the ledger: to the gatekeeper, and from there to the worker. */
  report(report: BudgetReport): void
  /** How many workers the budgets are shared by. */
  workers: number
}

const WORKER = 'w0'

export function createLocalGate({ clock, meter }: { clock: Clock; meter: Meter }): LocalLimiter {
  const keeper = new LimitBank(clock)
  const acts: LimiterMessage[] = []
  const urgent: LimiterMessage[] = []
  let waiting: LimiterMessage[] = []
  let heard = 0
  let known: readonly string[] = []
  let listener: LimitListener | null = null

  function pass(act: LimiterMessage): void {
    if (act.kind === 'leave') keeper.leave(act.callId, act.endedAt)
    else if (act.kind === 'tell') {
      heard++
      keeper.tell(WORKER, act.ask)
    } else {
      const answer = { callId: act.ask.callId, ...keeper.ask(WORKER, act.ask) }
      // Never within the question: a process channel cannot do that either.
      queueMicrotask(() => listener?.answered([answer]))
    }
  }

  const line = {
    say(act: LimiterMessage, isUrgent: boolean): boolean {
      if (local.way === 'cut') return false
      acts.push(act)
      if (isUrgent) urgent.push(act)
      if (local.way === 'open') pass(act)
      else waiting.push(act)
      return true
    },
    listen(next: LimitListener): void {
      listener = next
    },
  }
  // A hub's models come with their makers.
  const slugOf = (id: string, model: string): string => (id === 'hub' ? model : `${id}/${model}`)
  const gate = new Limiter({ line, slugOf, clock, meter })
  const local: LocalLimiter = {
    gate,
    keeper,
    acts,
    urgent,
    way: 'open',
    workers: 1,
    deliver() {
      const said = waiting
      waiting = []
      for (const act of said) pass(act)
    },
    report(report) {
      keeper.report(report)
      const states = keeper.states()
      const ids = states.map(({ budget }) => budget.id)
      const gone = known.filter((id) => !ids.includes(id))
      known = ids
      listener?.told({ states, gone, workers: local.workers, heard })
    },
  }
  return local
}
