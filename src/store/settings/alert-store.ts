// The log of alerts with every attempt to deliver them. Must stay true: each alert is delivered to
// each target, or given up after a day, or its target was removed; none is forgotten.

import type { IncidentMark } from '../../core/alerts/incident-mark.ts'
import type { AddressedAlert, Alert, AlertKind, AlertTarget, TargetKind } from '../../core/alert.ts'

export interface Delivery {
  readonly alert: Alert
  readonly target: AlertTarget
  readonly attempts: number
}

export interface DeliveryAttempt {
  readonly at: number
  readonly isDelivered: boolean
  /** The outcome in a few words: `200`, `500`, `no answer within 10 s`. */
  readonly detail: string
}

export interface LoggedDelivery {
  readonly targetId: string
  readonly kind: TargetKind
  readonly address: string
  readonly state: 'pending' | 'delivered' | 'given_up'
  /** When the next attempt is due; null when there will be none. */
  readonly nextAt: number | null
  /** The newest last, at most ATTEMPTS_KEPT_MAX. */
  readonly attempts: readonly DeliveryAttempt[]
}

export const ATTEMPTS_KEPT_MAX = 50
export const RECENT_MAX = 500

/** The body of an incident has the figures of now; what is sent is as it was taken. */
export interface LoggedAlert extends Alert {
  /** What people said of it, if it is an incident. */
  readonly mark: IncidentMark | null
  readonly deliveries: readonly LoggedDelivery[]
}

export interface AlertPage {
  /** Newest first. */
  readonly alerts: readonly LoggedAlert[]
  /** The place to continue after; null at the end. */
  readonly next: number | null
}

export interface DeliveryIds {
  readonly alertId: string
  readonly targetId: string
}

/** How long whoever claims a delivery may take for it; an attempt ends long before. */
export const CLAIM_MS = 60_000

/** Alerts on their way. Any number of nodes may work on it at once. */
export interface AlertQueue {
  /** How far the usage store's outbox was taken over; 0 at first. */
  readPlace(): Promise<number>
  /**
   * All or nothing. A new one is due now to its budget's targets, or those of no budget, and to
   * its recipients. A known one is ignored, except that an incident is shown with its new figures;
   * it is not sent again.
   */
  take(alerts: readonly AddressedAlert[], place: number): Promise<void>
  /** The longest overdue first, without those to a target that somebody is sending to. */
  listDue(nowMs: number, rowsMax: number): Promise<readonly Delivery[]>
  /**
   * Asked before each attempt: true for one node alone, until it notes the attempt or CLAIM_MS have
   * passed. False while another is sending to the target, and when it is no longer due.
   */
  claim(delivery: DeliveryIds): Promise<boolean>
  /** For an attempt that was not made. */
  release(delivery: DeliveryIds): Promise<void>
  /** For the only one who sends: what it claimed before it was killed is due again at once. */
  releaseAll(): Promise<void>
  /** `nextAt` is null for the last attempt. Ends the claim. */
  noteAttempt(delivery: DeliveryIds, attempt: DeliveryAttempt, nextAt: number | null): Promise<void>
}

export interface AlertLog {
  list(options: {
    readonly before: number | null
    readonly rowsMax: number
    readonly budgetId?: string
  }): Promise<AlertPage>
  find(id: string): Promise<LoggedAlert | null>
  /** Those of a kind raised since then, newest first; of too many, the newest RECENT_MAX. */
  listRecent(kind: AlertKind, sinceMs: number): Promise<readonly LoggedAlert[]>
  /** Removes older alerts unless a delivery is pending. Returns how many. */
  removeBefore(atMs: number): Promise<number>
}

export interface AlertStore extends AlertQueue, AlertLog {}
