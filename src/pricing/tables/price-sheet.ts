// Prices as the usage store keeps them, to explain a cost when no table knows its price any more.
// Must stay true: what was written once stays readable, digit for digit.

import { hash } from 'node:crypto'
import type { RuleRates } from '../../core/price-rule.ts'
import type { StoredPrice } from '../../core/usage-record.ts'
import { FREE_RATES } from './price-table.ts'
import type { PriceEntry, Rates } from './price-table.ts'
import { fromRuleRates, toRuleRates } from './rate-text.ts'

/** Raised when the meaning of a sheet changes; older ones stay readable. */
const SHEET_FORMAT = 1
const FINGERPRINT_CHARACTERS = 8

interface Sheet {
  readonly format: number
  readonly source: PriceEntry['source']
  readonly isFree: boolean
  readonly rates: RuleRates
}

export function toStoredPrice({ version, source, rates }: PriceEntry): StoredPrice {
  const sheet: Sheet = {
    format: SHEET_FORMAT,
    source,
    isFree: rates.isFree,
    rates: toRuleRates(rates),
  }
  return { version, sheet: JSON.stringify(sheet) }
}

/** Null for a damaged sheet, or one of a newer Weir. */
export function fromStoredPrice({ version, sheet }: StoredPrice): PriceEntry | null {
  const { format, source, isFree, rates: texts } = parseObject(sheet)
  if (format !== SHEET_FORMAT || typeof texts !== 'object' || texts === null) return null
  if (source !== 'price-book' && source !== 'override') return null
  const rates = isFree === true ? FREE_RATES : fromRuleRates(texts as RuleRates)
  return rates === null ? null : { version, source, rates }
}

function parseObject(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Changes with the rates, so that a version always means the same rates. */
export function toFingerprint(rates: Rates): string {
  const text = JSON.stringify([rates.isFree, toRuleRates(rates)])
  return hash('sha256', text, 'hex').slice(0, FINGERPRINT_CHARACTERS)
}
