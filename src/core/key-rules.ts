// What a key or a token may contain, as the API and the command line check it. The proxy can
// enforce what passes here.

import type { ApiKey } from './api-key.ts'

export const NAME_CHARS_MAX = 100
export const PATTERN_CHARS_MAX = 200
/** How long the secret before a rotation may go on working: 30 days. */
export const GRACE_MS_MAX = 2_592_000_000
/** Keys that are named in a warning. */
export const SAME_NAMES_MAX = 10

/** An allowed model, trimmed. */
export const PATTERN = new RegExp(`^[\\x20-\\x7e]{1,${PATTERN_CHARS_MAX}}$`)
export const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
/** As the proxy accepts it from a key with allowed models. */
export const MODEL_NAME = /^[\x21-\x7e]{1,256}$/

/** Of a trimmed text. Control characters would let it rewrite the terminal that lists it. */
export function isPlainText(text: string, charsMax: number): boolean {
  const isPlain = /^\P{Cc}+$/u.test(text) && text.isWellFormed()
  return isPlain && Array.from(text).length <= charsMax
}

/** The other keys of that name that are not revoked: people would take one for the other. */
export function findSameName(
  keys: Iterable<ApiKey>,
  { id, name }: Pick<ApiKey, 'id' | 'name'>,
): string[] {
  const found: string[] = []
  for (const key of keys) {
    const isOther = key.id !== id && key.revokedAt === null
    if (isOther && key.name.toLowerCase() === name.toLowerCase()) found.push(key.id)
    if (found.length === SAME_NAMES_MAX) break
  }
  return found
}

/** Providers whose stored credential it may use, although it may not call them. */
export function findUselessCredentials({
  allowedProviders,
  useCredentials,
}: Pick<ApiKey, 'allowedProviders' | 'useCredentials'>): string[] {
  if (allowedProviders.length === 0) return []
  return useCredentials.filter((id) => !allowedProviders.includes(id))
}
