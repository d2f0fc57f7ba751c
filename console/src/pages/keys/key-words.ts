// What a key may do, in a few words for a line of a list.

import type { KeyAnswer } from '../../../../src/api/contract.ts'
import { formatCount } from '../../data/format-count.ts'

/** `every model`, `openai/*`, `openai/* and 3 more`; with the providers where they are limited too. */
export function toPolicyWords(
  key: Pick<KeyAnswer, 'allowed_models' | 'allowed_providers'>,
): string {
  const models = toList(key.allowed_models)
  const providers = toList(key.allowed_providers)
  if (models === null) return providers === null ? 'Every model' : `Every model of ${providers}`
  return providers === null ? models : `${models}, by ${providers}`
}

function toList(words: readonly string[]): string | null {
  const [first] = words
  if (first === undefined) return null
  return words.length === 1 ? first : `${first} and ${words.length - 1} more`
}

/** `At most 60 a minute, 4 at once` */
export function toLimitWords(key: Pick<KeyAnswer, 'rate_limit_rpm' | 'max_parallel'>): string {
  const words = [
    key.rate_limit_rpm === null ? null : `${formatCount(key.rate_limit_rpm)} a minute`,
    key.max_parallel === null ? null : `${formatCount(key.max_parallel)} at once`,
  ].filter((word) => word !== null)
  return words.length === 0 ? 'Without limits' : `At most ${words.join(', ')}`
}
