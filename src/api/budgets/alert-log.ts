// The alert log for the command line: the API's rows, each with a sentence.

import { toAlertText } from '../../alerts/alert-text.ts'
import type { AlertRow } from '../contract.ts'

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

export function toAlertEntry(row: AlertRow): AlertEntry {
  const { id, type: kind, budget_id: budgetId, at } = row
  const alert = { id, kind, budgetId, at: Date.parse(at), body: JSON.stringify(row.body) }
  const { paragraph: text, callsUrl } = toAlertText(alert)
  return { row, text, callsUrl }
}
