// The limit that a person has for themselves under a budget, and giving them another. Must stay
// true: a lead gives no more than their team has itself.

import { formatScope } from '../../core/budget-scope.ts'
import type { Budget } from '../../core/budget.ts'
import { isRule, memberIdOf, ruleIdOf, toCounter } from '../../core/budgets/each-budget.ts'
import type { ApiKey } from '../../core/api-key.ts'
import type { Ask } from '../../core/asks/ask.ts'
import { formatMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { factsOf, PERSON_FACT, TEAM_FACT } from '../../core/teams/team.ts'
import { WeirError } from '../../core/weir-error.ts'
import { createBudgetCovers } from '../../limits/budget-cover.ts'
import type { ApiServices } from '../api-options.ts'
import { readBudgetsOfKeys, toOwnBudget } from '../budgets/budgets-of-keys.ts'
import { invalidParameter } from '../invalid-parameter.ts'

type Sources = Pick<ApiServices, 'settings' | 'everyBudget' | 'sight'>

/** Null where it limits others as well, or may not be known. */
export async function findOwnBudget(
  sources: Sources,
  id: string,
  key: ApiKey,
): Promise<Budget | null> {
  const { all, isSeen } = await readBudgetsOfKeys(sources)
  const found = createBudgetCovers(all)(key).find(({ budget }) => budget.id === id)
  if (found === undefined) return null
  const own = toOwnBudget(found.budget, key)
  return isSeen(own) && isOfOne(own, key) ? own : null
}

function isOfOne({ member, scope, each }: Budget, key: ApiKey): boolean {
  if (member !== undefined) return each !== 'team'
  if (scope.kind === 'api_key') return scope.keyId === key.id
  const person = factsOf(key)[PERSON_FACT]
  return scope.kind === 'dim' && scope.key === PERSON_FACT && scope.value === person
}

/** As it is now; null once it is gone. */
export function toAskedBudget(ask: Ask, budgets: readonly Budget[]): Budget | null {
  const budget = budgets.find(({ id }) => id === ask.budgetId)
  if (budget === undefined || !isRule(budget)) return budget ?? null
  const member = budget.each === 'key' ? ask.keyId : ask.personId
  return member === null ? null : toCounter(budget, member)
}

/** Of one member of a rule, or of a budget that is theirs alone. */
export async function grantLimit(
  services: Sources,
  { own, limit, teamId }: { readonly own: Budget; readonly limit: Money; readonly teamId: string },
): Promise<void> {
  const { all } = await readBudgetsOfKeys(services)
  if (services.sight !== null) requireWithinTeam(all, { own, limit, teamId })
  const { budgets } = services.settings
  const [id, member] = [ruleIdOf(own.id), memberIdOf(own.id)]
  const changed =
    member === null
      ? await budgets.update(id, { limit })
      : await budgets.setOwnLimit(id, member, limit)
  if (changed !== null) return
  throw new WeirError('scope_denied', `The budget ${own.name} is the company's to change.`, {
    hint: 'An administrator, or finance, can approve it.',
  })
}

/** What the team gives all of its keys is exceeded only where the team itself has a limit. */
function requireWithinTeam(
  all: readonly Budget[],
  { own, limit, teamId }: { readonly own: Budget; readonly limit: Money; readonly teamId: string },
): void {
  const scope = formatScope({ kind: 'dim', key: TEAM_FACT, value: teamId })
  const ofTeam = all.filter(
    (each) =>
      each.each === 'none' && formatScope(each.scope) === scope && each.period === own.period,
  )
  if (own.defaultOf !== undefined && ofTeam.length === 0) {
    throw new WeirError('scope_denied', 'The team has no budget of its own to stay within.', {
      hint: 'An administrator, or finance, can approve it.',
    })
  }
  const least = ofTeam.find((each) => each.limit < limit)
  if (least === undefined) return
  const most = formatMoney(least.limit)
  throw invalidParameter(`amount_usd: The team itself has ${most} USD: ${least.name}.`)
}
