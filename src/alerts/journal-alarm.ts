// Alerts when the disk does not take the journal, and again when it is over. Must stay true: no
// database is written on the way, because the disk that is full is often its disk too.

import { setTimeout as pause } from 'node:timers/promises'

import type { Alert, AlertTarget } from '../core/alert.ts'
import type { Clock } from '../core/clock.ts'
import { toFailingAlert, toRecoveredAlert } from './journal-alert.ts'
import type { JournalSite } from './journal-alert.ts'
import type { JournalHealth } from '../core/completeness.ts'
import type { Meter } from '../core/telemetry.ts'
import { retryPauseMs } from './retry-pause.ts'
import type { SendAlert } from './send-alert.ts'

export interface JournalAlarmOptions {
  readonly site: JournalSite
  readonly readHealth: () => Promise<JournalHealth>
  /** Calls that are on no record, since the beginning. */
  readonly countLost: () => Promise<number>
  /** Those of no budget get it. */
  readonly listTargets: () => Promise<readonly AlertTarget[]>
  readonly send: SendAlert
  readonly clock: Pick<Clock, 'now'>
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
  readonly random?: () => number
  readonly everyMs?: number
  readonly calmMs?: number
}

export interface JournalAlarm {
  /** What is being sent is cut off. */
  close(): Promise<void>
}

const EVERY_MS = 1000
/** A full disk takes a line now and then: it is over when it has taken all of them for so long. */
const CALM_MS = 60_000
const SENDS_MAX = 8

interface Outage {
  readonly since: number
  lastSeenAt: number
}

export function openJournalAlarm(options: JournalAlarmOptions): JournalAlarm {
  return new Alarm(options)
}

class Alarm implements JournalAlarm {
  readonly #options: JournalAlarmOptions
  readonly #stop = new AbortController()
  readonly #loop: Promise<void>
  #outage: Outage | null = null
  /** Of the newest alert: what came before it is not tried again. */
  #sending = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #hasWarned = false

  constructor(options: JournalAlarmOptions) {
    this.#options = options
    this.#loop = this.#run()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#sending.abort()
    await this.#loop
    await Promise.all(this.#running)
  }

  async #run(): Promise<void> {
    const { everyMs = EVERY_MS, warn } = this.#options
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look()
        this.#hasWarned = false
      } catch (error) {
        if (!this.#hasWarned) warn({ err: error }, 'the journal could not be watched; trying again')
        this.#hasWarned = true
      }
      await pause(everyMs, undefined, { signal: this.#stop.signal }).catch(() => {})
    }
  }

  async #look(): Promise<void> {
    const { site, clock, readHealth, calmMs = CALM_MS } = this.#options
    const { refusal } = await readHealth()
    const now = clock.now()
    const outage = this.#outage
    if (refusal !== null && outage !== null) {
      outage.lastSeenAt = now
    } else if (refusal !== null) {
      await this.#raise(toFailingAlert(site, refusal, now))
      this.#outage = { since: refusal.since, lastSeenAt: now }
      // A clock that was set back must not keep it from being over.
    } else if (outage !== null && Math.abs(now - outage.lastSeenAt) >= calmMs) {
      const ended = { since: outage.since, endedAt: outage.lastSeenAt, lost: await this.#lost() }
      await this.#raise(toRecoveredAlert(site, ended, now))
      this.#outage = null
    }
  }

  async #lost(): Promise<number | null> {
    try {
      return await this.#options.countLost()
    } catch {
      return null
    }
  }

  /** Returns when the first attempts have begun, a few at a time. */
  async #raise(alert: Alert): Promise<void> {
    const targets = (await this.#options.listTargets()).filter(({ budgetId }) => budgetId === null)
    this.#sending.abort()
    this.#sending = new AbortController()
    const { signal } = this.#sending
    if (this.#stop.signal.aborted) return
    const left = targets.values()
    for (let sends = 0; sends < Math.min(SENDS_MAX, targets.length); sends++) {
      const sending = this.#sendAll(alert, left, signal).finally(() =>
        this.#running.delete(sending),
      )
      this.#running.add(sending)
    }
  }

  async #sendAll(
    alert: Alert,
    targets: Iterator<AlertTarget> & Iterable<AlertTarget>,
    signal: AbortSignal,
  ): Promise<void> {
    for (const target of targets) {
      try {
        await this.#deliver(alert, target, signal)
      } catch (error) {
        if (signal.aborted) return
        this.#options.warn({ err: error, targetId: target.id }, 'an alert could not be sent')
      }
    }
  }

  async #deliver(alert: Alert, target: AlertTarget, signal: AbortSignal): Promise<void> {
    const { send, meter, warn, random = Math.random } = this.#options
    for (let attempts = 1; ; attempts++) {
      const { kind, detail } = await send(alert, target, signal)
      const waitMs = kind === 'failed' ? retryPauseMs(attempts, random) : null
      const isGivenUp = kind !== 'delivered' && waitMs === null
      meter.add('alertDeliveries', 1, isGivenUp ? 'given_up' : kind)
      // The address is not logged: that of Slack is as good as a password.
      const ids = { alertId: alert.id, targetId: target.id, detail }
      if (isGivenUp) warn(ids, 'an alert could not be delivered and was given up')
      if (waitMs === null) return
      await pause(waitMs, undefined, { signal })
    }
  }
}
