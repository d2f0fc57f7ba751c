// What the price lists lack or get wrong, and how service tiers change them: the part of the bundle
// that is written by hand, in scripts/prices/corrections with a reason and a page for each. A
// model's prices come before the data that they were compared with, and after newer data.

import { BUNDLE } from './bundle.ts'
import type { ProviderCorrections } from './correction.ts'

const { version, providers } = BUNDLE.corrections

/** A part of the price version of what it prices; the build raises it with every change. */
export const CORRECTIONS_VERSION = `corrections@${version}`

export const CORRECTIONS = collect('models')

/** Mostly in percent of the standard token rates. A served tier not listed is unpriced. */
export const TIER_PERCENT = collect('tiers')

export const UNIT_PRICE_RULES = collect('perUnit')

/** Where the lists lack a model's longer cache writes. */
export const HOUR_WRITE_FACTORS = collect('hourWrites')

/** The tiers that regions stand for: a call has one of these besides its service tier. */
const REGION_TIERS = collect('regions')

export const REGION_TIER_NAMES: ReadonlySet<string> = new Set(
  Object.values(REGION_TIERS)
    .flatMap((tiers) => Object.values(tiers))
    .filter((tier) => tier !== null),
)

/** Of other providers a region is a tier only where the operator's price names it. */
export function toRegionTier(provider: string, region: string): string | null {
  const tiers = Object.hasOwn(REGION_TIERS, provider) ? REGION_TIERS[provider] : undefined
  if (tiers === undefined) return region
  return (Object.hasOwn(tiers, region) ? tiers[region] : tiers['*']) ?? null
}

/** What providers answer when no special tier was served. */
export const STANDARD_TIER_NAMES: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'on_demand',
  // An echo of the request: the tier that is served by default unless the account says otherwise.
  'auto',
])

function collect<Part extends keyof ProviderCorrections>(
  part: Part,
): Readonly<Record<string, NonNullable<ProviderCorrections[Part]>>> {
  const found: Record<string, NonNullable<ProviderCorrections[Part]>> = {}
  for (const [provider, corrections] of Object.entries(providers)) {
    const value = corrections[part]
    if (value !== undefined) found[provider] = value
  }
  return found
}
