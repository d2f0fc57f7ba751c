// Finds unusual spend and raises one alert per incident, which grows while the incident goes on,
// with a daily limit so that a general surge buries no spender. It reads a day at a time, since the
// ledger waits meanwhile.

import { setImmediate } from 'node:timers/promises'

import type { Alert } from '../core/alert.ts'
import type { Clock } from '../core/clock.ts'
import { readIncident, toIncidentAlert } from '../core/alerts/incident-alert.ts'
import { INCIDENT_MS_MAX, isOver } from '../core/alerts/incident.ts'
import type { Incident, Spender } from '../core/alerts/incident.ts'
import type { Money } from '../core/money.ts'
import type { DaySpend } from '../store/usage/day-spend.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { ANOMALY_DAYS, judgeDay } from './anomalies.ts'
import { groupJumps, jumpExcess } from './group-jumps.ts'
import type { SpenderJump } from './group-jumps.ts'
import { updateIncidents } from './update-incidents.ts'

export interface AnomalyCheckOptions {
  readonly store: Pick<LedgerStore, 'progress' | 'usage'>
  readonly clock: Pick<Clock, 'now'>
  readonly floor: Money
  /** Where alerts link to; null where it is not known. */
  readonly consoleUrl: string | null
  /** Ends it between two days. */
  readonly signal: AbortSignal
}

/** Incidents a day; the most expensive come first. */
export const ALERTS_A_DAY_MAX = 20
/** Jumps a day that are looked at, the largest excess first. */
const JUMPS_MAX = 200
const DAY_MS = 86_400_000
/** After midnight, calls of the day before are still being stored. */
const SETTLED_MS = 3_600_000

/** Returns how many alerts are new. */
export async function checkAnomalies(options: AnomalyCheckOptions): Promise<number> {
  const { store, clock, floor } = options
  const nowMs = clock.now()
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  // Even if not needed today: its calls may be removed before it is.
  await readPast(store, dayMs - DAY_MS, nowMs)
  const spenders = (await store.usage.daySpend.read(dayMs, { isOver: false })).filter(
    ({ spent }) => spent > 0n && spent >= floor,
  )
  if (spenders.length === 0) return 0
  const histories = await readHistories(spenders, { ...options, dayMs, nowMs })
  if (histories === null) return 0
  const incidents = await readIncidents(store, nowMs)
  const open = incidents.filter((incident) => !isOver(incident, nowMs))
  const jumps = spenders
    .flatMap((spender): SpenderJump[] => {
      const past = beforeIncidents(histories.get(nameOf(spender)) ?? [], {
        incidents: open.filter(({ subjects }) => subjects.some((each) => isSame(each, spender))),
        dayMs,
      })
      const anomaly = judgeDay({ today: spender.spent, past, floor })
      return anomaly === null ? [] : [{ ...anomaly, spender }]
    })
    .toSorted((a, b) => (jumpExcess(a) > jumpExcess(b) ? -1 : 1))
    .slice(0, JUMPS_MAX)
  if (jumps.length === 0) return 0
  const subjects = jumps.map(({ spender }) => spender)
  const groups = groupJumps(jumps, await store.usage.daySpend.readShared(dayMs, subjects))
  const { changed, fresh } = updateIncidents(open, groups, { dayMs, at: nowMs })
  const toAlert = (incident: Incident): Alert => toIncidentAlert(incident, options)
  await store.progress.outbox.revise(changed.map(toAlert))
  const raised = incidents.filter(({ at }) => at >= dayMs && at < dayMs + DAY_MS).length
  const room = Math.max(0, ALERTS_A_DAY_MAX - raised)
  return store.progress.outbox.add(fresh.slice(0, room).map(toAlert))
}

interface HistoryContext extends AnomalyCheckOptions {
  readonly dayMs: number
  readonly nowMs: number
}

/** By the spenders' names, oldest day first. Null when aborted. */
async function readHistories(
  spenders: readonly DaySpend[],
  { store, signal, dayMs, nowMs }: HistoryContext,
): Promise<ReadonlyMap<string, readonly Money[]> | null> {
  const histories = new Map(
    spenders.map((spender) => [nameOf(spender), Array.from({ length: ANOMALY_DAYS }, () => 0n)]),
  )
  for (let index = 0; index < ANOMALY_DAYS; index += 1) {
    // Lets other work run between two days.
    await setImmediate()
    if (signal.aborted) return null
    const pastMs = dayMs - (ANOMALY_DAYS - index) * DAY_MS
    for (const spend of await readPast(store, pastMs, nowMs)) {
      const history = histories.get(nameOf(spend))
      if (history !== undefined) history[index] = spend.spent
    }
  }
  return histories
}

function readPast(
  store: AnomalyCheckOptions['store'],
  pastMs: number,
  nowMs: number,
): Promise<readonly DaySpend[]> {
  return store.usage.daySpend.read(pastMs, { isOver: nowMs >= pastMs + DAY_MS + SETTLED_MS })
}

/** Those that may be open, including those raised before a restart. */
async function readIncidents(
  store: AnomalyCheckOptions['store'],
  nowMs: number,
): Promise<readonly Incident[]> {
  const alerts = await store.progress.outbox.listRecent('spend.anomaly', nowMs - INCIDENT_MS_MAX)
  return alerts.map(readIncident).filter((incident) => incident !== null)
}

interface IncidentDays {
  readonly incidents: readonly Incident[]
  readonly dayMs: number
}

/**
 * The days of an open incident are not usual ones: its next day is compared with those before. With
 * that, an incident that does not end runs out of days to compare with, and is the usual then.
 */
function beforeIncidents(
  past: readonly Money[],
  { incidents, dayMs }: IncidentDays,
): readonly Money[] {
  const starts = incidents.map(({ jumps }) => Date.parse(`${jumps[0].day}T00:00:00Z`))
  const days = (dayMs - Math.min(dayMs, ...starts)) / DAY_MS
  return past.slice(0, past.length - days)
}

function isSame(one: Spender, other: Spender): boolean {
  return one.kind === other.kind && one.name === other.name
}

function nameOf({ kind, name }: Spender): string {
  return `${kind}\0${name}`
}
