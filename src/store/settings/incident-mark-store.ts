// What people said of incidents, among the settings, since it is audited as they are.

import type { IncidentMark } from '../../core/alerts/incident-mark.ts'
import type { Money } from '../../core/money.ts'

export type NewIncidentMark =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'snoozed'; readonly until: number; readonly excess: Money }

export interface IncidentMarkStore {
  /**
   * In place of the mark before; null removes it. `name` is the incident's in the audit log.
   * Returns the mark, or undefined where there is no such alert.
   */
  set(
    alert: { readonly id: string; readonly name: string },
    mark: NewIncidentMark | null,
  ): Promise<IncidentMark | null | undefined>
}
