// Where the two sources of prices differ: which of them the bundle follows, and why. The first
// choice that fits decides. `neither` is for what is a correction of ours, from the provider's own
// page, or has no price on purpose. A difference that no choice names, and a choice that nothing
// needs, are faults.

export type SourceName = 'genai-prices' | 'LiteLLM'

export interface Choice {
  readonly provider: string
  /** With `*` for any characters. */
  readonly models: readonly string[]
  /** Left out: all. */
  readonly tiers?: readonly string[]
  readonly follow: SourceName | 'neither'
  readonly why: string
}

const LONG_PROMPTS = 'Prompts above the limit cost more there too; the first source lacks the step.'
const UNCOUNTED = 'It is also billed by something that no call reports: no price, not a part of it.'

export const CHOICES: readonly Choice[] = [
  {
    provider: 'anthropic',
    models: ['claude-sonnet-4-5*'],
    follow: 'genai-prices',
    why: 'Long prompts were accepted while it had a window of a million, at the higher rates.',
  },
  {
    provider: 'azure',
    models: ['claude-sonnet-4-5'],
    follow: 'genai-prices',
    why: 'Long prompts were accepted while it had a window of a million, at the higher rates.',
  },
  {
    provider: 'azure',
    models: ['claude-sonnet-5-5'],
    follow: 'genai-prices',
    why: 'Anthropic lowered the price of its cached reads on 2026-10-07, and Azure sells at it.',
  },
  {
    provider: 'azure',
    models: ['gpt-4-turbo*', 'gpt-3.5-turbo-instruct', 'text-embedding-*', 'ada'],
    follow: 'genai-prices',
    why: 'LiteLLM has the price of a regional deployment; the worldwide one is a tenth cheaper.',
  },
  {
    provider: 'azure',
    models: ['gpt-audio*', 'gpt-4o-realtime-preview-2024-10-01', 'phi-*'],
    follow: 'LiteLLM',
    why: 'Azure has a price of its own for it; the first source has that of somebody else.',
  },
  {
    provider: 'azure',
    models: ['gpt-4o-mini-tts'],
    follow: 'genai-prices',
    why: 'The page of OpenAI has 12 USD for a million tokens of speech, and Azure sells at it.',
  },
  {
    provider: 'azure',
    models: ['gpt-5.4*', 'gpt-5.5*'],
    tiers: ['priority', 'flex'],
    follow: 'LiteLLM',
    why: 'Azure offers it for long prompts, OpenAI does not. LiteLLM has gpt-5.5 twice: the dearer.',
  },
  {
    provider: 'bedrock',
    models: ['anthropic.claude-sonnet-4-20250514*', '*.anthropic.claude-sonnet-4-*'],
    follow: 'LiteLLM',
    why: LONG_PROMPTS,
  },
  {
    provider: 'bedrock',
    models: ['anthropic.claude-*', 'claude-sonnet-4-5*', 'openai.gpt-6-*'],
    follow: 'genai-prices',
    why: 'A name without a prefix runs in one region, a tenth above the global price listed there.',
  },
  {
    provider: 'bedrock',
    models: ['eu.amazon.nova-*', 'apac.amazon.nova-*', 'jp.amazon.nova-*', 'eu.meta.llama*'],
    follow: 'LiteLLM',
    why: 'The price depends on the region; the first source has that of the United States.',
  },
  {
    provider: 'bedrock',
    models: ['us-gov.*'],
    follow: 'LiteLLM',
    why: 'GovCloud has prices of its own, a fifth above the others.',
  },
  {
    provider: 'bedrock',
    models: ['openai.gpt-5.4', 'openai.gpt-5.5'],
    follow: 'LiteLLM',
    why: LONG_PROMPTS,
  },
  {
    provider: 'bedrock',
    models: ['*twelvelabs.*', 'amazon.nova-2-multimodal-embeddings*', 'amazon.titan-embed-image*'],
    follow: 'neither',
    why: UNCOUNTED,
  },
  {
    provider: 'deepseek',
    models: ['deepseek-v3.2', 'deepseek-r1'],
    follow: 'genai-prices',
    why: 'These are not names of its interface: nobody is charged by them.',
  },
  {
    provider: 'deepseek',
    models: ['deepseek-*'],
    follow: 'neither',
    why: 'The price depends on the hour: ours are by the calendar, LiteLLM has the highest.',
  },
  {
    provider: 'fireworks',
    models: [
      'accounts/fireworks/models/deepseek-v4-flash-0731',
      'accounts/fireworks/models/deepseek-v4-pro',
      'accounts/fireworks/models/gemma-3-27b-it',
      'accounts/fireworks/models/llama-v3p1-8b-instruct',
    ],
    follow: 'genai-prices',
    why: 'LiteLLM has the price of a class of sizes, the first source that of the model.',
  },
  {
    provider: 'google',
    models: ['gemini-embedding-2*', '*-live-*', 'deep-research-*'],
    follow: 'neither',
    why: UNCOUNTED,
  },
  {
    provider: 'google',
    models: ['gemini-*'],
    tiers: ['flex', 'batch'],
    follow: 'LiteLLM',
    why: 'From Gemini 3.1 Flash-Lite on these tiers halve cached reads too, as batches show.',
  },
  {
    provider: 'groq',
    models: ['openai/gpt-oss-safeguard-20b'],
    follow: 'genai-prices',
    why: 'Half of the price, as cached reads cost there; LiteLLM has it rounded.',
  },
  {
    provider: 'vertex',
    models: ['gemini-embedding-2*', '*-live-*', 'deep-research-*', 'multimodal*', 'gemini-omni-*'],
    follow: 'neither',
    why: UNCOUNTED,
  },
  {
    provider: 'vertex',
    models: ['gemini-embedding-001'],
    follow: 'LiteLLM',
    why: 'Vertex takes a fifth off in batches, where the Gemini API takes half.',
  },
  {
    provider: 'vertex',
    models: ['gemini-2.0-flash*'],
    follow: 'LiteLLM',
    why: 'Vertex charges half as much again as the Gemini API, whose price the first source has.',
  },
  {
    provider: 'vertex',
    models: ['gemini-2.5-flash*'],
    follow: 'genai-prices',
    why: 'Audio does not become cheaper in long prompts, or than text: a slip in the map.',
  },
  {
    provider: 'vertex',
    models: ['gemini-3-pro-image*'],
    follow: 'genai-prices',
    why: 'It takes no prompts that long; LiteLLM has the steps of Gemini 3 Pro.',
  },
  {
    provider: 'vertex',
    models: ['claude-3-5-haiku*'],
    follow: 'genai-prices',
    why: 'Anthropic lowered its price in December 2024, and Vertex with it.',
  },
  {
    provider: 'vertex',
    models: ['claude-sonnet-4-5*'],
    tiers: ['batch'],
    follow: 'genai-prices',
    why: 'Half of the price; LiteLLM has it rounded.',
  },
  {
    provider: 'vertex',
    models: ['claude-opus-5-5*'],
    tiers: ['batch'],
    follow: 'genai-prices',
    why: 'Half of the price of today; LiteLLM has half of the one before.',
  },
  {
    provider: 'vertex',
    models: ['gemini-*'],
    tiers: ['flex', 'batch'],
    follow: 'LiteLLM',
    why: 'From Gemini 3.1 Flash-Lite on these tiers halve cached reads too, as batches show.',
  },
  {
    provider: 'mistral',
    models: ['magistral-medium-latest', 'magistral-small-latest', 'mistral-medium'],
    follow: 'LiteLLM',
    why: 'The name stands for a newer model by now; the first source has the older one.',
  },
  {
    provider: 'mistral',
    models: ['open-mistral-nemo'],
    follow: 'genai-prices',
    why: 'Its price was halved in 2024, before it was retired; LiteLLM has the first one.',
  },
  {
    provider: 'mistral',
    models: ['mistral-large', 'mistral-large-latest'],
    follow: 'neither',
    why: 'The name changed its meaning in December 2025: ours have both, by their days.',
  },
  {
    provider: 'mistral',
    models: ['mistral-large-4*'],
    follow: 'genai-prices',
    why: 'Half of the list price for two weeks from 2026-10-06; LiteLLM still has that.',
  },
  {
    provider: 'openai',
    models: ['gpt-5.5-pro*', 'gpt-5.6-cyber'],
    follow: 'LiteLLM',
    why: LONG_PROMPTS,
  },
  {
    provider: 'openai',
    models: ['o4-mini*'],
    tiers: ['flex'],
    follow: 'genai-prices',
    why: 'Half of the price; LiteLLM has it rounded.',
  },
  {
    provider: 'openai',
    models: ['ft:gpt-4o-2024-*'],
    follow: 'neither',
    why: 'Ours are from the page. LiteLLM has the rate of cached reads as that of writes for one.',
  },
  {
    provider: 'openai',
    models: ['gpt-4o-mini-tts'],
    follow: 'genai-prices',
    why: 'The page has 12 USD for a million tokens of speech.',
  },
  {
    provider: 'perplexity',
    models: ['sonar*', 'pplx-*-online'],
    follow: 'neither',
    why: 'A search costs extra, by its size, which no call reports; responses state their cost.',
  },
  {
    provider: 'together',
    models: [
      'NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO',
      'Qwen/Qwen3.7-Max',
      'Qwen/Qwen3.8-2.4T-A95B',
      'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      'mistralai/Mixtral-8x7B-Instruct-v0.1',
    ],
    follow: 'genai-prices',
    why: 'No page of the provider was found that settles it: the first source, and both are shown.',
  },
  {
    provider: 'xai',
    models: ['grok-code-fast*'],
    follow: 'genai-prices',
    why: 'LiteLLM has the price of its successor; xAI states the cost in its responses anyway.',
  },
]
