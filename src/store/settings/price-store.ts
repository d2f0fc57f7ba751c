// Price rules and imported price data among the settings. The ledger and the API poll them for
// changes.

import type { NewPriceRule, PriceRule } from '../../core/price-rule.ts'

/** Of the text of imported price data. */
export const IMPORT_BYTES_MAX = 16_777_216

/** Price data that an operator brought; the file's own text, checked before it came here. */
export interface ImportedPrices {
  /** As the file calls itself. */
  readonly version: string
  readonly publishedAt: number
  readonly text: string
  readonly importedAt: number
  readonly who: string
}

export interface PriceSettings {
  /** To be handed to the next call of readChanges. */
  readonly revision: number
  readonly rules: readonly PriceRule[]
  readonly imported: ImportedPrices | null
}

export interface PriceStore {
  /**
   * A rule for the same provider, model, tier and moment takes the place of the one that was there.
   */
  set(rule: NewPriceRule): Promise<PriceRule>
  /** Null when there is no such rule. */
  remove(id: string): Promise<PriceRule | null>
  /** Takes the place of what was imported before; null removes it. */
  putImport(imported: Omit<ImportedPrices, 'importedAt'> | null): Promise<void>
  read(): Promise<PriceSettings>
  /** Null when nothing changed since the revision. Cheap then: it is polled. */
  readChanges(revision: number): Promise<PriceSettings | null>
}
