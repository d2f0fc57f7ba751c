// Answers analysis questions from calls and from kept sums of them: every value of a dimension is
// kept apart, and the time that the server may take is the limit.

import type { CallSight } from '../../../core/teams/sight.ts'
import { PERSON_FACT, TEAM_FACT } from '../../../core/teams/team.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { ClickhouseDatabase, ClickhouseValue } from '../../clickhouse/database.ts'
import type { Sql } from '../../sql/sql.ts'
import { isTooSlow } from '../../clickhouse/faults.ts'
import type { CallBatches } from '../../ledger/call-batches.ts'
import { ANALYSIS_SUMS_MAX, LATENCY_KINDS } from '../analysis.ts'
import type {
  AnalysisAnswer,
  AnalysisField,
  AnalysisFigures,
  AnalysisFilter,
  AnalysisQuestion,
  AnalysisSum,
  AnalysisValue,
  LatencyCounts,
  LatencyKind,
} from '../analysis.ts'
import { toMonthStart, toNextMonth } from '../sql/period-ranges.ts'
import { toEnded } from './current-calls.ts'
import { countRows, isWhole, readKeptSums } from './kept-sums.ts'
import { toBatchCondition } from './batch-condition.ts'
import { planSources } from './plan-sources.ts'
import type { AnalysisSnapshot, PlannedSources } from './plan-sources.ts'
import { COUNT_NAMES, selectSums } from './select-sums.ts'
import type { CountName } from './select-sums.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Each has counts for all buckets. */
const TIMED_SUMS_MAX = 20_000

type Counts = Record<CountName, number>

/** The last try reads the calls only. */
const TRIES_MAX = 3

export interface AnalysisMoment {
  readonly callBatches: CallBatches
  /** The moment; left out, one of its own. */
  readonly sql: Sql | undefined
}

/** All of one moment. */
export async function analyze(
  calls: ClickhouseDatabase,
  { callBatches, sql: given }: AnalysisMoment,
  questions: readonly AnalysisQuestion[],
): Promise<readonly AnalysisAnswer[]> {
  for (let tries = 1; ; tries += 1) {
    const readMoment = async (sql: Sql): Promise<AnalysisSnapshot> => ({
      batches: await callBatches.readBatches(sql),
      keptFromMs: await callBatches.readKeptFrom(sql),
      kept: tries < TRIES_MAX ? await readKeptSums(callBatches, sql) : null,
    })
    const moment = await (given === undefined
      ? callBatches.readSnapshot(readMoment)
      : readMoment(given))
    const plans = await Promise.all(
      questions.map(async (asked) => planSources(await widen(calls, asked, moment), moment)),
    )
    const answers = await Promise.all(
      questions.map((asked, index) => answer(calls, asked, plans[index] as PlannedSources)),
    )
    const isFromSums = plans.some(({ sources }) =>
      sources.some(({ table }) => table === 'month_sums'),
    )
    // Looked at afterwards: they may have been replaced and dropped meanwhile.
    const { kept } = moment
    if (kept === null || !isFromSums || isWhole(kept, await countRows(calls))) return answers
  }
}

/**
 * The end of the month where no call ended between the two, as in the present month: it is answered
 * from the sums then. Of calls that were removed this is not known.
 */
async function widen(
  calls: ClickhouseDatabase,
  question: AnalysisQuestion,
  { batches, keptFromMs, kept }: AnalysisSnapshot,
): Promise<AnalysisQuestion> {
  const { interval, fromMs, toMs } = question
  const endMs = toNextMonth(toMs - 1)
  const isByMonth = interval === 'none' || interval === 'month'
  if (kept === null || !isByMonth || endMs === toMs || toMs <= fromMs) return question
  // Cut at its beginning as well, it is read from the calls anyway.
  if (toMs < keptFromMs || fromMs > toMonthStart(toMs - 1)) return question
  const later = await calls.all(
    `SELECT 1 AS one FROM calls WHERE ${toBatchCondition(batches)} AND ${toEnded(toMs, endMs)} LIMIT 1`,
  )
  return later.length === 0 ? { ...question, toMs: endMs } : question
}

async function answer(
  calls: ClickhouseDatabase,
  question: AnalysisQuestion,
  { sources, completeFromMs }: PlannedSources,
): Promise<AnalysisAnswer> {
  const { groupBy, filters, sight, hasLatencies } = question
  const sumsMax = hasLatencies ? TIMED_SUMS_MAX : ANALYSIS_SUMS_MAX
  const values: Record<string, ClickhouseValue> = {}
  const conditions = filters.map((filter, index) => toCondition(filter, `f${index}`, values))
  if (sight !== undefined) conditions.push(toSightCondition(sight, values))
  const groups = groupBy.map((field, index) => toText(field, `g${index}`, values))
  const selected = selectSums({
    keys: [toBucket(question.interval), ...groups],
    sources: sources.map(({ table, where }) => ({
      table,
      where: [where, ...conditions].join(' AND '),
    })),
    hasLatencies,
  })
  // Money as text, as no JSON number has its digits.
  const text = `SELECT * REPLACE (toString(cost) AS cost, toString(marketCost) AS marketCost)
    FROM (${selected}) LIMIT ${sumsMax + 1}
    SETTINGS max_rows_to_group_by = ${sumsMax + 1}, group_by_overflow_mode = 'any'`
  const rows = await readSums(calls, text, values)
  if (rows.length > sumsMax) throw tooMany(sumsMax)
  const sums = rows.map((row) => toSum(row, question))
  return {
    // A call that a repricing moved away leaves an empty sum.
    sums: sums.filter(({ figures }) => figures.requests + figures.denials !== 0),
    total: addUp(sums),
    capped: 0,
    cappedKeys: [],
    completeFromMs,
    toMs: question.toMs,
  }
}

