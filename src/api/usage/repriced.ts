// Months whose costs were changed after the fact, as the answers with their figures show them. Must
// stay true: before and after are of the moment of the repricing, so that they stand still while
// the month goes on.

import type { BudgetSpan } from '../../core/budget.ts'
import type { Money } from '../../core/money.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { Period, UsageQuestion, UsageStore, UsageSum } from '../../store/usage/usage-store.ts'
import type { RepricedMonthAnswer } from '../contract.ts'
import { endOfDay } from './windows.ts'

export interface RepricedQuestions {
  readonly repriced: UsageQuestion
  /** What the months come to now. */
  readonly costs: UsageQuestion
  /** What is after each repricing; whole days alone where a day has too many calls to be cut. */
  readonly spans: readonly BudgetSpan[]
  readonly toAnswer: (found: RepricedFound) => RepricedMonthAnswer[]
}

interface RepricedFound {
  readonly repriced: readonly UsageSum[] | undefined
  readonly costs: readonly UsageSum[] | undefined
  readonly since: readonly (Money | null)[]
}

/** To be asked together with the figures. */
export async function askRepriced(
  usage: Pick<UsageStore, 'sum'>,
  period: Period,
): Promise<RepricedQuestions> {
  const ask = (by: 'repriced' | 'bucket'): UsageQuestion => ({
    period,
    grouping: { by },
    keyId: null,
  })
  const repriced = ask('repriced')
  const known = await usage.sum(repriced)
  const spans = known.flatMap(listSince)
  return {
    repriced,
    costs: { ...ask('bucket'), isCostOnly: true },
    spans,
    toAnswer: ({ since, ...found }) => {
      const costs = spans.map(({ startMs }, place) => [startMs, since[place] ?? null] as const)
      return toRepriced(found.repriced ?? [], found.costs ?? [], (atMs) => {
        const exact = costs.find(([startMs, cost]) => startMs === atMs && cost !== null)
        const days = costs.find(([startMs]) => startMs === endOfDay(atMs))
        return exact?.[1] ?? days?.[1] ?? 0n
      })
    },
  }
}

/** Of a month that went on: from the repricing to its end, and from the day after it. */
function listSince({ bucket, label }: UsageSum): readonly BudgetSpan[] {
  const atMs = Date.parse(label ?? '')
  const [year = 0, month = 1] = (bucket ?? '').split('-').map(Number)
  const endMs = Date.UTC(year, month, 1)
  const starts = [atMs, endOfDay(atMs)].filter((startMs) => startMs < endMs)
  return starts.map((startMs) => ({ startMs, endMs }))
}

/** Latest month first. */
function toRepriced(
  repriced: readonly UsageSum[],
  costs: readonly UsageSum[],
  sinceOf: (atMs: number) => Money,
): RepricedMonthAnswer[] {
  const now = new Map(costs.map(({ bucket, cost }) => [bucket, cost]))
  return repriced
    .map(({ bucket, label, cost, requests }) => {
      const after = (now.get(bucket) ?? 0n) - sinceOf(Date.parse(label ?? ''))
      return {
        month: bucket ?? '',
        at: label ?? '',
        calls: requests,
        before_usd: toAnswerUsd(after - cost),
        after_usd: toAnswerUsd(after),
      }
    })
    .toReversed()
}
