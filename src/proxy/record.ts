// Makes the one usage event of a call and hands it to the journal. No other file does.

import { createTokenCounts } from '../core/token-counts.ts'
import { toInterruptedEvent } from '../core/usage-event.ts'
import type { CallOpening, CallStatus, UsageEvent, UsageKnowledge } from '../core/usage-event.ts'
import { ERROR_KINDS } from '../core/weir-error.ts'
import type { EstimatedTokens } from '../estimates/estimates.ts'
import type { CallLocation, Reading } from '../providers/provider.ts'
import type { Call } from './admission.ts'
import type { Refusal } from '../policy/refusal.ts'
import type { ProxyServices } from './services.ts'
import type { Tapped } from './tap.ts'
import { findViolation } from '../policy/violation.ts'

export interface CallOutcome {
  readonly status: 'delivered' | 'aborted' | 'cut'
  /** Null when no response head came. */
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly streamed: boolean
  /** A subscription pays for it. */
  readonly isPlan?: boolean
  readonly isTunnel: boolean
  readonly firstByteAt: number | null
  /** Null when nothing was sent. */
  readonly ownMicros: number | null
  readonly endedAt: number
  readonly requestBytes: number
  readonly responseBytes: number
}

/** In `errorCode`: the provider reported an error inside a successful response. */
const PROVIDER_ERROR = 'provider_error'

/** What a refused call's record keeps of dimensions, names and values together, and of a model. */
export const DENIED_DIMS_BYTES_MAX = 256
export const DENIED_MODEL_CHARS_MAX = 256

/** They run nothing, unless what they show says so. */
export const FREE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
/** The caller is to send the same call elsewhere, such as without a slash at the end. */
const RESENT_STATUSES: ReadonlySet<number | null> = new Set([307, 308])

export type RecordedCall = Pick<Call, 'opening' | 'operation' | 'policy'> & {
  readonly head: Pick<Call['head'], 'method'>
  readonly view: Pick<Call['view'], 'path'>
  readonly route: Pick<Call['route'], 'region'> & {
    readonly provider: Pick<Call['route']['provider'], 'regionOf'>
    readonly upstream: Pick<Call['route']['upstream'], 'host' | 'basePath'>
  }
}

export function toUsageEvent(call: RecordedCall, outcome: CallOutcome, tapped: Tapped): UsageEvent {
  const { opening } = call
  const { reading } = tapped
  // A compressed request is read for a policy only.
  const requestedModel = tapped.requestedModel ?? firstOf(call.policy?.names) ?? null
  const model = reading?.model ?? requestedModel
  // Written out: an object made by spreading takes three times as long to turn into a line.
  return {
    version: opening.version,
    id: opening.id,
    keyId: opening.keyId,
    provider: opening.provider,
    operation: opening.operation,
    dims: opening.dims,
    startedAt: opening.startedAt,
    requestedModel,
    model,
    status: toStatus(outcome, reading),
    httpStatus: outcome.httpStatus,
    errorCode: outcome.errorCode ?? (reading?.hasError === true ? PROVIDER_ERROR : null),
    streamed: outcome.streamed,
    firstByteAt: outcome.firstByteAt,
    endedAt: outcome.endedAt,
    requestBytes: outcome.requestBytes,
    responseBytes: outcome.responseBytes,
    chargeable: isChargeable(call, outcome, reading),
    usage: toKnowledge(reading),
    tokens: reading?.tokens ?? null,
    toolCalls: reading?.toolCalls ?? {},
    serviceTier: reading?.serviceTier ?? null,
    billing: toBilling(outcome, reading),
    shares: reading?.shares,
    countedAs: reading?.countedAs,
    violation: toViolation(call, outcome, reading),
    ownMicros: outcome.ownMicros ?? undefined,
    region: toRegion(call, { model, requestedModel }),
    providerError: reading?.providerError,
    trace: opening.trace,
    agent: opening.agent,
  }
}

function toBilling({ isPlan }: CallOutcome, reading: Reading | null): UsageEvent['billing'] {
  const stated = reading?.billing ?? null
  if (isPlan !== true) return stated
  const none = { cost: null, marketCost: null, isByok: null, generationId: null }
  return { ...(stated ?? none), isPlan: true }
}

