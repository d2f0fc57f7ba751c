// What calls to Azure and Vertex AI cost: other makers' models at the cloud's own prices, and never
// at the maker's. Vertex's rows are of the global endpoint. The arithmetic is written out by hand.

import { readRows } from './price-row.ts'

/** Names are in the case of Azure's catalogue, and in that of its answers. */
export const azureNamed = readRows(
  {
    provider: 'azure',
    source: 'azure.microsoft.com/pricing/details/ai-foundry-models, prices.azure.com/api/retail',
  },
  `
  DeepSeek, not at the tenth that its maker takes | DeepSeek-R1 | 2026-11-02 | - | input 1000, output 1000, reasoning 900 | (1000×1.35 + 1000×5.4)/1e6 | 0.00675
  DeepSeek as an answer names it | deepseek-r1 | 2026-11-02 | - | input 1000, output 100 | (1000×1.35 + 100×5.4)/1e6 | 0.00189
  DeepSeek V3 | DeepSeek-V3-0324 | 2026-11-02 | - | input 1000, output 100 | (1000×1.14 + 100×4.56)/1e6 | 0.001596
  DeepSeek V3.1 | DeepSeek-V3.1 | 2026-11-02 | - | input 1000, output 100 | (1000×1.23 + 100×4.94)/1e6 | 0.001724
  DeepSeek V3.2 | DeepSeek-V3.2 | 2026-11-02 | - | input 1000, output 100 | (1000×0.58 + 100×1.68)/1e6 | 0.000748
  DeepSeek V4 Pro, by day and night alike | DeepSeek-V4-Pro | 2026-11-02T02:00:00Z | - | input 1000, cacheRead 600, output 100 | (400×1.74 + 600×0.145 + 100×3.48)/1e6 | 0.001131
  Microsoft's R1 | MAI-DS-R1 | 2026-11-02 | - | input 1000, output 100 | (1000×1.35 + 100×5.4)/1e6 | 0.00189
  an open model of OpenAI | gpt-oss-120b | 2026-11-02 | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  Phi | Phi-4 | 2026-11-02 | - | input 1000, output 100 | (1000×0.125 + 100×0.5)/1e6 | 0.000175
  a small Phi | Phi-4-mini-instruct | 2026-11-02 | - | input 1000, output 100 | (1000×0.075 + 100×0.3)/1e6 | 0.000105
  Grok 3 | grok-3 | 2026-11-02 | - | input 1000, output 100 | (1000×3 + 100×15)/1e6 | 0.0045
  Grok 4, fast | grok-4-fast-reasoning | 2026-11-02 | - | input 1000, output 100 | (1000×0.2 + 100×0.5)/1e6 | 0.00025
  Grok 4.7 | grok-4.7 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.5 + 100×6)/1e6 | 0.0017
  Llama | Llama-3.3-70B-Instruct | 2026-11-02 | - | input 1000, output 100 | (1000×0.71 + 100×0.71)/1e6 | 0.000781
  Llama 4 | Llama-4-Maverick-17B-128E-Instruct-FP8 | 2026-11-02 | - | input 1000, output 100 | (1000×0.25 + 100×1)/1e6 | 0.00035
  Kimi | Kimi-K2.5 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.6 + 600×0.1 + 100×3)/1e6 | 0.0006
  Mistral | mistral-medium-2505 | 2026-11-02 | - | input 1000, output 100 | (1000×0.4 + 100×2)/1e6 | 0.0006
  Cohere | Cohere-command-a | 2026-11-02 | - | input 1000, output 100 | (1000×2.5 + 100×10)/1e6 | 0.0035
  Sonnet, at Anthropic's price | claude-sonnet-5-5 | 2026-11-02 | standard | input 6000, cacheRead 5000, cacheWrite1h 400, output 300 | (600×2 + 5000×0.1 + 400×4 + 300×10)/1e6 | 0.0063
  Haiku, a long prompt | claude-haiku-5-5 | 2026-11-02 | - | input 100001, output 100 | (100001×0.5 + 100×2.5)/1e6 | 0.0502505
  Fable | claude-fable-5-1 | 2026-11-02 | - | input 6000, cacheRead 5000, output 300 | (1000×10 + 5000×0.25 + 300×50)/1e6 | 0.02625
  Terra | gpt-6.1-terra-2026-10-26 | 2026-11-02 | default | input 1000, cacheRead 600, output 100 | (400×1 + 600×0.05 + 100×5)/1e6 | 0.00093
  Sol of 6.1 | gpt-6.1-sol | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Sol of 6.1, priority | gpt-6.1-sol | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×4 + 600×0.2 + 100×20)/1e6 | 0.00372
  Astra by a dated name | gpt-6-astra-2026-09-03 | 2026-11-02 | - | input 1000, output 100 | (1000×10 + 100×50)/1e6 | 0.015
  a later DeepSeek R1 | DeepSeek-R1-0528 | 2026-11-02 | - | input 1000 | no list has Azure's price of it | unpriced
  a smaller open model of OpenAI | gpt-oss-20b | 2026-11-02 | - | input 1000 | the only figure is a third party's | unpriced
  Mistral of a version without a figure | Mistral-Large-2411 | 2026-11-02 | - | input 1000 | Mistral's own price is not Azure's | unpriced
  several agents of Grok | grok-4.20-multi-agent | 2026-11-02 | - | input 1000 | xAI's own price is not Azure's | unpriced
  a price of a thousand tokens, listed as that of one | jais-30b-chat | 2026-01-02 | - | input 1000 | no call costs that much | unpriced
`,
)

