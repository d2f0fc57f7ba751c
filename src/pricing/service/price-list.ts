// The operator's rules, set by command and in the file, and the age of the price data.

import type { PriceUpdateResult } from '../../core/telemetry.ts'
import type { PriceRule } from '../../core/price-rule.ts'
import { BUNDLE_PUBLISHED_AT, BUNDLE_VERSION } from '../data/bundle.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import type { Config } from '../../config/config.ts'
import { joinRules, priceDataAt } from './configured-tables.ts'
import { describeUpdate } from './price-update.ts'
import { readUpdateState } from './update-state.ts'
import { readConfiguredRules } from '../../config/price-rules-file.ts'

export interface PriceList {
  readonly rules: readonly { readonly rule: PriceRule; readonly origin: 'command' | 'file' }[]
  readonly data: PriceData
}

export interface PriceData {
  readonly version: string
  readonly publishedAt: number
  readonly ageDays: number
  readonly isOld: boolean
  readonly importedAt: number | null
  readonly importedBy: string | null
  /** The bundle is newer by now: imported data is used only for what the bundle lacks. */
  readonly isImportOutdated: boolean
  /** Null where none was ever asked for. */
  readonly lastUpdate: LastUpdate | null
}

export interface LastUpdate {
  readonly atMs: number
  readonly result: PriceUpdateResult
  /** `nothing new was published`. */
  readonly words: string
}

/** Older data misses the prices of new models, and changes to those of old ones. */
export const PRICE_DATA_DAYS_MAX = 30

const DAY_MS = 86_400_000

export interface PriceDataQuestion {
  readonly config: Config
  readonly nowMs: number
}

/** Without rules of the file that are replaced by ones set by command. */
export function listPrices(settings: PriceSettings, question: PriceDataQuestion): PriceList {
  const { config } = question
  const filed = new Set(readConfiguredRules(config))
  const rules = joinRules(settings.rules, [...filed]).map((rule) => ({
    rule,
    origin: filed.has(rule) ? ('file' as const) : ('command' as const),
  }))
  return { rules, data: describePriceData(settings, question) }
}

export function describePriceData(
  settings: PriceSettings,
  { config, nowMs }: PriceDataQuestion,
): PriceData {
  const { imported } = settings
  const publishedAt = priceDataAt(settings)
  const ageDays = Math.max(0, Math.floor((nowMs - publishedAt) / DAY_MS))
  return {
    version: imported === null ? BUNDLE_VERSION : `${imported.version} over ${BUNDLE_VERSION}`,
    publishedAt,
    ageDays,
    isOld: ageDays > PRICE_DATA_DAYS_MAX,
    importedAt: imported?.importedAt ?? null,
    importedBy: imported?.who ?? null,
    isImportOutdated: imported !== null && imported.publishedAt < BUNDLE_PUBLISHED_AT,
    lastUpdate: readLastUpdate(config.dataDir),
  }
}

export function readLastUpdate(dataDir: string): LastUpdate | null {
  const state = readUpdateState(dataDir)
  if (state === null) return null
  const { checkedAt: atMs, result, reason } = state
  return { atMs, result, words: describeUpdate(result, reason) }
}
