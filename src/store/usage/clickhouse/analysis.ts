// Answers analysis questions from the calls themselves: nothing is kept for them, every value of a
// dimension is kept apart, and the time that the server may take is the limit.

import { WeirError } from '../../../core/weir-error.ts'
import type { ClickhouseDatabase, ClickhouseValue } from '../../clickhouse/database.ts'
import { isTooSlow } from '../../clickhouse/faults.ts'
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
} from '../analysis.ts'
import { NO_BUCKET } from './call-columns.ts'
import type { Moment } from './moment.ts'
import { toEnded } from './reader.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Each has counts for all buckets. */
const TIMED_SUMS_MAX = 20_000

const FORWARDED = "status != 'denied'"
const COUNTED = `${FORWARDED} AND is_counted = 1`
const TIMED = "status = 'delivered' AND is_counted = 1"

const COST = 'ifNull(cost_pico, 0)'
/** Money as text, as no JSON number has its digits. */
const MONEY: Readonly<Record<'cost' | 'marketCost', string>> = {
  cost: `toString(sumIf(${COST} * sign, ${FORWARDED}))`,
  marketCost: `toString(sumIf(ifNull(market_pico, ${COST}) * sign, ${FORWARDED}))`,
}
type CountName = Exclude<keyof AnalysisFigures, 'cost' | 'marketCost' | 'latencies'>
const COUNTS: Readonly<Record<CountName, string>> = {
  requests: `sumIf(sign, ${FORWARDED})`,
  errors: `sumIf(sign, status IN ('refused', 'cut', 'interrupted'))`,
  denials: `sumIf(sign, NOT (${FORWARDED}))`,
  unpriced: `sumIf(sign, ${FORWARDED} AND cost_pico IS NULL)`,
  estimated: `sumIf(sign, ${FORWARDED} AND usage IN ('estimated', 'partial'))`,
  cached: `sumIf(sign, ${COUNTED} AND cache_read > 0)`,
  inputTokens: sumOf('greatest(ifNull(input_tokens, 0), 0)'),
  outputTokens: sumOf('greatest(ifNull(output_tokens, 0), 0)'),
  cacheReadTokens: sumOf('cache_read'),
  cacheWriteTokens: sumOf('cache_write'),
  inputAudioTokens: sumOf('input_audio'),
  inputImageTokens: sumOf('input_image'),
  reasoningTokens: sumOf('reasoning'),
  outputAudioTokens: sumOf('output_audio'),
  outputImageTokens: sumOf('output_image'),
  timedMs: `sumIf(greatest(0, ended_at - started_at) * sign, ${TIMED})`,
  timedOutputTokens: `sumIf(ifNull(output_tokens, 0) * sign, ${TIMED})`,
}
const LATENCIES = ['first_byte_bucket', 'total_bucket', 'own_bucket'].map(
  (column) => `sumMapIf([${column}], [toInt64(sign)], ${FORWARDED} AND ${column} != ${NO_BUCKET})`,
)

function sumOf(column: string): string {
  return `sumIf(toInt64(${column}) * sign, ${COUNTED})`
}

export async function analyze(
  calls: ClickhouseDatabase,
  question: AnalysisQuestion,
  options: { readonly moment: Moment; readonly keptFromMs: number },
): Promise<AnalysisAnswer> {
  const { moment, keptFromMs } = options
  const { fromMs, toMs, groupBy, filters, hasLatencies } = question
  const sumsMax = hasLatencies ? TIMED_SUMS_MAX : ANALYSIS_SUMS_MAX
  const values: Record<string, ClickhouseValue> = {}
  const where = filters.map((filter, index) => toCondition(filter, `f${index}`, values))
  const groups = groupBy.map((field, index) => `${toText(field, `g${index}`, values)} AS g${index}`)
  const names = ['bucket', ...groupBy.map((_, index) => `g${index}`)]
  const text = `SELECT ${toBucket(question.interval)} AS bucket, ${[...groups, ...toFigureColumns(hasLatencies)].join(', ')}
    FROM calls WHERE ${moment} AND ${toEnded(fromMs, toMs)}
      ${where.map((condition) => `AND ${condition}`).join(' ')}
    GROUP BY ${names.join(', ')} LIMIT ${sumsMax + 1}
    SETTINGS max_rows_to_group_by = ${sumsMax + 1}, group_by_overflow_mode = 'any'`
  const rows = await readSums(calls, text, values)
  if (rows.length > sumsMax) throw tooMany(sumsMax)
  const sums = rows.map((row) => toSum(row, question))
  return {
    // A call that a repricing moved away leaves an empty sum.
    sums: sums.filter(({ figures }) => figures.requests + figures.denials !== 0),
    total: addUp(sums),
    capped: 0,
    completeFromMs: fromMs < keptFromMs ? keptFromMs : null,
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

type SumRow = Readonly<Record<string, string | number | null>> & {
  readonly latencies: readonly (readonly [readonly number[], readonly number[]])[]
}

function toFigureColumns(hasLatencies: boolean): readonly string[] {
  const figures = Object.entries({ ...MONEY, ...COUNTS }).map(([name, sql]) => `${sql} AS ${name}`)
  return hasLatencies ? [...figures, `[${LATENCIES.join(', ')}] AS latencies`] : figures
}

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

function toSum(row: SumRow, { interval, groupBy, hasLatencies }: AnalysisQuestion): AnalysisSum {
  return {
    bucketMs: toBucketMs(row['bucket'] as number | null, interval),
    groups: groupBy.map((_, index) => toValue(row[`g${index}`] as string | null)),
    figures: {
      ...(Object.fromEntries(
        Object.keys(COUNTS).map((name) => [name, Number(row[name])]),
      ) as Record<CountName, number>),
      cost: BigInt(row['cost'] as string),
      marketCost: BigInt(row['marketCost'] as string),
      latencies: toLatencies(hasLatencies ? row.latencies : []),
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

function toLatencies(maps: SumRow['latencies']): AnalysisFigures['latencies'] {
  const counts = LATENCY_KINDS.map((kind, index): [string, LatencyCounts] => {
    const [buckets = [], times = []] = maps[index] ?? []
    const entries = buckets.map((bucket, at) => [bucket, Number(times[at])] as const)
    return [kind, new Map(entries.filter(([, count]) => count !== 0))]
  })
  return Object.fromEntries(counts) as AnalysisFigures['latencies']
}

function addUp(sums: readonly AnalysisSum[]): AnalysisFigures {
  const total = {
    cost: 0n,
    marketCost: 0n,
    ...(Object.fromEntries(Object.keys(COUNTS).map((name) => [name, 0])) as Record<
      CountName,
      number
    >),
  }
  const latencies = LATENCY_KINDS.map((kind) => [kind, new Map<number, number>()] as const)
  for (const { figures } of sums) {
    total.cost += figures.cost
    total.marketCost += figures.marketCost
    for (const name of Object.keys(COUNTS) as CountName[]) total[name] += figures[name]
    for (const [kind, counts] of latencies) {
      for (const [bucket, count] of figures.latencies[kind]) {
        counts.set(bucket, (counts.get(bucket) ?? 0) + count)
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
