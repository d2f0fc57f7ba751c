// Who has spent how much of a limit that each key, person or team has: who is near it, in one list.

import type { Budget } from '../../core/budget.ts'
import { unknownSum } from '../../core/budget-state.ts'
import type { BudgetState } from '../../core/budget-state.ts'
import { isRule } from '../../core/budgets/each-budget.ts'
import { toAnswerUsd } from '../../core/money.ts'
import { readCounterStates } from '../../ledger/usual-call.ts'
import type { ApiServices } from '../api-options.ts'
import type { BudgetMemberList, BudgetMemberRow } from '../contract.ts'
import { readNames } from '../known-names.ts'
import type { KnownNames } from '../known-names.ts'
import { MEMBERS_LIMIT_DEFAULT } from './budget-contract.ts'
import { standingOf, toPercent, usedBy } from './budget-row.ts'

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
  const names = await readNames(sources, [rule.each === 'key' ? 'api_key' : rule.each])
  const rows = wanted
    .map((state) => ({ state, used: usedBy(state) }))
    .toSorted((one, other) => compare(other.used, one.used))
    .slice(0, limit)
    .map(({ state }) => toMemberRow(state, names))
  return { rows, count: wanted.length }
}

function toMemberRow(state: BudgetState, names: KnownNames): BudgetMemberRow {
  const { budget, spent, unpriced } = state
  const { each, member = '', limit } = budget
  return {
    kind: each as BudgetMemberRow['kind'],
    id: member,
    name: names.get(member) ?? null,
    spent_usd: toAnswerUsd(spent),
    spent_percent: toPercent(spent, limit),
    is_exceeded: spent >= limit,
    unpriced_requests: unpriced,
    unknown_cost_usd: budget.isBlocking ? toAnswerUsd(unknownSum(state)) : null,
  }
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
