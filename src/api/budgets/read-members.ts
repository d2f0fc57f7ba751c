// Who has spent how much of a limit that each key, person or team has: who is near it, of one rule
// or over all of them.

import type { Budget } from '../../core/budget.ts'
import { unknownSum } from '../../core/budget-state.ts'
import type { BudgetState } from '../../core/budget-state.ts'
import { isRule, ruleIdOf } from '../../core/budgets/each-budget.ts'
import { seesTeam } from '../../core/teams/sight.ts'
import type { CallerSight } from '../../core/teams/sight.ts'
import { factNameOf } from '../../core/teams/team.ts'
import { toAnswerUsd } from '../../core/money.ts'
import { readCounterStates } from '../../ledger/usual-call.ts'
import type { ApiServices } from '../api-options.ts'
import type { BudgetMemberList, BudgetMemberRow } from '../contract.ts'
import type { NearestMemberList } from './budget-contract.ts'
import { readNames } from '../known-names.ts'
import type { KnownNames } from '../known-names.ts'
import { MEMBERS_LIMIT_DEFAULT } from './budget-contract.ts'
import { standingOf, toPercent, usedBy } from './budget-row.ts'
import { readBudgetsOfKeys } from './budgets-of-keys.ts'
import type { BudgetSources } from './budgets-of-keys.ts'

type MemberSources = Pick<
  ApiServices,
  'settings' | 'keyDirectory' | 'teamDirectory' | 'ledgerProgress' | 'slugOf' | 'clock'
>

export interface MemberQuestion {
  readonly status?: 'near' | 'over' | undefined
  readonly limit?: number | undefined
}

export async function readMembers(
  sources: MemberSources,
  rule: Budget,
  { status, limit = MEMBERS_LIMIT_DEFAULT }: MemberQuestion,
): Promise<BudgetMemberList> {
  if (!isRule(rule)) return { rows: [], count: 0 }
  const { ledgerProgress, slugOf, clock } = sources
  const asked = { budgets: ledgerProgress.budgets, slugOf, nowMs: clock.now() }
  const { states } = await readCounterStates([rule], asked)
  const wanted = states.filter((state) => status === undefined || standingOf(state) === status)
  const names = await readNames(sources, toNameKind(rule.each))
  const rows = wanted
    .toSorted(byUse)
    .slice(0, limit)
    .map((state) => toMemberRow(state, names))
  return { rows, count: wanted.length }
}

/** Of all rules; of one that counts others, too, those whose part may be known. */
export async function readNearest(
  sources: MemberSources & BudgetSources & Pick<ApiServices, 'sight'>,
  { status, limit = MEMBERS_LIMIT_DEFAULT }: MemberQuestion,
): Promise<NearestMemberList> {
  const { all, isSeen } = await readBudgetsOfKeys(sources)
  const { ledgerProgress, slugOf, clock } = sources
  const asked = { budgets: ledgerProgress.budgets, slugOf, nowMs: clock.now() }
  const { states } = await readCounterStates(all.filter(isRule), asked)
  const wanted = states.filter(
    (state) =>
      isSeen(state.budget) &&
      isAboutTheirs(state.budget, sources.sight) &&
      (status === undefined || standingOf(state) === status),
  )
  const shown = wanted.toSorted(byUse).slice(0, limit)
  const kinds = new Set(shown.map(({ budget }) => budget.each))
  const names = await readNames(sources, [...kinds].flatMap(toNameKind))
  const rows = shown.map((state) => {
    const { id, name, period } = state.budget
    return { budget_id: ruleIdOf(id), budget_name: name, period, ...toMemberRow(state, names) }
  })
  return { rows, count: wanted.length }
}

/** A key has come with calls that the rule of another team has counted. */
function isAboutTheirs({ scope }: Budget, sight: CallerSight): boolean {
  if (sight === null || scope.kind !== 'dim') return true
  const fact = factNameOf(scope.key)
  if (fact === 'team') return seesTeam(sight, scope.value)
  return fact === null || sight.personId === scope.value
}

function toNameKind(each: Budget['each']) {
  if (each === 'none') return []
  return [each === 'key' ? ('api_key' as const) : each]
}

function toMemberRow(state: BudgetState, names: KnownNames): BudgetMemberRow {
  const { budget, spent, unpriced } = state
  const { each, member = '', limit } = budget
  return {
    kind: each as BudgetMemberRow['kind'],
    id: member,
    name: names.get(member) ?? null,
    limit_usd: toAnswerUsd(limit),
    spent_usd: toAnswerUsd(spent),
    spent_percent: toPercent(spent, limit),
    is_exceeded: spent >= limit,
    unpriced_requests: unpriced,
    unknown_cost_usd: budget.isBlocking ? toAnswerUsd(unknownSum(state)) : null,
  }
}

/** By the part of their limit that is used, the largest first. */
function byUse(one: BudgetState, other: BudgetState): number {
  const [first, second] = [usedBy(one) * other.budget.limit, usedBy(other) * one.budget.limit]
  if (first === second) return 0
  return first < second ? 1 : -1
}
