// The log of alerts with every attempt to deliver them. Must stay true: an alert that was taken
// over is delivered to each of its targets, given up after a day, or its target was removed; none
// is forgotten.

import type { Alert, AlertTarget, TargetKind } from '../../core/alert.ts'

/** An alert on its way to one target. */
export interface Delivery {
  readonly alert: Alert
  readonly target: AlertTarget
  /** Those that were made. */
  readonly attempts: number
}

export interface DeliveryAttempt {
  readonly at: number
  readonly isDelivered: boolean
  /** What came of it, in a few words: `200`, `500`, `no answer within 10 s`. */
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

export interface LoggedAlert extends Alert {
  readonly deliveries: readonly LoggedDelivery[]
}

export interface AlertPage {
  /** Newest first. */
  readonly alerts: readonly LoggedAlert[]
  /** The place to go on behind; null at the end. */
  readonly next: number | null
}

export interface AlertStore {
  /** How far the usage store's outbox was taken over; 0 at first. */
  readPlace(): Promise<number>
  /**
   * All of it or nothing. An alert that is there already changes nothing. Each is due at once to
   * the targets of its budget, or to those of none.
   */
  take(alerts: readonly Alert[], place: number): Promise<void>
  /** The longest due first. */
  listDue(nowMs: number, rowsMax: number): Promise<readonly Delivery[]>
  /** `nextAt` null: there will be no other. */
  noteAttempt(
    delivery: { readonly alertId: string; readonly targetId: string },
    attempt: DeliveryAttempt,
    nextAt: number | null,
  ): Promise<void>
  list(options: {
    readonly before: number | null
    readonly rowsMax: number
    readonly budgetId?: string
  }): Promise<AlertPage>
  /**
   * Alerts that came about before it; those with a pending delivery stay. Returns how many were
   * removed.
   */
  removeBefore(atMs: number): Promise<number>
}
