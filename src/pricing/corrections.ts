// What the bundled prices lack or get wrong, and how service tiers change them. Data only, in the
// bundle's own form; every figure is from the provider's page named beside it. These come before
// the bundle.

import type { MatchLogic, ModelPrice } from '@pydantic/genai-prices'

/** To be raised with every change below: it is part of the price version of what it prices. */
export const CORRECTIONS_VERSION = 'corrections@2'

export interface CorrectedModel {
  readonly id: string
  readonly match: MatchLogic
  /** Null where the provider charges nothing; empty where nobody knows what it charges. */
  readonly prices: ModelPrice | null
}

export const CORRECTIONS: Readonly<Record<string, readonly CorrectedModel[]>> = {
  openai: [
    // developers.openai.com/api/docs/models/gpt-4o-audio-preview: the bundle has the text rates
    // only, which would charge an audio token a sixteenth of its price.
    {
      id: 'gpt-4o-audio-preview',
      match: { starts_with: 'gpt-4o-audio-preview' },
      prices: { input_mtok: 2.5, output_mtok: 10, input_audio_mtok: 40, output_audio_mtok: 80 },
    },
    // Sold at a higher price for audio when it was new, and the page no longer says at which:
    // without rates it is unpriced instead of wrong.
    {
      id: 'gpt-4o-audio-preview-2024-10-01',
      match: { equals: 'gpt-4o-audio-preview-2024-10-01' },
      prices: {},
    },
    // developers.openai.com/api/docs/models/gpt-4o-mini-audio-preview
    {
      id: 'gpt-4o-mini-audio-preview',
      match: { starts_with: 'gpt-4o-mini-audio-preview' },
      prices: { input_mtok: 0.15, output_mtok: 0.6, input_audio_mtok: 10, output_audio_mtok: 20 },
    },
    // A search has a fee of its own, which stands in no answer (openrouter.ai/openai/gpt-4o-search-preview
    // resells it at 35 USD a thousand). OpenAI's own figure was not looked up, and the bundle has the
    // token rates only: without rates it is unpriced instead of too cheap.
    {
      id: 'gpt-4o-search-preview',
      match: {
        or: [
          { starts_with: 'gpt-4o-search-preview' },
          { starts_with: 'gpt-4o-mini-search-preview' },
        ],
      },
      prices: {},
    },
    // Moderation is free of charge; in the bundle it merely has no prices.
    {
      id: 'moderation',
      match: { or: [{ starts_with: 'omni-moderation' }, { starts_with: 'text-moderation' }] },
      prices: null,
    },
  ],
}

/**
 * Token rates of a service tier in percent of the standard ones. Flex is charged at batch rates,
 * which are half (developers.openai.com/api/docs/guides/flex-processing). A tier that was served
 * and is not listed here leaves the call unpriced.
 *
 * Anthropic's tier is put together from all that changes its price: batches are half, inference
 * bound to the United States is a tenth more, and the two multiply
 * (platform.claude.com/docs/en/about-claude/pricing). Priority is paid for in advance, and `fast`
 * costs a different multiple for each model: both are left out.
 */
export const TIER_PERCENT: Readonly<Record<string, Readonly<Record<string, bigint>>>> = {
  openai: { flex: 50n, batch: 50n },
  anthropic: { batch: 50n, 'geo-us': 110n, 'batch+geo-us': 55n },
}

/**
 * Where the bundle knows a model's cache writes of five minutes and not those of an hour: by a part
 * of the model's id, how many times the input rate the latter cost. Amazon sells them as Anthropic
 * does, at twice the input (aws.amazon.com/bedrock/pricing); the bundle has it so for the newest only.
 */
export const HOUR_WRITE_FACTORS: Readonly<
  Record<string, { readonly idPart: string; readonly factor: number }>
> = {
  bedrock: { idPart: 'anthropic.claude-', factor: 2 },
}

/** What providers answer when no special tier was served. */
export const STANDARD_TIER_NAMES: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'on_demand',
  // An echo of the request: the tier that is served by default unless the account says otherwise.
  'auto',
])
