// Price rules and imported price data among the settings. The ledger and the API poll for changes.

import type { Expected } from './changed-meanwhile.ts'
import type { NewPriceRule, PriceRule } from '../../core/price-rule.ts'

/** Limits the text of imported price data. */
export const IMPORT_BYTES_MAX = 16_777_216

/** Price data from an operator's file; its text was checked before. */
export interface ImportedPrices {
  readonly version: string
  readonly publishedAt: number
  readonly text: string
  readonly importedAt: number
  readonly who: string
}

export interface PriceSettings {
  /** To be passed to the next call of readChanges. */
  readonly revision: number
  readonly rules: readonly PriceRule[]
  readonly imported: ImportedPrices | null
}

export interface PriceStore {
  /**
   * Replaces a rule for the same provider, model, tier and moment; throws `ChangedMeanwhile` where
   * there is one and the caller did not expect it.
   */
  set(rule: NewPriceRule, expected?: Expected): Promise<PriceRule>
  remove(id: string): Promise<PriceRule | null>
  /** Replaces what was imported before; null removes it. */
  putImport(imported: Omit<ImportedPrices, 'importedAt'> | null): Promise<void>
  read(): Promise<PriceSettings>
  /** Null when nothing changed since the revision. Polled, so it is cheap then. */
  readChanges(revision: number): Promise<PriceSettings | null>
}
