// Answers a usage query for every interface. Must stay true: rows are cut by exact money.

import { toAnswerUsd } from '../../core/money.ts'
import { figureOf, isMoneyMetric } from '../../core/usage-figures.ts'
import type {
  UsageGrouping,
  UsageQuestion,
  UsageStore,
  UsageSum,
} from '../../store/usage/usage-store.ts'
import { compareText } from '../compare-text.ts'
import type { Metric, UsageEnvelope, UsageRow } from '../contract.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { listDays, listMonths, toPeriod } from './windows.ts'

const UNKNOWN_LABEL = 'unknown'

export async function readUsage(
  query: UsageQuery,
  usage: Pick<UsageStore, 'sum'>,
  nowMs: number,
): Promise<UsageEnvelope> {
  const sums = await usage.sum(toStoreQuestion(query, nowMs))
  return { asOf: new Date(nowMs).toISOString(), rows: toUsageRows(sums, query, nowMs) }
}

/** What the store is asked for a query, at that moment. */
export function toStoreQuestion(query: UsageQuery, nowMs: number): UsageQuestion {
  const period = toPeriod(query, nowMs)
  const grouping = toGrouping(query)
  const isCostOnly = query.metric === 'cost_usd' && query.dimension !== 'dim_model'
  const asked = { period, grouping, keyId: query.keyId, isCostOnly }
  // Only these can be many. The others may lack a name and are merged here, so all are needed.
  const isCut = grouping.by === 'dim' || grouping.by === 'dim_model' || grouping.by === 'api_key'
  return isCut ? { ...asked, largest: query.limit } : asked
}

export async function writeUsage(
  query: UsageQuery,
  usage: Pick<UsageStore, 'sum'>,
  nowMs: number,
): Promise<string> {
  return JSON.stringify(await readUsage(query, usage, nowMs))
}

function toGrouping({ dimension, dimKey, window }: UsageQuery): UsageGrouping {
  switch (dimension) {
    case null:
      return { by: 'total' }
    case 'provider':
      return { by: window === 'monthly_series' ? 'bucket_provider' : 'provider' }
    case 'model':
    case 'api_key':
      return { by: dimension }
    case 'dim':
    case 'dim_model':
      return { by: dimension, dimKey: dimKey ?? '' }
    case 'day':
      return { by: 'bucket' }
  }
}

/** From the store's answer to that question. */
export function toUsageRows(
  sums: readonly UsageSum[],
  query: UsageQuery,
  nowMs: number,
): UsageRow[] {
  const period = toPeriod(query, nowMs)
  if (query.window === 'monthly_series') return toSeries(sums, query, listMonths(period))
  switch (query.dimension) {
    case null:
      return [toRow({ label: 'total', amount: addUp(sums, query.metric) }, query.metric)]
    case 'day':
      return toTrend(sums, query.metric, listDays(period))
    case 'dim_model':
      return toPairs(sums, query)
    case 'provider':
    case 'model':
    case 'api_key':
    case 'dim':
      return toBreakdown(sums, query)
  }
}

interface Amount {
  readonly label: string
  readonly amount: bigint
}

function toBreakdown(sums: readonly UsageSum[], { metric, limit }: UsageQuery): UsageRow[] {
  return largestFirst(addByLabel(sums, metric))
    .slice(0, limit)
    .map((each) => toRow(each, metric))
}

/** Includes days without calls. */
function toTrend(sums: readonly UsageSum[], metric: Metric, days: readonly string[]): UsageRow[] {
  const amounts = new Map(sums.map((sum) => [sum.bucket, amountOf(sum, metric)]))
  return days.map((label) => toRow({ label, amount: amounts.get(label) ?? 0n }, metric))
}

/** The largest over the whole period, each with every month. */
function toSeries(
  sums: readonly UsageSum[],
  { metric, limit }: UsageQuery,
  months: readonly string[],
): UsageRow[] {
  const shown = largestFirst(addByLabel(sums, metric)).slice(0, limit)
  return months.flatMap((month) => {
    const ofMonth = addByLabel(
      sums.filter(({ bucket }) => bucket === month),
      metric,
    )
    const amounts = new Map(ofMonth.map(({ label, amount }) => [label, amount]))
    return largestFirst(
      shown.map(({ label }) => ({ label, amount: amounts.get(label) ?? 0n })),
    ).map((each) => ({ ...toRow(each, metric), bucket: `${month}-01` }))
  })
}

function toPairs(sums: readonly UsageSum[], { metric, limit }: UsageQuery): UsageRow[] {
  const pairs = sums.map((sum) => ({
    label: sum.label ?? UNKNOWN_LABEL,
    model: sum.model ?? UNKNOWN_LABEL,
    amount: amountOf(sum, metric),
    requests: sum.requests,
    tokens: sum.tokens,
  }))
  return pairs
    .toSorted((a, b) => compareAmounts(a, b) || compareText(a.model, b.model))
    .slice(0, limit)
    .map(({ model, requests, tokens, ...each }) => ({
      ...toRow(each, metric),
      model,
      requests,
      tokens,
    }))
}

/** A model may have the very name given to calls without one: they share a row. */
function addByLabel(sums: readonly UsageSum[], metric: Metric): Amount[] {
  const amounts = new Map<string, bigint>()
  for (const sum of sums) {
    const label = sum.label ?? UNKNOWN_LABEL
    amounts.set(label, (amounts.get(label) ?? 0n) + amountOf(sum, metric))
  }
  return Array.from(amounts, ([label, amount]) => ({ label, amount }))
}

export function addUp(sums: readonly UsageSum[], metric: Metric): bigint {
  return sums.reduce((amount, sum) => amount + amountOf(sum, metric), 0n)
}

function largestFirst(amounts: readonly Amount[]): Amount[] {
  return amounts.toSorted(compareAmounts)
}

function compareAmounts(a: Amount, b: Amount): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
  return compareText(a.label, b.label)
}

/** Money in its smallest unit, or a count: integers add up exactly. */
function amountOf(sum: UsageSum, metric: Metric): bigint {
  return BigInt(sum[figureOf(metric)])
}

function toRow({ label, amount }: Amount, metric: Metric): UsageRow {
  const value = isMoneyMetric(metric) ? toAnswerUsd(amount) : Number(amount)
  return { label, value, bucket: null, model: null, requests: null, tokens: null }
}
