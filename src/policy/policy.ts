// Whether a call's models are allowed to its key and not covered by a used-up budget. Must stay
// true: a call goes on only when every name is known and allowed; any doubt is a refusal.

import { findPattern, isHiddenModel } from '../core/model-policy.ts'
import type { ModelPolicy, ModelUse } from '../core/model-policy.ts'
import type { Meter } from '../core/telemetry.ts'
import { toSlug, UNREADABLE } from '../providers/provider.ts'
import type {
  NamesFound,
  NamesReader,
  MatchedOperation,
  Provider,
  RequestView,
} from '../providers/provider.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { parseCodings } from '../wire/http/strict-decoder.ts'
import { findRerouting } from './rerouting.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export interface CallPolicy {
  readonly keyId: string
  readonly provider: Pick<Provider, 'id' | 'hasMakersInNames' | 'hasOwnLabels'>
  /** Null for a key that may use every model. */
  readonly models: ModelPolicy | null
  readonly blocked: readonly BlockedModels[]
  /** The names that were found and allowed, for the record; not all of a very long list. */
  readonly names: Set<string>
}

const NAMES_KEPT_MAX = 64
const NAME_CHARS_MAX = 256
const SHOWN_CHARS_MAX = 80
const SHOWN_PATTERNS_MAX = 5

/** Anything else another reader may take for something different: blanks, look-alikes, controls. */
const NAME = /^[\x21-\x7e]{1,256}$/

/** They run no model. */
const LOOKING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

/** A path that alone says that no model runs must not lead to another call: `…/%2F`, `…/;x`. */
const UNCERTAIN_PATH = /;|%(?:2f|3b)/i

/** `Connection` may name these; what else it names is taken off, although it was read here. */
const CONNECTION_OPTIONS = new Set([
  'close',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
])

export interface PolicyRequest {
  readonly head: RequestHead
  readonly view: RequestView
  /** `failed` where the provider could not say which one it is. */
  readonly operation: MatchedOperation | null | 'failed'
}

export interface PolicyServices {
  readonly limits: { readonly policyBodyBytesMax: number }
  readonly meter: Meter
}

/** A used-up budget for certain models: only reading a call shows whether it is covered. */
export interface BlockedModels {
  readonly policy: ModelPolicy
  /** False once its period has ended or its limit was raised: a session may go on for long. */
  isUsedUp(): boolean
  /** `unread` is why it could not be determined whether a call is covered. */
  refusal(unread?: string): Refusal
}

export interface BodyReading {
  readonly reader: NamesReader
  readonly codings: readonly string[]
}

/** Null: the call may go on. */
export function judgeHead(
  request: PolicyRequest,
  policy: CallPolicy,
  services: PolicyServices,
): Refusal | BodyReading | null {
  const { head, view, operation } = request
  if (operation === 'failed') return refuseUnread(UNREADABLE.reason, policy)
  const rerouting = findRerouting(request)
  if (rerouting !== null) return refuseUnread(rerouting, policy)
  const dropped = head.connection.find(
    (name) => !CONNECTION_OPTIONS.has(name) && view.header(name) !== null,
  )
  if (dropped !== undefined) {
    return refuseUnread(`Connection takes the header ${toShown(dropped)} away`, policy)
  }
  if (head.isUpgrade) return judgeUpgrade({ ...request, operation }, policy)
  if (operation === null) {
    if (LOOKING_METHODS.has(head.method)) return null
    return refuseUnread(
      `Weir does not know what ${head.method} ${toShown(view.path)} runs at ${policy.provider.id}`,
      policy,
    )
  }
  const reader = operation.createNamesReader(view)
  if (reader.isQuiet === true && UNCERTAIN_PATH.test(view.path)) {
    return refuseUnread('its path can be read in more than one way', policy)
  }
  if (reader.isBodyless === true || !hasBody(head)) return judgeNames(reader.end(), policy)
  const { framing } = head
  if (framing.kind === 'length' && framing.length > services.limits.policyBodyBytesMax) {
    return refuseBodySize(policy, services)
  }
  const codings = parseCodings(view.headers('content-encoding'))
  return codings === null ? refuseCoding(view, policy) : { reader, codings }
}

function hasBody({ framing }: RequestHead): boolean {
  return framing.kind === 'chunked' || (framing.kind === 'length' && framing.length > 0)
}

