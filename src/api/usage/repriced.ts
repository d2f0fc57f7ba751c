// Months whose costs were changed after the fact, as the answers with their figures show them. Must
// stay true: before and after are of the moment of the figures beside them.

import { toAnswerUsd } from '../../core/money.ts'
import type { Period, UsageQuestion, UsageSum } from '../../store/usage/usage-store.ts'
import type { RepricedMonthAnswer } from '../contract.ts'

export interface RepricedQuestions {
  readonly repriced: UsageQuestion
  /** What the months come to now. */
  readonly costs: UsageQuestion
}

/** To be asked together with the figures. */
export function askRepriced(period: Period): RepricedQuestions {
  const ask = (by: 'repriced' | 'bucket'): UsageQuestion => ({
    period,
    grouping: { by },
    keyId: null,
  })
  return { repriced: ask('repriced'), costs: { ...ask('bucket'), isCostOnly: true } }
}

/** Latest month first. */
export function toRepriced(
  repriced: readonly UsageSum[],
  costs: readonly UsageSum[],
): RepricedMonthAnswer[] {
  const now = new Map(costs.map(({ bucket, cost }) => [bucket, cost]))
  return repriced
    .map(({ bucket, label, cost, requests }) => {
      const after = now.get(bucket) ?? 0n
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
