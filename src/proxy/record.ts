// Makes the one usage event of a call and hands it to the journal. Nobody else makes usage events.

import { toInterruptedEvent } from '../core/usage-event.ts'
import type { CallOpening, CallStatus, UsageEvent, UsageKnowledge } from '../core/usage-event.ts'
import type { Reading } from '../providers/provider.ts'
import type { Refusal } from './refusal.ts'
import type { Tapped } from './tap.ts'

/** How a call went, as the relay saw it. */
export interface CallOutcome {
  readonly status: 'delivered' | 'aborted' | 'cut'
  /** See isChargeable. */
  readonly chargeable: boolean
  /** Null when no response head came. */
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly streamed: boolean
  readonly firstByteAt: number | null
  readonly endedAt: number
  readonly requestBytes: number
  readonly responseBytes: number
}

/** In `errorCode`: the provider reported an error inside a successful response. */
const PROVIDER_ERROR = 'provider_error'

const FREE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

export function toUsageEvent(
  opening: CallOpening,
  outcome: CallOutcome,
  tapped: Tapped,
): UsageEvent {
  const { reading, requestedModel } = tapped
  // Written out: an object spread together from parts takes three times as long to turn into a line.
  return {
    version: opening.version,
    id: opening.id,
    keyId: opening.keyId,
    provider: opening.provider,
    operation: opening.operation,
    dims: opening.dims,
    startedAt: opening.startedAt,
    requestedModel,
    model: reading?.model ?? requestedModel,
    status: toStatus(outcome),
    httpStatus: outcome.httpStatus,
    errorCode: outcome.errorCode ?? (reading?.hasError === true ? PROVIDER_ERROR : null),
    streamed: outcome.streamed,
    firstByteAt: outcome.firstByteAt,
    endedAt: outcome.endedAt,
    requestBytes: outcome.requestBytes,
    responseBytes: outcome.responseBytes,
    chargeable: outcome.chargeable,
    usage: toKnowledge(reading),
    tokens: reading?.tokens ?? null,
    toolCalls: reading?.toolCalls ?? {},
    serviceTier: reading?.serviceTier ?? null,
    billing: reading?.billing ?? null,
  }
}

/** A call that Weir itself refused: nothing was forwarded, nothing was used. */
export function toDeniedEvent(opening: CallOpening, refusal: Refusal, endedAt: number): UsageEvent {
  const unread = toInterruptedEvent(opening, endedAt)
  return { ...unread, status: 'denied', errorCode: refusal.code, chargeable: false }
}

function toStatus(outcome: CallOutcome): CallStatus {
  const isError = outcome.httpStatus !== null && outcome.httpStatus >= 400
  return outcome.status === 'delivered' && isError ? 'refused' : outcome.status
}

/** An error costs nothing, nor does a mere look; a call that broke off may have cost something. */
export function isChargeable(
  opening: CallOpening,
  method: string,
  httpStatus: number | null,
): boolean {
  if (httpStatus !== null && httpStatus >= 400) return false
  return opening.operation !== null || !FREE_METHODS.has(method)
}

function toKnowledge(reading: Reading | null): UsageKnowledge {
  switch (reading?.kind) {
    case 'reported':
      return 'reported'
    case 'partial':
      return 'partial'
    case 'missing':
    case 'malformed':
    case undefined:
      return 'none'
  }
}
