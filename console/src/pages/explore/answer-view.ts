// What the chart and the tables of an answer are given.

import type { UsageAnswer, UsageQuestion } from '../../data/usage.ts'
import type { IsUnpriced } from '../../data/unpriced.ts'

export interface AnswerViewProps {
  /** The question in words. */
  readonly label: string
  readonly question: UsageQuestion
  /** Undefined while it is loading. */
  readonly answer: UsageAnswer | undefined
  /** What the rows are a part of; null where they are none, or it is not known yet. */
  readonly whole: number | null
  /** Of keys, by id; empty for all other rows. */
  readonly names: ReadonlyMap<string, string>
  readonly isUnpriced: IsUnpriced
}
