// Why a call does not go on, and what its record says of it.

import type { ApiKey } from '../core/api-key.ts'
import { factsOf } from '../core/teams/team.ts'
import { USAGE_EVENT_VERSION } from '../core/usage-event.ts'
import type { CallOpening } from '../core/usage-event.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { DEFAULT_ERROR_SHAPE } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { isName, isRefusal, parseTarget } from './route.ts'
import type { Route } from './route.ts'

export interface Denial {
  readonly refusal: Refusal
  /** Null when no key was recognised: then the call is counted and leaves no event. */
  readonly opening: CallOpening | null
  readonly shape: Provider['errorShape']
}

export interface Arrival {
  readonly id: string
  readonly now: number
  readonly trace: CallOpening['trace']
  /** On the monotonic clock: when its head was complete. */
  readonly headAt: number
}

const TOO_MANY = refuse('overloaded', 'Too many calls are running. Try again in a moment.')
export const OVERLOADED: Denial = {
  refusal: { ...TOO_MANY, retryAfterSeconds: 1 },
  opening: null,
  shape: DEFAULT_ERROR_SHAPE,
}

interface Denied {
  readonly arrival: Arrival
  readonly key: ApiKey
}

export function deny(refusal: Refusal, provider: Route['provider'], denied: Denied): Denial {
  return { refusal, opening: toOpening(provider.id, denied), shape: provider.errorShape }
}

/** The log keeps the name as the caller wrote it, if a provider could have it. */
export function denyUnrouted(refusal: Refusal, head: RequestHead, denied: Denied): Denial {
  const target = parseTarget(head.target)
  const name = isRefusal(target) || !isName(target.providerId) ? '' : target.providerId
  return { refusal, opening: toOpening(name, denied), shape: DEFAULT_ERROR_SHAPE }
}

function toOpening(provider: string, { arrival, key }: Denied): CallOpening {
  return {
    version: USAGE_EVENT_VERSION,
    id: arrival.id,
    keyId: key.id,
    provider,
    operation: null,
    dims: factsOf(key),
    startedAt: arrival.now,
    trace: arrival.trace,
  }
}
