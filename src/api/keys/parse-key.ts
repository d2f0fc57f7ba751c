// From checked bodies to keys and tokens. Must stay true: what expires does so in the future.

import type { z } from 'zod'
import { KEY_CODEC, TOKEN_CODEC } from '../../resources/codecs.ts'
import type { KeySettings, TokenSettings } from '../../resources/codecs.ts'
import type { keyChangeSchema, newKeySchema, newTokenSchema } from '../contract.ts'
import { invalidParameter } from '../invalid-parameter.ts'

/** Throws `invalid_parameter` where it has expired already; the same below. */
export function toKeySettings(given: z.output<typeof newKeySchema>, nowMs: number): KeySettings {
  requireToCome(given.expires_at, nowMs)
  return KEY_CODEC.fromNew(given)
}

/** Throws it for an empty change, too. */
export function toKeyChange(
  given: z.output<typeof keyChangeSchema>,
  nowMs: number,
): Partial<KeySettings> {
  if (Object.keys(given).length === 0) {
    throw invalidParameter('The body changes nothing: give at least one member.')
  }
  requireToCome(given.expires_at, nowMs)
  return KEY_CODEC.fromWire(given)
}

export function toTokenSettings(
  given: z.output<typeof newTokenSchema>,
  nowMs: number,
): TokenSettings {
  requireToCome(given.expires_at, nowMs)
  return TOKEN_CODEC.fromNew(given)
}

/** The past is refused: such a key could never be used. */
function requireToCome(expiry: string | null | undefined, nowMs: number): void {
  if (expiry == null || Date.parse(expiry) > nowMs) return
  throw invalidParameter('The body is refused: expires_at must be a moment that is still to come.')
}
