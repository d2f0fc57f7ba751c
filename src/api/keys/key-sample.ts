// Which provider's sample call fits a new key, and with which model, for the command line.

import type { CreatedKeyAnswer, KeyModelsAnswer, ProviderHealth, ServiceInfo } from '../contract.ts'
import { hasVariable } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { hasStoredCredential } from '../../config/provider-credentials.ts'
import { resolveProviders } from '../../config/resolve-providers.ts'
import type { Shape } from '../../providers/directory.ts'
import { createProvider, findProvider } from '../../providers/registry.ts'
import type { Provider, SampleCall } from '../../providers/provider.ts'
import { checkKey } from './key-check.ts'

/** Where the calls go: this machine's Weir, or a remote one. */
export interface SamplePlace {
  /** Null where the port is chosen at the start. */
  readonly proxyUrl: string | null
  readonly providers: readonly {
    readonly provider: Provider
    readonly hasCredential: boolean
    readonly isConfigured: boolean
  }[]
}

export function toPlaceHere(config: Config, proxyUrl: string | null): SamplePlace {
  const providers = [...resolveProviders(config).values()].map(({ provider }) => ({
    provider,
    hasCredential: hasStoredCredential(config, provider.id),
    isConfigured: provider.id in config.providers,
  }))
  return { proxyUrl, providers }
}

/** As its API says. */
export function toPlaceThere(
  { proxy_url: proxyUrl, providers: ids }: ServiceInfo,
  known: readonly ProviderHealth[],
): SamplePlace {
  const providers = ids.flatMap((id) => {
    const about = known.find((each) => each.id === id)
    const { shape = null, url: upstream = '', has_credential: hasCredential = false } = about ?? {}
    const provider =
      shape === null ? findProvider(id) : createProvider({ id, shape: shape as Shape, upstream })
    return provider === null ? [] : [{ provider, hasCredential, isConfigured: false }]
  })
  return { proxyUrl, providers }
}

export interface KeySample extends SampleCall {
  readonly providerId: string
  /** A credential is stored for it, and the key may use that. */
  readonly isStored: boolean
  /** The configuration names the provider. */
  readonly isConfigured: boolean
}

/** Callers name models: what a shell or a path could read otherwise is not pasted. */
const PLAIN_MODEL = /^[\w./:@+-]+$/

export interface SampleQuestion {
  /** A new one. */
  readonly key: CreatedKeyAnswer
  /** That it may use, the best first; may be empty for a key without allowed models. */
  readonly models: KeyModelsAnswer['rows']
  readonly place: SamplePlace
  readonly nowMs: number
}

/**
 * Of the providers whose stored credential the key uses first, then of the configuration's, then
 * of those whose key is at hand; null: none fits.
 */
export function findKeySample(question: SampleQuestion): KeySample | null {
  const { key: made, models, place, nowMs } = question
  const key = {
    revokedAt: null,
    pausedAt: null,
    expiresAt: null,
    allowedProviders: made.allowed_providers,
    allowedModels: made.allowed_models,
  }
  const fitting = place.providers.flatMap(
    ({ provider, hasCredential, isConfigured }): KeySample[] => {
      const { id, sample } = provider
      if (sample === undefined) return []
      const isFitting = (model: string): boolean =>
        PLAIN_MODEL.test(model) && checkKey({ key, provider, model, nowMs }).allowed
      const own = models.filter((each) => each.provider === id && each.is_text)
      const model = [sample.model, ...own.map((each) => each.model)].find(isFitting)
      const isStored = hasCredential && made.use_credentials.includes(id)
      if (model === undefined) return []
      return [{ ...withModel(sample, model), providerId: id, isStored, isConfigured }]
    },
  )
  const isAtHand = ({ credential }: KeySample): boolean =>
    credential !== null && hasVariable(credential.variable)
  const stored = fitting.find(({ isStored }) => isStored)
  const configured = fitting.find(({ isConfigured }) => isConfigured)
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
