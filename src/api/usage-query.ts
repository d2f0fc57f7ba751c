// Answers a usage query from the usage store. The same function stands behind the API, the console and
// the command line, so that their figures cannot differ.
// Must stay true: rows are ordered and cut by exact money; rounding comes last, on what is left.

import { assert } from '../core/assert.ts'
import { toAnswerUsd } from '../core/money.ts'
import type { UsageGrouping, UsageStore, UsageSum } from '../store/usage/usage-store.ts'
import type { Metric, UsageEnvelope, UsageRow } from './contract.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { toPeriod } from './windows.ts'

const UNKNOWN_LABEL = 'unknown'

export async function readUsage(
  query: UsageQuery,
  usage: Pick<UsageStore, 'sum'>,
  nowMs: number,
): Promise<UsageEnvelope> {
  const sums = await usage.sum({
    period: toPeriod(query, nowMs),
    grouping: toGrouping(query),
    keyId: query.keyId,
  })
  const rows = query.dimension === null ? [toTotal(sums, query)] : toBreakdown(sums, query)
  return { asOf: new Date(nowMs).toISOString(), rows }
}

function toGrouping(query: UsageQuery): UsageGrouping {
  assert(query.window !== 'monthly_series', 'a monthly series is served but not built')
  switch (query.dimension) {
    case null:
      return { by: 'total' }
    case 'provider':
    case 'model':
    case 'api_key':
      return { by: query.dimension }
    case 'dim':
    case 'dim_model':
    case 'day':
      throw new Error(`Weir defect: dimension ${query.dimension} is served but not built`)
  }
}

function toTotal(sums: readonly UsageSum[], query: UsageQuery): UsageRow {
  let amount = 0n
  for (const sum of sums) amount += amountOf(sum, query.metric)
  return toRow('total', amount, query.metric)
}

function toBreakdown(sums: readonly UsageSum[], query: UsageQuery): UsageRow[] {
  const amounts = new Map<string, bigint>()
  for (const sum of sums) {
    // Calls whose model nobody named may meet a model of that very name: one label, one row.
    const label = sum.label === null || sum.label === '' ? UNKNOWN_LABEL : sum.label
    amounts.set(label, (amounts.get(label) ?? 0n) + amountOf(sum, query.metric))
  }
  return [...amounts]
    .toSorted(([labelA, amountA], [labelB, amountB]) => {
      if (amountA !== amountB) return amountA > amountB ? -1 : 1
      return labelA < labelB ? -1 : 1
    })
    .slice(0, query.limit)
    .map(([label, amount]) => toRow(label, amount, query.metric))
}

/** Money in its own unit, or a count: integers both, so they add up exactly. */
function amountOf(sum: UsageSum, metric: Metric): bigint {
  switch (metric) {
    case 'cost_usd':
      return sum.cost
    case 'requests':
      return BigInt(sum.requests)
    case 'tokens':
      return BigInt(sum.tokens)
  }
}

function toRow(label: string, amount: bigint, metric: Metric): UsageRow {
  const value = metric === 'cost_usd' ? toAnswerUsd(amount) : Number(amount)
  return { label, value, bucket: null, model: null, requests: null, tokens: null }
}
