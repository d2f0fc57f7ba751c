// One immutable, versioned record of one call, which all rooms share. Facts only; prices come
// later, so repricing never rewrites what happened. Only the proxy creates it.

import type { CallAgent } from './agents/call-agent.ts'
import { assert } from './assert.ts'
import { parseMoney } from './money.ts'
import type { Money } from './money.ts'
import type { TokenCounts } from './token-counts.ts'

export const USAGE_EVENT_VERSION = 1

/**
 * delivered    the whole response reached the caller
 * refused      the provider answered with an error status
 * aborted      the caller left before the end
 * cut          the upstream broke off before the end
 * interrupted  the process died while the call ran
 * denied       Weir refused it; nothing was forwarded and it counts in no figure
 */
export type CallStatus = 'delivered' | 'refused' | 'aborted' | 'cut' | 'interrupted' | 'denied'

/**
 * reported   the provider said what was used
 * partial    some of it is known: the call ended early, a count was unreadable or beyond the text
 * estimated  counted from the text by a tokenizer, or as the request asked for it
 * none       nothing is known
 */
export type UsageKnowledge = 'reported' | 'partial' | 'estimated' | 'none'

/** What the provider itself stated about money, if anything. Absence is not zero. */
export interface ReportedBilling {
  readonly cost: Money | null
  readonly marketCost: Money | null
  readonly isByok: boolean | null
  readonly generationId: string | null
  /** Absent where the gateway said it, and in events from before this was noted. */
  readonly statedBy?: 'provider' | undefined
  /** A subscription pays for it: nothing is charged, and the market cost is the list price. */
  readonly isPlan?: true | undefined
  /** A market cost was stated that no call can have: it is null, as if it were absent. */
  readonly isMarketCostAbsurd?: true | undefined
}

// A million dollars. More is an upstream's mistake, which would make every sum worthless or not fit
// the store.
export const CALL_COST_MAX = 1_000_000n * 10n ** 12n

/**
 * For whoever sums: figures beyond their bound count as absent. A stated cost stays in the event,
 * since pricing judges it and says why the cost is unknown.
 */
export function toBoundedEvent(event: UsageEvent): UsageEvent {
  const { billing } = event
  if (billing === null || billing.marketCost === null) return event
  if (billing.marketCost >= 0n && billing.marketCost <= CALL_COST_MAX) return event
  return { ...event, billing: { ...billing, marketCost: null, isMarketCostAbsurd: true } }
}

/** What one of several models used in one call: fallbacks, advisers, the lines of a batch. */
export interface UsageShare {
  /** Null: the call's own model. */
  readonly model: string | null
  readonly tokens: TokenCounts
  /** The largest input among its requests, if it has several: prices by prompt length use it. */
  readonly largestInput?: number
}

/** What is known when a request is forwarded; enough to account for it should the process die. */
export interface CallOpening {
  readonly version: typeof USAGE_EVENT_VERSION
  readonly id: string
  /** Null only on denied calls whose key is unknown. */
  readonly keyId: string | null
  readonly provider: string
  /** Which of the provider's operations this was; null for a path that no reader knows. */
  readonly operation: string | null
  readonly dims: Readonly<Record<string, string>>
  readonly startedAt: number
  /** The caller's span (wire/http/trace-parent.ts); absent without one, or without telemetry. */
  readonly trace?: string | undefined
  /** Absent where no coding agent said anything, or none of it is kept. */
  readonly agent?: CallAgent | undefined
}

export interface UsageEvent extends CallOpening {
  readonly requestedModel: string | null
  /** The model that ran, as the response names it; else the requested one. */
  readonly model: string | null
  readonly status: CallStatus
  readonly httpStatus: number | null
  /** Weir's own error code, where Weir answered or had to abort. */
  readonly errorCode: string | null
  readonly streamed: boolean
  readonly firstByteAt: number | null
  /** Decides the day and month of the call, so a closed month stays closed. */
  readonly endedAt: number
  readonly requestBytes: number
  readonly responseBytes: number
  /** False for calls that are not charged by their nature: model lists, stored objects, errors. */
  readonly chargeable: boolean
  readonly usage: UsageKnowledge
  readonly tokens: TokenCounts | null
  /** What is billed per unit, by kind: tool calls, images, ms of audio. `{ web_search: 2 }`. */
  readonly toolCalls: Readonly<Record<string, number>>
  /** The service tier that was served: it can change the price. */
  readonly serviceTier: string | null
  readonly billing: ReportedBilling | null
  /** Absent with one model; else `tokens` is the sum, and each share is priced as its own model. */
  readonly shares?: readonly UsageShare[] | undefined
  /** The stored object that the usage belongs to: however often it is read, it counts once. */
  readonly countedAs?: string | undefined
  /** The model that ran against the key's policy. */
  readonly violation?: string | undefined
  /**
   * What Weir added in microseconds, from the headers (or the body, where models are judged) to the
   * first bytes sent, without connecting or waiting for the caller. Absent where nothing was sent.
   */
  readonly ownMicros?: number | undefined
  /**
   * Where the provider processes the call, as its address, its model or the operator says: it can
   * change the price. Absent where nothing says it.
   */
  readonly region?: string | undefined
  /**
   * The provider's own code or type of an error: a token of at most 64 characters, never a text.
   * Absent where there was no error, or none with a code.
   */
  readonly providerError?: string | undefined
}

export const REGION_CHARACTERS_MAX = 40
const REGION = new RegExp(`^[a-z0-9-]{1,${REGION_CHARACTERS_MAX}}$`)

/** In lower case; null for what cannot be a region. A caller's path may name any. */
export function parseRegion(text: string): string | null {
  if (text.length > REGION_CHARACTERS_MAX) return null
  const region = text.toLowerCase()
  return REGION.test(region) ? region : null
}

/** A call whose process died. It ends when that is found, so a closed month stays closed. */
export function toInterruptedEvent(opening: CallOpening, foundAt: number): UsageEvent {
  return {
    ...opening,
    requestedModel: null,
    model: null,
    status: 'interrupted',
    httpStatus: null,
    errorCode: null,
    streamed: false,
    firstByteAt: null,
    endedAt: foundAt,
    requestBytes: 0,
    responseBytes: 0,
    chargeable: true,
    usage: 'none',
    tokens: null,
    toolCalls: {},
    serviceTier: null,
    billing: null,
  }
}

/** Reads what usage-event-text.ts wrote. For lines with a good checksum: asserts only. */
export function usageEventFromJson(json: unknown): UsageEvent {
  assert(typeof json === 'object' && json !== null, 'a usage event is an object')
  const event = json as Omit<UsageEvent, 'billing'> & { billing: JsonBilling | null }
  assert(event.version === USAGE_EVENT_VERSION, `usage event version ${String(event.version)}`)
  assert(typeof event.id === 'string' && typeof event.endedAt === 'number', 'a whole usage event')
  if (event.billing === null) return { ...event, billing: null }
  const { cost, marketCost, isByok, generationId, statedBy, isPlan } = event.billing
  const money = { cost: parseMoney(cost), marketCost: parseMoney(marketCost) }
  const billing = {
    ...money,
    isByok,
    generationId,
    ...(statedBy !== undefined && { statedBy }),
    ...(isPlan !== undefined && { isPlan }),
  }
  return { ...event, billing }
}

type JsonBilling = Omit<ReportedBilling, 'cost' | 'marketCost'> & {
  cost: string | null
  marketCost: string | null
}
