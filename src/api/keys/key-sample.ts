// Which provider's sample call fits a new key, and with which model, for the command line.

import type { CreatedKeyAnswer, KeyModelsAnswer } from '../contract.ts'
import { hasVariable } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { hasStoredCredential } from '../../config/provider-credentials.ts'
import { resolveProviders } from '../../config/resolve-providers.ts'
import type { SampleCall } from '../../providers/provider.ts'
import { checkKey } from './key-check.ts'

export interface KeySample extends SampleCall {
  readonly providerId: string
  /** A credential is stored for it, and the key may use that. */
  readonly isStored: boolean
}

/** Callers name models: what a shell or a path could read otherwise is not pasted. */
const PLAIN_MODEL = /^[\w./:@+-]+$/

export interface SampleQuestion {
  /** A new one. */
  readonly key: CreatedKeyAnswer
  /** That it may use, the best first; may be empty for a key without allowed models. */
  readonly models: KeyModelsAnswer['rows']
  readonly config: Config
  readonly nowMs: number
}

/**
 * Of the providers whose stored credential the key uses first, then of the configuration's, then
 * of those whose key is at hand; null: none fits.
 */
export function findKeySample(question: SampleQuestion): KeySample | null {
  const { key: made, models, config, nowMs } = question
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
    const isFitting = (model: string): boolean =>
      PLAIN_MODEL.test(model) && checkKey({ key, provider, model, nowMs }).allowed
    const own = models.filter((each) => each.provider === id && each.is_text)
    const model = [sample.model, ...own.map((each) => each.model)].find(isFitting)
    const isStored = made.use_credentials.includes(id) && hasStoredCredential(config, id)
    return model === undefined ? [] : [{ ...withModel(sample, model), providerId: id, isStored }]
  })
  const isAtHand = ({ credential }: KeySample): boolean =>
    credential !== null && hasVariable(credential.variable)
  const stored = fitting.find(({ isStored }) => isStored)
  const configured = fitting.find(({ providerId }) => providerId in config.providers)
  return stored ?? configured ?? fitting.find(isAtHand) ?? fitting[0] ?? null
}

/** It is named in the path or in the body. */
function withModel(sample: SampleCall, model: string): SampleCall {
  const { path, body } = sample
  return {
    ...sample,
    model,
    path: path.replace(sample.model, model),
    body: 'model' in body ? { ...body, model } : body,
  }
}