/** Our reader leaves the maker out of `deepseek-ai/deepseek-v3.2-maas`, as other paths do. */
export const vertexPartners = readRows(
  { provider: 'vertex', source: 'cloud.google.com/vertex-ai/generative-ai/pricing#partner-models' },
  `
  DeepSeek V3.2 | deepseek-v3.2-maas | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.56 + 600×0.056 + 100×1.68)/1e6 | 0.0004256
  DeepSeek R1, above its maker's price | deepseek-r1-0528-maas | 2026-11-02 | - | input 1000, output 100 | (1000×1.35 + 100×5.4)/1e6 | 0.00189
  DeepSeek V4.1 Flash, by day and night alike | deepseek-v4.1-flash-maas | 2026-11-02T02:00:00Z | - | input 1000, cacheRead 600, output 100 | (400×0.3 + 600×0.03 + 100×1.2)/1e6 | 0.000258
  Llama 4 | llama-4-maverick-17b-128e-instruct-maas | 2026-11-02 | - | input 1000, output 100 | (1000×0.35 + 100×1.15)/1e6 | 0.000465
  Llama 3.3 | llama-3.3-70b-instruct-maas | 2026-11-02 | - | input 1000, output 100 | (1000×0.72 + 100×0.72)/1e6 | 0.000792
  Mistral Medium | mistral-medium-3 | 2026-11-02 | - | input 1000, output 100 | (1000×0.4 + 100×2)/1e6 | 0.0006
  Mistral Small, with its revision | mistral-small-2503@001 | 2026-11-02 | - | input 1000, output 100 | (1000×0.1 + 100×0.3)/1e6 | 0.00013
  Codestral | codestral-2 | 2026-11-02 | - | input 1000, output 100 | (1000×0.3 + 100×0.9)/1e6 | 0.00039
  Qwen | qwen3-coder-480b-a35b-instruct-maas | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.22 + 600×0.022 + 100×1.8)/1e6 | 0.0002812
  Kimi | kimi-k2-thinking-maas | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.6 + 600×0.06 + 100×2.5)/1e6 | 0.000526
  MiniMax | minimax-m2-maas | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.3 + 600×0.03 + 100×1.2)/1e6 | 0.000258
  GLM | glm-5-maas | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×1 + 600×0.1 + 100×3.2)/1e6 | 0.00078
  an open model of OpenAI | gpt-oss-120b-maas | 2026-11-02 | - | input 1000, output 100 | (1000×0.09 + 100×0.36)/1e6 | 0.000126
  a smaller one | gpt-oss-20b-maas | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.07 + 600×0.007 + 100×0.25)/1e6 | 0.0000572
  Jamba | jamba-1.5-large | 2026-11-02 | - | input 1000, output 100 | (1000×2 + 100×8)/1e6 | 0.0028
  Grok | grok-4.7 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.5 + 100×6)/1e6 | 0.0017
  an earlier Kimi | kimi-k2-instruct-0905-maas | 2026-11-02 | - | input 1000 | no list has it | unpriced
`,
)

