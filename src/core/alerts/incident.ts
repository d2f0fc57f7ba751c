// An incident: unusual spend that comes from the same calls, over all its days.

import { createAlertId } from '../alert.ts'
import type { Money } from '../money.ts'

export type SpenderKind = 'api_key' | 'model' | 'dim'

export interface Spender {
  readonly kind: SpenderKind
  /** The key's id, `provider/model` as recorded, or `dimension=value`. */
  readonly name: string
}

/** A day on which the first subject spent far more than usual. */
export interface Jump {
  readonly day: string
  readonly spent: Money
  /** The median of the days it was compared with. */
  readonly usual: Money
}

export interface Incident {
  readonly id: string
  readonly at: number
  /** Its figures are those of the first; the calls of the others are mostly the same. */
  readonly subjects: readonly [Spender, ...Spender[]]
  /** Oldest first. */
  readonly jumps: readonly [Jump, ...Jump[]]
  /** What the last jump was compared with. */
  readonly largest: Money
  readonly days: number
}

const DAY_MS = 86_400_000
/** Longer than any goes on: then its spend is the usual, and there is nothing to compare with. */
export const INCIDENT_MS_MAX = 20 * DAY_MS

export function createIncidentId({ kind, name }: Spender, day: string): string {
  return createAlertId('spend.anomaly', kind, name, day)
}

/** What was spent above the usual, on all its days. */
export function excessOf({ jumps }: Pick<Incident, 'jumps'>): Money {
  return jumps.reduce((sum, { spent, usual }) => sum + spent - usual, 0n)
}

export function lastJump({ jumps }: Pick<Incident, 'jumps'>): Jump {
  return jumps.at(-1) ?? jumps[0]
}

/** It is over after a full UTC day without a jump. */
export function isOver(incident: Pick<Incident, 'jumps'>, nowMs: number): boolean {
  const lastMs = Date.parse(`${lastJump(incident).day}T00:00:00Z`)
  return nowMs >= lastMs + 2 * DAY_MS
}
