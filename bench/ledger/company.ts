// The calls of a company: 200 keys, 60 models, three dimensions with 2,000 values. A key belongs to
// one team and one app, serves a handful of users and mostly runs a few models; some keys are far
// busier than others. As the hostile case the same names drawn independently, which no company has.
// Every run makes the same names.

import { createRequestId } from '../../src/core/ids.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import { toInterruptedEvent } from '../../src/core/usage-event.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'

export type CallMix = 'company' | 'hostile'

export const KEYS = 200
export const MODELS = 60
const TEAMS = 50
const APPS = 450
const USERS = 1500
export const DIM_VALUES = TEAMS + APPS + USERS
const USERS_PER_KEY = 8
const PROVIDER = 'openai'
/** Three weeks for ten million calls, so that a month changes among them. */
const CALL_SPACING_MS = 200
const CALL_MS = 900

export interface CallOptions {
  readonly mix: CallMix
  readonly count: number
  /**
   * Which of the calls is the first: a later portion goes on in time where an earlier one ended.
   */
  readonly from: number
  readonly startMs: number
}

export function* createCalls({ mix, count, from, startMs }: CallOptions): Generator<UsageEvent> {
  const random = createRandom(20_261_015 + from)
  const draw = mix === 'company' ? createCompany(random) : createHostile(random)
  for (let index = from; index < from + count; index += 1) {
    const { key, model, dims } = draw()
    const endedAt = startMs + index * CALL_SPACING_MS
    const opening = {
      version: 1,
      id: createRequestId(endedAt - CALL_MS),
      keyId: `svc_k_${String(key).padStart(16, '0')}`,
      provider: PROVIDER,
      operation: 'openai-chat',
      dims,
      startedAt: endedAt - CALL_MS,
    } as const
    yield {
      ...toInterruptedEvent(opening, endedAt),
      status: 'delivered',
      usage: 'reported',
      requestedModel: model,
      model,
      httpStatus: 200,
      streamed: true,
      firstByteAt: endedAt - 500,
      requestBytes: 1200,
      responseBytes: 4000,
      tokens: createTokenCounts({
        input: 200 + random(4000),
        output: random(900),
        cacheRead: random(200),
      }),
      ownMicros: 80 + random(400),
    }
  }
}

interface Drawn {
  readonly key: number
  readonly model: string
  readonly dims: Readonly<Record<string, string>>
}

export type Random = (below: number) => number

function createCompany(random: Random): () => Drawn {
  const drawKey = createZipf(KEYS, 1)
  const drawModel = createZipf(MODELS, 2)
  const drawUser = createZipf(USERS_PER_KEY, 1)
  return () => {
    const key = drawKey(random)
    const team = `team-${key % TEAMS}`
    const app = `app-${(key * 7) % APPS}`
    const user = `user-${(key * USERS_PER_KEY + drawUser(random)) % USERS}`
    return { key, model: nameOf(key * 13 + drawModel(random)), dims: { team, app, user } }
  }
}

function createHostile(random: Random): () => Drawn {
  return () => {
    const team = `team-${random(TEAMS)}`
    const app = `app-${random(APPS)}`
    const user = `user-${random(USERS)}`
    return { key: random(KEYS), model: nameOf(random(MODELS)), dims: { team, app, user } }
  }
}

// Dated snapshots of two known models: all have a price, and all are names of their own.
const MODEL_NAMES = Array.from({ length: MODELS }, (_, index) => {
  const day = String(1 + (index % 28)).padStart(2, '0')
  const month = String(1 + Math.floor(index / 28)).padStart(2, '0')
  return `gpt-4.1${index % 2 === 0 ? '' : '-mini'}-2026-${month}-${day}`
})

function nameOf(model: number): string {
  return MODEL_NAMES[model % MODELS] as string
}

/**
 * The place of one of so many, the first drawn most often: its share falls with its place to the
 * power.
 */
function createZipf(count: number, power: number): (random: Random) => number {
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

/** A linear congruential generator: the same seed draws the same calls. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
