// Answers what sessions there are and who runs them. Must stay true: pages have every session of
// their moment once, and figures are of whole sessions, as far as they are seen.

import { formatMoney } from '../../core/money.ts'
import { addFigures, createFigures } from '../../core/usage-figures.ts'
import type { UsageFigures } from '../../core/usage-figures.ts'
import type { SessionLog, SessionQuestion, StoredSession } from '../../store/usage/session-log.ts'
import { toIso } from '../iso-time.ts'
import { nameOf } from '../known-names.ts'
import type { KnownNames } from '../known-names.ts'
import type {
  DeveloperList,
  DeveloperRow,
  AgentSessionPage,
  AgentSession,
} from './session-contract.ts'
import { formatPlace, toSessionId } from './session-query.ts'
import type { SessionPlace, SessionQuery, SessionSort } from './session-query.ts'

export interface SessionSources {
  readonly sessions: SessionLog
  readonly names: KnownNames
  readonly nowMs: number
}

export async function readSessions(
  { question, sort, after, rowsMax, check }: SessionQuery,
  { sessions, names, nowMs }: SessionSources,
): Promise<AgentSessionPage> {
  const found = await sessions.read(question)
  const placed = found
    .map((session) => ({ session, place: toPlace(session, sort) }))
    .toSorted((one, other) => compare(one.place, other.place))
  const rest = after === null ? placed : placed.filter(({ place }) => compare(after, place) < 0)
  const page = rest.slice(0, rowsMax)
  const total = createFigures()
  for (const session of found) addFigures(total, session.total)
  const last = page.at(-1)
  return {
    as_of: toIso(nowMs),
    ...toSpan(question),
    rows: page.map(({ session }) => toSessionRow(session, names)),
    sessions: found.length,
    total: { ...toPart(total), tokens: total.tokens },
    next_cursor:
      rest.length > page.length && last !== undefined ? formatPlace(last.place, check) : null,
  }
}

function toSpan({ fromMs, toMs }: SessionQuestion) {
  return { from: toIso(fromMs), to: toIso(toMs) }
}

function toPlace(session: StoredSession, sort: SessionSort): SessionPlace {
  return { key: toKey(session, sort), id: toSessionId(session) }
}

function toKey({ total, denied, firstAt, lastAt }: StoredSession, sort: SessionSort): bigint {
  switch (sort) {
    case 'cost':
      return total.cost
    case 'last':
      return BigInt(lastAt)
    case 'calls':
      return BigInt(total.requests + denied)
    case 'duration':
      return BigInt(lastAt - firstAt)
  }
}

/** The largest first. */
function compare(one: SessionPlace, other: SessionPlace): number {
  if (one.key !== other.key) return one.key > other.key ? -1 : 1
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0
}

export function toPart({ requests, cost }: UsageFigures) {
  return { requests, cost_usd: formatMoney(cost) }
}

export function toSessionRow(session: StoredSession, names: KnownNames): AgentSession {
  const { teamId, personId, firstAt, lastAt, total, outcomes } = session
  return {
    id: toSessionId(session),
    session: session.session,
    api_key: session.keyId,
    team_id: teamId,
    team: nameOf(teamId, names),
    person_id: personId,
    person: nameOf(personId, names),
    tool: session.tool || null,
    tool_version: session.toolVersion || null,
    repository: session.repository || null,
    started_at: toIso(firstAt),
    last_at: toIso(lastAt),
    // The clock may have been set back.
    duration_ms: Math.max(0, lastAt - firstAt),
    ...toPart(total),
    market_cost_usd: formatMoney(total.marketCost),
    tokens: total.tokens,
    unpriced: total.unpriced,
    subagents: toPart(session.subagents),
    retries: toPart(outcomes.retry),
    failed: toPart(outcomes.failed),
    aborted: toPart(outcomes.aborted),
    denied: session.denied,
  }
}

const DAY_MS = 86_400_000

export async function readDevelopers(
  question: SessionQuestion,
  rowsMax: number,
  { sessions, names, nowMs }: SessionSources,
): Promise<DeveloperList> {
  const found = await sessions.read(question)
  const days = (Math.min(question.toMs, nowMs) - question.fromMs) / DAY_MS
  const groups = Map.groupBy(found, ({ personId, tool }) => `${personId ?? ''} ${tool}`)
  const all = [...groups.values()]
    .map((own) => own.toSorted((one, other) => (one.total.cost < other.total.cost ? -1 : 1)))
    .map((own) => ({ own, sum: sumUp(own) }))
    .toSorted((one, other) => (one.sum.cost > other.sum.cost ? -1 : 1))
  return {
    as_of: toIso(nowMs),
    ...toSpan(question),
    rows: all.slice(0, rowsMax).map(({ own, sum }) => toDeveloper(own, { sum, days, names })),
    other_rows: Math.max(0, all.length - rowsMax),
  }
}

function sumUp(sessions: readonly StoredSession[]): UsageFigures {
  const sum = createFigures()
  for (const { total } of sessions) addFigures(sum, total)
  return sum
}

/** `own`: the cheapest first, at least one. */
function toDeveloper(
  own: readonly StoredSession[],
  { sum, days, names }: { sum: UsageFigures; days: number; names: KnownNames },
): DeveloperRow {
  const at = (share: number): StoredSession =>
    own[Math.max(0, Math.ceil(own.length * share) - 1)] as StoredSession
  const largest = at(1)
  const { personId, tool } = largest
  return {
    person_id: personId,
    person: nameOf(personId, names),
    tool: tool || null,
    sessions: own.length,
    sessions_per_day: Math.round((own.length / Math.max(days, 1)) * 100) / 100,
    ...toPart(sum),
    tokens: sum.tokens,
    session_cost_p50_usd: formatMoney(at(0.5).total.cost),
    session_cost_p95_usd: formatMoney(at(0.95).total.cost),
    largest_session: toSessionId(largest),
    largest_session_cost_usd: formatMoney(largest.total.cost),
  }
}
