// An incident: unusual spend that comes from the same calls, over all its days. It is one alert,
// whose body holds all that is known of it. Must stay true: a body of any version can be read, and
// names of it are only added, never changed.

import { createAlertId } from '../alert.ts'
import type { Alert } from '../alert.ts'
import { toBody } from '../budget-alert.ts'
import { parseMoney, toAnswerUsd } from '../money.ts'
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

export const SUBJECTS_MAX = 20
const DAY_MS = 86_400_000

export function createIncidentId({ kind, name }: Spender, day: string): string {
  return createAlertId('spend.anomaly', kind, name, day)
}

export function toIncidentAlert(incident: Incident): Alert {
  const { id, at, subjects, jumps, largest, days } = incident
  const last = lastJump(incident)
  const [subject] = subjects
  return {
    id,
    kind: 'spend.anomaly',
    budgetId: null,
    at,
    body: toBody('spend.anomaly', at, {
      subject: toNamed(subject),
      day: last.day,
      spent_usd: toAnswerUsd(last.spent),
      usual_usd: toAnswerUsd(last.usual),
      largest_usd: toAnswerUsd(largest),
      days,
      subjects: subjects.slice(0, SUBJECTS_MAX).map(toNamed),
      first_day: jumps[0].day,
      excess_usd: toAnswerUsd(excessOf(incident)),
      jumps: jumps.map(({ day, spent, usual }) => ({
        day,
        spent_usd: toAnswerUsd(spent),
        usual_usd: toAnswerUsd(usual),
      })),
    }),
  }
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

interface IncidentData {
  readonly subject: Spender
  readonly day: string
  readonly spent_usd: number
  readonly usual_usd: number
  readonly largest_usd: number
  readonly days: number
  /** Bodies of earlier versions, which were of one subject and day, lack these. */
  readonly subjects?: readonly [Spender, ...Spender[]]
  readonly jumps?: readonly [JumpData, ...JumpData[]]
}

type JumpData = Pick<IncidentData, 'day' | 'spent_usd' | 'usual_usd'>

/** Null for an alert of another kind, and for a body without figures. */
export function readIncident({ id, kind, at, body }: Alert): Incident | null {
  if (kind !== 'spend.anomaly') return null
  const { data } = JSON.parse(body) as { readonly data?: IncidentData }
  if (data?.subject === undefined || data.day === undefined) return null
  const [first, ...others] = data.jumps ?? [data]
  return {
    id,
    at,
    subjects: data.subjects ?? [data.subject],
    jumps: [toJump(first), ...others.map(toJump)],
    largest: parseMoney(data.largest_usd) ?? 0n,
    days: data.days,
  }
}

function toJump({ day, spent_usd, usual_usd }: JumpData): Jump {
  return { day, spent: parseMoney(spent_usd) ?? 0n, usual: parseMoney(usual_usd) ?? 0n }
}

function toNamed({ kind, name }: Spender): Spender {
  return { kind, name }
}
