// What the bundled prices lack or get wrong, and how service tiers change them. Data only, in the
// bundle's form; every figure is from the page named beside it. A model's prices come before the
// data that they were compared with, and after newer data.

import type { UnitPriceRule, DatedModel, RegionTiers, TierPrice } from './correction.ts'
import { anthropic } from './corrections/anthropic.ts'
import { azure } from './corrections/azure.ts'
import { cohere } from './corrections/cohere.ts'
import { deepseek } from './corrections/deepseek.ts'
import { google, vertex } from './corrections/google.ts'
import { mistral } from './corrections/mistral.ts'
import { openai } from './corrections/openai.ts'
import type { ProviderCorrections } from './corrections/provider-corrections.ts'

/** Raised with every change below: it is part of the price version of what it prices. */
export const CORRECTIONS_VERSION = 'corrections@12'

/** Of those in this file. */
const AGAINST = '2026-10-30'

const BY_PROVIDER: Readonly<Record<string, ProviderCorrections>> = {
  openai,
  anthropic,
  google,
  vertex,
  mistral,
  deepseek,
  cohere,
  azure,
  bedrock: {
    against: AGAINST,
    // The second version costs a fifth of the first, which is the one the bundle has
    // (aws.amazon.com/bedrock/pricing).
    models: [
      {
        id: 'amazon.titan-embed-text-v2',
        match: { equals: 'amazon.titan-embed-text-v2:0' },
        prices: { input_mtok: 0.02 },
      },
      // Its newer host, mantle, leaves the `-1:0` out of these names. The prices are the same
      // (pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonBedrock/current/us-east-1).
      {
        id: 'openai.gpt-oss-120b',
        match: { equals: 'openai.gpt-oss-120b' },
        prices: { input_mtok: 0.15, output_mtok: 0.6 },
      },
      {
        id: 'openai.gpt-oss-20b',
        match: { equals: 'openai.gpt-oss-20b' },
        prices: { input_mtok: 0.07, output_mtok: 0.3 },
      },
    ],
  },
  groq: {
    against: AGAINST,
    // Speech, by the character: console.groq.com/docs/models.
    models: [
      {
        id: 'canopylabs/orpheus-v1-english',
        match: { equals: 'canopylabs/orpheus-v1-english' },
        prices: { input_mchars: 22 },
      },
      {
        id: 'canopylabs/orpheus-arabic-saudi',
        match: { equals: 'canopylabs/orpheus-arabic-saudi' },
        prices: { input_mchars: 40 },
      },
    ],
    tiers: {
      // console.groq.com/docs/flex-processing: the standard price. `performance` is agreed per
      // customer.
      flex: 100n,
      // console.groq.com/docs/batch: half, except cached tokens, which cost half already.
      batch: [{ models: ['*'], percent: 50n, except: ['cache_read_mtok'] }],
    },
  },
  xai: {
    // docs.x.ai/developers/pricing, for responses that do not state their cost. Sources belong to
    // the live search that came before the tools.
    perUnit: [
      { kind: 'web_search', price: { usd: 5, per: 1000 } },
      { kind: 'file_search', price: { usd: 2.5, per: 1000 } },
      { kind: 'search_source', price: { usd: 25, per: 1000 } },
    ],
  },
  perplexity: {
    against: AGAINST,
    // A request's fee depends on the size of its search
    // (docs.perplexity.ai/docs/getting-started/pricing), which no event reports; the bundle has the
    // highest. Only responses that state their cost have one.
    models: [
      {
        id: 'sonar',
        match: {
          or: ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro'].map((name) => ({
            equals: name,
          })),
        },
        prices: {},
      },
    ],
  },
}

export const CORRECTIONS: Readonly<Record<string, readonly DatedModel[]>> = Object.fromEntries(
  Object.entries(BY_PROVIDER).flatMap(([provider, corrections]) => {
    if (corrections.models === undefined) return []
    const { against, models } = corrections
    return [[provider, models.map((model): DatedModel => ({ against, ...model }))]]
  }),
)

/** Mostly in percent of the standard token rates. A served tier not listed is unpriced. */
export const TIER_PERCENT: Readonly<Record<string, Readonly<Record<string, TierPrice>>>> =
  collect('tiers')

export const UNIT_PRICE_RULES: Readonly<Record<string, readonly UnitPriceRule[]>> =
  collect('perUnit')

/** The tiers that regions stand for: a call has one of these besides its service tier. */
const REGION_TIERS: Readonly<Record<string, RegionTiers>> = collect('regions')

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

function collect<Part extends 'tiers' | 'perUnit' | 'regions'>(
  part: Part,
): Readonly<Record<string, NonNullable<ProviderCorrections[Part]>>> {
  const found: Record<string, NonNullable<ProviderCorrections[Part]>> = {}
  for (const [provider, corrections] of Object.entries(BY_PROVIDER)) {
    const value = corrections[part]
    if (value !== undefined) found[provider] = value
  }
  return found
}

/**
 * Where the bundle lacks a model's longer cache writes: by a part of its id, the factor on the
 * input rate. Amazon and Google charge twice the input for an hour, as Anthropic does
 * (aws.amazon.com/bedrock/pricing, cloud.google.com/vertex-ai/generative-ai/pricing); OpenAI 2.5
 * times for 12 hours. What Azure and Amazon take for the latter is not known.
 */
export const HOUR_WRITE_FACTORS: Readonly<
  Record<string, { readonly idPart: string; readonly factor: number }>
> = {
  openai: { idPart: 'gpt-', factor: 2.5 },
  bedrock: { idPart: 'anthropic.claude-', factor: 2 },
  vertex: { idPart: 'claude-', factor: 2 },
}

/** What providers answer when no special tier was served. */
export const STANDARD_TIER_NAMES: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'on_demand',
  // An echo of the request: the tier that is served by default unless the account says otherwise.
  'auto',
])
