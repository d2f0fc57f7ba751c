// What calls to OpenAI, and to Azure, cost by their list prices. The arithmetic is written out by
// hand: tokens times USD per million, fees per unit. Nothing here was taken from what the program
// printed.

import { readRows } from './price-row.ts'

export const openaiTokens = readRows(
  { provider: 'openai', source: 'developers.openai.com/api/docs/pricing' },
  `
  input and output | gpt-4o | 2026-11-02 | - | input 1000, output 500 | (1000×2.5 + 500×10)/1e6 | 0.0075
  cached reads | gpt-4o | 2026-11-02 | - | input 1000, cacheRead 600, output 500 | (400×2.5 + 600×1.25 + 500×10)/1e6 | 0.00675
  a snapshot that knows no cached rate | gpt-4o-2024-05-13 | 2026-11-02 | - | input 1000, cacheRead 600 | 1000×5/1e6 | 0.005
  nothing at all | gpt-4o | 2026-11-02 | - | input 0 | 0 | 0
  the smallest of sums | text-embedding-3-small | 2026-11-02 | - | input 1 | 1×0.02/1e6 | 0.00000002
  a name in capitals | GPT-4.1-Nano | 2026-11-02 | - | input 3, output 7 | (3×0.1 + 7×0.4)/1e6 | 0.0000031
  reasoning is output | o4-mini | 2026-11-02 | - | input 10, output 1000, reasoning 900 | (10×1.1 + 1000×4.4)/1e6 | 0.004411
  o3, the last moment before it was cut | o3 | 2025-06-09T23:59:59.999Z | - | input 1000, cacheRead 400, output 100 | (600×10 + 400×2.5 + 100×40)/1e6 | 0.011
  o3, the first moment after | o3 | 2025-06-10T00:00:00Z | - | input 1000, cacheRead 400, output 100 | (600×2 + 400×0.5 + 100×8)/1e6 | 0.0022
  Luna, the day before it was cut | gpt-5.6-luna | 2026-07-29T23:59:59.999Z | - | input 1000, output 1000 | (1000×1 + 1000×6)/1e6 | 0.007
  Luna, the day of the cut | gpt-5.6-luna | 2026-07-30T00:00:00Z | - | input 1000, output 1000 | (1000×0.2 + 1000×1.2)/1e6 | 0.0014
  Terra, the day before it was cut | gpt-5.6-terra | 2026-07-29 | - | input 1000, cacheWrite5m 1000, output 100 | (1000×3.125 + 100×15)/1e6 | 0.004625
  Terra, the day of the cut | gpt-5.6-terra | 2026-07-30 | - | input 1000, cacheWrite5m 1000, output 100 | (1000×2.5 + 100×12)/1e6 | 0.0037
  Sol, the day before it was cut | gpt-5.6-sol | 2026-08-20 | - | input 1000, cacheRead 500, output 1000 | (500×5 + 500×0.5 + 1000×30)/1e6 | 0.03275
  Sol, the day of the cut | gpt-5.6-sol | 2026-08-21 | - | input 1000, cacheRead 500, output 1000 | (500×4 + 500×0.4 + 1000×20)/1e6 | 0.0222
  Sol under the name without it | gpt-5.6 | 2026-11-02 | - | input 1000, output 1000 | (1000×4 + 1000×20)/1e6 | 0.024
  the long prompt's edge, below 272,000 | gpt-5.4 | 2026-11-02 | - | input 271999, output 1 | (271999×2.5 + 1×15)/1e6 | 0.6800125
  the longest ordinary prompt | gpt-5.4 | 2026-11-02 | - | input 272000, output 1 | (272000×2.5 + 1×15)/1e6 | 0.680015
  one more | gpt-5.4 | 2026-11-02 | - | input 272001, output 1 | (272001×5 + 1×22.5)/1e6 | 1.3600275
  a long prompt from the cache | gpt-5.4 | 2026-11-02 | - | input 300000, cacheRead 100000, output 1000 | (200000×5 + 100000×0.5 + 1000×22.5)/1e6 | 1.0725
  an edge that is within, at 272,000 | gpt-6-sol | 2026-11-02 | - | input 272000, output 1 | (272000×2 + 1×10)/1e6 | 0.54401
  an edge that is within, one above | gpt-6-sol | 2026-11-02 | - | input 272001, output 1 | (272001×4 + 1×15)/1e6 | 1.088019
  cache writes | gpt-6-sol | 2026-11-02 | - | input 1000, cacheWrite5m 700, output 10 | (300×2 + 700×2.5 + 10×10)/1e6 | 0.00245
  cache writes for 12 hours | gpt-5.6-luna | 2026-11-02 | - | input 1000, cacheWrite5m 200, cacheWrite1h 500, output 10 | (300×0.2 + 200×0.25 + 500×0.5 + 10×1.2)/1e6 | 0.000372
  a model newer than the bundle | gpt-6.1-sol | 2026-11-02 | - | input 1000, cacheRead 800, output 100 | (200×2 + 800×0.1 + 100×10)/1e6 | 0.00148
  the long prompt of a newer model | gpt-6.1-sol | 2026-11-02 | - | input 272001, cacheRead 272000, output 100 | (1×4 + 272000×0.2 + 100×15)/1e6 | 0.055904
  a dated snapshot of a known model | gpt-4.1-2026-10-01 | 2026-11-02 | - | input 1000, output 1000 | (1000×2 + 1000×8)/1e6 | 0.01
  a dated snapshot by its pattern | gpt-5-nano-2025-08-07 | 2026-11-02 | - | input 1000000, output 1 | (1000000×0.05 + 1×0.4)/1e6 | 0.0500004
  an answer that names its snapshot oddly | gpt-3.5-turbo-instruct:20230824-v2 | 2026-11-02 | - | input 1000, output 1000 | (1000×1.5 + 1000×2)/1e6 | 0.0035
  embeddings | text-embedding-3-large | 2026-11-02 | - | input 1234 | 1234×0.13/1e6 | 0.00016042
  moderation | omni-moderation-latest | 2026-11-02 | - | input 12 | charged nothing | free
  a snapshot older than those known | gpt-4o-2024-06-01 | 2026-11-02 | - | input 1000 | no such snapshot was ever listed | unpriced
  a newer model that begins like a known one | gpt-4o-realtime-3 | 2026-11-02 | - | input 1000 | another model than gpt-4o-realtime | unpriced
  a variant of a known model | gpt-5-nano-turbo | 2026-11-02 | - | input 1000 | another model than gpt-5-nano | unpriced
  an unknown model | gpt-99 | 2026-11-02 | - | input 1000, output 1000 | not on any list | unpriced
  output where only input has a price | text-embedding-3-small | 2026-11-02 | - | input 1, output 1 | embeddings have no output | unpriced
  more cached than there was | gpt-4o | 2026-11-02 | - | input 10, cacheRead 11 | the counts contradict each other | unpriced
  a chat that searches, whose fee is not reported | gpt-4o-search-preview | 2026-11-02 | - | input 1000, output 10 | (1000×2.5 + 10×10)/1e6 + 0.025 | 0.0276
`,
)

