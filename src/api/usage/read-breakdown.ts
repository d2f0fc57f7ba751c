// A usage question with the whole that its rows are part of. Must stay true: rows, rest and total
// are of one moment, so that they add up.

import { isMoneyMetric } from '../../core/usage-figures.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { UsageGrouping, UsageQuestion, UsageStore } from '../../store/usage/usage-store.ts'
import type { UsageBreakdown } from '../contract.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { addUp, toStoreQuestion, toUsageRows } from './usage-query.ts'
import { notKept } from '../sight/seen-sums.ts'
import { askRepriced } from './repriced.ts'
import { toPeriod } from './windows.ts'

export async function readBreakdown(
  query: UsageQuery,
  usage: Pick<UsageStore, 'sum' | 'readSnapshot'>,
  nowMs: number,
): Promise<UsageBreakdown> {
  const tagged = toTagged(query, nowMs)
  const { metric, dimKey } = query
  const period = toPeriod(query, nowMs)
  const hasMonths = metric === 'cost_usd' && period.grain === 'month'
  const changes = hasMonths ? await askRepriced(usage, period) : null
  const questions = [
    toStoreQuestion(query, nowMs),
    ask(query, { by: 'total' }, nowMs),
    ...(changes === null ? [] : [changes.repriced, changes.costs]),
    ...(tagged === null ? [] : [tagged]),
  ]
  const spans = changes?.spans ?? []
  const {
    sums: answers,
    costs: since,
    unknown = [],
  } = await usage.readSnapshot({ questions, spans })
  if (unknown.length > 0) throw notKept()
  const [sums = [], whole = [], ...others] = answers
  const [repriced = [], costs = []] = changes === null ? [] : others
  const carrying = tagged === null ? [] : (others.at(-1) ?? [])
  const toValue = (amount: bigint): number =>
    isMoneyMetric(metric) ? toAnswerUsd(amount) : Number(amount)
  const total = addUp(whole, metric)
  const withTag =
    tagged?.grouping.by === 'dim_key' ? carrying.filter(({ label }) => label === dimKey) : carrying
  const untagged = tagged === null ? null : total - addUp(withTag, metric)
  const rows = toUsageRows(sums, query, nowMs)
  return {
    asOf: new Date(nowMs).toISOString(),
    rows,
    total: toValue(total),
    untagged: untagged === null ? null : toValue(untagged),
    repriced: changes?.toAnswer({ repriced, costs, since }) ?? [],
  }
}

/** All that carries the dimension; null where the rows are not those of one. */
function toTagged(query: UsageQuery, nowMs: number): UsageQuestion | null {
  const { dimension, dimKey, keyId } = query
  if ((dimension !== 'dim' && dimension !== 'dim_model') || dimKey === null) return null
  // The sums by name alone are kept for all keys together only.
  return ask(query, keyId === null ? { by: 'dim_key', dimKey } : { by: 'dim', dimKey }, nowMs)
}

function ask(query: UsageQuery, grouping: UsageGrouping, nowMs: number): UsageQuestion {
  return { period: toPeriod(query, nowMs), grouping, keyId: query.keyId }
}
