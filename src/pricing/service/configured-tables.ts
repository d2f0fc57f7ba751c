// This installation's price tables: the operator's rules, imported data, and the bundle. Every part
// of Weir that prices a call builds its price tables here, so that they all agree.

import type { PriceRule } from '../../core/price-rule.ts'
import { WeirError } from '../../core/weir-error.ts'
import { BUNDLE_PUBLISHED_AT } from '../data/bundle.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import type { PriceCatalog } from '../tables/price-tables.ts'
import { parsePriceFile } from '../data/price-file.ts'
import type { PriceFile } from '../data/price-file.ts'
import type { ImportedPrices, PriceSettings } from '../../store/settings/price-store.ts'
import type { Config } from '../../config/config.ts'
import { readProviderCosts } from '../../config/provider-costs.ts'
import { readConfiguredRules } from '../../config/price-rules-file.ts'

export type { PriceTables as PriceBook, PriceCatalog } from '../tables/price-tables.ts'

export function createConfiguredTables(settings: PriceSettings, config: Config): PriceCatalog {
  return createPriceTables({
    rules: joinRules(settings.rules, readConfiguredRules(config)),
    imported: settings.imported === null ? null : readImported(settings.imported),
    local: readProviderCosts(config).local,
  })
}

/** The bundle's data, or what was imported since. */
export function priceDataAt(settings: PriceSettings): number {
  return Math.max(BUNDLE_PUBLISHED_AT, settings.imported?.publishedAt ?? 0)
}

/** A rule set by command replaces the file's for the same model and tier, from its start on. */
export function joinRules(
  commanded: readonly PriceRule[],
  filed: readonly PriceRule[],
): readonly PriceRule[] {
  const since = new Map<string, number>()
  for (const rule of commanded) {
    const place = toPlace(rule)
    since.set(place, Math.min(since.get(place) ?? Infinity, rule.effectiveFrom))
  }
  const isVoid = (rule: PriceRule): boolean =>
    rule.effectiveFrom >= (since.get(toPlace(rule)) ?? Infinity)
  return [...commanded, ...filed.filter((rule) => !isVoid(rule))]
}

function toPlace({ provider, model, tier }: PriceRule): string {
  return JSON.stringify([provider, model, tier])
}

/** Checked before it was stored: only another version of Weir can have stored a bad one. */
export function readImported({ version, publishedAt, text }: ImportedPrices): PriceFile {
  const parsed = parsePriceFile(text)
  // Data of genai-prices does not say when it was published; that was settled by the import.
  if (parsed.kind === 'valid') return { ...parsed.file, publishedAt }
  throw new WeirError(
    'store_unusable',
    `The imported prices ${version} cannot be read: ${parsed.faults[0]}.`,
    { hint: 'Import them again with weir prices import, or run weir prices unset imported.' },
  )
}
