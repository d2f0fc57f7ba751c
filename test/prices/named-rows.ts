// What the newest models cost at their makers, in every tier that these sell, and the days on which
// a price changed. The arithmetic is written out by hand.

import { readRows } from './price-row.ts'

/** The day of the cheaper cached reads of Sonnet 5.5 is that of Anthropic's notice. */
export const anthropicNamed = readRows(
  { provider: 'anthropic', source: 'platform.claude.com/docs/en/about-claude/pricing' },
  `
  cached reads at a tenth of the input, the last moment | claude-sonnet-5-5 | 2026-10-06T23:59:59.999Z | - | input 6000, cacheRead 5000, output 300 | (1000×2 + 5000×0.2 + 300×10)/1e6 | 0.006
  cached reads at a twentieth, the first moment | claude-sonnet-5-5 | 2026-10-07T00:00:00Z | - | input 6000, cacheRead 5000, output 300 | (1000×2 + 5000×0.1 + 300×10)/1e6 | 0.0055
  the same by a dated name | claude-sonnet-5-5-20260930 | 2026-11-02 | standard | input 6000, cacheRead 5000, cacheWrite5m 600, cacheWrite1h 400, output 300 | (0×2 + 5000×0.1 + 600×2.5 + 400×4 + 300×10)/1e6 | 0.0066
  in a batch, the last moment | claude-sonnet-5-5 | 2026-10-06 | batch | input 6000, cacheRead 5000, output 300 | (1000×1 + 5000×0.1 + 300×5)/1e6 | 0.003
  in a batch, since | claude-sonnet-5-5 | 2026-11-02 | batch | input 6000, cacheRead 5000, output 300 | (1000×1 + 5000×0.05 + 300×5)/1e6 | 0.00275
  bound to the United States, since | claude-sonnet-5-5 | 2026-11-02 | geo-us | input 6000, cacheRead 5000, output 300 | (1000×2 + 5000×0.1 + 300×10)×1.1/1e6 | 0.00605
  Fable in a batch | claude-fable-5-1 | 2026-11-02 | batch | input 6000, cacheRead 5000, output 300 | (1000×5 + 5000×0.125 + 300×25)/1e6 | 0.013125
  Fable before it | claude-fable-5 | 2026-11-02 | - | input 6000, cacheRead 5000, output 300 | (1000×10 + 5000×1 + 300×50)/1e6 | 0.03
  Haiku by a dated name | claude-haiku-5-5-20260930 | 2026-11-02 | - | input 1000, output 100 | (1000×0.1 + 100×0.5)/1e6 | 0.00015
`,
)

/** Fast mode was called priority; answers say either. */
export const openaiNamed = readRows(
  { provider: 'openai', source: 'developers.openai.com/api/docs/pricing, .../docs/models' },
  `
  Terra | gpt-6.1-terra | 2026-11-02 | default | input 10000, cacheRead 6000, cacheWrite5m 2000, output 500, reasoning 300 | (2000×1 + 6000×0.05 + 2000×1.25 + 500×5)/1e6 | 0.0073
  Terra by a dated name | gpt-6.1-terra-2026-10-26 | 2026-11-02 | - | input 1000, output 100 | (1000×1 + 100×5)/1e6 | 0.0015
  Terra, the longest ordinary prompt | gpt-6.1-terra | 2026-11-02 | - | input 272000, output 100 | (272000×1 + 100×5)/1e6 | 0.2725
  Terra, one more | gpt-6.1-terra | 2026-11-02 | - | input 272001, cacheRead 272000, output 100 | (1×2 + 272000×0.1 + 100×7.5)/1e6 | 0.027952
  Terra, priority | gpt-6.1-terra | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Terra, fast | gpt-6.1-terra | 2026-11-02 | fast | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Terra, flex | gpt-6.1-terra | 2026-11-02 | flex | input 1000, cacheRead 600, output 100 | (400×0.5 + 600×0.025 + 100×2.5)/1e6 | 0.000465
  Terra in a batch | gpt-6.1-terra | 2026-11-02 | batch | input 1000, cacheRead 600, output 100 | (400×0.5 + 600×0.025 + 100×2.5)/1e6 | 0.000465
  Sol of 6.1 | gpt-6.1-sol | 2026-11-02 | - | input 1000, cacheRead 600, cacheWrite5m 100, output 100 | (300×2 + 600×0.1 + 100×2.5 + 100×10)/1e6 | 0.00191
  Sol of 6.1, priority | gpt-6.1-sol | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×4 + 600×0.2 + 100×20)/1e6 | 0.00372
  Sol of 6.1, fast | gpt-6.1-sol | 2026-11-02 | fast | input 1000, output 100 | (1000×4 + 100×20)/1e6 | 0.006
  Sol | gpt-6-sol | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.2 + 100×10)/1e6 | 0.00192
  Sol, priority | gpt-6-sol | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×4 + 600×0.4 + 100×20)/1e6 | 0.00384
  Sol, fast and long | gpt-6-sol | 2026-11-02 | fast | input 272001, output 100 | (272001×8 + 100×30)/1e6 | 2.179008
  Luna | gpt-6-luna-2026-09-22 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.1 + 600×0.01 + 100×0.5)/1e6 | 0.000096
  Luna, fast | gpt-6-luna | 2026-11-02 | fast | input 1000, cacheRead 600, output 100 | (400×0.2 + 600×0.02 + 100×1)/1e6 | 0.000192
  Astra | gpt-6-astra | 2026-11-02 | - | input 1000, cacheRead 600, cacheWrite5m 100, output 100 | (300×10 + 600×1 + 100×12.5 + 100×50)/1e6 | 0.00985
  Astra, priority | gpt-6-astra | 2026-11-02 | priority | input 1000, output 100 | (1000×20 + 100×100)/1e6 | 0.03
  Astra, the fastest | gpt-6-astra | 2026-11-02 | ultrafast | input 1000, cacheRead 600, output 100 | (400×60 + 600×6 + 100×300)/1e6 | 0.0576
`,
)

