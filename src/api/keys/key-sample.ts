// Which provider's sample call fits a new key, for the command line.

import type { CreatedKeyAnswer } from '../contract.ts'
import { hasVariable } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { resolveProviders } from '../../config/resolve-providers.ts'
import type { SampleCall } from '../../providers/provider.ts'
import { checkKey } from './key-check.ts'

export interface KeySample extends SampleCall {
  readonly providerId: string
  /** The key may use the credential that is stored for it. */
  readonly isStored: boolean
}

export interface SampleQuestion {
  /** A new one. */
  readonly key: CreatedKeyAnswer
  readonly config: Config
  readonly nowMs: number
}

/**
 * Of the providers whose stored credential the key uses first, then of the configuration's, then
 * of those whose key is at hand; null: none fits.
 */
export function findKeySample({ key: made, config, nowMs }: SampleQuestion): KeySample | null {
  const key = {
    revokedAt: null,
    pausedAt: null,
    expiresAt: null,
    allowedProviders: made.allowed_providers,
    allowedModels: made.allowed_models,
  }
  const fitting = [...resolveProviders(config).values()].flatMap(({ provider }): KeySample[] => {
    const { id, sample } = provider
    if (sample === undefined) return []
    const { allowed } = checkKey({ key, provider, model: sample.model, nowMs })
    const isStored = made.use_credentials.includes(id)
    return allowed ? [{ ...sample, providerId: id, isStored }] : []
  })
  const isAtHand = ({ credential }: KeySample): boolean =>
    credential !== null && hasVariable(credential.variable)
  const stored = fitting.find(({ isStored }) => isStored)
  const configured = fitting.find(({ providerId }) => providerId in config.providers)
  return stored ?? configured ?? fitting.find(isAtHand) ?? fitting[0] ?? null
}
