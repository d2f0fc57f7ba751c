// Sums of calls as ClickHouse makes them, from calls and from sums that were made before. Must stay
// true: the figures of calls are those of the other engines, and sums of sums are the sums of all
// their calls.

import { LATENCY_KINDS } from '../analysis.ts'
import type { AnalysisFigures } from '../analysis.ts'
import { NO_BUCKET } from './call-columns.ts'

const FORWARDED = "status != 'denied'"
const COUNTED = `${FORWARDED} AND is_counted = 1`
const TIMED = "status = 'delivered' AND is_counted = 1"
const COST = 'ifNull(cost_pico, 0)'

const MONEY: Readonly<Record<'cost' | 'marketCost', string>> = {
  cost: `sumIf(${COST} * sign, ${FORWARDED})`,
  marketCost: `sumIf(ifNull(market_pico, ${COST}) * sign, ${FORWARDED})`,
}
export type CountName = Exclude<keyof AnalysisFigures, 'cost' | 'marketCost' | 'latencies'>
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
const BUCKETS = {
  firstByteMs: `if(streamed = 1, first_byte_bucket, toUInt8(${NO_BUCKET}))`,
  totalMs: 'total_bucket',
  ownMicros: 'own_bucket',
  unstreamedMs: `if(streamed = 1, toUInt8(${NO_BUCKET}), total_bucket)`,
} as const

export const COUNT_NAMES = Object.keys(COUNTS) as readonly CountName[]
export const MONEY_NAMES = Object.keys(MONEY) as readonly (keyof typeof MONEY)[]
/** In the order of the columns of `month_sums`, behind what the sums are of. */
export const FIGURE_NAMES: readonly string[] = [...MONEY_NAMES, ...COUNT_NAMES, ...LATENCY_KINDS]

function sumOf(column: string): string {
  return `sumIf(toInt64(${column}) * sign, ${COUNTED})`
}

/** Rows of one of the tables. No call may be in two of them. */
export interface SumSource {
  readonly table: 'calls' | 'month_sums'
  readonly where: string
}

export interface SelectedSums {
  /** What sums are of: expressions on columns that each of the tables has. */
  readonly keys: readonly string[]
  readonly sources: readonly SumSource[]
  readonly hasLatencies: boolean
}

/** Columns: `k0`, `k1` and so on for the keys, then the figures by their names. */
export function selectSums({ keys, sources, hasLatencies }: SelectedSums): string {
  const latencies = hasLatencies ? LATENCY_KINDS : []
  const names = keys.map((_, index) => `k${index}`)
  const ofCalls = [
    ...Object.entries({ ...MONEY, ...COUNTS }).map(([name, sql]) => `${sql} AS ${name}`),
    ...latencies.map((kind) => `${toLatencies(BUCKETS[kind])} AS ${kind}`),
  ]
  const ofSums = (table: string): readonly string[] => [
    // With the table, as the name alone would be that of the sum.
    ...[...MONEY_NAMES, ...COUNT_NAMES].map((name) => `sum(${table}.${name}) AS ${name}`),
    ...latencies.map((kind) => `sumMap(${table}.${kind}) AS ${kind}`),
  ]
  const selects = sources.map(({ table, where }) => {
    const figures = table === 'calls' ? ofCalls : ofSums(table)
    const columns = [...keys.map((key, index) => `${key} AS k${index}`), ...figures]
    return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${where} GROUP BY ${names.join(', ')}`
  })
  const [only] = selects
  if (only !== undefined && selects.length === 1) return only
  return `SELECT ${[...names, ...ofSums('part')].join(', ')}
    FROM (${selects.join('\nUNION ALL ')}) AS part GROUP BY ${names.join(', ')}`
}

function toLatencies(column: string): string {
  return `sumMapIf([${column}], [toInt64(sign)], ${FORWARDED} AND ${column} != ${NO_BUCKET})`
}
