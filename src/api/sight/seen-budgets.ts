// Budgets and their targets through a sight. Must stay true: a budget that counts other calls, too,
// is not there; whom alerts go to is known to those who may change it.

import type { Budget } from '../../core/budget.ts'
import { canChangeBudget, canSeeBudget } from '../../core/teams/sight.ts'
import type { FindKey, Sight } from '../../core/teams/sight.ts'
import type { BudgetStore } from '../../store/settings/budget-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { TargetStore } from '../../store/settings/target-store.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { onlyWith } from './only-with.ts'
import { notTheirs } from './seen-keys.ts'

/** As keys are now. */
export type ReadKeys = () => Promise<FindKey>

type Settings = Pick<SettingsStore, 'budgets' | 'targets'>

export function seeBudgets({ budgets }: Settings, sight: Sight, readKeys: ReadKeys): BudgetStore {
  async function find(id: string): Promise<Budget | null> {
    const budget = await budgets.find(id)
    return budget !== null && canSeeBudget(sight, budget, await readKeys()) ? budget : null
  }

  /** Null for one that is not seen. */
  async function findOwn(id: string): Promise<Budget | null> {
    const budget = await find(id)
    if (budget !== null && !canChangeBudget(sight, budget, await readKeys())) throw notTheirs()
    return budget
  }

  async function requireOwn(
    settings: Pick<Budget, 'scope' | 'isBlocking' | 'each'>,
  ): Promise<void> {
    if (canChangeBudget(sight, settings, await readKeys())) return
    throw invalidParameter(
      'The body is refused: scope must be a key of a team of yours; or the team, for a budget that does not block, or that each key or person has.',
    )
  }

  return onlyWith({
    async create(settings, targets) {
      await requireOwn(settings)
      return budgets.create(settings, targets)
    },
    async list() {
      const findKey = await readKeys()
      return (await budgets.list()).filter((each) => canSeeBudget(sight, each, findKey))
    },
    find,
    async update(id, change, expected) {
      const before = await findOwn(id)
      if (before === null) return null
      await requireOwn({ ...before, ...change })
      return budgets.update(id, change, expected ?? [before.version])
    },
    async setOwnLimit(id, member, limit) {
      const rule = await find(id)
      if (rule === null) return null
      const isGiven = rule.defaultOf !== undefined && sight.teams.includes(rule.defaultOf)
      if (!isGiven && !canChangeBudget(sight, rule, await readKeys())) throw notTheirs()
      return budgets.setOwnLimit(id, member, limit)
    },
    async remove(id, expected) {
      const before = await findOwn(id)
      return before === null ? null : budgets.remove(id, expected ?? [before.version])
    },
  })
}

export function seeTargets(settings: Settings, sight: Sight, readKeys: ReadKeys): TargetStore {
  const { budgets, targets } = settings

  async function list(): ReturnType<TargetStore['list']> {
    const findKey = await readKeys()
    const own = (await budgets.list()).filter((each) => canChangeBudget(sight, each, findKey))
    const ids = new Set(own.map(({ id }) => id))
    return (await targets.list()).filter(({ budgetId }) => budgetId !== null && ids.has(budgetId))
  }

  const find: TargetStore['find'] = async (id) =>
    (await list()).find((target) => target.id === id) ?? null

  return onlyWith({
    async create(target) {
      const budget = target.budgetId === null ? null : await budgets.find(target.budgetId)
      if (budget === null || !canChangeBudget(sight, budget, await readKeys())) throw notTheirs()
      return targets.create(target)
    },
    list,
    find,
    remove: async (id) => ((await find(id)) === null ? null : targets.remove(id)),
  })
}
