// What is billed by the second: sound that is written down, and films. Figures are worked out by
// hand, in USD; "LiteLLM" is its price map 1.108.4, "genai" the data of genai-prices 0.2.1.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { recordAnswer } from '../fakes/one-answer.ts'
import type { Answered } from '../fakes/one-answer.ts'

interface Row {
  readonly title: string
  readonly answered: Answered
  readonly units: Readonly<Record<string, number>>
  readonly cost: string | null
}

function transcribe(provider: string, model: string, answer: object): Answered {
  const path = provider === 'groq' ? '/openai/v1/audio/transcriptions' : '/v1/audio/transcriptions'
  const field = `--reed\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n--reed--\r\n`
  return {
    provider,
    path,
    request: Buffer.from(field),
    requestType: 'multipart/form-data; boundary=reed',
    body: JSON.stringify({ text: 'Ister', ...answer }),
  }
}

// genai, per hour: whisper-1 0.36, gpt-transcribe 0.27, whisper-large-v3-turbo 0.04 at Groq,
// voxtral-mini-2602 0.18. Groq bills at least ten seconds a call:
// console.groq.com/docs/speech-to-text.
const SOUND: readonly Row[] = [
  {
    title: 'seconds that the usage rounds up: 30 × 0.36 / 3600',
    answered: transcribe('openai', 'whisper-1', { usage: { type: 'duration', seconds: 30 } }),
    units: { audio_ms: 30_000 },
    cost: '0.003',
  },
  {
    title: 'the length of the recording: 8.5 × 0.36 / 3600',
    answered: transcribe('openai', 'whisper-1', { duration: 8.5, segments: [] }),
    units: { audio_ms: 8500 },
    cost: '0.00085',
  },
  {
    title: 'twelve seconds: 12 × 0.04 / 3600',
    answered: transcribe('groq', 'whisper-large-v3-turbo', {
      duration: 12,
      x_groq: { id: 'req_1' },
    }),
    units: { audio_ms: 12_000 },
    cost: '0.000133333333',
  },
  {
    title: 'three seconds, billed as ten: 10 × 0.04 / 3600',
    answered: transcribe('groq', 'whisper-large-v3-turbo', {
      duration: 3.2,
      x_groq: { id: 'req_1' },
    }),
    units: { audio_ms: 10_000 },
    cost: '0.000111111111',
  },
  {
    title: 'no length at all',
    answered: transcribe('groq', 'whisper-large-v3-turbo', { x_groq: { id: 'req_1' } }),
    units: {},
    cost: null,
  },
  {
    title: 'seconds beside tokens that are not billed: 60 × 0.18 / 3600',
    answered: transcribe('mistral', 'voxtral-mini-2602', {
      model: 'voxtral-mini-2602',
      usage: {
        prompt_audio_seconds: 60,
        prompt_tokens: 0,
        completion_tokens: 0,
        total_tokens: 800,
      },
    }),
    units: { audio_ms: 60_000 },
    cost: '0.003',
  },
]

function video(model: string, size: string, seconds: string): Answered {
  return {
    provider: 'openai',
    path: '/v1/videos/video_1',
    method: 'GET',
    request: Buffer.alloc(0),
    body: JSON.stringify({
      id: 'video_1',
      object: 'video',
      status: 'completed',
      model,
      size,
      seconds,
    }),
  }
}

// OpenAI and LiteLLM, per second: sora-2 0.10; sora-2-pro 0.30, and 0.50 in 1024 × 1792.
const FILMS: readonly Row[] = [
  {
    title: 'a film of eight seconds: 8 × 0.1',
    answered: video('sora-2', '1280x720', '8'),
    units: { video_ms: 8000 },
    cost: '0.8',
  },
  {
    title: 'a better one: 8 × 0.3',
    answered: video('sora-2-pro', '720x1280', '8'),
    units: { video_720x1280_ms: 8000 },
    cost: '2.4',
  },
  {
    title: 'a larger one: 8 × 0.5',
    answered: video('sora-2-pro', '1792x1024', '8'),
    units: { video_1792x1024_ms: 8000 },
    cost: '4',
  },
  {
    title: 'one in a size without a known price',
    answered: video('sora-2-pro', '1920x1080', '8'),
    units: { video_ms: 8000 },
    cost: null,
  },
]

for (const { title, answered, units, cost } of [...SOUND, ...FILMS]) {
  test(`${answered.provider}: ${title}`, async (t) => {
    const recorded = await recordAnswer(t, answered)
    assert.deepEqual(recorded.event.toolCalls, units)
    assert.equal(recorded.cost, cost)
  })
}
