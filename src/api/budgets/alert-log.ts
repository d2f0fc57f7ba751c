// The alert log for the command line: the API's rows, each with a sentence.

import { toAlertText } from '../../alerts/alert-text.ts'
import { toAlertRow } from './alert-row.ts'
import type { AlertRow } from '../contract.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'

export interface AlertLog {
  readonly entries: readonly AlertEntry[]
  readonly hasOlder: boolean
}

export interface AlertEntry {
  readonly row: AlertRow
  /** One line, safe to print in a terminal. */
  readonly text: string
  /** Its calls in the console, a URL or a path; null where there is no link. */
  readonly callsUrl: string | null
}

export interface AlertLogOptions {
  /** Null for the alerts of all, and of none. */
  readonly budgetId: string | null
  readonly rowsMax: number
  readonly nowMs: number
}

export async function readAlertLog(
  { alerts: log }: Pick<SettingsStore, 'alerts'>,
  { budgetId, rowsMax, nowMs }: AlertLogOptions,
): Promise<AlertLog> {
  const only = budgetId === null ? {} : { budgetId }
  const { alerts, next } = await log.list({ before: null, rowsMax, ...only })
  const entries = alerts.map((alert) => toAlertEntry(toAlertRow(alert, nowMs)))
  return { entries, hasOlder: next !== null }
}

export function toAlertEntry(row: AlertRow): AlertEntry {
  const { id, type: kind, budget_id: budgetId, at } = row
  const alert = { id, kind, budgetId, at: Date.parse(at), body: JSON.stringify(row.body) }
  const { paragraph: text, callsUrl } = toAlertText(alert)
  return { row, text, callsUrl }
}
