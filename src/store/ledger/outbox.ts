// Alerts to be sent, in the order they were raised. An alert is in it once, by its id, and stays.

import type { Alert } from '../../core/alert.ts'

export interface OutboxPage {
  readonly alerts: readonly Alert[]
  /** To be passed to the next call. */
  readonly place: number
}

export interface Outbox {
  /** An alert already there is ignored. Returns how many were new. */
  add(alerts: readonly Alert[]): Promise<number>
  /** Alerts after a place; 0 for all. */
  read(place: number, rowsMax: number): Promise<OutboxPage>
}
