// What calls to Mistral and DeepSeek cost by their list prices: names that stand for another model
// from some day on, hours and days of the week, pages and minutes. The arithmetic is written out by
// hand.

import { readRows } from './price-row.ts'

export const mistral = readRows(
  { provider: 'mistral', source: 'docs.mistral.ai/models, mistral.ai/pricing/api' },
  `
  an alias, while it was Large 2 | mistral-large-latest | 2025-12-01T23:59:59.999Z | - | input 1000, output 100 | (1000×2 + 100×6)/1e6 | 0.0026
  the same alias, since it is Large 3 | mistral-large-latest | 2025-12-02T00:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.5 + 400×0.05 + 100×1.5)/1e6 | 0.00047
  a name that moved on no day | mistral-large-2411 | 2026-11-02 | - | input 1000, output 100 | (1000×2 + 100×6)/1e6 | 0.0026
  an alias, while it was Small 3 | mistral-small-latest | 2026-03-15 | - | input 1000, output 100 | (1000×0.1 + 100×0.3)/1e6 | 0.00013
  the same alias, since it is Small 4 | mistral-small-latest | 2026-03-16 | - | input 1000, cacheRead 400, output 100 | (600×0.15 + 400×0.015 + 100×0.6)/1e6 | 0.000156
  an alias, while it was Medium 3.1 | mistral-medium-latest | 2026-06-15 | - | input 1000, output 100 | (1000×0.4 + 100×2)/1e6 | 0.0006
  the same alias, since it is Medium 3.5 | mistral-medium-latest | 2026-06-16 | - | input 1000, output 100 | (1000×1.5 + 100×7.5)/1e6 | 0.00225
  an alias, while it was of 2024 | ministral-8b-latest | 2025-12-01 | - | input 1000, output 100 | (1000×0.1 + 100×0.1)/1e6 | 0.00011
  the same alias, since it is Ministral 3 | ministral-8b-latest | 2025-12-02 | - | input 1000, cacheRead 400, output 100 | (600×0.15 + 400×0.015 + 100×0.15)/1e6 | 0.000111
  an alias that the bundle lacks, before | ministral-3b-latest | 2025-12-01 | - | input 1000, output 100 | (1000×0.04 + 100×0.04)/1e6 | 0.000044
  an alias that the bundle lacks, after | ministral-3b-latest | 2026-11-02 | - | input 1000, output 100 | (1000×0.1 + 100×0.1)/1e6 | 0.00011
  an alias with the cache of its model | codestral-latest | 2026-11-02 | - | input 1000, cacheRead 400, output 100 | (600×0.3 + 400×0.03 + 100×0.9)/1e6 | 0.000282
  the day before a rise | voxtral-small-latest | 2026-08-10 | - | input 1000, output 100 | (1000×0.1 + 100×0.3)/1e6 | 0.00013
  the day of the rise | voxtral-small-latest | 2026-08-11 | - | input 1000, output 100 | (1000×0.1 + 100×0.4)/1e6 | 0.00014
  the last day of an introduction | mistral-large-4 | 2026-10-19 | - | input 1000, cacheRead 400, output 100 | (600×0.68 + 400×0.07 + 100×2.09)/1e6 | 0.000645
  the day after it | mistral-large-4-0 | 2026-10-20 | - | input 1000, cacheRead 400, output 100 | (600×1.36 + 400×0.14 + 100×4.18)/1e6 | 0.00129
  the day after it, in a batch | mistral-large-4 | 2026-10-20 | batch | input 1000, cacheRead 400, output 100 | (600×0.68 + 400×0.07 + 100×2.09)/1e6 | 0.000645
  a model that reasons | magistral-medium-2509 | 2026-11-02 | - | input 1000, output 1000, reasoning 900 | (1000×2 + 1000×5)/1e6 | 0.007
  a batch | mistral-large-2512 | 2026-11-02 | batch | input 1000, cacheRead 400, output 100 | (600×0.25 + 400×0.025 + 100×0.75)/1e6 | 0.000235
  embeddings | mistral-embed | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  the first pages that were read | mistral-ocr-latest | 2025-05-21 | - | page 10 | 10×1/1000 | 0.01
  pages of the second reader | mistral-ocr-latest | 2025-12-17 | - | page 10 | 10×1/1000 | 0.01
  pages of the third | mistral-ocr-latest | 2025-12-18 | - | page 10 | 10×2/1000 | 0.02
  pages of the third, the last day | mistral-ocr-latest | 2026-06-22 | - | page 10 | 10×2/1000 | 0.02
  pages of the fourth | mistral-ocr-latest | 2026-06-23 | - | page 10 | 10×4/1000 | 0.04
  pages by a dated name | mistral-ocr-2512 | 2026-11-02 | - | page 7 | 7×2/1000 | 0.014
  sound by the minute | voxtral-mini-latest | 2026-11-02 | - | audio_ms 60000 | 0.003 | 0.003
  searches of a conversation | mistral-medium-2508 | 2026-11-02 | - | input 1000, web_search 2 | 1000×0.4/1e6 + 2×30/1000 | 0.0604
  a connector whose fee is not known | mistral-medium-2508 | 2026-11-02 | - | input 1000, code_interpreter 1 | not looked up | unpriced
  an unknown model | mistral-giant-2612 | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)

export const deepseekHours = readRows(
  { provider: 'deepseek', source: 'api-docs.deepseek.com/quick_start/pricing' },
  `
  by day, when nights were cheaper | deepseek-chat | 2025-06-02T12:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.27 + 400×0.07 + 100×1.1)/1e6 | 0.0003
  the last moment of the day | deepseek-chat | 2025-06-02T16:29:59.999Z | - | input 1000, output 100 | (1000×0.27 + 100×1.1)/1e6 | 0.00038
  the first moment of the night | deepseek-chat | 2025-06-02T16:30:00Z | - | input 1000, output 100 | (1000×0.135 + 100×0.55)/1e6 | 0.00019
  the last moment of the night | deepseek-chat | 2025-06-03T00:29:59.999Z | - | input 1000, output 100 | (1000×0.135 + 100×0.55)/1e6 | 0.00019
  the other alias by day | deepseek-reasoner | 2025-06-02T12:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.55 + 400×0.14 + 100×2.19)/1e6 | 0.000605
  the other alias by night | deepseek-reasoner | 2025-06-02T20:00:00Z | - | input 1000, output 100 | (1000×0.135 + 100×0.55)/1e6 | 0.00019
  the alias once it was V3.1, by day | deepseek-chat | 2025-09-06T12:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.56 + 400×0.07 + 100×1.68)/1e6 | 0.000532
  the alias once it was V3.1, by night | deepseek-chat | 2025-09-06T20:00:00Z | - | input 1000, output 100 | (1000×0.56 + 100×1.68)/1e6 | 0.000728
  the alias once it was V3.2 | deepseek-reasoner | 2025-09-29 | - | input 1000, cacheRead 400, output 100 | (600×0.28 + 400×0.028 + 100×0.42)/1e6 | 0.0002212
  the alias once it was V4 | deepseek-chat | 2026-04-24 | - | input 1000 | its cached rate changed on an unknown day | unpriced
  a peak hour before there were any | deepseek-v4-pro | 2026-08-16T02:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.435 + 400×0.003625 + 100×0.87)/1e6 | 0.00034945
  the last moment before the first peak | deepseek-v4-pro | 2026-08-17T00:59:59.999Z | - | input 1000, output 100 | (1000×0.66 + 100×1.98)/1e6 | 0.000858
  the first moment of the peak | deepseek-v4-pro | 2026-08-17T01:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×1.32 + 400×0.044 + 100×3.96)/1e6 | 0.0012056
  between the two peaks | deepseek-v4-pro | 2026-08-17T04:00:00Z | - | input 1000, output 100 | (1000×0.66 + 100×1.98)/1e6 | 0.000858
  the second peak | deepseek-v4-pro | 2026-08-17T06:00:00Z | - | input 1000, output 100 | (1000×1.32 + 100×3.96)/1e6 | 0.001716
  the last moment of it | deepseek-v4-pro | 2026-08-17T09:59:59.999Z | - | input 1000, output 100 | (1000×1.32 + 100×3.96)/1e6 | 0.001716
  after both | deepseek-v4-pro | 2026-08-17T10:00:00Z | - | input 1000, output 100 | (1000×0.66 + 100×1.98)/1e6 | 0.000858
  a Saturday when it still had peaks | deepseek-v4-pro | 2026-08-22T02:00:00Z | - | input 1000, output 100 | (1000×1.32 + 100×3.96)/1e6 | 0.001716
  the first Sunday without | deepseek-v4-pro | 2026-08-23T02:00:00Z | - | input 1000, output 100 | (1000×0.66 + 100×1.98)/1e6 | 0.000858
  the Monday after | deepseek-v4-pro | 2026-08-24T02:00:00Z | - | input 1000, output 100 | (1000×1.32 + 100×3.96)/1e6 | 0.001716
  a Saturday a year later | deepseek-v4-pro | 2027-08-21T02:00:00Z | - | input 1000, output 100 | (1000×0.66 + 100×1.98)/1e6 | 0.000858
  a Friday a year later | deepseek-v4-pro | 2027-08-20T02:00:00Z | - | input 1000, output 100 | (1000×1.32 + 100×3.96)/1e6 | 0.001716
  V4 Flash before there were peaks | deepseek-v4-flash | 2026-08-16T02:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.14 + 400×0.0028 + 100×0.28)/1e6 | 0.00011312
  V4 Flash at a peak | deepseek-v4-flash | 2026-09-09T02:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.44 + 400×0.014 + 100×1.32)/1e6 | 0.0004016
  V4 Flash on a Sunday | deepseek-v4-flash | 2026-09-06T02:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.22 + 400×0.007 + 100×0.66)/1e6 | 0.0002008
  the same name, once V4.1 answered to it | deepseek-v4-flash | 2026-09-10T08:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.3 + 400×0.006 + 100×1.2)/1e6 | 0.0003024
  V4.1 Flash at a peak | deepseek-flash | 2026-11-02T02:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.3 + 400×0.006 + 100×1.2)/1e6 | 0.0003024
  V4.1 Flash off it | deepseek-flash | 2026-11-02T12:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×0.15 + 400×0.003 + 100×0.6)/1e6 | 0.0001512
  V4.1 Flash on a Saturday | deepseek-flash | 2026-11-07T02:00:00Z | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  a holiday at noon | deepseek-flash | 2026-10-01T12:00:00Z | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  a holiday at an hour of peaks | deepseek-flash | 2026-10-01T02:00:00Z | - | input 1000 | whether it was one is not known | unpriced
  a festival of next year at an hour of peaks | deepseek-flash | 2027-02-08T02:00:00Z | - | input 1000 | whether it will be one is not known | unpriced
  the day after it | deepseek-flash | 2027-02-15T02:00:00Z | - | input 1000, output 100 | (1000×0.3 + 100×1.2)/1e6 | 0.00042
  beyond the calendar, off the peak | deepseek-flash | 2028-01-04T12:00:00Z | - | input 1000, output 100 | (1000×0.15 + 100×0.6)/1e6 | 0.00021
  beyond the calendar, at an hour of peaks | deepseek-flash | 2028-01-04T02:00:00Z | - | input 1000 | the holidays are not known | unpriced
  an unknown model | deepseek-v9 | 2026-11-02 | - | input 1000 | not on the list | unpriced
`,
)
