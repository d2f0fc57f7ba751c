// Who calls, and whether they may. Nothing here waits: keys are found in memory. One for each
// caller's connection: what the last call proved is kept, and only what differs is worked out.

import { timingSafeEqual } from 'node:crypto'

import { keyFault, oldSecretOf } from '../core/api-key.ts'
import type { ApiKey, KeyFault } from '../core/api-key.ts'
import { parseDims } from '../core/dims.ts'
import { isSecretOf, parseKeyCredential } from '../core/ids.ts'
import { factsOf } from '../core/teams/team.ts'
import { NOTHING_BROUGHT } from '../wire/http/credential-locations.ts'
import type { Brought } from '../wire/http/credential-locations.ts'
import { LINE } from '../wire/http/header-lines.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'
import { findConflict } from '../policy/stored-credentials.ts'

export type KeyLookup = (keyId: string) => ApiKey | undefined
/**
 * For a key that is not known, or not with that secret: it may have been made or changed a moment
 * ago. Resolves when it is worth looking once more; null where that would be in vain.
 */
export type KeyAwait = (keyId: string) => Promise<void> | null
export type Dims = Readonly<Record<string, string>>

export interface DimsOptions {
  readonly onInvalid: 'reject' | 'drop'
  /** Receives the number of pairs that were dropped. */
  readonly dropped: (pairs: number) => void
}

const KEY_HEADER = 'x-svc-api-key'
const DIMS_HEADER = 'x-svc-dims'
const NOTHING = Buffer.alloc(0)

export class Authorizer {
  readonly #findKey: KeyLookup
  readonly #dimsOptions: DimsOptions
  /** The credential that was last found good, and whose it is. */
  #credential: Buffer = NOTHING
  #key: ApiKey | null = null
  /** When that credential ends by itself: the grace of a secret that was rotated. */
  #endsAt = Number.POSITIVE_INFINITY
  #dimsText: string | null = null
  #dims: { readonly dims: Dims; readonly key: ApiKey } | null = null
  /** The key that the credential refused last names; null where it was no credential at all. */
  unprovenId: string | null = null

  constructor(findKey: KeyLookup, dimsOptions: DimsOptions) {
    this.#findKey = findKey
    this.#dimsOptions = dimsOptions
  }

  /** By X-SVC-API-Key, or by the Weir key that was sent in place of a provider's credential. */
  authenticate(
    lines: HeaderLines,
    nowMs: number,
    brought: Brought = NOTHING_BROUGHT,
  ): ApiKey | Refusal {
    const given = findOnly(lines, KEY_HEADER)
    const inHeader = given >= 0 ? lines.valueBytesOf(given) : null
    const conflict = findConflict(brought, inHeader)
    if (conflict !== null) return conflict
    const text = inHeader ?? brought.keys[0]?.text
    if (given === -1 && text === undefined) {
      return refuse(
        'missing_api_key',
        "The header X-SVC-API-Key is missing. Send your Weir key, svc_k_…, in it or in place of the provider's.",
      )
    }
    const isMany = given === MORE || text === undefined
    const key = isMany ? undefined : this.#identify(text, nowMs)
    if (key === undefined) {
      if (isMany) this.unprovenId = null
      const what = inHeader === null && !isMany ? 'Weir key' : 'X-SVC-API-Key'
      return refuse(
        'invalid_api_key',
        `The ${what} is not a key of this Weir. Check it, or ask for a new one.`,
      )
    }
    return refuseFault(key, nowMs) ?? key
  }

