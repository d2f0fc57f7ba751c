// Which budgets cover a call, found without checking each. Must stay true: it finds what each scope
// alone would match. A model's slugs are matched once and cached, since patterns are slow.

import type { Budget } from './budget.ts'
import { createModelPolicy, isModelAllowed } from './model-policy.ts'
import type { ModelPolicy } from './model-policy.ts'

export interface CoveredCall {
  readonly keyId: string | null
  readonly provider: string
  /** The model that ran, or is going to. Null where it is not known: then no pattern covers it. */
  readonly model: string | null
  readonly dims: Readonly<Record<string, string>>
}

/** `maker/model`, as policies name it. */
export type SlugOf = (provider: string, model: string) => string

export type ScopedBudget = Pick<Budget, 'id' | 'scope'>

export interface BudgetIndex<Each extends ScopedBudget = Budget> {
  find(call: CoveredCall): readonly Each[]
}

/** Callers name models, so the cache is bounded. */
const MODELS_REMEMBERED_MAX = 1000
const NONE: readonly never[] = []

export function createBudgetIndex<Each extends ScopedBudget>(
  budgets: readonly Each[],
  slugOf: SlugOf,
): BudgetIndex<Each> {
  const always: Each[] = []
  const byKey = new Map<string, Each[]>()
  const byProvider = new Map<string, Each[]>()
  const byDim = new Map<string, Map<string, Each[]>>()
  const byPattern: { readonly budget: Each; readonly policy: ModelPolicy }[] = []
  for (const budget of budgets) {
    const { scope } = budget
    switch (scope.kind) {
      case 'global':
        always.push(budget)
        break
      case 'api_key':
        put(byKey, scope.keyId, budget)
        break
      case 'provider':
        put(byProvider, scope.providerId, budget)
        break
      case 'model':
        byPattern.push({ budget, policy: createModelPolicy([scope.pattern]) })
        break
      case 'dim': {
        const values = byDim.get(scope.key) ?? new Map<string, Each[]>()
        byDim.set(scope.key, values)
        put(values, scope.value, budget)
        break
      }
    }
  }
  const remembered = new Map<string, readonly Each[]>()

  function findByModel({ provider, model }: CoveredCall): readonly Each[] {
    if (model === null || byPattern.length === 0) return NONE
    const name = `${provider}\0${model}`
    const known = remembered.get(name)
    if (known !== undefined) return known
    const use = { providerId: provider, slug: slugOf(provider, model) }
    const found = byPattern.filter(({ policy }) => isModelAllowed(policy, use))
    if (remembered.size >= MODELS_REMEMBERED_MAX) remembered.clear()
    const covering = found.map(({ budget }) => budget)
    remembered.set(name, covering)
    return covering
  }

  return {
    find(call) {
      if (budgets.length === 0) return NONE
      const found = [...always, ...findByModel(call)]
      if (call.keyId !== null) found.push(...(byKey.get(call.keyId) ?? NONE))
      found.push(...(byProvider.get(call.provider) ?? NONE))
      for (const [key, values] of byDim) {
        const value = Object.hasOwn(call.dims, key) ? call.dims[key] : undefined
        if (value !== undefined) found.push(...(values.get(value) ?? NONE))
      }
      return found
    },
  }
}

function put<Each>(map: Map<string, Each[]>, name: string, budget: Each): void {
  const known = map.get(name)
  if (known === undefined) map.set(name, [budget])
  else known.push(budget)
}
