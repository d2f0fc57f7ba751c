// Keeps the limit bank in the supervisor, answers all workers, and sends them the state of the
// blocking budgets and the API what runs. Nothing here waits, since every limited call waits for
// it.

import { isDeepStrictEqual } from 'node:util'

import type { BudgetReport } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { LimitBank } from './limit-bank.ts'
import type {
  Bank,
  BudgetReservations,
  LimiterMessage,
  ReservationAnswer,
  ReservationRequest,
  ReservationVerdict,
  LimitedBudget,
} from './limit-bank.ts'
import type { LimitReply } from './limit-messages.ts'

export interface LimitedWorker {
  send(message: LimitReply): void
}

export interface LimitHostOptions {
  readonly clock: Clock
  readonly meter: Meter
  /** One that shares limits with other nodes; absent where this node is alone. */
  readonly bank?: Bank
  /** To the process that shows what runs. */
  readonly tellFigures: (figures: readonly BudgetReservations[]) => void
}

interface KnownWorker {
  /** Identifies the worker at the limit bank. */
  readonly name: string
  /** How many calls it has reported that it let through by itself. */
  reports: number
}

const FIGURES_MS = 1000

export class LimitHost {
  readonly #bank: Bank
  readonly #workers = new Map<LimitedWorker, KnownWorker>()
  readonly #sent = new Map<string, LimitedBudget>()
  /** Calls that are looked at a second time, by id. */
  readonly #again = new Map<
    string,
    { readonly request: ReservationRequest; readonly worker: LimitedWorker }
  >()
  #joins = 0
  #hadBudgets = false

  constructor(options: LimitHostOptions) {
    this.#bank = options.bank ?? new LimitBank(options.clock)
    setInterval(() => this.#tellFigures(options), FIGURES_MS).unref()
  }

  /** A worker was started: it is sent at once how the budgets stand. */
  joined(worker: LimitedWorker): void {
    this.#workers.set(worker, { name: String(++this.#joins), reports: 0 })
    // As the others were: what has changed since is sent to all.
    const states = [...this.#sent.values()]
    worker.send({ kind: 'budgetUpdate', states, gone: [], workers: this.#workers.size, reports: 0 })
  }

  gone(worker: LimitedWorker): void {
    const known = this.#workers.get(worker)
    if (known !== undefined) this.#bank.workerGone(known.name)
    this.#workers.delete(worker)
  }

  received(worker: LimitedWorker, messages: readonly LimiterMessage[]): void {
    const known = this.#workers.get(worker)
    if (known === undefined) return
    const { name } = known
    const answers: ReservationAnswer[] = []
    for (const message of messages) {
      switch (message.kind) {
        case 'reserve': {
          const verdict = this.#bank.reserve(name, message.request)
          if (verdict instanceof Promise) void this.#answerLater(worker, message.request, verdict)
          else if (verdict.kind === 'parallel') this.#lookAgain(worker, message.request)
          else answers.push({ callId: message.request.callId, ...verdict })
          break
        }
        case 'report':
          known.reports++
          this.#bank.count(name, message.request)
          break
        case 'vacate':
          this.#bank.vacate(message.callId)
          break
        case 'release':
          this.#bank.release(message.callId, message.endedAt, message.isUnused)
          // One that left before it was let in must not be let in any more.
          this.#again.delete(message.callId)
      }
    }
    if (answers.length > 0) worker.send({ kind: 'reservationAnswers', answers })
  }

  /** The ledger's report. Most budgets have not changed: those are not sent again. */
  reported(report: BudgetReport): void {
    this.#bank.report(report)
    const states = this.#bank
      .states()
      .filter((state) => !isDeepStrictEqual(state, this.#sent.get(state.budget.id)))
    const gone = [...this.#sent.keys()].filter((id) => !this.#bank.has(id))
    for (const id of gone) this.#sent.delete(id)
    for (const state of states) this.#sent.set(state.budget.id, state)
    // Without blocking budgets there is nothing to send to the workers.
    if (this.#sent.size === 0 && gone.length === 0) return
    const workers = this.#workers.size
    for (const [worker, { reports }] of this.#workers) {
      worker.send({ kind: 'budgetUpdate', states, gone, workers, reports })
    }
  }

  async #answerLater(
    worker: LimitedWorker,
    { callId }: ReservationRequest,
    verdict: ReservationVerdict | Promise<ReservationVerdict>,
  ): Promise<void> {
    worker.send({ kind: 'reservationAnswers', answers: [{ callId, ...(await verdict) }] })
  }

  /** Retries next turn: a caller may call another worker before we receive its last call's end. */
  #lookAgain(worker: LimitedWorker, request: ReservationRequest): void {
    if (this.#again.size === 0) setImmediate(() => this.#answerAgain())
    this.#again.set(request.callId, { request, worker })
  }

  #answerAgain(): void {
    for (const { request, worker } of this.#again.values()) {
      const known = this.#workers.get(worker)
      if (known === undefined) continue
      const verdict = this.#bank.reserve(known.name, request)
      void this.#answerLater(worker, request, verdict)
    }
    this.#again.clear()
  }

  #tellFigures({ meter, tellFigures }: LimitHostOptions): void {
    this.#bank.forgetIdleKeys()
    meter.set('reservedCalls', this.#bank.calls)
    const figures = this.#bank.figures()
    if (figures.length > 0 || this.#hadBudgets) tellFigures(figures)
    this.#hadBudgets = figures.length > 0
  }
}