  /** Compared in constant time both with what was proven before and with what is stored. */
  #identify(given: Buffer, nowMs: number): ApiKey | undefined {
    const known = this.#key
    if (
      known !== null &&
      this.#endsAt > nowMs &&
      given.length === this.#credential.length &&
      timingSafeEqual(given, this.#credential) &&
      // A key that was changed meanwhile is another object, and has to be proven again.
      this.#findKey(known.id) === known
    ) {
      return known
    }
    const credential = parseKeyCredential(given.toString('latin1'))
    this.unprovenId = credential?.id ?? null
    const key = credential === null ? undefined : this.#findKey(credential.id)
    if (credential === null || key === undefined) return undefined
    const old = oldSecretOf(key, nowMs)
    if (isSecretOf(credential.secret, key.secretHash)) this.#endsAt = Number.POSITIVE_INFINITY
    else if (old !== null && isSecretOf(credential.secret, old.hash)) this.#endsAt = old.endsAt
    else return undefined
    this.#credential = Buffer.from(given)
    this.#key = key
    return key
  }

  /** The dimensions of a call: facts, the key's defaults, the request's own, the locked ones. */
  resolveDims(lines: HeaderLines, key: ApiKey): { readonly dims: Dims } | Refusal {
    const text = readDims(lines)
    if (this.#dims?.key === key && this.#dimsText === text) return this.#dims
    const parsed = parseDims(text ?? '')
    const [fault] = parsed.faults
    if (fault !== undefined && this.#dimsOptions.onInvalid === 'reject') {
      return refuse(
        'invalid_dims',
        `X-SVC-Dims: ${fault.reason} in "${fault.pair}". Write key=value,key=value.`,
      )
    }
    const { defaultDims, lockedDims } = key
    // Locked ones are named first too: a refused call's record keeps the first dimensions only.
    // Nobody can give a dimension the name of a fact, so none stands in for one.
    const facts = factsOf(key)
    const dims = { ...facts, ...lockedDims, ...defaultDims, ...parsed.dims, ...lockedDims }
    const missing = key.requiredDims.filter((name) => !Object.hasOwn(dims, name))
    if (fault !== undefined) this.#dimsOptions.dropped(parsed.faults.length)
    if (missing.length > 0) {
      return refuse(
        'missing_dims',
        `The key ${key.id} requires these dimensions in X-SVC-Dims: ${missing.join(', ')}.`,
      )
    }
    if (fault !== undefined) return { dims }
    this.#dimsText = text
    this.#dims = { dims, key }
    return this.#dims
  }
}

/** Null while the key works. */
export function refuseFault(key: ApiKey, nowMs: number): Refusal | null {
  const fault = keyFault(key, nowMs)
  if (fault === null) return null
  return refuse(fault, `The key ${key.id} ${FAULT_WORDS[fault]}`)
}

const FAULT_WORDS: Readonly<Record<KeyFault, string>> = {
  revoked_api_key: 'was revoked. Ask for a new one.',
  expired_api_key: 'has expired. Ask for a new one.',
  key_paused: 'is paused: an administrator of Weir stopped it for now, and can resume it.',
}

/** Null when the key may call this provider. */
export function authorizeProvider(key: ApiKey, providerId: string): Refusal | null {
  if (key.allowedProviders.length > 0 && !key.allowedProviders.includes(providerId)) {
    return refuse(
      'provider_not_allowed',
      `The key ${key.id} may not use the provider ${providerId}. It may use: ${key.allowedProviders.join(', ')}.`,
    )
  }
  return null
}

const MORE = -2

/** The only line of that name with a value; -1 when there is none, MORE when there are several. */
function findOnly(lines: HeaderLines, name: string): number {
  let found = -1
  for (let line = 0; line < lines.count; line++) {
    if (lines.kindOf(line) !== LINE.svc || !lines.isNamed(line, name)) continue
    if (found !== -1) return MORE
    found = line
  }
  return found !== -1 && lines.valueOf(found) === '' ? -1 : found
}

/** Null without the header. A list header may be split over several lines (RFC 9110 §5.3). */
function readDims(lines: HeaderLines): string | null {
  let text: string | null = null
  for (let line = 0; line < lines.count; line++) {
    if (lines.kindOf(line) !== LINE.svc || !lines.isNamed(line, DIMS_HEADER)) continue
    text = text === null ? lines.valueOf(line) : `${text},${lines.valueOf(line)}`
  }
  return text
}
