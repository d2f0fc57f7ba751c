// Explains what the proxy would answer to a key's call for a model, with the proxy's own rules.

import type { KeyCheckAnswer } from './key-contract.ts'
import type { ApiKey, KeyFault } from '../../core/api-key.ts'
import { keyFault } from '../../core/api-key.ts'
import type { Clock } from '../../core/clock.ts'
import { findPattern, isHiddenModel, policyOf } from '../../core/model-policy.ts'
import { nearestWord } from '../../core/nearest-word.ts'
import { WeirError } from '../../core/weir-error.ts'
import { toSlug } from '../../providers/provider.ts'
import type { Provider } from '../../providers/provider.ts'
import { findProvider, PROVIDERS } from '../../providers/registry.ts'
import type { Config } from '../../config/config.ts'
import { resolveProviders } from '../../config/resolve-providers.ts'

export interface KeyQuestion {
  readonly key: ApiKey
  readonly providerId: string
  readonly model: string
}

export interface KeyCheckQuestion {
  readonly key: Pick<
    ApiKey,
    'revokedAt' | 'expiresAt' | 'pausedAt' | 'allowedProviders' | 'allowedModels'
  >
  readonly provider: Provider
  readonly model: string
  readonly nowMs: number
}

/** Throws, and suggests the nearest id, where there is none. */
export function findKnownProvider(config: Config, id: string): Provider {
  const resolved = resolveProviders(config)
  const provider = resolved.get(id)?.provider ?? findProvider(id)
  if (provider !== null) return provider
  const known = [...new Set([...PROVIDERS.map((each) => each.id), ...resolved.keys()])]
  const nearest = nearestWord(id, known)
  const hint = nearest === null ? `There are: ${known.join(', ')}.` : `Did you mean ${nearest}?`
  throw new WeirError('invalid_argument', `There is no provider "${id}".`, { hint })
}

export function createKeyCheck(
  config: Config,
  clock: Clock,
): (question: KeyQuestion) => KeyCheckAnswer {
  return ({ key, providerId, model }) => {
    const provider = findKnownProvider(config, providerId)
    return checkKey({ key, provider, model, nowMs: clock.now() })
  }
}

const FAULT_REASONS: Readonly<Record<KeyFault, string>> = {
  revoked_api_key: 'The key was revoked.',
  expired_api_key: 'The key has expired.',
  key_paused: 'The key is paused; an administrator can resume it.',
}

export function checkKey({ key, provider, model, nowMs }: KeyCheckQuestion): KeyCheckAnswer {
  const slug = toSlug(provider, model)
  const refused = (reason: string): KeyCheckAnswer => ({
    allowed: false,
    reason,
    slug,
    pattern: null,
  })
  const fault = keyFault(key, nowMs)
  if (fault !== null) return refused(FAULT_REASONS[fault])
  const { allowedProviders } = key
  if (allowedProviders.length > 0 && !allowedProviders.includes(provider.id)) {
    return refused(
      `The key may not use the provider ${provider.id}; it may use: ${allowedProviders.join(', ')}.`,
    )
  }
  const policy = policyOf(key)
  if (policy === null) {
    return { allowed: true, reason: 'The key may use every model.', slug, pattern: null }
  }
  const pattern = findPattern(policy, { providerId: provider.id, slug })
  if (pattern !== null) {
    return { allowed: true, reason: `The pattern ${pattern} allows ${slug}.`, slug, pattern }
  }
  const hidden = isHiddenModel(slug)
    ? ' What runs behind such a name is not known, so a pattern has to spell its prefix out.'
    : ''
  return refused(
    `No pattern of the key allows ${slug}; there are: ${key.allowedModels.join(', ')}.${hidden}`,
  )
}
