// What the bundled prices lack or get wrong, and how service tiers change them. Data only, in the
// bundle's own form; every figure is from the provider's page named beside it. These come before
// the bundle.

import type { UnitPriceRule, CorrectedModel, TierPrice } from './correction.ts'
import { anthropic } from './corrections/anthropic.ts'
import { cohere } from './corrections/cohere.ts'
import { deepseek } from './corrections/deepseek.ts'
import { google, vertex } from './corrections/google.ts'
import { mistral } from './corrections/mistral.ts'
import { openai, OPENAI_AUDIO_PREVIEWS } from './corrections/openai.ts'
import type { ProviderCorrections } from './corrections/provider-corrections.ts'

/** To be raised with every change below: it is part of the price version of what it prices. */
export const CORRECTIONS_VERSION = 'corrections@4'

const BY_PROVIDER: Readonly<Record<string, ProviderCorrections>> = {
  openai,
  anthropic,
  google,
  vertex,
  mistral,
  deepseek,
  cohere,
  // Azure sells these at OpenAI's prices, and batches and flex at half of them
  // (azure.microsoft.com/pricing/details/azure-openai,
  // learn.microsoft.com/azure/foundry/openai/how-to/flex-processing). What priority costs there was
  // not to be found out.
  azure: { models: OPENAI_AUDIO_PREVIEWS, tiers: { batch: 50n, flex: 50n } },
  bedrock: {
    // The second version costs a fifth of the first, which is the one the bundle has
    // (aws.amazon.com/bedrock/pricing).
    models: [
      {
        id: 'amazon.titan-embed-text-v2',
        match: { equals: 'amazon.titan-embed-text-v2:0' },
        prices: { input_mtok: 0.02 },
      },
    ],
  },
  groq: {
    tiers: {
      // console.groq.com/docs/flex-processing: the price of the ordinary tier. That of
      // `performance` is agreed with each customer.
      flex: 100n,
      // console.groq.com/docs/batch: half, of cached tokens no less than of others; they cost half
      // already.
      batch: [{ models: ['*'], percent: 50n, except: ['cache_read_mtok'] }],
    },
  },
  xai: {
    // docs.x.ai/developers/pricing. Responses state their cost, so this is for those that do not.
    // Sources are of the live search that came before the tools.
    perUnit: [
      { kind: 'web_search', price: { usd: 5, per: 1000 } },
      { kind: 'file_search', price: { usd: 2.5, per: 1000 } },
      { kind: 'search_source', price: { usd: 25, per: 1000 } },
    ],
  },
  perplexity: {
    // A request has a fee by the size of its search
    // (docs.perplexity.ai/docs/getting-started/pricing), which no event reports, and the bundle has
    // the highest. Responses state their cost; without it there is none.
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

/** Models with prices of their own, by provider. */
export const CORRECTIONS: Readonly<Record<string, readonly CorrectedModel[]>> = collect('models')

/**
 * What service tiers cost, mostly in percent of the standard rates of tokens. A tier that was
 * served and is not listed leaves the call unpriced.
 */
export const TIER_PERCENT: Readonly<Record<string, Readonly<Record<string, TierPrice>>>> =
  collect('tiers')

/** Fees of tools and the like, for many models of a provider. */
export const UNIT_PRICE_RULES: Readonly<Record<string, readonly UnitPriceRule[]>> =
  collect('perUnit')

function collect<Part extends keyof ProviderCorrections>(
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
 * Where the bundle knows a model's cache writes of five minutes and not those of an hour: by a part
 * of the model's id, how many times the input rate the latter cost. Amazon and Google sell them as
 * Anthropic does, at twice the input (aws.amazon.com/bedrock/pricing,
 * cloud.google.com/vertex-ai/generative-ai/pricing); the bundle has it so for the newest only.
 */
export const HOUR_WRITE_FACTORS: Readonly<
  Record<string, { readonly idPart: string; readonly factor: number }>
> = {
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
