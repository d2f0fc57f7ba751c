// Explains what the proxy would answer to a key's call for a model, with the proxy's own rules.

import type { KeyCheckAnswer } from './key-contract.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { keyStatusOf } from '../../core/api-key.ts'
import { createBudgetIndex } from '../../core/budget-index.ts'
import { isForMember, ruleIdOf } from '../../core/budgets/each-budget.ts'
import type { Clock } from '../../core/clock.ts'
import { findPattern, isHiddenModel, policyOf } from '../../core/model-policy.ts'
import { nearestWord } from '../../core/nearest-word.ts'
import { factsOf } from '../../core/teams/team.ts'
import { WeirError } from '../../core/weir-error.ts'
import { toSlug } from '../../providers/provider.ts'
import type { Provider } from '../../providers/provider.ts'
import { findProvider, PROVIDERS } from '../../providers/registry.ts'
import type { Config } from '../../config/config.ts'
import { resolveProviders } from '../../config/resolve-providers.ts'
import { toIso } from '../iso-time.ts'
import { describeWayOut, LIFE_REASONS } from './refusal-reasons.ts'
import type { UsedUp } from './refusal-reasons.ts'

export interface KeyQuestion {
  readonly key: ApiKey
  readonly providerId: string
  readonly model: string
  /** The blocking budgets that are. */
  readonly usedUp: readonly UsedUp[]
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
  return ({ key, providerId, model, usedUp }) => {
    const provider = findKnownProvider(config, providerId)
    const verdict = checkKey({ key, provider, model, nowMs: clock.now() })
    return verdict.allowed ? checkBudgets(verdict, { key, providerId, model, usedUp }) : verdict
  }
}

/** As the proxy does it, of a call that says nothing of its dimensions. */
function checkBudgets(
  verdict: KeyCheckAnswer,
  { key, providerId, model, usedUp }: KeyQuestion,
): KeyCheckAnswer {
  const dims = { ...key.defaultDims, ...key.lockedDims, ...factsOf(key) }
  const budgets = createBudgetIndex(usedUp, () => verdict.slug)
  const call = { keyId: key.id, provider: providerId, model, dims }
  const found = budgets.find(call).find((budget) => isForMember(budget, call))
  if (found === undefined) return verdict
  const { state } = found
  return {
    ...verdict,
    allowed: false,
    reason: describeWayOut(state),
    budget_id: ruleIdOf(state.budget.id),
    until: toIso(state.span.endMs),
  }
}

export function checkKey({ key, provider, model, nowMs }: KeyCheckQuestion): KeyCheckAnswer {
  const slug = toSlug(provider, model)
  const open = { slug, pattern: null, budget_id: null, until: null }
  const refused = (reason: string): KeyCheckAnswer => ({ ...open, allowed: false, reason })
  const lifeReason = LIFE_REASONS[keyStatusOf(key, nowMs)]
  if (lifeReason !== null) return refused(lifeReason)
  const { allowedProviders } = key
  if (allowedProviders.length > 0 && !allowedProviders.includes(provider.id)) {
    return refused(
      `The key may not use the provider ${provider.id}; it may use: ${allowedProviders.join(', ')}.`,
    )
  }
  const policy = policyOf(key)
  if (policy === null) {
    return { ...open, allowed: true, reason: 'The key may use every model.' }
  }
  const pattern = findPattern(policy, { providerId: provider.id, slug })
  if (pattern !== null) {
    return { ...open, allowed: true, reason: `The pattern ${pattern} allows ${slug}.`, pattern }
  }
  const hidden = isHiddenModel(slug)
    ? ' What runs behind such a name is not known, so a pattern has to spell its prefix out.'
    : ''
  return refused(
    `No pattern of the key allows ${slug}; there are: ${key.allowedModels.join(', ')}.${hidden}`,
  )
}
