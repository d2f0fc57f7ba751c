// What calls to Together and Fireworks cost: a sample of their catalogues, by the names that their
// answers have. The arithmetic is written out by hand.

import { readRows } from './price-row.ts'

export const togetherNamed = readRows(
  { provider: 'together', source: 'together.ai/pricing, docs.together.ai/docs/serverless-models' },
  `
  Llama | meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo | 2026-11-02 | - | input 1000, output 100 | (1000×0.18 + 100×0.18)/1e6 | 0.000198
  DeepSeek V3 | deepseek-ai/DeepSeek-V3 | 2026-11-02 | - | input 1000, output 100 | (1000×1.25 + 100×1.25)/1e6 | 0.001375
  DeepSeek V3.1 | deepseek-ai/DeepSeek-V3.1 | 2026-11-02 | - | input 1000, output 100 | (1000×0.6 + 100×1.7)/1e6 | 0.00077
  Kimi, cached | moonshotai/Kimi-K3 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×3 + 600×0.3 + 100×15)/1e6 | 0.00288
  GLM, cached | zai-org/GLM-5.3-Flash | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.15 + 600×0.03 + 100×0.5)/1e6 | 0.000128
  an older GLM | zai-org/GLM-4.6 | 2026-11-02 | - | input 1000, output 100 | (1000×0.6 + 100×2.2)/1e6 | 0.00082
  an open model of OpenAI | openai/gpt-oss-120b | 2026-11-02 | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  a smaller one | openai/gpt-oss-20b | 2026-11-02 | - | input 1000, output 100 | (1000×0.05 + 100×0.2)/1e6 | 0.00007
  Qwen | Qwen/Qwen2.5-7B-Instruct-Turbo | 2026-11-02 | - | input 1000, output 100 | (1000×0.3 + 100×0.3)/1e6 | 0.00033
  a newer Qwen | Qwen/Qwen3.5-9B | 2026-11-02 | - | input 1000, output 100 | (1000×0.17 + 100×0.25)/1e6 | 0.000195
  Mistral | mistralai/Mistral-7B-Instruct-v0.3 | 2026-11-02 | - | input 1000, output 100 | (1000×0.2 + 100×0.2)/1e6 | 0.00022
  embeddings | BAAI/bge-base-en-v1.5 | 2026-11-02 | - | input 1000 | 1000×0.008/1e6 | 0.000008
  a name without its maker, which no answer has | gpt-oss-20b | 2026-11-02 | - | input 1000 | not a name of its catalogue | unpriced
`,
)

/** Since 2026-09-01 what is bound to the United States costs half as much again. */
export const fireworksNamed = readRows(
  { provider: 'fireworks', source: 'docs.fireworks.ai/serverless/pricing, fireworks.ai/models' },
  `
  Kimi, cached | accounts/fireworks/models/kimi-k3 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×3 + 600×0.3 + 100×15)/1e6 | 0.00288
  Kimi by its short name | kimi-k3 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×3 + 600×0.3 + 100×15)/1e6 | 0.00288
  Kimi, priority | accounts/fireworks/models/kimi-k3 | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×3.75 + 600×0.375 + 100×18.75)/1e6 | 0.0036
  Kimi in the United States, before the rise | accounts/fireworks/routers/kimi-k3-us | 2026-08-31 | - | input 1000, output 100 | (1000×3.3 + 100×16.5)/1e6 | 0.00495
  DeepSeek R1 | accounts/fireworks/models/deepseek-r1-0528 | 2026-11-02 | - | input 1000, output 100 | (1000×3 + 100×8)/1e6 | 0.0038
  DeepSeek V3.2, cached | accounts/fireworks/models/deepseek-v3p2 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.56 + 600×0.28 + 100×1.68)/1e6 | 0.00056
  GLM, cached | accounts/fireworks/models/glm-5p3 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×1.4 + 600×0.26 + 100×4.4)/1e6 | 0.001156
  MiniMax, cached | accounts/fireworks/models/minimax-m2p7 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.3 + 600×0.06 + 100×1.2)/1e6 | 0.000276
  Qwen | accounts/fireworks/models/qwen3-235b-a22b | 2026-11-02 | - | input 1000, output 100 | (1000×0.22 + 100×0.88)/1e6 | 0.000308
  a larger Qwen | accounts/fireworks/models/qwen3-coder-480b-a35b-instruct | 2026-11-02 | - | input 1000, output 100 | (1000×0.45 + 100×1.8)/1e6 | 0.00063
  an open model of OpenAI | accounts/fireworks/models/gpt-oss-120b | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.15 + 600×0.015 + 100×0.6)/1e6 | 0.000129
  Llama | accounts/fireworks/models/llama-v3p3-70b-instruct | 2026-11-02 | - | input 1000, output 100 | (1000×0.9 + 100×0.9)/1e6 | 0.00099
  Mixtral | accounts/fireworks/models/mixtral-8x22b | 2026-11-02 | - | input 1000, output 100 | (1000×1.2 + 100×1.2)/1e6 | 0.00132
  embeddings | nomic-ai/nomic-embed-text-v1.5 | 2026-11-02 | - | input 1000 | 1000×0.008/1e6 | 0.000008
`,
)
