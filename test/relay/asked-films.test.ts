// Veo answers with the name of a job, and nothing that passes later says how long a film is: what
// was asked for is counted when the job is taken, and marked as an estimate. Figures are worked out
// by hand, in USD a second by LiteLLM's price map 1.108.4: veo-3.1-generate 0.40, in 4k 0.60;
// veo-3.1-fast 0.10, in 1080p 0.12; veo-2.0 on Vertex 0.50.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { recordAnswer } from '../fakes/one-answer.ts'
import type { Answered } from '../fakes/one-answer.ts'

interface Row {
  readonly title: string
  readonly answered: Answered
  readonly units: Readonly<Record<string, number>>
  readonly usage: 'estimated' | 'none'
  readonly cost: string | null
}

function veo(model: string, parameters: object, provider = 'google'): Answered {
  const place =
    provider === 'vertex' ? '/v1/projects/p/locations/global/publishers/google' : '/v1beta'
  return {
    provider,
    path: `${place}/models/${model}:predictLongRunning`,
    request: { instances: [{ prompt: 'A river.' }], parameters },
    body: JSON.stringify({ name: `models/${model}/operations/o1` }),
  }
}

const ROWS: readonly Row[] = [
  {
    title: 'eight seconds: 8 × 0.4',
    answered: veo('veo-3.1-generate-preview', { durationSeconds: 8 }),
    units: { video_ms: 8000 },
    usage: 'estimated',
    cost: '3.2',
  },
  {
    title: 'two films of four seconds in 1080p: 2 × 4 × 0.12',
    answered: veo('veo-3.1-fast-generate-preview', {
      durationSeconds: '4',
      sampleCount: 2,
      resolution: '1080p',
    }),
    units: { video_1080p_ms: 8000 },
    usage: 'estimated',
    cost: '0.96',
  },
  {
    title: 'six seconds in 4k: 6 × 0.6',
    answered: veo('veo-3.1-generate-001', { durationSeconds: 6, resolution: '4k' }),
    units: { video_4k_ms: 6000 },
    usage: 'estimated',
    cost: '3.6',
  },
  {
    title: 'two films of five seconds: 2 × 5 × 0.5',
    answered: veo('veo-2.0-generate-001', { durationSeconds: 5, sampleCount: 2 }, 'vertex'),
    units: { video_ms: 10_000 },
    usage: 'estimated',
    cost: '5',
  },
  {
    title: 'without sound, at a price that is not known',
    answered: veo(
      'veo-3.1-generate-001',
      { durationSeconds: 8, sampleCount: 1, generateAudio: false },
      'vertex',
    ),
    units: { video_silent_ms: 8000 },
    usage: 'estimated',
    cost: null,
  },
  {
    title: 'a length that was not asked for',
    answered: veo('veo-3.1-generate-preview', {}),
    units: {},
    usage: 'none',
    cost: null,
  },
  {
    title: 'as many films as the service likes',
    answered: veo('veo-2.0-generate-001', { durationSeconds: 5 }, 'vertex'),
    units: {},
    usage: 'none',
    cost: null,
  },
  {
    title: 'a job that was refused',
    answered: {
      ...veo('veo-3.1-generate-preview', { durationSeconds: 8 }),
      status: 400,
      body: '{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}',
    },
    units: {},
    usage: 'none',
    cost: '0',
  },
]

for (const { title, answered, units, usage, cost } of ROWS) {
  test(`${answered.provider}: ${title}`, async (t) => {
    const recorded = await recordAnswer(t, answered)
    assert.deepEqual(recorded.event.toolCalls, units)
    assert.equal(recorded.event.usage, usage)
    assert.equal(recorded.cost, cost)
  })
}
