// A worker's gate with its gatekeeper in the same process: what they say to each other arrives at once, later, or never.

import type { BudgetReport } from '../../src/core/budget-state.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Meter } from '../../src/core/telemetry.ts'
import { Gate } from '../../src/proxy/gate.ts'
import type { GateListener } from '../../src/proxy/gate.ts'
import { Gatekeeper } from '../../src/proxy/gatekeeper.ts'
import type { GateAct } from '../../src/proxy/gatekeeper.ts'

export interface LocalGate {
  readonly gate: Gate
  readonly keeper: Gatekeeper
  /** What the worker said, in order. */
  readonly acts: readonly GateAct[]
  /** Of these, what could not wait for the end of the turn. */
  readonly urgent: readonly GateAct[]
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

export function createLocalGate({ clock, meter }: { clock: Clock; meter: Meter }): LocalGate {
  const keeper = new Gatekeeper(clock)
  const acts: GateAct[] = []
  const urgent: GateAct[] = []
  let waiting: GateAct[] = []
  let heard = 0
  let known: readonly string[] = []
  let listener: GateListener | null = null

  function pass(act: GateAct): void {
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
    say(act: GateAct, isUrgent: boolean): boolean {
      if (local.way === 'cut') return false
      acts.push(act)
      if (isUrgent) urgent.push(act)
      if (local.way === 'open') pass(act)
      else waiting.push(act)
      return true
    },
    listen(next: GateListener): void {
      listener = next
    },
  }
  // A hub's models come with their makers.
  const slugOf = (id: string, model: string): string => (id === 'hub' ? model : `${id}/${model}`)
  const gate = new Gate({ line, slugOf, clock, meter })
  const local: LocalGate = {
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