export const openaiTiers = readRows(
  {
    provider: 'openai',
    source: 'developers.openai.com/api/docs/pricing, openai.com/api-fast-mode',
  },
  `
  flex, with a cache | gpt-5 | 2026-11-02 | flex | input 1000, cacheRead 500, output 100 | (500×0.625 + 500×0.0625 + 100×5)/1e6 | 0.00084375
  flex of an older model | o3 | 2026-11-02 | flex | input 1000, cacheRead 400, output 100 | (600×1 + 400×0.25 + 100×4)/1e6 | 0.0011
  flex of a long prompt | gpt-5.4 | 2026-11-02 | flex | input 272001, output 100 | (272001×2.5 + 100×11.25)/1e6 | 0.6811275
  a batch | gpt-5-mini | 2026-11-02 | batch | input 1000, cacheRead 500, output 100 | (500×0.125 + 500×0.0125 + 100×1)/1e6 | 0.00016875
  a batch of a model whose cached input costs half anyway | gpt-4o | 2026-11-02 | batch | input 1000, cacheRead 500, output 100 | (1000×1.25 + 100×5)/1e6 | 0.00175
  a batch of a model that caches nothing in batches | gpt-4.1 | 2026-11-02 | batch | input 1000, cacheRead 500, output 100 | (1000×1 + 100×4)/1e6 | 0.0014
  the same of o3 | o3 | 2026-11-02 | batch | input 1000, cacheRead 500, output 100 | (1000×1 + 100×4)/1e6 | 0.0014
  a batch of embeddings | text-embedding-3-large | 2026-11-02 | batch | input 1000 | 1000×0.065/1e6 | 0.000065
  a batch that is no cheaper | gpt-3.5-turbo-1106 | 2026-11-02 | batch | input 1000, output 1000 | (1000×1 + 1000×2)/1e6 | 0.003
  priority at twice the price | gpt-5 | 2026-11-02 | priority | input 1000, cacheRead 500, output 100 | (500×2.5 + 500×0.25 + 100×20)/1e6 | 0.003375
  priority at 1.8 times | gpt-5-mini | 2026-11-02 | priority | input 1000, cacheRead 500, output 100 | (500×0.45 + 500×0.045 + 100×3.6)/1e6 | 0.0006075
  priority at 1.75 times | gpt-4.1 | 2026-11-02 | priority | input 1000, cacheRead 200, output 100 | (800×3.5 + 200×0.875 + 100×14)/1e6 | 0.004375
  priority at 1.7 times | gpt-4o | 2026-11-02 | priority | input 1000, cacheRead 200, output 100 | (800×4.25 + 200×2.125 + 100×17)/1e6 | 0.005525
  priority at 2.5 times | gpt-5.5 | 2026-11-02 | priority | input 1000, cacheRead 200, output 100 | (800×12.5 + 200×1.25 + 100×75)/1e6 | 0.01775
  priority that is no round multiple | gpt-4o-mini | 2026-11-02 | priority | input 1000, cacheRead 200, output 100 | (800×0.25 + 200×0.125 + 100×1)/1e6 | 0.000325
  another that is none | o4-mini | 2026-11-02 | priority | input 1000, cacheRead 200, output 100 | (800×2 + 200×0.5 + 100×8)/1e6 | 0.0025
  priority before a cut | gpt-5.6-sol | 2026-08-20 | priority | input 1000, cacheWrite5m 200, output 100 | (800×10 + 200×12.5 + 100×60)/1e6 | 0.0165
  what priority is called now, after it | gpt-5.6-sol | 2026-11-02 | fast | input 1000, cacheWrite5m 200, output 100 | (800×8 + 200×10 + 100×40)/1e6 | 0.0124
  fast and long | gpt-5.6-sol | 2026-11-02 | fast | input 272001, output 1000 | (272001×16 + 1000×60)/1e6 | 4.412016
  fast, newer than the bundle | gpt-6.1-sol | 2026-11-02 | fast | input 1000, cacheRead 800, output 100 | (200×4 + 800×0.2 + 100×20)/1e6 | 0.00296
  the ordinary tier by its name | gpt-5 | 2026-11-02 | default | input 1000 | 1000×1.25/1e6 | 0.00125
  priority where it is not sold | gpt-5-nano | 2026-11-02 | priority | input 1000 | not on the list of that tier | unpriced
  capacity that is paid for in advance | gpt-5 | 2026-11-02 | scale | input 1000 | no price a token | unpriced
`,
)

