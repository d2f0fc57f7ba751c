// The calls of a company: 200 keys, 60 models, three dimensions with 2,000 values. A key belongs to
// one team and one app, serves a handful of users and mostly runs a few models; some keys are far
// busier than others. Every run makes the same names.

import { createRequestId } from '../../src/core/ids.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { sampleEvent } from '../../test/fakes/usage-samples.ts'
import { createRandom } from '../../test/torture/random.ts'
import type { Random } from '../../test/torture/random.ts'

export const KEYS = 200
export const MODELS = 60
const TEAMS = 50
const APPS = 450
const USERS = 1500
export const DIM_VALUES = TEAMS + APPS + USERS
const USERS_PER_KEY = 8
/** Of a company with many keys, where each of those above is a service with fifty. */
export const MANY_KEYS = 10_000
export const KEYS_OF_SERVICE = MANY_KEYS / KEYS
const PROVIDER = 'openai'
/** Three weeks for ten million calls, so that a month changes among them. */
const CALL_SPACING_MS = 200
const CALL_MS = 900

export interface CallOptions {
  readonly count: number
  /**
   * Which of the calls is the first: a later portion goes on in time where an earlier one ended.
   */
  readonly from: number
  readonly startMs: number
  /** Of a company with many keys: some far busier than others, or each call another one. */
  readonly manyKeys?: 'skewed' | 'in turn'
}

export function* createCalls(options: CallOptions): Generator<UsageEvent> {
  const { count, from, startMs, manyKeys } = options
  const random = createRandom(20_261_015 + from)
  const drawKey = createZipf(KEYS, 1)
  const drawModel = createZipf(MODELS, 2)
  const drawUser = createZipf(USERS_PER_KEY, 1)
  const drawOfService = createZipf(KEYS_OF_SERVICE, 1)
  const toKey = (key: number, index: number): number => {
    if (manyKeys === undefined) return key
    return manyKeys === 'in turn'
      ? index % MANY_KEYS
      : key * KEYS_OF_SERVICE + drawOfService(random)
  }
  for (let index = from; index < from + count; index += 1) {
    const key = drawKey(random)
    const team = `team-${key % TEAMS}`
    const app = `app-${(key * 7) % APPS}`
    const user = `user-${(key * USERS_PER_KEY + drawUser(random)) % USERS}`
    const model = MODEL_NAMES[(key * 13 + drawModel(random)) % MODELS] as string
    const endedAt = startMs + index * CALL_SPACING_MS
    yield sampleEvent({
      id: createRequestId(endedAt - CALL_MS),
      keyId: toKeyId(toKey(key, index)),
      provider: PROVIDER,
      operation: 'openai-chat',
      dims: { team, app, user },
      startedAt: endedAt - CALL_MS,
      firstByteAt: endedAt - 500,
      endedAt,
      usage: 'reported',
      requestedModel: model,
      model,
      streamed: true,
      requestBytes: 1200,
      responseBytes: 4000,
      tokens: createTokenCounts({
        input: 200 + random(4000),
        output: random(900),
        cacheRead: random(200),
      }),
      ownMicros: 80 + random(400),
    })
  }
}

export function toKeyId(key: number): string {
  return `svc_k_${String(key).padStart(16, '0')}`
}

// Dated snapshots of two known models: all have a price, and all are names of their own.
const MODEL_NAMES = Array.from({ length: MODELS }, (_, index) => {
  const day = String(1 + (index % 28)).padStart(2, '0')
  const month = String(1 + Math.floor(index / 28)).padStart(2, '0')
  return `gpt-4.1${index % 2 === 0 ? '' : '-mini'}-2026-${month}-${day}`
})

/**
 * The place of one of so many, the first drawn most often: its share falls with its place to the
 * power.
 */
export function createZipf(count: number, power: number): (random: Random) => number {
  const parts = 1 << 24
  const shares = Array.from({ length: count }, (_, place) => 1 / (place + 1) ** power)
  const whole = shares.reduce((sum, share) => sum + share)
  let upTo = 0
  const bounds = shares.map((share) => (upTo += (share / whole) * parts))
  return (random) => {
    const drawn = random(parts)
    const place = bounds.findIndex((bound) => drawn < bound)
    return place === -1 ? count - 1 : place
  }
}
