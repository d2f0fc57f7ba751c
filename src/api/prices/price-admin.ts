// What the API needs of prices. Changes are made and logged in the caller's name.

import type { Expected } from '../../store/settings/changed-meanwhile.ts'
import type { NewPriceRule } from '../../core/price-rule.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { Actor } from '../../core/user.ts'
import type { CallDifference } from '../../pricing/tables/source-differences.ts'
import type {
  CostTodayAnswer,
  MissingPriceAnswer,
  ModelPrice,
  PriceDataAnswer,
  PriceHistory,
  PriceRuleAnswer,
  PriceUpdateAnswer,
  PriceUpdateRequest,
  RepriceAnswer,
} from '../contract.ts'

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

export interface RepriceQuestion {
  /** By the calls' end; null means no limit, also below. */
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  readonly keyId: string | null
  readonly provider: string | null
  /** `*` for any characters. */
  readonly model: string | null
  /** Also calls whose cost was computed, not only those without one. */
  readonly isAll: boolean
  readonly isApplied: boolean
}

export interface PriceAdmin {
  /** By provider and name. */
  listModels(): Promise<readonly ModelPrice[]>
  readData(): Promise<PriceDataAnswer>
  /** Without periods for an unknown model. `at` decides which are current; left out: now. */
  readHistory(subject: PriceSubject & { readonly at?: number | undefined }): Promise<PriceHistory>
  /** Where the sources differ about the prices of a call, if they are in today's price tables. */
  findDifferences(record: UsageRecord): Promise<readonly CallDifference[]>
  /** What the call costs by today's prices. */
  quoteToday(record: UsageRecord): Promise<CostTodayAnswer>
  listRules(): Promise<readonly PriceRuleAnswer[]>
  /** Throws `invalid_argument` with all faults at once; `ChangedMeanwhile` as the store does. */
  setRule(rule: NewPriceRule, actor: Actor, expected: Expected): Promise<PriceRuleAnswer>
  /** Null where there is none. Throws `invalid_argument` for a rule of the configuration. */
  removeRule(id: string, actor: Actor): Promise<PriceRuleAnswer | null>
  /** Most requests first. */
  listMissing(): Promise<readonly MissingPriceAnswer[]>
  /** Throws `conflict` while another one runs, and for data that was not checked before. */
  update(question: PriceUpdateRequest, actor: Actor): Promise<PriceUpdateAnswer>
  /** Throws `conflict` while another one runs. */
  reprice(question: RepriceQuestion, actor: Actor): Promise<RepriceAnswer>
}
