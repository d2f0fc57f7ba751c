// The log of alerts over settings that are open, for the command line: the rows of the API, and
// what each says in words.

import { toAlertText } from '../../alerts/alert-text.ts'
import { toAlertRow } from './alert-row.ts'
import type { AlertRow } from '../contract.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'

export interface AlertLog {
  /** Newest first. */
  readonly entries: readonly AlertEntry[]
  readonly hasOlder: boolean
}

export interface AlertEntry {
  readonly row: AlertRow
  /** On one line, without characters that could rewrite a terminal. */
  readonly text: string
}

export async function readAlertLog(
  { alerts: log }: Pick<SettingsStore, 'alerts'>,
  { budgetId, rowsMax }: { readonly budgetId: string | null; readonly rowsMax: number },
): Promise<AlertLog> {
  const only = budgetId === null ? {} : { budgetId }
  const { alerts, next } = await log.list({ before: null, rowsMax, ...only })
  const entries = alerts.map((alert) => ({
    row: toAlertRow(alert),
    text: toAlertText(alert).paragraph,
  }))
  return { entries, hasOlder: next !== null }
}