export const openaiPerUnit = readRows(
  { provider: 'openai', source: 'developers.openai.com/api/docs/pricing' },
  `
  searches of the web | gpt-4o | 2026-11-02 | - | input 1000, web_search 2 | 1000×2.5/1e6 + 2×10/1000 | 0.0225
  searches by the preview | gpt-4.1 | 2026-11-02 | - | input 1000, web_search_preview 2 | 1000×2/1e6 + 2×25/1000 | 0.052
  searches by the preview, of a model that is not on the page | gpt-4.5-preview | 2026-11-02 | - | input 1000, web_search_preview 1 | no fee is known | unpriced
  searches of files | gpt-4.1 | 2026-11-02 | - | input 1000, file_search 3 | 1000×2/1e6 + 3×2.5/1000 | 0.0095
  containers for code | gpt-5 | 2026-11-02 | - | input 1000, output 10, code_interpreter 2 | (1000×1.25 + 10×10)/1e6 + 2×0.03 | 0.06135
  a search by a model of which the bundle knows no fee | gpt-5.3 | 2026-11-02 | - | input 100, web_search 1 | 100×1.75/1e6 + 10/1000 | 0.010175
  searches are no cheaper in flex | gpt-5 | 2026-11-02 | flex | input 1000, web_search 1 | 1000×0.625/1e6 + 10/1000 | 0.010625
  searches alone | gpt-4o | 2026-11-02 | - | web_search 2 | 2×10/1000 | 0.02
  an unknown tool | gpt-4o | 2026-11-02 | - | input 1000, teleport 1 | no fee is known | unpriced
  images by another model, whose tokens were not reported | gpt-5 | 2026-11-02 | - | input 1000, image_generation 1 | depends on size and quality | unpriced
  audio and text, in and out | gpt-audio | 2026-11-02 | - | input 100, inputAudio 80, output 100, outputAudio 90 | (20×2.5 + 80×32 + 10×10 + 90×64)/1e6 | 0.00847
  the preview's audio, which the bundle prices as text | gpt-4o-audio-preview | 2026-11-02 | - | input 100, inputAudio 80, output 50, outputAudio 40 | (20×2.5 + 80×40 + 10×10 + 40×80)/1e6 | 0.00655
  the small preview's audio | gpt-4o-mini-audio-preview-2024-12-17 | 2026-11-02 | - | input 100, inputAudio 80 | (20×0.15 + 80×10)/1e6 | 0.000803
  the first preview, more expensive at an unknown price | gpt-4o-audio-preview-2024-10-01 | 2026-11-02 | - | input 100, inputAudio 80 | no longer on the list | unpriced
  cached and audio at once | gpt-realtime | 2026-11-02 | - | input 100, cacheRead 60, inputAudio 80 | (60×0.4 + 40×32)/1e6 | 0.001304
  cached sound and pictures, each at its own rate | gpt-realtime-mini | 2026-11-02 | - | input 100, cacheRead 60, cacheReadAudio 30, cacheReadImage 20 | (40×0.6 + 10×0.06 + 30×0.3 + 20×0.08)/1e6 | 0.0000352
  more sound in the cache than was cached | gpt-realtime-mini | 2026-11-02 | - | input 100, cacheRead 60, cacheReadAudio 61 | the counts contradict each other | unpriced
  pictures in a session | gpt-realtime | 2026-11-02 | - | input 100, inputImage 50, output 10, outputAudio 10 | (50×4 + 50×5 + 10×64)/1e6 | 0.00109
  an image made of an image | gpt-image-1 | 2026-11-02 | - | input 50, inputImage 40, output 1000, outputImage 1000 | (10×5 + 40×10 + 1000×40)/1e6 | 0.04045
  an image and words about it | gpt-image-1.5 | 2026-11-02 | - | input 50, output 1100, outputImage 1000 | (50×5 + 100×10 + 1000×32)/1e6 | 0.03325
  a transcription by tokens | gpt-4o-transcribe | 2026-11-02 | - | input 100, inputAudio 90, output 20 | (10×2.5 + 90×6 + 20×10)/1e6 | 0.000765
  a transcription by the minute | whisper-1 | 2026-11-02 | - | audio_ms 90000 | 90×0.006/60 | 0.009
  a single second of it | whisper-1 | 2026-11-02 | - | audio_ms 1000 | 0.006/60 | 0.0001
  a transcription while it is spoken | gpt-realtime-whisper | 2026-11-02 | - | audio_ms 60000 | 0.017 | 0.017
  a conversation by its length | gpt-live-1 | 2026-11-02 | - | session_ms 90000 | 90×3/3600 | 0.075
  a voice by its tokens, under a dated name | gpt-4o-mini-tts-2025-12-15 | 2026-11-02 | - | input 14, output 101 | (14×0.6 + 101×12)/1e6 | 0.0012204
  a newer transcription by the minute | gpt-transcribe | 2026-11-02 | - | audio_ms 61000 | 61×0.27/3600 | 0.004575
  tokens of a model that is billed by time | whisper-1 | 2026-11-02 | - | input 10 | the time is missing | unpriced
  a video by the second | sora-2 | 2026-11-02 | - | video_ms 8000 | 8×0.1 | 0.8
  a video whose price depends on its size | sora-2-pro | 2026-11-02 | - | video_ms 8000 | the size is not known | unpriced
  a large video | sora-2-pro-2025-10-06 | 2026-11-02 | - | video_1024x1792_ms 12000 | 12×0.5 | 6
  images per unit, whose price depends on their size | dall-e-3 | 2026-11-02 | - | image 1 | the size is not known | unpriced
  images whose size is known | dall-e-3 | 2026-11-02 | - | image_hd_1792x1024 2 | 2×0.12 | 0.24
  speech by the character | tts-1-hd-1106 | 2026-11-02 | - | character 4096 | 4096×30/1e6 | 0.12288
`,
)

