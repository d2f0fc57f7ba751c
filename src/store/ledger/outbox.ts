// Alerts to be sent, in the order they were raised or changed. An alert is in it once, by its id,
// and stays.

import type { Alert, AlertKind } from '../../core/alert.ts'

export interface OutboxPage {
  readonly alerts: readonly Alert[]
  /** To be passed to the next call. */
  readonly place: number
}

export interface Outbox {
  /** An alert already there is ignored. Returns how many were new. */
  add(alerts: readonly Alert[]): Promise<number>
  /** Gives known alerts new bodies and puts them behind all others, to be read again. */
  revise(alerts: readonly Alert[]): Promise<void>
  /** Alerts after a place; 0 for all. */
  read(place: number, rowsMax: number): Promise<OutboxPage>
  /** Those of a kind raised since then, the oldest first; of too many, the newest RECENT_MAX. */
  listRecent(kind: AlertKind, sinceMs: number): Promise<readonly Alert[]>
}

export const RECENT_MAX = 1000
