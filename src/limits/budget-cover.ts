// Which budgets count the calls of a key: all of them, or some, as far as its settings say. A
// dimension that a key neither locks nor defaults is the caller's to send: no budget is named for
// it. Must stay true: what is said to cover every call covers every call that the key lets in.

import type { ApiKey } from '../core/api-key.ts'
import { BUDGET_EACH } from '../core/budget.ts'
import type { Budget, BudgetScope } from '../core/budget.ts'
import type { ScopedBudget } from '../core/budget-index.ts'
import { isForMember, memberOf } from '../core/budgets/each-budget.ts'
import { canPatternsMeet, isPatternWithin } from '../core/model-policy.ts'
import { factsOf } from '../core/teams/team.ts'

export type Cover = 'all' | 'some'

type CoveredKey = Pick<
  ApiKey,
  'id' | 'teamId' | 'personId' | 'allowedModels' | 'allowedProviders' | 'defaultDims' | 'lockedDims'
>

export interface Covering<Each> {
  readonly budget: Each
  readonly cover: Cover
}

type CoveringBudget = ScopedBudget & Pick<Budget, 'each' | 'member'>

/**
 * Those of a key are found without looking at each budget of another key or dimension, nor at each
 * counter of other members of a rule.
 */
export function createBudgetCovers<Each extends CoveringBudget>(
  budgets: readonly Each[],
): (key: CoveredKey) => readonly Covering<Each>[] {
  const byPlace = Map.groupBy(budgets, ({ scope, each, member }) =>
    member === undefined ? toPlace(scope) : `${each} ${member}`,
  )
  return (key) => {
    const dims = { ...key.defaultDims, ...key.lockedDims, ...factsOf(key) }
    const places = [
      'any',
      key.id,
      ...Object.entries(dims).map(([name, value]) => `${name}=${value}`),
    ]
    const call = { keyId: key.id, dims }
    const members = BUDGET_EACH.map((each) => `${each} ${memberOf(each, call)}`)
    return [...places, ...members]
      .flatMap((place) => byPlace.get(place) ?? [])
      .flatMap((budget) => {
        const { scope } = budget
        const isFor = isForMember(budget, call)
        const cover = isFor && places.includes(toPlace(scope)) ? coverOf(scope, key) : null
        return cover === null ? [] : [{ budget, cover }]
      })
  }
}

/** `svc_k_…` has no `=`, and a dimension has one. */
function toPlace(scope: BudgetScope): string {
  if (scope.kind === 'api_key') return scope.keyId
  return scope.kind === 'dim' ? `${scope.key}=${scope.value}` : 'any'
}

/** Null where it counts no call of the key, as far as its settings say. */
function coverOf(scope: BudgetScope, key: CoveredKey): Cover | null {
  const { allowedProviders: providers } = key
  switch (scope.kind) {
    case 'global':
    case 'api_key':
      return 'all'
    case 'provider':
      if (providers.length > 0 && !providers.includes(scope.providerId)) return null
      return providers.length === 1 ? 'all' : 'some'
    case 'model':
      return coverOfPattern(scope.pattern, key)
    case 'dim':
      return Object.hasOwn({ ...key.lockedDims, ...factsOf(key) }, scope.key) ? 'all' : 'some'
  }
}

function coverOfPattern(
  pattern: string,
  { allowedModels, allowedProviders: providers }: CoveredKey,
): Cover | null {
  const models = allowedModels.length === 0 ? ['*'] : allowedModels
  const canMeet =
    models.some((model) => canPatternsMeet(model, pattern)) &&
    (providers.length === 0 || providers.some((id) => canPatternsMeet(`${id}:*`, pattern)))
  if (!canMeet) return null
  return models.every((model) => isWithin(model, pattern, providers)) ? 'all' : 'some'
}

function isWithin(model: string, pattern: string, providers: readonly string[]): boolean {
  return isPatternWithin(model, pattern, providers.length === 1 ? providers[0] : null)
}

/** Whether these budgets together count every call: one of them all, or each provider or model. */
export function isEveryCallCovered(
  covering: readonly Covering<ScopedBudget>[],
  { allowedModels: models, allowedProviders: providers }: CoveredKey,
): boolean {
  const scopes = covering.map(({ budget }) => budget.scope)
  const isProviderIn = (id: string): boolean =>
    scopes.some((scope) => scope.kind === 'provider' && scope.providerId === id)
  const isModelIn = (model: string): boolean =>
    scopes.some((scope) => scope.kind === 'model' && isWithin(model, scope.pattern, providers))
  return (
    covering.some(({ cover }) => cover === 'all') ||
    (providers.length > 0 && providers.every(isProviderIn)) ||
    (models.length > 0 && models.every(isModelIn))
  )
}
