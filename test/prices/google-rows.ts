// What calls to Gemini, and to Vertex AI, cost by Google's list prices: modalities, steps, tiers,
// grounding, images per unit, and prices that change with the year. The arithmetic is written
// out by hand.

import { readRows } from './price-row.ts'

export const googleTokens = readRows(
  { provider: 'google', source: 'ai.google.dev/gemini-api/docs/pricing' },
  `
  the step at 200,000, at it | gemini-2.5-pro | 2026-11-02 | - | input 200000, output 1000 | (200000×1.25 + 1000×10)/1e6 | 0.26
  the step at 200,000, one above | gemini-2.5-pro | 2026-11-02 | - | input 200001, output 1000 | (200001×2.5 + 1000×15)/1e6 | 0.5150025
  one above, from the cache | gemini-2.5-pro | 2026-11-02 | - | input 200001, cacheRead 200000, output 1000 | (1×2.5 + 200000×0.25 + 1000×15)/1e6 | 0.0650025
  a snapshot of it | gemini-2.5-pro-preview-05-06 | 2026-11-02 | - | input 1000, output 100 | (1000×1.25 + 100×10)/1e6 | 0.00225
  a snapshot by its number | gemini-2.0-flash-001 | 2026-11-18 | - | input 1000, output 100 | (1000×0.1 + 100×0.4)/1e6 | 0.00014
  its speech is another model | gemini-2.5-pro-preview-tts | 2026-11-02 | - | input 1000, output 100 | (1000×1 + 100×20)/1e6 | 0.003
  sound | gemini-2.5-flash | 2026-11-02 | - | input 1000, inputAudio 600, output 100 | (400×0.3 + 600×1 + 100×2.5)/1e6 | 0.00097
  sound beside a cache | gemini-2.5-flash | 2026-11-02 | - | input 1000, cacheRead 300, inputAudio 500 | (200×0.3 + 300×0.03 + 500×1)/1e6 | 0.000569
  thoughts are output | gemini-2.5-flash | 2026-11-02 | - | input 10, output 500, reasoning 400 | (10×0.3 + 500×2.5)/1e6 | 0.001253
  a session that is spoken | gemini-live-2.5-flash | 2026-11-02 | - | input 100, inputAudio 80, output 50, outputAudio 40 | (20×0.5 + 80×3 + 10×2 + 40×12)/1e6 | 0.00075
  an image in tokens | gemini-2.5-flash-image | 2026-11-02 | - | input 100, output 1290, outputImage 1290 | (100×0.3 + 1290×30)/1e6 | 0.03873
  an image and words about it | gemini-3-pro-image-preview | 2026-11-02 | - | input 100, output 1200, outputImage 1120 | (100×2 + 80×12 + 1120×120)/1e6 | 0.13556
  embeddings | gemini-embedding-001 | 2026-11-02 | - | input 1000 | 1000×0.15/1e6 | 0.00015
  the last moment of the introduction | gemini-3.6-flash | 2026-12-31T23:59:59.999Z | - | input 1000, cacheRead 400, output 100 | (600×0.75 + 400×0.075 + 100×3.75)/1e6 | 0.000855
  the first moment after it | gemini-3.6-flash | 2027-01-01T00:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×1.5 + 400×0.15 + 100×7.5)/1e6 | 0.00171
  the next one, before | gemini-3.7-flash | 2026-12-31 | - | input 1000, output 100 | (1000×0.75 + 100×3.75)/1e6 | 0.001125
  the next one, after | gemini-3.7-flash | 2027-01-01 | - | input 1000, output 100 | (1000×1.5 + 100×7.5)/1e6 | 0.00225
  the newest, before | gemini-3.8-flash | 2026-12-31 | - | input 1000, output 100 | (1000×0.75 + 100×3.75)/1e6 | 0.001125
  the newest, after | gemini-3.8-flash | 2027-01-01 | - | input 1000, output 100 | (1000×1.5 + 100×7.5)/1e6 | 0.00225
  an open model without a paid tier | gemma-3-27b-it | 2026-11-02 | - | input 1000, output 100 | charged nothing | free
  another | gemma-4-31b-it | 2026-11-02 | - | input 1000, output 100 | charged nothing | free
  a tuned model | tunedModels/tone-1 | 2026-11-02 | - | input 1000 | what it is made of is not reported | unpriced
  embeddings of texts | gemini-embedding-2 | 2026-11-02 | - | input 1000 | 1000×0.2/1e6 | 0.0002
  embeddings of texts, sound and pictures | gemini-embedding-2 | 2026-11-02 | - | input 1000, inputAudio 100, inputImage 300 | (600×0.2 + 100×6.5 + 300×0.45)/1e6 | 0.000905
  embeddings of texts and films alike | gemini-embedding-2 | 2026-11-02 | - | input 1000, unnamed_token 1000 | which they are is not reported | unpriced
  an unknown model | gemini-9-ultra | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const googleTiers = readRows(
  { provider: 'google', source: 'ai.google.dev/gemini-api/docs/pricing, .../batch-api' },
  `
  a batch, whose cached tokens are no cheaper | gemini-2.5-flash | 2026-11-02 | batch | input 1000, cacheRead 400, output 100 | (600×0.15 + 400×0.03 + 100×1.25)/1e6 | 0.000227
  sound in a batch | gemini-2.5-flash | 2026-11-02 | batch | input 1000, inputAudio 600, output 100 | (400×0.15 + 600×0.5 + 100×1.25)/1e6 | 0.000485
  a long prompt in a batch | gemini-2.5-pro | 2026-11-02 | batch | input 200001, output 1000 | (200001×1.25 + 1000×7.5)/1e6 | 0.25750125
  flex | gemini-3.5-flash | 2026-11-02 | flex | input 1000, output 100 | (1000×0.75 + 100×4.5)/1e6 | 0.0012
  priority | gemini-3.8-flash | 2026-11-02 | priority | input 1000, output 100 | (1000×1.35 + 100×6.75)/1e6 | 0.002025
  priority of the year after | gemini-3.8-flash | 2027-01-01 | priority | input 1000, output 100 | (1000×2.7 + 100×13.5)/1e6 | 0.00405
  priority of an older model | gemini-2.5-pro | 2026-11-02 | priority | input 1000, output 100 | (1000×2.25 + 100×18)/1e6 | 0.00405
  priority of a model without a known figure | gemini-2.0-flash | 2026-11-02 | priority | input 1000 | between 175 and 200 percent | unpriced
  a grounded answer | gemini-2.5-flash | 2026-11-02 | - | input 1000, output 100, web_search 1 | (1000×0.3 + 100×2.5)/1e6 + 35/1000 | 0.03555
  the queries of a grounded answer | gemini-3-pro-preview | 2026-11-02 | - | input 1000, output 100, web_search 3 | (1000×2 + 100×12)/1e6 + 3×14/1000 | 0.0452
  an answer with places | gemini-2.5-pro | 2026-11-02 | - | input 1000, maps_search 1 | 1000×1.25/1e6 + 25/1000 | 0.02625
  places by a model whose fee is not known | gemini-3.5-flash | 2026-11-02 | - | input 1000, maps_search 1 | no figure | unpriced
  cached sound, in a batch at its full price | gemini-2.5-flash | 2026-11-02 | batch | input 1000, cacheRead 600, cacheReadAudio 400, output 100 | (400×0.15 + 200×0.03 + 400×0.1 + 100×1.25)/1e6 | 0.000231
  images per unit | imagen-4.0-generate-001 | 2026-11-02 | - | image 2 | 2×0.04 | 0.08
  fast ones | imagen-4.0-fast-generate-001 | 2026-11-02 | - | image 3 | 3×0.02 | 0.06
  the best ones | imagen-4.0-ultra-generate-001 | 2026-11-02 | - | image 1 | 0.06 | 0.06
  older ones | imagen-3.0-generate-002 | 2026-11-02 | - | image 1 | 0.03 | 0.03
`,
)

export const vertex = readRows(
  { provider: 'vertex', source: 'cloud.google.com/vertex-ai/generative-ai/pricing' },
  `
  Gemini | gemini-2.5-flash | 2026-11-02 | on_demand | input 1000, inputAudio 600, output 100 | (400×0.3 + 600×1 + 100×2.5)/1e6 | 0.00097
  flex | gemini-2.5-flash | 2026-11-02 | flex | input 1000, cacheRead 400, output 100 | (600×0.15 + 400×0.03 + 100×1.25)/1e6 | 0.000227
  Claude with both kinds of cache writes | claude-sonnet-4-5@20250929 | 2026-11-02 | - | input 6020, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (20×3 + 5000×0.3 + 600×3.75 + 400×6 + 300×15)/1e6 | 0.01071
  a newer Claude | claude-opus-5@20260724 | 2026-11-02 | - | input 6020, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (20×5 + 5000×0.5 + 600×6.25 + 400×10 + 300×25)/1e6 | 0.01785
  an open model as a service | gemma-4-26b-a4b-it-maas | 2026-11-02 | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  images per unit | imagen-4.0-generate-001 | 2026-11-02 | - | image 2 | 2×0.04 | 0.08
  older ones, more expensive than on the other API | imagen-3.0-generate-002 | 2026-11-02 | - | image 1 | 0.04 | 0.04
  an open model on one's own machines | gemma-3-27b-it | 2026-11-02 | - | input 1000 | billed by the machine | unpriced
  at a time that has a price of its own | gemini-2.5-flash | 2026-11-02 | offpeak | input 1000 | no figure | unpriced
  an endpoint | 1234567890123 | 2026-11-02 | - | input 1000 | its model is not reported | unpriced
`,
)