/** Its introduction ends with November 2026; priority is 180 percent before and after. */
export const googleNamed = readRows(
  { provider: 'google', source: 'ai.google.dev/gemini-api/docs/pricing' },
  `
  Argon | gemini-4-argon | 2026-11-02 | standard | input 1000, cacheRead 600, output 100, reasoning 60 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Argon's preview | gemini-4-argon-preview-10-2026 | 2026-11-02 | - | input 1000, output 100 | (1000×2 + 100×10)/1e6 | 0.003
  Argon, priority | gemini-4-argon | 2026-11-02 | priority | input 1000, cacheRead 600, output 100 | (400×3.6 + 600×0.18 + 100×18)/1e6 | 0.003348
  Argon, flex | gemini-4-argon | 2026-11-02 | flex | input 1000, cacheRead 600, output 100 | (400×1 + 600×0.05 + 100×5)/1e6 | 0.00093
  Argon, the last moment of its introduction | gemini-4-argon | 2026-11-30T23:59:59.999Z | - | input 1000, output 100 | (1000×2 + 100×10)/1e6 | 0.003
  Argon after it | gemini-4-argon | 2026-12-01T00:00:00Z | - | input 1000, cacheRead 600, output 100 | (400×4 + 600×0.2 + 100×20)/1e6 | 0.00372
  Argon after it, priority | gemini-4-argon | 2026-12-01 | priority | input 1000, cacheRead 600, output 100 | (400×7.2 + 600×0.36 + 100×36)/1e6 | 0.006696
  Argon after it, flex | gemini-4-argon | 2026-12-01 | flex | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Argon after it, in a batch | gemini-4-argon | 2026-12-01 | batch | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.1 + 100×10)/1e6 | 0.00186
  Flash, priority | gemini-2.5-flash | 2026-11-02 | priority | input 1000, inputAudio 200, cacheRead 300, output 100 | (500×0.54 + 200×1.8 + 300×0.054 + 100×4.5)/1e6 | 0.0010962
  Pro, priority and long | gemini-3.1-pro-preview | 2026-11-02 | priority | input 200001, cacheRead 200000, output 100 | (1×7.2 + 200000×0.72 + 100×32.4)/1e6 | 0.1472472
  Flash-Lite, flex | gemini-3.1-flash-lite | 2026-11-02 | flex | input 1000, cacheRead 600, output 100 | (400×0.125 + 600×0.0125 + 100×0.75)/1e6 | 0.0001325
  an image, whose tokens no list has for this tier | gemini-2.5-flash-image | 2026-11-02 | priority | input 100, output 1290, outputImage 1290 | no figure | unpriced
`,
)

/** Cached reads are half of the input. */
export const groqNamed = readRows(
  { provider: 'groq', source: 'console.groq.com/docs/models, groq.com/pricing' },
  `
  Safeguard | openai/gpt-oss-safeguard-20b | 2026-11-02 | on_demand | input 1000, cacheRead 600, output 100 | (400×0.075 + 600×0.0375 + 100×0.3)/1e6 | 0.0000825
`,
)

/** The higher rate is for all of a prompt of 200,000 tokens or more. */
export const xaiNamed = readRows(
  {
    provider: 'xai',
    source: 'docs.x.ai/developers/pricing, .../models/grok-4.20, .../models/grok-4.7',
  },
  `
  several agents | grok-4.20-multi-agent | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×1.25 + 600×0.2 + 100×2.5)/1e6 | 0.00087
  several agents by a dated name | grok-4.20-multi-agent-0309 | 2026-11-02 | - | input 1000, output 100 | (1000×1.25 + 100×2.5)/1e6 | 0.0015
  several agents by the name of the beta | grok-4.20-multi-agent-beta-0309 | 2026-11-02 | - | input 1000, output 100 | (1000×1.25 + 100×2.5)/1e6 | 0.0015
  several agents, a long prompt | grok-4.20-multi-agent | 2026-11-02 | - | input 200000, output 100 | (200000×2.5 + 100×5)/1e6 | 0.5005
  several agents, the day before the cut | grok-4.20-multi-agent | 2026-04-29 | - | input 1000, output 100 | (1000×2 + 100×6)/1e6 | 0.0026
  several agents, the day of the cut | grok-4.20-multi-agent | 2026-04-30 | - | input 1000, output 100 | (1000×1.25 + 100×2.5)/1e6 | 0.0015
  the newest | grok-4.7 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×2 + 600×0.5 + 100×6)/1e6 | 0.0017
  the newest, the longest ordinary prompt | grok-4.7-latest | 2026-11-02 | - | input 199999, output 100 | (199999×2 + 100×6)/1e6 | 0.400598
  the newest, one more | grok-4.7 | 2026-11-02 | - | input 200000, cacheRead 100000, output 100 | (100000×4 + 100000×1 + 100×12)/1e6 | 0.5012
`,
)

/** Of its interface for agents, for responses that do not state their cost. */
export const perplexityNamed = readRows(
  { provider: 'perplexity', source: 'docs.perplexity.ai/docs/agent-api/models' },
  `
  another maker's model | openai/gpt-5.1 | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×1.25 + 600×0.125 + 100×10)/1e6 | 0.001575
  its own by that interface | perplexity/sonar | 2026-11-02 | - | input 1000, cacheRead 600, output 100 | (400×0.25 + 600×0.0625 + 100×2.5)/1e6 | 0.0003875
  a name without its maker | gpt-5.1 | 2026-11-02 | - | input 1000 | not a name of that interface | unpriced
`,
)