function toRegion(
  { route, view }: RecordedCall,
  models: Pick<CallLocation, 'model' | 'requestedModel'>,
): string | undefined {
  const { provider, upstream, region } = route
  const path = upstream.basePath + view.path
  return provider.regionOf({ host: upstream.host, path, ...models }) ?? region
}

function firstOf(names: ReadonlySet<string> | undefined): string | undefined {
  return names?.values().next().value
}

/**
 * The provider reported no tokens, or the output's first alone: these were counted from the texts.
 * Where the request has more than text, they are a part of what was used.
 */
export function withEstimate(event: UsageEvent, counted: EstimatedTokens): UsageEvent {
  const { input, output, isPartial } = counted
  const { tokens } = event
  if (tokens !== null) {
    const known = { ...tokens, output: Math.max(tokens.output, output) }
    return { ...event, usage: 'estimated', tokens: known }
  }
  const usage = isPartial === true ? 'partial' : 'estimated'
  return { ...event, usage, tokens: createTokenCounts({ input, output }) }
}

/** The first of a key's refusals in a minute are kept in the request log, the others counted. */
export function recordDenial(
  opening: CallOpening,
  refusal: Refusal,
  { journal, clock, refusalQuota }: Pick<ProxyServices, 'journal' | 'clock' | 'refusalQuota'>,
): void {
  if (opening.keyId === null || !refusalQuota.take(opening.keyId)) return
  journal.append({ kind: 'close', event: toDeniedEvent(opening, refusal, clock.now()) })
}

/** A refused call costs its caller nothing: what it wrote is kept only as far as it is short. */
export function toDeniedEvent(opening: CallOpening, refusal: Refusal, endedAt: number): UsageEvent {
  const unread = toInterruptedEvent({ ...opening, dims: fittingDims(opening.dims) }, endedAt)
  const requestedModel = refusal.model?.slice(0, DENIED_MODEL_CHARS_MAX) ?? null
  // What the caller got: writeRefusal answers with the same.
  const httpStatus = (refusal.shown ?? ERROR_KINDS[refusal.code]).status
  const denied = { status: 'denied', httpStatus, errorCode: refusal.code } as const
  const model = requestedModel
  return { ...unread, ...denied, chargeable: false, requestedModel, model }
}

/** Names and values, in order; one that does not fit is left out. */
function fittingDims(dims: CallOpening['dims']): CallOpening['dims'] {
  let left = DENIED_DIMS_BYTES_MAX
  const fitting = Object.entries(dims).filter(([name, value]) => {
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value)
    if (bytes > left) return false
    left -= bytes
    return true
  })
  return Object.fromEntries(fitting)
}

function toStatus(outcome: CallOutcome, reading: Reading | null): CallStatus {
  const isError = outcome.httpStatus !== null && outcome.httpStatus >= 400
  if (outcome.status === 'delivered') return isError ? 'refused' : 'delivered'
  // SDKs hang up at the answer's last word, before the end of the body that carries it.
  const isSaid = outcome.status === 'aborted' && reading?.isFinished === true
  return isSaid ? 'delivered' : outcome.status
}

/** Errors and reads are free, unless they show a stored object's cost; broken calls may cost. */
function isChargeable(
  { operation, head }: RecordedCall,
  { httpStatus, isTunnel }: CallOutcome,
  reading: Reading | null,
): boolean {
  if (httpStatus !== null && httpStatus >= 400) return false
  if (RESENT_STATUSES.has(httpStatus)) return false
  if (operation?.isFree === true || reading?.isCharged === false) return false
  if (!FREE_METHODS.has(head.method)) return true
  // What was said on it may have been billed, whether or not Weir could read it.
  if (isTunnel) return true
  if (reading?.countedAs === undefined) return false
  return reading.tokens !== null || reading.kind === 'reported'
}

/** A stored object that is only looked at was made by another call, maybe by another key. */
function toViolation(
  { policy, head }: RecordedCall,
  { isTunnel }: CallOutcome,
  reading: Reading | null,
): string | undefined {
  const isLook = FREE_METHODS.has(head.method) && !isTunnel
  if (policy === null || reading === null || isLook) return undefined
  return findViolation(policy, reading) ?? undefined
}

function toKnowledge(reading: Reading | null): UsageKnowledge {
  switch (reading?.kind) {
    case 'reported':
      return 'reported'
    case 'partial':
      return 'partial'
    case 'from-request':
      return 'estimated'
    case 'missing':
    case 'malformed':
    case undefined:
      return 'none'
  }
}
