// What people said of an incident: that they know, or that it is not for now.

import { excessOf, isOver } from './incident.ts'
import type { Incident } from './incident.ts'
import type { Money } from '../money.ts'

export type IncidentMark =
  | { readonly kind: 'acknowledged'; readonly at: number; readonly by: string }
  | {
      readonly kind: 'snoozed'
      readonly at: number
      readonly by: string
      readonly until: number
      /** The incident's excess when it was snoozed. */
      readonly excess: Money
    }

export const INCIDENT_STATES = ['open', 'acknowledged', 'snoozed', 'over'] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]

/** An incident is over long before. */
export const SNOOZE_MS_MAX = 30 * 86_400_000

const GROWN_TIMES = 2n

/** A snooze ends at its time, or once the excess is more than twice what it was. */
export function stateOf(
  incident: Incident,
  mark: IncidentMark | null,
  nowMs: number,
): IncidentState {
  if (isOver(incident, nowMs)) return 'over'
  if (mark === null) return 'open'
  if (mark.kind === 'acknowledged') return 'acknowledged'
  const hasGrown = excessOf(incident) > GROWN_TIMES * mark.excess
  return nowMs < mark.until && !hasGrown ? 'snoozed' : 'open'
}
