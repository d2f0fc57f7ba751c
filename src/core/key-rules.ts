// What a key or a token may contain, as the API and the command line check it. The proxy can
// enforce what passes here.

import type { ApiKey } from './api-key.ts'

export const NAME_CHARS_MAX = 100
export const PATTERNS_MAX = 100
export const PATTERN_CHARS_MAX = 200
export const ALLOWED_PROVIDERS_MAX = 100
/** Of calls per minute, and of concurrent calls. */
export const KEY_LIMIT_MAX = 1_000_000

/** An allowed model, trimmed. */
export const PATTERN = new RegExp(`^[\\x20-\\x7e]{1,${PATTERN_CHARS_MAX}}$`)
export const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
/** As the proxy accepts it from a key with allowed models. */
export const MODEL_NAME = /^[\x21-\x7e]{1,256}$/

/** Control characters would let a name rewrite the terminal that lists it. */
const NAME = new RegExp(`^\\P{Cc}{1,${NAME_CHARS_MAX}}$`, 'u')

/** Of a trimmed name. */
export function isKeyName(name: string): boolean {
  return NAME.test(name) && name.isWellFormed()
}

/** The defaults of a new key: everything is allowed. */
export const OPEN_KEY: Omit<ApiKey, 'id' | 'name' | 'secretHash' | 'createdAt' | 'revokedAt'> =
  Object.freeze({
    expiresAt: null,
    allowedModels: [],
    allowedProviders: [],
    defaultDims: {},
    lockedDims: {},
    requiredDims: [],
    rateLimitRpm: null,
    maxParallel: null,
  })
