// Who calls, and may they. Pure: keys are looked up in memory, nothing here waits.

import { keyFault } from '../core/api-key.ts'
import type { ApiKey } from '../core/api-key.ts'
import { parseDims } from '../core/dims.ts'
import { isSecretOf, parseKeyCredential } from '../core/ids.ts'
import type { HeaderLine } from '../wire/http-head.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export type KeyLookup = (keyId: string) => ApiKey | undefined

const KEY_HEADER = 'x-svc-api-key'
const DIMS_HEADER = 'x-svc-dims'

export function authenticate(
  headers: readonly HeaderLine[],
  findKey: KeyLookup,
  nowMs: number,
): ApiKey | Refusal {
  const given = headers.filter((header) => header.name === KEY_HEADER)
  const [header] = given
  if (header === undefined || header.value === '') {
    return refuse(
      'missing_api_key',
      'The header X-SVC-API-Key is missing. Send your Weir key, svc_k_….',
    )
  }
  const credential = given.length === 1 ? parseKeyCredential(header.value) : null
  const key = credential === null ? undefined : findKey(credential.id)
  if (credential === null || key === undefined || !isSecretOf(credential.secret, key.secretHash)) {
    return refuse(
      'invalid_api_key',
      'The X-SVC-API-Key is not a key of this Weir. Check it, or ask for a new one.',
    )
  }
  const fault = keyFault(key, nowMs)
  if (fault === 'revoked_api_key') {
    return refuse(fault, `The key ${key.id} was revoked. Ask for a new one.`)
  }
  if (fault !== null) return refuse(fault, `The key ${key.id} has expired. Ask for a new one.`)
  return key
}

/** Null when the key may call this provider. */
export function authorizeProvider(key: ApiKey, providerId: string): Refusal | null {
  if (key.allowedProviders.length > 0 && !key.allowedProviders.includes(providerId)) {
    return refuse(
      'provider_not_allowed',
      `The key ${key.id} may not use the provider ${providerId}. It may use: ${key.allowedProviders.join(', ')}.`,
    )
  }
  // What cannot be read with certainty is refused; models are not read yet, so no restricted key passes.
  if (key.allowedModels.length > 0) {
    return refuse(
      'model_not_allowed',
      `The key ${key.id} is restricted to certain models, and this version cannot check the model of a call. Use a key without allowed models.`,
    )
  }
  return null
}

export interface DimsOptions {
  readonly onInvalid: 'reject' | 'drop'
  /** Told how many pairs were dropped. */
  readonly dropped: (pairs: number) => void
}

/** The dimensions of a call: the key's defaults, the request's own, the key's locked ones. */
export function resolveDims(
  headers: readonly HeaderLine[],
  key: ApiKey,
  options: DimsOptions,
): { readonly dims: Readonly<Record<string, string>> } | Refusal {
  const given = headers.filter((header) => header.name === DIMS_HEADER)
  let requested: Readonly<Record<string, string>> = {}
  if (given.length > 0) {
    // A list header may be split over several lines (RFC 9110 §5.3).
    const parsed = parseDims(given.map((header) => header.value).join(','))
    const [fault] = parsed.faults
    if (fault !== undefined && options.onInvalid === 'reject') {
      return refuse(
        'invalid_dims',
        `X-SVC-Dims: ${fault.reason} in "${fault.pair}". Write key=value,key=value.`,
      )
    }
    if (fault !== undefined) options.dropped(parsed.faults.length)
    requested = parsed.dims
  }
  const dims = { ...key.defaultDims, ...requested, ...key.lockedDims }
  const missing = key.requiredDims.filter((name) => !Object.hasOwn(dims, name))
  if (missing.length > 0) {
    return refuse(
      'missing_dims',
      `The key ${key.id} requires these dimensions in X-SVC-Dims: ${missing.join(', ')}.`,
    )
  }
  return { dims }
}