async function readSums(
  calls: ClickhouseDatabase,
  text: string,
  values: Readonly<Record<string, ClickhouseValue>>,
): Promise<readonly SumRow[]> {
  try {
    return await calls.all<SumRow>(text, values)
  } catch (error) {
    if (!isTooSlow(error)) throw error
    const message = 'The answer would take too long. Ask for a shorter span, or filter.'
    throw new WeirError('invalid_parameter', message, { cause: error })
  }
}

type SumRow = Readonly<Record<string, string | number | null>> &
  Readonly<Record<LatencyKind, readonly [readonly number[], readonly number[]] | undefined>>

/** In milliseconds, but for months, which have their number. */
function toBucket(interval: AnalysisQuestion['interval']): string {
  switch (interval) {
    case 'none':
      return 'NULL'
    case 'hour':
      return `intDiv(ended_at, ${HOUR_MS}) * ${HOUR_MS}`
    case 'day':
      return `intDiv(ended_at, ${DAY_MS}) * ${DAY_MS}`
    case 'week':
      // From Monday; 1970 began on a Thursday.
      return `intDiv(ended_at + ${3 * DAY_MS}, ${7 * DAY_MS}) * ${7 * DAY_MS} - ${3 * DAY_MS}`
    case 'month':
      return 'month'
  }
}

/** Null where a call has no such value. Names of dimensions are parameters. */
function toText(
  field: AnalysisField,
  name: string,
  values: Record<string, ClickhouseValue>,
): string {
  switch (field) {
    case 'provider':
    case 'model':
    case 'status':
      return `CAST(${field} AS Nullable(String))`
    case 'api_key':
      return 'CAST(key_id AS Nullable(String))'
    case 'source':
      return 'CAST(cost_source AS Nullable(String))'
    case 'creator':
      return `if(position(ifNull(model, ''), '/') > 1,
        CAST(substring(model, 1, position(model, '/') - 1) AS Nullable(String)), NULL)`
    default:
      values[name] = field.slice('dim:'.length)
      return `if(mapContains(dims, {${name}:String}),
        CAST(dims[{${name}:String}] AS Nullable(String)), NULL)`
  }
}

function toCondition(
  { field, isExcluding, values: wanted }: AnalysisFilter,
  name: string,
  values: Record<string, ClickhouseValue>,
): string {
  const text = toText(field, name, values)
  values[`${name}v`] = wanted.filter((value) => value !== null)
  const isNone = wanted.includes(null) ? `OR ${text} IS NULL` : ''
  const isNamed = `(ifNull(${text} IN {${name}v:Array(String)}, 0) ${isNone})`
  return isExcluding ? `NOT ${isNamed}` : isNamed
}

/** A call without the fact has an empty text for it. */
function toSightCondition(
  { teams, personId }: CallSight,
  values: Record<string, ClickhouseValue>,
): string {
  values['seen'] = [...teams, ...(personId === null ? [] : [personId])]
  // A team is no person: their ids begin otherwise.
  return `(dims['${TEAM_FACT}'] IN {seen:Array(String)} OR dims['${PERSON_FACT}'] IN {seen:Array(String)})`
}

function toSum(row: SumRow, { interval, groupBy }: AnalysisQuestion): AnalysisSum {
  return {
    bucketMs: toBucketMs(row['k0'] as number | null, interval),
    groups: groupBy.map((_, index) => toValue(row[`k${index + 1}`] as string | null)),
    figures: {
      ...(Object.fromEntries(COUNT_NAMES.map((name) => [name, Number(row[name])])) as Counts),
      cost: BigInt(row['cost'] as string),
      marketCost: BigInt(row['marketCost'] as string),
      latencies: toLatencies(row),
    },
  }
}

function toBucketMs(bucket: number | null, interval: AnalysisQuestion['interval']): number | null {
  if (bucket === null || interval !== 'month') return bucket
  return Date.UTC(Math.floor(bucket / 100), (bucket % 100) - 1)
}

function toValue(text: string | null): AnalysisValue {
  return text === null || text === '' ? { kind: 'none' } : { kind: 'value', value: text }
}

function toLatencies(row: SumRow): AnalysisFigures['latencies'] {
  const counts = LATENCY_KINDS.map((kind): [string, LatencyCounts] => {
    const [buckets, times] = row[kind] ?? [[], []]
    const entries = buckets.map((bucket, at) => [bucket, Number(times[at])] as const)
    return [kind, new Map(entries.filter(([, count]) => count !== 0))]
  })
  return Object.fromEntries(counts) as AnalysisFigures['latencies']
}

function addUp(sums: readonly AnalysisSum[]): AnalysisFigures {
  const counts = Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as Counts
  const total = { cost: 0n, marketCost: 0n, ...counts }
  const latencies = LATENCY_KINDS.map((kind) => [kind, new Map<number, number>()] as const)
  for (const { figures } of sums) {
    total.cost += figures.cost
    total.marketCost += figures.marketCost
    for (const name of COUNT_NAMES) total[name] += figures[name]
    for (const [kind, times] of latencies) {
      for (const [bucket, count] of figures.latencies[kind]) {
        times.set(bucket, (times.get(bucket) ?? 0) + count)
      }
    }
  }
  return {
    ...total,
    latencies: Object.fromEntries(latencies) as unknown as AnalysisFigures['latencies'],
  }
}

function tooMany(sumsMax: number): WeirError {
  return new WeirError(
    'invalid_parameter',
    `The answer would have more than ${sumsMax} sums. Ask for a longer interval, group by less, or filter.`,
  )
}
