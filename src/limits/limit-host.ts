// Keeps the gate in the supervisor, the one process that all workers talk to: answers them, tells them how the blocking
// budgets stand, and tells the API what runs. Must stay true: nothing here waits, since every limited call waits for it.

import { isDeepStrictEqual } from 'node:util'

import type { BudgetReport } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { LimitBank } from './limit-bank.ts'
import type {
  BudgetReservations,
  LimiterMessage,
  ReservationAnswer,
  ReservationRequest,
  LimitedBudget,
} from './limit-bank.ts'
import type { LimitReply } from './limit-messages.ts'

/** As far as the gate needs to know it. */
export interface LimitedWorker {
  send(message: LimitReply): void
}

export interface LimitHostOptions {
  readonly clock: Clock
  readonly meter: Meter
  /** Hands what runs to whoever shows it. */
  readonly tellFigures: (figures: readonly BudgetReservations[]) => void
}

interface KnownWorker {
  /** To the gatekeeper. */
  readonly name: string
  /** How many calls it has told of that it let through by itself. */
  heard: number
}

const FIGURES_MS = 1000

export class LimitHost {
  readonly #keeper: LimitBank
  readonly #workers = new Map<LimitedWorker, KnownWorker>()
  /** What all workers were told last, by budget. */
  readonly #told = new Map<string, LimitedBudget>()
  /** Calls that are looked at once more, by their ids. */
  readonly #again = new Map<
    string,
    { readonly ask: ReservationRequest; readonly worker: LimitedWorker }
  >()
  #joins = 0
  #hadBudgets = false

  constructor(options: LimitHostOptions) {
    this.#keeper = new LimitBank(options.clock)
    setInterval(() => this.#tellFigures(options), FIGURES_MS).unref()
  }

  /** A worker was started: it is told at once how the budgets stand. */
  joined(worker: LimitedWorker): void {
    this.#workers.set(worker, { name: String(++this.#joins), heard: 0 })
    // As the others were: what has changed since is told to all.
    const states = [...this.#told.values()]
    worker.send({ kind: 'budgetUpdate', states, gone: [], workers: this.#workers.size, heard: 0 })
  }

  gone(worker: LimitedWorker): void {
    const known = this.#workers.get(worker)
    if (known !== undefined) this.#keeper.workerGone(known.name)
    this.#workers.delete(worker)
  }

  heard(worker: LimitedWorker, acts: readonly LimiterMessage[]): void {
    const known = this.#workers.get(worker)
    if (known === undefined) return
    const { name } = known
    const answers: ReservationAnswer[] = []
    for (const act of acts) {
      switch (act.kind) {
        case 'ask': {
          const verdict = this.#keeper.ask(name, act.ask)
          if (verdict.kind === 'parallel') this.#lookAgain(worker, act.ask)
          else answers.push({ callId: act.ask.callId, ...verdict })
          break
        }
        case 'tell':
          known.heard++
          this.#keeper.tell(name, act.ask)
          break
        case 'leave':
          this.#keeper.leave(act.callId, act.endedAt)
          // One that left before it was let in must not be let in any more.
          this.#again.delete(act.callId)
      }
    }
    if (answers.length > 0) worker.send({ kind: 'reservationAnswers', answers })
  }

  /** The ledger has told how the blocking budgets stand. Of a thousand most are as they were: these are not told again. */
  reported(report: BudgetReport): void {
    this.#keeper.report(report)
    const all = this.#keeper.states()
    const states = all.filter((state) => !isDeepStrictEqual(state, this.#told.get(state.budget.id)))
    const kept = new Set(all.map(({ budget }) => budget.id))
    const gone = [...this.#told.keys()].filter((id) => !kept.has(id))
    for (const id of gone) this.#told.delete(id)
    for (const state of states) this.#told.set(state.budget.id, state)
    // Without blocking budgets the workers have nothing to hear.
    if (kept.size === 0 && gone.length === 0) return
    const workers = this.#workers.size
    for (const [worker, { heard }] of this.#workers) {
      worker.send({ kind: 'budgetUpdate', states, gone, workers, heard })
    }
  }

  /**
   * A caller may call again as soon as it has its answer, at another worker, and be heard ahead of the worker that has
   * just told of the end. By the next turn everybody has been heard who spoke before.
   */
  #lookAgain(worker: LimitedWorker, ask: ReservationRequest): void {
    if (this.#again.size === 0) setImmediate(() => this.#answerAgain())
    this.#again.set(ask.callId, { ask, worker })
  }

  #answerAgain(): void {
    for (const { ask, worker } of this.#again.values()) {
      const known = this.#workers.get(worker)
      if (known === undefined) continue
      const answer = { callId: ask.callId, ...this.#keeper.ask(known.name, ask) }
      worker.send({ kind: 'reservationAnswers', answers: [answer] })
    }
    this.#again.clear()
  }

  #tellFigures({ meter, tellFigures }: LimitHostOptions): void {
    this.#keeper.sweep()
    meter.set('reservedCalls', this.#keeper.calls)
    const figures = this.#keeper.figures()
    if (figures.length > 0 || this.#hadBudgets) tellFigures(figures)
    this.#hadBudgets = figures.length > 0
  }
}