function refuseCoding(view: RequestView, policy: CallPolicy): Refusal {
  const given = toShown(view.headers('content-encoding').join(', '))
  if (policy.models === null) {
    return refuseUnread(`its Content-Encoding "${given}" cannot be undone`, policy)
  }
  return refuse(
    'unsupported_encoding',
    `The key may use certain models only, so the request is read before it goes on, and its Content-Encoding "${given}" cannot be undone. Send it plain, or as gzip, deflate, br or zstd, at most four of them.`,
  )
}

/** What is said on the connection later is judged message by message. */
function judgeUpgrade(
  { head, view, operation }: PolicyRequest & { operation: MatchedOperation | null },
  policy: CallPolicy,
): Refusal | null {
  if (operation?.tunnel === undefined || head.framing.kind !== 'none') {
    const path = toShown(view.path)
    return refuseUnread(`Weir cannot read what an upgraded connection at ${path} runs`, policy)
  }
  return judgeNames(operation.createNamesReader(view).end(), policy)
}

/** Null when every name is allowed; a request that runs no model names none. */
export function judgeNames(found: NamesFound, policy: CallPolicy): Refusal | null {
  if (found.kind === 'unreadable') return refuseUnread(found.reason, policy)
  for (const name of found.names) {
    const refusal = judgeName(name, policy)
    if (refusal !== null) return refusal
    if (policy.names.size < NAMES_KEPT_MAX) policy.names.add(name)
  }
  return null
}

function judgeName(name: string, policy: CallPolicy): Refusal | null {
  const { keyId, provider, models, blocked } = policy
  const slug = toSlug(provider, name)
  const use = { providerId: provider.id, slug }
  const isPlain = NAME.test(name)
  if (models === null || (isPlain && findPattern(models, use) !== null)) {
    return isPlain ? judgeBudgets(use, name, blocked) : refuseUnread(UNPLAIN, policy)
  }
  const why = isPlain ? '' : ', a name that is not written in plain characters'
  const hidden = isHiddenModel(slug)
    ? ', which only a pattern that spells its prefix out allows'
    : ''
  const message = `The key ${keyId} may not use the model "${toShown(slug)}"${why}${hidden}. ${toAllowed(models)}`
  return { ...refuse('model_not_allowed', message), model: name.slice(0, NAME_CHARS_MAX) }
}

/** After the key's own policy: a caller it refuses would not be helped by a budget. */
function judgeBudgets(use: ModelUse, name: string, blocked: CallPolicy['blocked']): Refusal | null {
  const covering = blocked.find((each) => findPattern(each.policy, use) !== null && each.isUsedUp())
  return covering === undefined ? null : { ...covering.refusal(), model: name }
}

/** The same code as where the model is known: callers have to do the same about it. */
export function refuseUnread(reason: string, { keyId, models, blocked }: CallPolicy): Refusal {
  if (models === null) return (blocked[0] as BlockedModels).refusal(reason)
  return refuse(
    'model_not_allowed',
    `The key ${keyId} is restricted to certain models, and the models of this request could not be determined: ${reason}. ${toAllowed(models)}`,
  )
}

function toAllowed({ patterns }: ModelPolicy): string {
  const shown = patterns.slice(0, SHOWN_PATTERNS_MAX).map(({ text }) => text)
  const left = patterns.length - shown.length
  const more = left > 0 ? ` and ${left} more` : ''
  return `Allowed: ${shown.join(', ')}${more}. Name one of these, or ask for a key that may do this.`
}

/** The caller's text, made fit for a message: short and visible. */
function toShown(text: string): string {
  const escaped = text
    .slice(0, SHOWN_CHARS_MAX + 1)
    .replaceAll(
      /[^\x20-\x7e]|["\\]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  return escaped.length > SHOWN_CHARS_MAX ? `${escaped.slice(0, SHOWN_CHARS_MAX - 1)}…` : escaped
}

const UNPLAIN = 'it names a model in other than plain characters'

/** Also counts the limit in the metrics. */
export function refuseBodySize(policy: CallPolicy, { limits, meter }: PolicyServices): Refusal {
  meter.add('limitsHit', 1, 'policy_body_bytes')
  if (policy.models === null) {
    const reason = `its body is larger than ${limits.policyBodyBytesMax} bytes, the most that is read`
    return refuseUnread(reason, policy)
  }
  return refuse(
    'body_too_large',
    `The key may use certain models only, so the request is read before it goes on, and its body is larger than ${limits.policyBodyBytesMax} bytes, the most that is read (policy.bodyBytesMax). Send less at once, or use a key without allowed models.`,
  )
}
