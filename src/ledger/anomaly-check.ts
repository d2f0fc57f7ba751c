// Finds unusual spend and raises one alert per spender and day, with a daily limit so that a
// general surge buries no spender. It reads a day at a time, since the ledger waits meanwhile.

import { setImmediate } from 'node:timers/promises'

import { createAlertId } from '../core/alert.ts'
import type { Alert } from '../core/alert.ts'
import { toBody } from '../core/budget-alert.ts'
import type { Clock } from '../core/clock.ts'
import { toAnswerUsd } from '../core/money.ts'
import type { Money } from '../core/money.ts'
import type { DaySpend } from '../store/usage/day-spend.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { ANOMALY_DAYS, judgeDay } from './anomalies.ts'
import type { Anomaly } from './anomalies.ts'

export interface AnomalyCheckOptions {
  readonly store: Pick<LedgerStore, 'book' | 'usage'>
  readonly clock: Pick<Clock, 'now'>
  readonly floor: Money
  /** Ends it between two days. */
  readonly signal: AbortSignal
}

/** Over all spenders; the most expensive come first. */
export const ALERTS_A_DAY_MAX = 20
const DAY_MS = 86_400_000
/** After midnight, calls of the day before are still being stored. */
const SETTLED_MS = 3_600_000
const OUTBOX_ROWS = 1000

interface Found extends Anomaly {
  readonly spender: DaySpend
}

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
  const found = spenders.flatMap((spender): Found[] => {
    const past = histories.get(nameOf(spender)) ?? []
    const anomaly = judgeDay({ today: spender.spent, past, floor })
    return anomaly === null ? [] : [{ ...anomaly, spender }]
  })
  if (found.length === 0) return 0
  const ranked = found.toSorted((a, b) => (excessOf(a) > excessOf(b) ? -1 : 1))
  const raised = await readRaised(store, dayMs)
  const alerts = ranked
    .map((each) => toAnomalyAlert(each, { dayMs, at: nowMs }))
    .filter(({ id }) => !raised.has(id))
  return store.book.outbox.add(alerts.slice(0, Math.max(0, ALERTS_A_DAY_MAX - raised.size)))
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

/** Alerts of that day, including those raised before a restart. */
async function readRaised(
  store: AnomalyCheckOptions['store'],
  dayMs: number,
): Promise<ReadonlySet<string>> {
  const raised = new Set<string>()
  let place = 0
  for (;;) {
    const page = await store.book.outbox.read(place, OUTBOX_ROWS)
    for (const { id, kind, at } of page.alerts) {
      if (kind === 'spend.anomaly' && at >= dayMs && at < dayMs + DAY_MS) raised.add(id)
    }
    if (page.alerts.length < OUTBOX_ROWS) return raised
    ;({ place } = page)
  }
}

function nameOf({ kind, name }: DaySpend): string {
  return `${kind}\0${name}`
}

function excessOf({ spent, usual }: Anomaly): Money {
  return spent - usual
}

export function toAnomalyAlert(found: Found, when: { dayMs: number; at: number }): Alert {
  const { spender, spent, usual, largest, days } = found
  const { kind, name } = spender
  const day = new Date(when.dayMs).toISOString().slice(0, 10)
  return {
    id: createAlertId('spend.anomaly', kind, name, day),
    kind: 'spend.anomaly',
    budgetId: null,
    at: when.at,
    body: toBody('spend.anomaly', when.at, {
      subject: { kind, name },
      day,
      spent_usd: toAnswerUsd(spent),
      usual_usd: toAnswerUsd(usual),
      largest_usd: toAnswerUsd(largest),
      days,
    }),
  }
}
