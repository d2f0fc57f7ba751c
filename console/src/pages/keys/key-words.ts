// What a key may do, in a few words for a row of a list.

import type { KeyAnswer } from '../../../../src/api/contract.ts'
import { formatCount } from '../../data/format-count.ts'

/** `All models`, `openai/*`, `openai/* and 3 more`; with the providers where limited. */
export function toPolicyWords(
  key: Pick<KeyAnswer, 'allowed_models' | 'allowed_providers'>,
): string {
  const models = toList(key.allowed_models)
  const providers = toList(key.allowed_providers)
  if (models === null) return providers === null ? 'All models' : `All models of ${providers}`
  return providers === null ? models : `${models}, by ${providers}`
}

function toList(words: readonly string[]): string | null {
  const [first] = words
  if (first === undefined) return null
  return words.length === 1 ? first : `${first} and ${words.length - 1} more`
}

/** `At most 60 per minute, 4 in parallel` */
export function toLimitWords(key: Pick<KeyAnswer, 'rate_limit_rpm' | 'max_parallel'>): string {
  const words = [
    key.rate_limit_rpm === null ? null : `${formatCount(key.rate_limit_rpm)} per minute`,
    key.max_parallel === null ? null : `${formatCount(key.max_parallel)} in parallel`,
  ].filter((word) => word !== null)
  return words.length === 0 ? 'No limits' : `At most ${words.join(', ')}`
}
