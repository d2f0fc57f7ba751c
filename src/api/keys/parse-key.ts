// From checked bodies to keys and tokens. Must stay true: what expires does so in the future.

import type { z } from 'zod'
import type { BudgetSettings } from '../../core/budget.ts'
import { BUDGET_CODEC, KEY_CODEC, TOKEN_CODEC } from '../../resources/codecs.ts'
import type { KeySettings, TokenSettings } from '../../resources/codecs.ts'
import type { keyChangeSchema, newKeySchema, newTokenSchema } from '../contract.ts'
import { invalidParameter } from '../invalid-parameter.ts'

/** Throws `invalid_parameter` where it has expired already; the same below. */
export function toKeySettings(
  given: Omit<z.output<typeof newKeySchema>, 'budget'>,
  nowMs: number,
): KeySettings {
  requireToCome(given.expires_at, nowMs)
  return KEY_CODEC.fromNew(given)
}

type NewKeyBudget = NonNullable<z.output<typeof newKeySchema>['budget']>

/** With the name of its key. */
export function toKeyBudget(
  { period = 'month', ...given }: NewKeyBudget,
  name: string,
): Omit<BudgetSettings, 'scope'> {
  const { scope: _scope, ...settings } = BUDGET_CODEC.fromNew({
    ...given,
    period,
    name,
    scope: 'global',
  })
  return settings
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
