// The calls of one day of the company, drawn by a seeded random. Must stay true: a day depends only
// on the plan and its number, so that a history that was interrupted, or is a week old, continues
// as if it had been made at once.

import { createTokenCounts } from '../src/core/token-counts.ts'
import type { TokenCounts } from '../src/core/token-counts.ts'
import { toInterruptedEvent } from '../src/core/usage-event.ts'
import type { ReportedBilling, UsageEvent } from '../src/core/usage-event.ts'
import { KEYS, WORKLOADS } from './company.ts'
import type { DemoKey, KeyHandle, Rhythm, Workload } from './company.ts'
import { createRandom, drawRequestId, drawSize } from './random.ts'
import type { Random } from './random.ts'

export const DAY_MS = 86_400_000
export const YEAR_DAYS = 365

export interface HistoryPlan {
  readonly seed: number
  /** Days since the epoch; the history is a year old when YEAR_DAYS more have passed. */
  readonly firstDay: number
  /** About as many in the first year. */
  readonly calls: number
  readonly keyIds: Readonly<Record<KeyHandle, string>>
  /** Whose a key's calls are, by its id: what the proxy adds to their dimensions. */
  readonly facts: ReadonlyMap<string, UsageEvent['dims']>
}

const GROWTH = 6
const WEEKEND: Readonly<Record<Rhythm, number>> = { office: 0.2, night: 1, always: 0.6 }
/** How long before the month in which the plan's year ends they begin: still within its trend. */
const RUNAWAY_DAYS_BEFORE = 5
const RUNAWAY_DAYS = 3
const RUNAWAY_TIMES = 20
const RUNAWAY_KEY: KeyHandle = 'enrichment'
/** The share of an average day, for all rhythms about the same. */
const WEEK_MEAN = 0.85

/** In the order in which they ended. */
export function drawDay(plan: HistoryPlan, day: number): UsageEvent[] {
  const random = createRandom(plan.seed ^ Math.imul(day, 0x9e3779b1))
  const events: UsageEvent[] = []
  for (const workload of WORKLOADS) {
    const mean = meanCalls(plan, workload, day)
    const count = Math.floor(mean * (0.85 + 0.3 * random()) + random())
    for (let index = 0; index < count; index += 1) {
      events.push(drawCall({ plan, workload, day, random }))
    }
  }
  return events.sort((a, b) => a.endedAt - b.endedAt)
}

/** 0 at the start of the year, 1 at its end and later. */
export function progressOf({ firstDay }: Pick<HistoryPlan, 'firstDay'>, day: number): number {
  return Math.min(1, Math.max(0, (day - firstDay) / YEAR_DAYS))
}

export function isRunaway({ firstDay }: Pick<HistoryPlan, 'firstDay'>, day: number): boolean {
  const end = new Date((firstDay + YEAR_DAYS) * DAY_MS)
  const monthStart = Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 1) / DAY_MS
  const from = monthStart - RUNAWAY_DAYS_BEFORE
  return day >= from && day < from + RUNAWAY_DAYS
}

const WEIGHTS = WORKLOADS.reduce((sum, { weight }) => sum + weight, 0)
/** The mean over the year of what grows evenly to GROWTH times. */
const GROWTH_MEAN = (GROWTH - 1) / Math.log(GROWTH)

function meanCalls(plan: HistoryPlan, workload: Workload, day: number): number {
  const progress = progressOf(plan, day)
  const { madeAt = 0, revokedAt = Infinity }: DemoKey = KEYS[workload.key]
  const begins = Math.max(madeAt, workload.steps[0]?.from ?? 0)
  if (progress < begins || progress >= revokedAt) return 0
  const usual = (plan.calls / YEAR_DAYS) * (workload.weight / WEIGHTS)
  const grown = (usual * GROWTH ** progress) / GROWTH_MEAN / WEEK_MEAN
  const times = workload.key === RUNAWAY_KEY && isRunaway(plan, day) ? RUNAWAY_TIMES : 1
  return grown * times * (isWeekend(day) ? WEEKEND[workload.rhythm] : 1)
}

/** The epoch was a Thursday. */
export function isWeekend(day: number): boolean {
  return (day + 4) % 7 === 6 || (day + 4) % 7 === 0
}

interface CallDraw {
  readonly plan: HistoryPlan
  readonly workload: Workload
  readonly day: number
  readonly random: Random
}

