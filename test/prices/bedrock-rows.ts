// What calls to Amazon Bedrock cost by its list prices: regions, two kinds of cache writes, and the
// days on which prices changed. The arithmetic is written out by hand.

import { readRows } from './price-row.ts'

export const bedrock = readRows(
  { provider: 'bedrock', source: 'aws.amazon.com/bedrock/pricing' },
  `
  a region, with both kinds of cache writes | us.anthropic.claude-sonnet-4-5-20250929-v1:0 | 2026-11-02 | - | input 6020, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (20×3.3 + 5000×0.33 + 600×4.125 + 400×6.6 + 300×16.5)/1e6 | 0.011781
  everywhere, a tenth cheaper | global.anthropic.claude-sonnet-4-5-20250929-v1:0 | 2026-11-02 | default | input 6020, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (20×3 + 5000×0.3 + 600×3.75 + 400×6 + 300×15)/1e6 | 0.01071
  a version without its revision | eu.anthropic.claude-opus-4-6-v1 | 2026-11-02 | - | input 6020, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (20×5.5 + 5000×0.55 + 600×6.875 + 400×11 + 300×27.5)/1e6 | 0.019635
  the newest | global.anthropic.claude-opus-5-5 | 2026-11-02 | - | input 6020, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (20×4 + 5000×0.2 + 600×5 + 400×8 + 300×20)/1e6 | 0.01328
  an older one, the same everywhere | us.anthropic.claude-3-5-haiku-20241022-v1:0 | 2026-11-02 | - | input 1000, output 100 | (1000×0.8 + 100×4)/1e6 | 0.0012
  Amazon's own, cached | amazon.nova-pro-v1:0 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.8 + 600×0.2 + 100×3.2)/1e6 | 0.00076
  spoken | amazon.nova-2-sonic-v1:0 | 2026-11-02 | - | input 100, inputAudio 80, output 50, outputAudio 40 | (20×0.33 + 80×3 + 10×2.75 + 40×12)/1e6 | 0.0007541
  embeddings | amazon.titan-embed-text-v1 | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  the second version of them, a fifth of the price | amazon.titan-embed-text-v2:0 | 2026-11-02 | - | input 1000 | 1000×0.02/1e6 | 0.00002
  Llama | us.meta.llama3-3-70b-instruct-v1:0 | 2026-11-02 | - | input 1000, output 1000 | (1000×0.72 + 1000×0.72)/1e6 | 0.00144
  Mistral | mistral.mistral-large-2402-v1:0 | 2026-11-02 | - | input 1000, output 100 | (1000×4 + 100×12)/1e6 | 0.0052
  a revision behind a name that ends in its version | global.anthropic.claude-fable-5-v1:0 | 2026-11-02 | - | input 1000, output 100 | (1000×10 + 100×50)/1e6 | 0.015
  an open model of OpenAI | openai.gpt-oss-120b-1:0 | 2026-11-02 | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  the same on the newer host, whose names have no revision | openai.gpt-oss-120b | 2026-11-02 | default | input 70000, output 30000, reasoning 12000 | (70000×0.15 + 30000×0.6)/1e6 | 0.0285
  the smaller one there | openai.gpt-oss-20b | 2026-11-02 | - | input 1000, output 100 | (1000×0.07 + 100×0.3)/1e6 | 0.0001
  a region's name on the newer host | anthropic.claude-opus-5-5 | 2026-11-02 | - | input 1000, output 100 | (1000×4.4 + 100×22)/1e6 | 0.0066
  Sol everywhere, the day before it was cut | global.openai.gpt-5.6-sol | 2026-08-20 | - | input 1000, output 100 | (1000×5 + 100×30)/1e6 | 0.008
  Sol everywhere, the day of the cut | global.openai.gpt-5.6-sol | 2026-08-21 | - | input 1000, output 100 | (1000×4 + 100×20)/1e6 | 0.006
  Sol in a region, before | openai.gpt-5.6-sol | 2026-08-20 | - | input 1000, cacheWrite5m 500, output 100 | (500×5.5 + 500×6.875 + 100×33)/1e6 | 0.0094875
  Sol in a region, after | openai.gpt-5.6-sol | 2026-08-21 | - | input 1000, cacheWrite5m 500, output 100 | (500×4.4 + 500×5.5 + 100×22)/1e6 | 0.00715
  Luna in a region, before | us.openai.gpt-5.6-luna | 2026-07-29 | - | input 1000, output 100 | (1000×1.1 + 100×6.6)/1e6 | 0.00176
  Luna in a region, after | us.openai.gpt-5.6-luna | 2026-07-30 | - | input 1000, output 100 | (1000×0.22 + 100×1.32)/1e6 | 0.000352
  its long prompt, before, which had no step | us.openai.gpt-5.6-luna | 2026-07-29 | - | input 272001, output 100 | (272001×1.1 + 100×6.6)/1e6 | 0.2998611
  its long prompt, after | us.openai.gpt-5.6-luna | 2026-07-30 | - | input 272001, output 100 | (272001×0.44 + 100×1.98)/1e6 | 0.11987844
  Terra in a region, before | us.openai.gpt-5.6-terra | 2026-07-29 | - | input 1000, output 100 | (1000×2.75 + 100×16.5)/1e6 | 0.0044
  Terra in a region, after | us.openai.gpt-5.6-terra | 2026-07-30 | - | input 1000, output 100 | (1000×2.2 + 100×13.2)/1e6 | 0.00352
  a tier that this model does not have | us.anthropic.claude-sonnet-4-5-20250929-v1:0 | 2026-11-02 | flex | input 1000 | no figure | unpriced
  lower latency | us.anthropic.claude-3-5-haiku-20241022-v1:0 | 2026-11-02 | latency-optimized | input 1000 | no figure | unpriced
  a second version that may come | anthropic.claude-opus-4-6-v2 | 2026-11-02 | - | input 1000 | another model | unpriced
  an address that hides its model | arn:aws:bedrock:us-east-1:123456789012:prompt/abc | 2026-11-02 | - | input 1000 | the model is not reported | unpriced
`,
)
