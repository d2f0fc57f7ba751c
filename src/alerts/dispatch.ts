// Sends alerts: copies new ones to the log, sends what is due, records the outcome. Any number of
// nodes may do so at once. Must stay true: all state is in the stores and a delivery is claimed
// before it is sent, so a kill at worst repeats an attempt and never forgets one.

import { setTimeout as pause } from 'node:timers/promises'

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type {
  AlertStore,
  Delivery,
  DeliveryAttempt,
  DeliveryIds,
} from '../store/settings/alert-store.ts'
import type { Outbox } from '../store/ledger/outbox.ts'
import { retryPauseMs } from './retry-pause.ts'
import type { SendAlert } from './send-alert.ts'
import { createTakeOver } from './take-over.ts'
import type { TakeOverOptions } from './take-over.ts'
import type { SendOutcome } from './webhook.ts'

export interface DispatcherOptions {
  readonly outbox: Pick<Outbox, 'read'>
  readonly address?: TakeOverOptions['address']
  /** Waiting for a lock blocks the thread, so it should not wait long. */
  readonly log: AlertStore
  /** No other node sends: what a dispatcher before this one had claimed is due at once. */
  readonly isAlone?: boolean
  readonly send: SendAlert
  readonly clock: Pick<Clock, 'now'>
  /** Alerts older than this are removed from the log. */
  readonly oldest: () => number
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
  readonly random?: () => number
  readonly everyMs?: number
  readonly closeMs?: number
}

export interface Dispatcher {
  /** Running sends get a second; what is cut off is sent again after the next start. */
  close(): Promise<void>
}

const EVERY_MS = 500
const SENDS_MAX = 8
/** Rows read first; while there is room for more, that many times as many are read. */
const DUE_ROWS = 200
const DUE_GROWTH = 4
const CLOSE_MS = 1000
const REMOVE_EVERY_MS = 86_400_000
const COUNT_EVERY_MS = 5000
/** The gauge stops here, because every alert that it counts is read. */
const PENDING_MAX = 1000

export function openDispatcher(options: DispatcherOptions): Dispatcher {
  return new AlertDispatcher(options)
}

class AlertDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions
  readonly #everyMs: number
  readonly #takeOver: (oldestMs: number) => Promise<void>
  /** By target: a target gets one alert at a time. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #reported = new Set<string>()
  readonly #stop = new AbortController()
  readonly #cut = new AbortController()
  readonly #loop: Promise<void>
  #hasEarlierClaims: boolean
  #removedAt = -Infinity
  #countedAt = -Infinity
  #isWoken = false
  #wake: () => void = () => {}

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? EVERY_MS
    this.#takeOver = createTakeOver(options)
    this.#hasEarlierClaims = options.isAlone === true
    this.#loop = this.#run()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#loop
    const sends = Promise.all(this.#running.values())
    const { closeMs = CLOSE_MS } = this.#options
    const late = setTimeout(() => this.#cut.abort(), closeMs)
    await sends
    clearTimeout(late)
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#turn()
        this.#reported.delete('turn')
      } catch (error) {
        this.#warnOnce('turn', error)
      }
      await this.#pause()
    }
  }

  async #turn(): Promise<void> {
    const { log, clock, oldest } = this.#options
    if (this.#hasEarlierClaims) await log.releaseAll()
    this.#hasEarlierClaims = false
    await this.#takeOver(oldest())
    const now = clock.now()
    // A target with very many of them that hangs must not hide the others.
    for (let rowsMax = DUE_ROWS; ; rowsMax *= DUE_GROWTH) {
      const due = await log.listDue(now, rowsMax)
      this.#begin(due)
      if (due.length < rowsMax || !this.#hasRoom()) break
    }
    await this.#keepHouse()
  }

  #hasRoom(): boolean {
    return this.#running.size < SENDS_MAX && !this.#stop.signal.aborted
  }

  #begin(due: readonly Delivery[]): void {
    for (const delivery of due) {
      if (!this.#hasRoom()) return
      const { id } = delivery.target
      if (this.#running.has(id)) continue
      this.#running.set(id, this.#deliver(delivery))
    }
  }

  /** Until it is time, or a send has ended and made room. */
  async #pause(): Promise<void> {
    if (!this.#isWoken && !this.#stop.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, this.#everyMs)
      this.#wake = resolve
      await promise
      clearTimeout(timer)
    }
    this.#isWoken = false
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { log, send } = this.#options
    let isClaimed = false
    try {
      // What was read may be under way elsewhere, or recorded since.
      isClaimed = await log.claim(idsOf(delivery))
      if (!isClaimed) return
      const outcome = await send(delivery.alert, delivery.target, this.#cut.signal)
      await this.#note(delivery, outcome)
      this.#reported.delete('send')
    } catch (error) {
      if (isClaimed) await this.#release(delivery)
      // Cut off by the end of the program: it does not count as an attempt.
      if (!this.#cut.signal.aborted) this.#warnOnce('send', error)
    } finally {
      this.#running.delete(delivery.target.id)
      // Whoever could not claim it comes again in time, not at once.
      this.#isWoken ||= isClaimed
      if (isClaimed) this.#wake()
    }
  }

  /** Where it fails, the claim runs out by itself. */
  async #release(delivery: Delivery): Promise<void> {
    try {
      await this.#options.log.release(idsOf(delivery))
    } catch (error) {
      this.#warnOnce('release', error)
    }
  }

  /** Retried until the store takes it: otherwise the target would get the alert again. */
  async #note(delivery: Delivery, { kind, detail }: SendOutcome): Promise<void> {
    const { log, clock, random = Math.random, meter, warn } = this.#options
    const at = clock.now()
    const wait = kind === 'failed' ? retryPauseMs(delivery.attempts + 1, random) : null
    const isDelivered = kind === 'delivered'
    const attempt: DeliveryAttempt = { at, isDelivered, detail }
    const ids = idsOf(delivery)
    for (;;) {
      try {
        await log.noteAttempt(ids, attempt, wait === null ? null : at + wait)
        break
      } catch (error) {
        this.#warnOnce('note', error)
        await pause(this.#everyMs, undefined, { signal: this.#cut.signal })
      }
    }
    this.#reported.delete('note')
    const isGivenUp = !isDelivered && wait === null
    meter.add('alertDeliveries', 1, isGivenUp ? 'given_up' : kind)
    // The address is not logged: that of Slack is as good as a password.
    if (isGivenUp) warn({ ...ids, detail }, 'an alert could not be delivered and was given up')
  }

  async #keepHouse(): Promise<void> {
    const { log, clock, oldest, meter } = this.#options
    const now = clock.now()
    // A clock that was set back must not stop either for years.
    if (Math.abs(now - this.#countedAt) >= COUNT_EVERY_MS) {
      meter.set('alertsPending', (await log.listDue(Number.MAX_SAFE_INTEGER, PENDING_MAX)).length)
      this.#countedAt = now
    }
    if (Math.abs(now - this.#removedAt) >= REMOVE_EVERY_MS) {
      await log.removeBefore(oldest())
      this.#removedAt = now
    }
  }

  #warnOnce(what: string, error: unknown): void {
    if (this.#reported.has(what)) return
    this.#reported.add(what)
    this.#options.warn({ err: error }, 'alerts are delayed; what failed is tried again')
  }
}

function idsOf({ alert, target }: Delivery): DeliveryIds {
  return { alertId: alert.id, targetId: target.id }
}
