// What the API needs of prices: the book of this installation to be read, the operator's rules to
// be changed, and what is recorded to be repriced. A change is made, and noted, in the caller's
// name.

import type { NewPriceRule } from '../../core/price-rule.ts'
import type { Actor } from '../../core/user.ts'
import type {
  MissingPriceAnswer,
  ModelPrice,
  PriceDataAnswer,
  PriceHistory,
  PriceRuleAnswer,
  RepriceAnswer,
} from '../contract.ts'

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

export interface RepriceQuestion {
  /** When the calls ended; null asks for nothing, likewise below. */
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  readonly keyId: string | null
  readonly provider: string | null
  /** `*` for any characters. */
  readonly model: string | null
  /** Not only those without a cost, but those too whose cost was computed. */
  readonly isAll: boolean
  /** False looks and changes nothing. */
  readonly isApplied: boolean
}

export interface PriceDesk {
  /** Every model that has a price now, by provider and name. */
  listModels(): Promise<readonly ModelPrice[]>
  readData(): Promise<PriceDataAnswer>
  /** Of an unknown model, without periods. */
  readHistory(subject: PriceSubject): Promise<PriceHistory>
  listRules(): Promise<readonly PriceRuleAnswer[]>
  /** Throws `invalid_argument` with all faults at once. */
  setRule(rule: NewPriceRule, actor: Actor): Promise<PriceRuleAnswer>
  /** Throws `not_found`, and `invalid_argument` for a rule of the configuration. */
  removeRule(id: string, actor: Actor): Promise<PriceRuleAnswer>
  /** Most requests first. */
  listMissing(): Promise<readonly MissingPriceAnswer[]>
  /** Throws `conflict` while another one runs. */
  reprice(question: RepriceQuestion, actor: Actor): Promise<RepriceAnswer>
}
