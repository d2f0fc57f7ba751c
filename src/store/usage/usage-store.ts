// The usage store: records, sums, the request log and upkeep. An engine for it must be good at
// analytics. Records come by `LedgerStore.writeBatch`.

import type { BudgetSpan } from '../../core/budget.ts'
import type { Money } from '../../core/money.ts'
import type { UsageFigures } from '../../core/usage-figures.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { AnalysisAnswer, AnalysisQuestion } from './analysis.ts'
import type { DaySpendStore } from './day-spend.ts'
import type { RequestLog } from './request-log.ts'
import type { SessionLog } from './session-log.ts'
import type { UsageUpkeep } from './usage-upkeep.ts'

/** Days as `YYYY-MM-DD`, months as `YYYY-MM`, both ends included, UTC. */
export interface Period {
  readonly grain: 'day' | 'month'
  readonly from: string
  readonly to: string
}

/** Longer than any record; a store answers for at most 1,000 months. */
export const ALL_MONTHS: Period = { grain: 'month', from: '2020-01', to: '2099-12' }

export type UsageGrouping =
  | { readonly by: 'total' }
  | { readonly by: 'provider' }
  | { readonly by: 'api_key' }
  /** One row per day or month that has traffic. */
  | { readonly by: 'bucket' }
  | { readonly by: 'bucket_provider' }
  /** The following need a period of months. */
  | { readonly by: 'model' }
  | { readonly by: 'dim'; readonly dimKey: string }
  | { readonly by: 'dim_model'; readonly dimKey: string }
  /** By how usage is known. This and the next are stored for all keys together only. */
  | { readonly by: 'usage' }
  /** How much of it carries a dimension, whatever its value; left out: each of them. */
  | { readonly by: 'dim_key'; readonly dimKey?: string }
  /**
   * Months whose costs were changed since: `cost` is what the changes added, `requests` how many
   * there were, `label` the moment of the last repricing. For all keys together only.
   */
  | { readonly by: 'repriced' }

export interface UsageQuestion {
  readonly period: Period
  readonly grouping: UsageGrouping
  /** Only this key's calls; null for all. */
  readonly keyId: string | null
  /** Only the rows that cost most, and all that cost as much as the last of them. */
  readonly largest?: number
  /** The other figures are then 0; it is faster. */
  readonly isCostOnly?: boolean
}

/** Sums over forwarded calls, without denied ones. */
export interface UsageSum extends Readonly<UsageFigures> {
  /** The provider, key id, model, dimension or its value; null for totals and plain buckets. */
  readonly label: string | null
  readonly bucket: string | null
  readonly model: string | null
}

export interface SnapshotQuestions {
  readonly questions: readonly UsageQuestion[]
  /** Of any length, to the millisecond. */
  readonly spans: readonly BudgetSpan[]
  readonly analyses?: readonly AnalysisQuestion[]
}

export interface UsageSnapshot {
  readonly sums: readonly (readonly UsageSum[])[]
  /** Places of those that are not known: of single days of some calls, once the calls are gone. */
  readonly unknown?: readonly number[]
  /**
   * What calls that ended in each span cost. Null where the records of a day that it cuts are gone
   * or too many to read; whole days are always known.
   */
  readonly costs: readonly (Money | null)[]
  /** Null where `analyze` would refuse the question. */
  readonly analyses: readonly (AnalysisAnswer | null)[]
}

export interface UsageStore {
  readonly requests: RequestLog
  readonly daySpend: DaySpendStore
  readonly sessions: SessionLog
  readonly upkeep: UsageUpkeep
  /** Unordered; groups without calls are absent. */
  sum(question: UsageQuestion): Promise<readonly UsageSum[]>
  /** The answers of one moment; refused with `invalid_parameter` what would take too long. */
  analyze(questions: readonly AnalysisQuestion[]): Promise<readonly AnalysisAnswer[]>
  /** The answers of one moment, in the order of the questions: what is in one is in all. */
  readSnapshot(asked: SnapshotQuestions): Promise<UsageSnapshot>
  /** When the first forwarded call began; its day where its record is gone. Null without a call. */
  readFirstCallAt(): Promise<number | null>
  /** Changes with every repricing, rebuild and booking to teams: earlier figures may be wrong. */
  readCostRevision(): Promise<string>
  readRecord(id: string): Promise<UsageRecord | null>
  /** When each of these keys last made a call, refused ones included; absent without a call. */
  readKeyUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}
