// What a key or a token may hold. The API's checks and those of the command line are both made of it. Must stay true: what
// passes here is what the proxy can enforce.

import type { ApiKey } from './api-key.ts'

export const NAME_CHARS_MAX = 100
export const PATTERNS_MAX = 100
export const PATTERN_CHARS_MAX = 200
export const ALLOWED_PROVIDERS_MAX = 100
/** Of calls a minute, and of calls at once. */
export const KEY_LIMIT_MAX = 1_000_000

/** An allowed model, without blanks around it. */
export const PATTERN = new RegExp(`^[\\x20-\\x7e]{1,${PATTERN_CHARS_MAX}}$`)
export const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
/** As the proxy takes it from a key with allowed models. */
export const MODEL_NAME = /^[\x21-\x7e]{1,256}$/

/** Control characters would let a name rewrite the terminal of whoever lists it. */
const NAME = new RegExp(`^\\P{Cc}{1,${NAME_CHARS_MAX}}$`, 'u')

/** Of a name without blanks around it. */
export function isKeyName(name: string): boolean {
  return NAME.test(name) && name.isWellFormed()
}

/** May do everything: what holds where nothing else is said. */
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
