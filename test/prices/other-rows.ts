// What calls to the other providers cost by their list prices, with every unit they bill by. The
// arithmetic is written out by hand.

import { readRows } from './price-row.ts'

export const groq = readRows(
  { provider: 'groq', source: 'console.groq.com/docs/models, .../flex-processing, .../batch' },
  `
  input and output | llama-3.3-70b-versatile | 2026-11-02 | on_demand | input 1000, output 100 | (1000×0.59 + 100×0.79)/1e6 | 0.000669
  flex costs the same | llama-3.3-70b-versatile | 2026-11-02 | flex | input 1000, output 100 | (1000×0.59 + 100×0.79)/1e6 | 0.000669
  a batch | llama-3.3-70b-versatile | 2026-11-02 | batch | input 1000, output 100 | (1000×0.295 + 100×0.395)/1e6 | 0.0003345
  cached reads | openai/gpt-oss-120b | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.15 + 600×0.075 + 100×0.6)/1e6 | 0.000165
  cached reads in a batch | openai/gpt-oss-120b | 2026-11-02 | batch | input 1000, cacheRead 600, output 100 | (400×0.075 + 600×0.075 + 100×0.3)/1e6 | 0.000105
  an hour of sound | whisper-large-v3 | 2026-11-02 | - | audio_ms 3600000 | 0.111 | 0.111
  sound that does not come out even | whisper-large-v3 | 2026-11-02 | - | audio_ms 10007 | 10007×0.111/3600000 | 0.000308549167
  ninety seconds of sound | whisper-large-v3-turbo | 2026-11-02 | - | audio_ms 90000 | 90×0.04/3600 | 0.001
  a tier that is agreed on | llama-3.3-70b-versatile | 2026-11-02 | performance | input 1000 | no list price | unpriced
  a search, of one of two kinds | openai/gpt-oss-120b | 2026-11-02 | - | input 1000, search 1 | which kind is not reported | unpriced
  an unknown model | llama-9-instant | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const xai = readRows(
  { provider: 'xai', source: 'docs.x.ai/developers/models, docs.x.ai/developers/pricing' },
  `
  a cost that the response states | grok-4.6 | 2026-11-02 | - | input 1000, output 100, cost 0.0037756 | 0.0037756 | 0.0037756
  cached reads | grok-4-0709 | 2026-11-02 | - | input 1000, cacheRead 400, output 100 | (600×3 + 400×0.75 + 100×15)/1e6 | 0.0036
  reasoning is output | grok-3-mini | 2026-11-02 | - | input 10, output 1000, reasoning 900 | (10×0.3 + 1000×0.5)/1e6 | 0.000503
  the step, below 200,000 | grok-4.3 | 2026-11-02 | - | input 199999, output 100 | (199999×1.25 + 100×2.5)/1e6 | 0.25024875
  the step, at 200,000 | grok-4.3 | 2026-11-02 | - | input 200000, output 100 | (200000×2.5 + 100×5)/1e6 | 0.5005
  a long prompt from the cache | grok-4.6 | 2026-11-02 | - | input 200000, cacheRead 199999, output 100 | (1×4 + 199999×1 + 100×12)/1e6 | 0.201203
  sources of a search | grok-4-0709 | 2026-11-02 | - | input 1000, search_source 10 | 1000×3/1e6 + 10×25/1000 | 0.253
  searches | grok-4.6 | 2026-11-02 | - | input 1000, web_search 2 | 1000×2/1e6 + 2×5/1000 | 0.012
  tools whose kind was not reported | grok-4.6 | 2026-11-02 | - | input 1000, server_tool 2 | they differ in price | unpriced
  a talk, before its price rose | grok-voice-latest | 2026-08-04 | - | session_ms 60000 | what is said in writing is not reported | unpriced
  a talk, after | grok-voice-latest | 2026-08-05 | - | session_ms 60000 | what is said in writing is not reported | unpriced
  an unknown model | grok-99 | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const cohere = readRows(
  { provider: 'cohere', source: 'cohere.com/pricing' },
  `
  input and output | command-a-03-2025 | 2026-11-02 | - | input 1000, output 100 | (1000×2.5 + 100×10)/1e6 | 0.0035
  the small one | command-r7b-12-2024 | 2026-11-02 | - | input 1000, output 100 | (1000×0.0375 + 100×0.15)/1e6 | 0.0000525
  an old one that the bundle lacks | command-r-plus-04-2024 | 2026-11-02 | - | input 1000, output 100 | (1000×3 + 100×15)/1e6 | 0.0045
  searches of the web for ranking | rerank-v3.5 | 2026-11-02 | - | search_unit 3 | 3×2/1000 | 0.006
  the better ranking | rerank-v4.0-pro | 2026-11-02 | - | search_unit 3 | 3×2.5/1000 | 0.0075
  embeddings | embed-english-v3.0 | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  embeddings of text and pictures | embed-v4.0 | 2026-11-02 | - | input 1000, inputImage 400 | (600×0.12 + 400×0.47)/1e6 | 0.00026
  a ranking without a known price | rerank-v5.0-pro | 2026-11-02 | - | search_unit 1 | not looked up | unpriced
  an unknown model | command-z | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const openrouter = readRows(
  { provider: 'openrouter', source: 'openrouter.ai/models' },
  `
  a cost that the response states | anthropic/claude-sonnet-4.5 | 2026-11-02 | - | input 1000, output 100, cost 0.00432 | 0.00432 | 0.00432
  one's own key | anthropic/claude-sonnet-4.5 | 2026-11-02 | - | input 1000, output 100, cost 0.000216, market 0.0045, byok | the platform's fee is no cost of the inference | byok
  no cost stated | anthropic/claude-sonnet-4.5 | 2026-11-02 | - | input 1000, output 100 | (1000×3 + 100×15)/1e6 | 0.0045
  no cost stated, the day before a price fell | google/gemma-4-31b-it | 2026-08-26 | - | input 1000, cacheRead 400, output 100 | (600×0.12 + 400×0.09 + 100×0.36)/1e6 | 0.000144
  no cost stated, the day it fell | google/gemma-4-31b-it | 2026-08-27 | - | input 1000, cacheRead 400, output 100 | (600×0.09 + 400×0.05 + 100×0.34)/1e6 | 0.000108
  an alias, the day before it moved | ~anthropic/claude-opus-latest | 2026-09-21 | - | input 1000, output 100 | (1000×5 + 100×25)/1e6 | 0.0075
  an alias, the day it moved | ~anthropic/claude-opus-latest | 2026-09-22 | - | input 1000, output 100 | (1000×4 + 100×20)/1e6 | 0.006
  an unknown model | acme/model-9 | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const perplexity = readRows(
  { provider: 'perplexity', source: 'docs.perplexity.ai/docs/getting-started/pricing' },
  `
  a cost that the response states | sonar-pro | 2026-11-02 | - | input 1000, output 100, cost 0.0105 | 0.0105 | 0.0105
  no cost stated, and a fee by the size of a search | sonar | 2026-11-02 | - | input 1000, output 100 | the size is not reported | unpriced
  research, with its searches | sonar-deep-research | 2026-11-02 | - | input 1000, output 500, reasoning 200, web_search 3 | (1000×2 + 300×8 + 200×3)/1e6 + 3×5/1000 | 0.02
  without any search | r1-1776 | 2026-11-02 | - | input 1000, output 100 | (1000×2 + 100×8)/1e6 | 0.0028
`,
)

export const together = readRows(
  { provider: 'together', source: 'together.ai/pricing' },
  `
  one price for both | meta-llama/Llama-3.3-70B-Instruct-Turbo | 2026-11-02 | - | input 1000, output 100 | (1000×0.88 + 100×0.88)/1e6 | 0.000968
  two prices | meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8 | 2026-11-02 | - | input 1000, output 100 | (1000×0.27 + 100×0.85)/1e6 | 0.000355
  images by the megapixel | black-forest-labs/FLUX.1-schnell | 2026-11-02 | - | image 1 | the size is not reported | unpriced
  an endpoint of one's own | acme/llama-3-ours | 2026-11-02 | - | input 1000 | billed by the machine | unpriced
`,
)

export const fireworks = readRows(
  { provider: 'fireworks', source: 'docs.fireworks.ai/serverless/pricing' },
  `
  cached reads | accounts/fireworks/models/deepseek-v4-flash | 2026-11-02 | - | input 1000, cacheRead 400, output 100 | (600×0.14 + 400×0.028 + 100×0.28)/1e6 | 0.0001232
  a router that answers faster | accounts/fireworks/routers/kimi-k3-fast | 2026-11-02 | - | input 1000, cacheRead 400, output 100 | (600×4.5 + 400×0.45 + 100×22.5)/1e6 | 0.00513
  bound to the United States, since the rise | accounts/fireworks/routers/kimi-k3-us | 2026-09-01 | - | input 1000, output 100 | (1000×4.5 + 100×22.5)/1e6 | 0.00675
  a custom model | accounts/acme/models/ours | 2026-11-02 | - | input 1000 | billed by the machine | unpriced
  a deployment of one's own | accounts/fireworks/models/kimi-k3#acme/ours | 2026-11-02 | - | input 1000 | billed by the machine | unpriced
`,
)

export const cerebras = readRows(
  { provider: 'cerebras', source: 'cerebras.ai/pricing' },
  `
  input and output | gpt-oss-120b | 2026-11-02 | - | input 1000, output 100 | (1000×0.35 + 100×0.75)/1e6 | 0.000425
  one price for both | llama3.1-8b | 2026-11-02 | - | input 1000, output 100 | (1000×0.1 + 100×0.1)/1e6 | 0.00011
  an unknown model | llama-9 | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const ollama = readRows(
  { provider: 'ollama', source: 'none: it runs on machines of its owner' },
  `
  a model on one's own machine | llama3.2:latest | 2026-11-02 | - | input 1000, output 100 | charged nothing | free
`,
)

export const gateway = readRows(
  { provider: 'gateway', source: 'the answer itself' },
  `
  a cost that the response states | anthropic/claude-sonnet-4.5 | 2026-11-02 | - | input 1000, output 100, cost 0.0045 | 0.0045 | 0.0045
  a cost in a small way of writing | openai/gpt-4.1-nano | 2026-11-02 | - | input 10, output 8, cost 6.7368e-05 | 0.000067368 | 0.000067368
  a cost below a pico-dollar's half | openai/gpt-4.1-nano | 2026-11-02 | - | input 10, cost 0.0000000000004 | 0 | 0
  a cost that differs from the list | openai/gpt-4o | 2026-11-02 | - | input 1000, output 500, cost 0.01, market 0.0075 | 0.01 | 0.01
  a model that is free | meta/llama-free | 2026-11-02 | - | input 1000, output 100, cost 0 | 0 | 0
  one's own key | anthropic/claude-sonnet-4.5 | 2026-11-02 | - | input 1000, output 100, cost 0, market 0.0045, byok | charged by the provider itself | byok
  one's own key, and no cost stated | anthropic/claude-sonnet-4.5 | 2026-11-02 | - | input 1000, output 100, byok | charged by the provider itself | byok
  no cost stated | openai/gpt-4o | 2026-11-02 | - | input 1000, output 500 | never worked out from rates | unpriced
  no cost stated, with searches | openai/gpt-4o | 2026-11-02 | - | input 1000, web_search 1 | never worked out from rates | unpriced
  an absurd cost | openai/gpt-4o | 2026-11-02 | - | input 1000, cost 1000001 | no call costs so much | unpriced
  a call that is not charged by its nature | openai/gpt-4o | 2026-11-02 | - | uncharged | a list of models, a stored object | free
  a call that was denied | openai/gpt-4o | 2026-11-02 | - | denied | nothing was forwarded | free
`,
)
