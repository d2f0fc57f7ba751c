// The alerts about a journal that does not reach its disk, as webhooks send them. Receivers rely on
// the format: names are only added, never changed.

import { createAlertId } from '../core/alert.ts'
import type { Alert } from '../core/alert.ts'
import { toBody } from '../core/alerts/budget-alert.ts'
import type { JournalRefusal } from '../core/completeness.ts'

/** Which Weir it is, for a reader who has several. */
export interface JournalSite {
  readonly host: string
  /** The last part of the data directory's path. */
  readonly directory: string
  readonly onFull: 'go-on' | 'refuse'
}

export function toFailingAlert(site: JournalSite, refusal: JournalRefusal, at: number): Alert {
  const { host, directory, onFull } = site
  const since = new Date(refusal.since).toISOString()
  return {
    id: createAlertId('journal.failing', host, directory, refusal.since),
    kind: 'journal.failing',
    budgetId: null,
    at,
    body: toBody('journal.failing', at, {
      host,
      directory,
      since,
      reason: refusal.reason,
      on_full: onFull,
    }),
  }
}

export interface JournalOutage {
  readonly since: number
  readonly endedAt: number
  /** All calls that are on no record, since the beginning; null where that could not be read. */
  readonly lost: number | null
}

export function toRecoveredAlert(site: JournalSite, outage: JournalOutage, at: number): Alert {
  const { host, directory } = site
  const { since, endedAt, lost } = outage
  return {
    id: createAlertId('journal.recovered', host, directory, since),
    kind: 'journal.recovered',
    budgetId: null,
    at,
    body: toBody('journal.recovered', at, {
      host,
      directory,
      since: new Date(since).toISOString(),
      until: new Date(endedAt).toISOString(),
      lost_calls: lost,
    }),
  }
}