export const openaiFineTuned = readRows(
  { provider: 'openai', source: 'developers.openai.com/api/docs/pricing, fine-tuning' },
  `
  fine-tuned, with a cache | ft:gpt-4o-2024-08-06:acme::abc | 2026-11-02 | - | input 1000, cacheRead 400, output 100 | (600×3.75 + 400×1.875 + 100×15)/1e6 | 0.0045
  fine-tuned and named | ft:gpt-4o-mini-2024-07-18:acme:tone:abc | 2026-11-02 | - | input 1000, output 100 | (1000×0.3 + 100×1.2)/1e6 | 0.00042
  fine-tuned, which the bundle lacks | ft:gpt-4.1-2025-04-14:acme::abc | 2026-11-02 | - | input 1000, cacheRead 400, output 100 | (600×3 + 400×0.75 + 100×12)/1e6 | 0.0033
  the small one in a batch | ft:gpt-4.1-mini-2025-04-14:acme::abc | 2026-11-02 | batch | input 1000, output 100 | (1000×0.4 + 100×1.6)/1e6 | 0.00056
  a batch that is not half | ft:gpt-4o-2024-08-06:acme::abc | 2026-11-02 | batch | input 1000, cacheRead 400, output 100 | (600×2.225 + 400×0.9 + 100×12.5)/1e6 | 0.002945
  an old one | ft:gpt-3.5-turbo-0125:acme::abc | 2026-11-02 | - | input 1000, output 100 | (1000×3 + 100×6)/1e6 | 0.0036
  fine-tuned is not its base | ft:gpt-5:acme::abc | 2026-11-02 | - | input 1000 | not on the list | unpriced
  cheaper when sharing data | ft:o4-mini-2025-04-16:acme::abc | 2026-11-02 | - | input 1000 | a call does not say who does | unpriced
`,
)