function drawCall({ plan, workload, day, random }: CallDraw): UsageEvent {
  const progress = progressOf(plan, day)
  const model = workload.steps.findLast(({ from }) => progress >= from)?.model as string
  const streamed = random() < (workload.streamed ?? 0)
  const tokens = drawTokens(workload, random)
  const waitMs = Math.round(180 + random() * 700)
  const writeMs = Math.round(tokens.output * (6 + random() * 8))
  const endedAt = day * DAY_MS + Math.floor(drawHour(workload.rhythm, random) * 3_600_000)
  const startedAt = endedAt - waitMs - writeMs
  const keyId = plan.keyIds[workload.key]
  const opening = {
    version: 1,
    id: drawRequestId(random, startedAt),
    keyId,
    provider: workload.provider,
    operation: workload.operation,
    dims: { ...workload.dims, ...plan.facts.get(keyId) },
    startedAt,
  } as const
  const whole: UsageEvent = {
    ...toInterruptedEvent(opening, endedAt),
    status: 'delivered',
    usage: 'reported',
    requestedModel: model,
    model,
    httpStatus: 200,
    streamed,
    firstByteAt: streamed ? startedAt + waitMs : endedAt - 1,
    requestBytes: 400 + tokens.input * 4,
    responseBytes: 600 + tokens.output * (streamed ? 60 : 5),
    tokens,
    billing: workload.provider === 'gateway' ? openBilling(workload, opening.id) : null,
    ownMicros: Math.round(150 + random() * 450),
  }
  return drawFate(whole, workload, random)
}

/** What was charged is stated when the call is priced. */
function openBilling({ isByok = false }: Workload, id: string): ReportedBilling {
  const generationId = `gen_${id.replaceAll('-', '').slice(0, 26).toUpperCase()}`
  return { cost: null, marketCost: null, isByok, generationId }
}

function drawTokens({ input, output, cached, reasoned }: Workload, random: Random): TokenCounts {
  const inputTokens = drawSize(random, input)
  const outputTokens = output === 0 ? 0 : drawSize(random, output)
  const part = (share: number | undefined): number =>
    share === undefined ? 0 : Math.min(0.97, share * (0.7 + 0.6 * random()))
  return createTokenCounts({
    input: inputTokens,
    output: outputTokens,
    cacheRead: Math.floor(inputTokens * part(cached)),
    reasoning: Math.floor(outputTokens * part(reasoned)),
  })
}

/** Hours in UTC: most people are in Europe, some in America, and jobs run at night. */
function drawHour(rhythm: Rhythm, random: Random): number {
  if (rhythm === 'night') return 1 + random() * 3.5
  const isAnyTime = random() < (rhythm === 'always' ? 0.35 : 0.06)
  return isAnyTime ? random() * 24 : 6 + (random() + random()) * 7.5
}

const NOTHING = { tokens: null, usage: 'none', chargeable: false, billing: null } as const

/**
 * Most calls succeed. A refused call is not charged; one that the caller leaves is charged in part.
 */
function drawFate(event: UsageEvent, { key, provider }: Workload, random: Random): UsageEvent {
  const drawn = random()
  if (key === 'sandbox' && drawn < 0.15) {
    return { ...event, ...NOTHING, ...DENIED, endedAt: event.startedAt + 2 }
  }
  if (drawn < 0.012) {
    const status = provider === 'anthropic' ? 529 : random() < 0.7 ? 429 : 500
    const providerError = PROVIDER_ERRORS[status]
    const refused = { status: 'refused', httpStatus: status, providerError } as const
    return { ...event, ...NOTHING, ...refused, responseBytes: 210, streamed: false }
  }
  if (!event.streamed) return event
  if (drawn < 0.022) return { ...event, status: 'aborted', usage: 'partial' }
  if (drawn < 0.026) return { ...event, status: 'cut', errorCode: 'upstream_cut', usage: 'partial' }
  // OpenAI's streams report usage only where the caller asks for it.
  const isUntold = provider === 'openai' && drawn < 0.07
  return isUntold ? { ...event, usage: 'estimated' } : event
}

const PROVIDER_ERRORS: Readonly<Record<number, string>> = {
  429: 'rate_limit_exceeded',
  500: 'server_error',
  529: 'overloaded_error',
}

const DENIED = {
  status: 'denied',
  httpStatus: 403,
  errorCode: 'model_not_allowed',
  requestedModel: 'gpt-5.5',
  model: 'gpt-5.5',
  streamed: false,
  firstByteAt: null,
  responseBytes: 0,
  // Nothing was sent.
  ownMicros: undefined,
} as const