/** Cached reads of Sonnet 5.5 are listed at their lower price alone. */
export const vertexNamed = readRows(
  { provider: 'vertex', source: 'cloud.google.com/vertex-ai/generative-ai/pricing' },
  `
  Opus 4.6, a long prompt, the last moment at the higher rates | claude-opus-4-6 | 2026-03-12T23:59:59.999Z | - | input 200001, cacheRead 100000, output 1000 | (100001×10 + 100000×1 + 1000×37.5)/1e6 | 1.13751
  Opus 4.6, the first moment without | claude-opus-4-6 | 2026-03-13T00:00:00Z | - | input 200001, cacheRead 100000, output 1000 | (100001×5 + 100000×0.5 + 1000×25)/1e6 | 0.575005
  Opus 4.6 by a dated name, before | claude-opus-4-6@20260205 | 2026-03-12 | - | input 200001, output 1000 | (200001×10 + 1000×37.5)/1e6 | 2.03751
  Opus 4.6 by a dated name, after | claude-opus-4-6@20260205 | 2026-11-02 | - | input 200001, output 1000 | (200001×5 + 1000×25)/1e6 | 1.025005
  Opus 4.6 by its default name, before | claude-opus-4-6@default | 2026-03-12 | - | input 200001, output 1000 | (200001×10 + 1000×37.5)/1e6 | 2.03751
  Opus 4.6 by its default name, after | claude-opus-4-6@default | 2026-11-02 | - | input 200001, output 1000 | (200001×5 + 1000×25)/1e6 | 1.025005
  Sonnet 5.5 | claude-sonnet-5-5 | 2026-11-02 | - | input 6000, cacheRead 5000, cacheWrite5m 600, output 300 | (400×2 + 5000×0.1 + 600×2.5 + 300×10)/1e6 | 0.0058
  Sonnet 5.5 by its default name | claude-sonnet-5-5@default | 2026-11-02 | - | input 6000, cacheRead 5000, cacheWrite1h 400, output 300 | (600×2 + 5000×0.1 + 400×4 + 300×10)/1e6 | 0.0063
  Haiku 5.5 | claude-haiku-5-5@20260930 | 2026-11-02 | - | input 100000, output 100 | (100000×0.1 + 100×0.5)/1e6 | 0.01005
  Haiku 5.5, a long prompt | claude-haiku-5-5@default | 2026-11-02 | - | input 100001, output 100 | (100001×0.5 + 100×2.5)/1e6 | 0.0502505
  Fable | claude-fable-5-1@default | 2026-11-02 | - | input 6000, cacheRead 5000, output 300 | (1000×10 + 5000×0.25 + 300×50)/1e6 | 0.02625
  Argon | gemini-4-argon | 2026-11-02 | on_demand | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Argon, priority | gemini-4-argon | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×3.6 + 600×0.18 + 100×18)/1e6 | 0.003348
  Argon, priority after its introduction | gemini-4-argon | 2026-12-01 | priority | input 1000, cacheRead 600, output 100 | (400×7.2 + 600×0.36 + 100×36)/1e6 | 0.006696
  Pro, priority | gemini-2.5-pro | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×2.25 + 600×0.225 + 100×18)/1e6 | 0.002835
  embeddings of text | text-embedding-005 | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  older ones | text-embedding-004 | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  of many languages | text-multilingual-embedding-002 | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  Gemini's | gemini-embedding-001 | 2026-11-02 | - | input 1000 | 1000×0.15/1e6 | 0.00015
`,
)