export const azure = readRows(
  { provider: 'azure', source: 'azure.microsoft.com/pricing/details/azure-openai' },
  `
  a model of OpenAI | gpt-4o | 2026-11-02 | - | input 1000, output 500 | (1000×2.5 + 500×10)/1e6 | 0.0075
  an older one, cached | o3-mini | 2026-11-02 | - | input 1000, cacheRead 500, output 100 | (500×1.1 + 500×0.55 + 100×4.4)/1e6 | 0.001265
  embeddings | text-embedding-ada-002 | 2026-11-02 | - | input 1000 | 1000×0.1/1e6 | 0.0001
  a model of its own | phi-4 | 2026-11-02 | - | input 1000, output 1000 | (1000×0.125 + 1000×0.5)/1e6 | 0.000625
  a batch | gpt-4o-mini | 2026-11-02 | batch | input 1000, output 100 | (1000×0.075 + 100×0.3)/1e6 | 0.000105
  flex | gpt-5 | 2026-11-02 | flex | input 1000, output 100 | (1000×0.625 + 100×5)/1e6 | 0.001125
  audio of the preview | gpt-4o-audio-preview | 2026-11-02 | - | input 100, inputAudio 80 | (20×2.5 + 80×40)/1e6 | 0.00325
  priority | gpt-5 | 2026-11-02 | priority | input 1000, output 100 | (1000×2.5 + 100×20)/1e6 | 0.0045
  a search of its own | gpt-4o | 2026-11-02 | - | input 1000, web_search 1 | not OpenAI's fee | unpriced
  a deployment whose model was not reported | our-assistant | 2026-11-02 | - | input 1000 | the label says nothing | unpriced
`,
)
