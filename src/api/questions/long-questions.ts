// Questions that read much of the usage store, or make much text of it. Must stay true: each is
// answered by one call, of one moment, so that it can be asked in another thread, and what passes
// between the threads is small.

import type { CallSight } from '../../core/teams/sight.ts'
import type { RequestLog } from '../../store/usage/request-log.ts'
import type { SessionQuestion } from '../../store/usage/session-log.ts'
import type { UsageUpkeep } from '../../store/usage/usage-upkeep.ts'
import type { UsageQuestion, UsageStore } from '../../store/usage/usage-store.ts'
import { ANALYSIS_SUMS_MAX } from '../../store/usage/analysis.ts'
import { toStepsCsv, toTableCsv } from '../analysis/analysis-csv.ts'
import { toMeasure } from '../analysis/analysis-orders.ts'
import { readAnalysis } from '../analysis/read-analysis.ts'
import type { AnalysisQuery } from '../analysis/to-analysis-query.ts'
import type { Overview } from '../contract.ts'
import type { KnownNames } from '../known-names.ts'
import { readOverview } from '../usage/read-overview.ts'
import type { OverviewChoice } from '../usage/read-overview.ts'
import { readRequestPage } from '../requests/read-request-page.ts'
import { formatCursor } from '../requests/request-cursor.ts'
import { toRequestRow } from '../requests/request-row.ts'
import { readSession } from '../sessions/read-session.ts'
import type { SessionAsked } from '../sessions/read-session.ts'
import { readDevelopers, readSessions } from '../sessions/read-sessions.ts'
import type { SessionQuery } from '../sessions/session-query.ts'
import type { RequestQuery } from '../requests/to-request-query.ts'

export interface LongQuestions {
  readonly sum: UsageStore['sum']
  readonly readSnapshot: UsageStore['readSnapshot']
  readonly list: RequestLog['list']
  readonly summarize: RequestLog['summarize']
  readonly readRecords: UsageUpkeep['readRecords']
  /** The answer of GET /v1/requests, as JSON. */
  readonly writeRequestPage: (
    query: RequestQuery,
    names: KnownNames,
    nowMs: number,
  ) => Promise<string>
  /** The answer of GET /v1/analysis, as JSON. Ids are named that are in the map. */
  readonly writeAnalysis: (
    query: AnalysisQuery,
    names: KnownNames,
    nowMs: number,
  ) => Promise<string>
  /** All its groups as CSV: the table, or every step of them. */
  readonly writeAnalysisCsv: (
    query: AnalysisQuery & { readonly hasSteps: boolean },
    names: KnownNames,
    nowMs: number,
  ) => Promise<string>
  /** The answer of GET /v1/agent-sessions, as JSON. */
  readonly writeSessions: (query: SessionQuery, names: KnownNames, nowMs: number) => Promise<string>
  /** The same of one session; null where there is none. */
  readonly writeSession: (
    asked: SessionAsked,
    names: KnownNames,
    nowMs: number,
  ) => Promise<string | null>
  /** The answer of GET /v1/developers, as JSON. */
  readonly writeDevelopers: (
    asked: { readonly question: SessionQuestion; readonly rowsMax: number },
    names: KnownNames,
    nowMs: number,
  ) => Promise<string>
  /** `has_calls` of the forwarded calls of two months. */
  readonly readOverview: (
    choice: OverviewChoice,
    names: KnownNames,
    nowMs: number,
  ) => Promise<Overview>
}

const QUESTION_NAMES = [
  'sum',
  'readSnapshot',
  'list',
  'summarize',
  'readRecords',
  'writeRequestPage',
  'writeAnalysis',
  'writeAnalysisCsv',
  'writeSessions',
  'writeSession',
  'writeDevelopers',
  'readOverview',
] as const satisfies readonly (keyof LongQuestions)[]

export type QuestionName = (typeof QUESTION_NAMES)[number]
/** Whose calls they are about; null: everyone's. */
export type QuestionsOf = (sight: CallSight | null) => LongQuestions
export type Ask = (name: QuestionName, given: readonly unknown[]) => Promise<unknown>

/** Answers them in this thread. */
export function createLongQuestions(usage: UsageStore): LongQuestions {
  return {
    sum: (question) => usage.sum(question),
    readSnapshot: (asked) => usage.readSnapshot(asked),
    list: (filter, page) => usage.requests.list(filter, page),
    summarize: (filter) => usage.requests.summarize(filter),
    readRecords: (filter, page) => usage.upkeep.readRecords(filter, page),
    writeRequestPage: async (query, names, nowMs) => {
      const { records, next } = await readRequestPage(usage.requests, query, nowMs)
      const next_cursor = next === null ? null : formatCursor(next, query)
      const rows = records.map((record) => toRequestRow(record, names))
      return JSON.stringify({ rows, next_cursor })
    },
    writeAnalysis: async (query, names, nowMs) =>
      JSON.stringify(await readAnalysis(query, { usage, names }, nowMs)),
    writeAnalysisCsv: async ({ hasSteps, ...query }, names, nowMs) => {
      const sources = { usage, names, pointsMax: Infinity }
      const all = { ...query, limit: ANALYSIS_SUMS_MAX, offset: 0 }
      if (hasSteps) return toStepsCsv(await readAnalysis(all, sources, nowMs))
      const analysis = await readAnalysis({ ...all, interval: 'none' }, sources, nowMs)
      return toTableCsv(analysis, toMeasure(query.orderBy))
    },
    writeSessions: async (query, names, nowMs) =>
      JSON.stringify(await readSessions(query, { sessions: usage.sessions, names, nowMs })),
    writeSession: async (asked, names, nowMs) => {
      const detail = await readSession(asked, { usage, names, nowMs })
      return detail === null ? null : JSON.stringify(detail)
    },
    writeDevelopers: async ({ question, rowsMax }, names, nowMs) => {
      const sources = { sessions: usage.sessions, names, nowMs }
      return JSON.stringify(await readDevelopers(question, rowsMax, sources))
    },
    readOverview: (choice, names, nowMs) => readOverview(usage, { ...choice, names }, nowMs),
  }
}

/** Passes each of them on. */
export function passOn(ask: Ask): LongQuestions {
  const to = (name: QuestionName) => [name, (...given: readonly unknown[]) => ask(name, given)]
  // Whoever answers has the same names, and each name its own parameters.
  return Object.fromEntries(QUESTION_NAMES.map(to)) as LongQuestions
}

/** The store, with its long questions asked elsewhere. */
export function withQuestions(
  usage: UsageStore,
  questions: LongQuestions,
  /** Sums, too: of calls that are chosen by their team none are kept. */
  { areAllLong }: { readonly areAllLong: boolean },
): UsageStore {
  const isAsked = (question: UsageQuestion): boolean => areAllLong || isLong(question)
  return {
    ...usage,
    sum: (question) => (isAsked(question) ? questions.sum(question) : usage.sum(question)),
    readSnapshot: (asked) =>
      areAllLong || asked.spans.length > 0 || asked.questions.some(isLong)
        ? questions.readSnapshot(asked)
        : usage.readSnapshot(asked),
    requests: { ...usage.requests, list: questions.list, summarize: questions.summarize },
    upkeep: { ...usage.upkeep, readRecords: questions.readRecords },
  }
}

/** There may be as many keys and values as callers make up; all else has few rows. */
function isLong({ grouping: { by } }: UsageQuestion): boolean {
  return by === 'dim' || by === 'dim_model' || by === 'api_key'
}
