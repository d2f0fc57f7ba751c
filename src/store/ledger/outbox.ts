// Alerts on their way out, in the order in which they came about. An alert is in it once, by its
// id, and stays in it.

import type { Alert } from '../../core/alert.ts'

export interface OutboxPage {
  /** In the order in which they came about. */
  readonly alerts: readonly Alert[]
  /** To be handed to the next call. */
  readonly place: number
}

export interface Outbox {
  /** One that is there already changes nothing. Returns how many were new. */
  add(alerts: readonly Alert[]): Promise<number>
  /** What came in behind a place; 0 for all. */
  read(place: number, rowsMax: number): Promise<OutboxPage>
}
