// Whether a key's calls are let in, and why not, by all that decides on them: whether it is paused,
// revoked or expired, and the blocking budgets that are used up. Must stay true: it says blocked
// only where each call is refused. What running calls have reserved comes and goes: it is left out.

import { hasScope, keyStatusOf } from '../../core/api-key.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { createBudgetCovers, isEveryCallCovered } from '../../limits/budget-cover.ts'
import type { Covering } from '../../limits/budget-cover.ts'
import { formatScope } from '../../core/budget-scope.ts'
import { usedOf } from '../../core/budget-state.ts'
import { isRule, ruleIdOf } from '../../core/budgets/each-budget.ts'
import type { Caller } from '../../core/caller.ts'
import { readBudgetStates, readCounterStates } from '../../ledger/usual-call.ts'
import type { ApiServices } from '../api-options.ts'
import { readBudgetsOfKeys, toOwnBudget } from '../budgets/budgets-of-keys.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import { describeWayOut, LIFE_REASONS } from './refusal-reasons.ts'
import type { UsedUp } from './refusal-reasons.ts'
import type { KeyStateAnswer } from './key-contract.ts'

const REASONS_MAX = 3
export const HIDDEN_BUDGET = 'A blocking budget is used up; scope read:usage shows which.'
export const COMPANY_BUDGET = 'A blocking budget of the company is used up.'

type StateSources = Pick<
  ApiServices,
  'settings' | 'ledgerProgress' | 'slugOf' | 'clock' | 'everyBudget'
>

/** Those of which the caller knows, and the others. */
export async function readUsedUp(
  sources: StateSources,
): Promise<Readonly<Record<'seen' | 'hidden', readonly UsedUp[]>>> {
  const { usedUp, isSeen } = await readBudgets(sources)
  return { seen: usedUp.filter(isSeen), hidden: usedUp.filter((each) => !isSeen(each)) }
}

async function readBudgets({ ledgerProgress, slugOf, clock, ...sources }: StateSources) {
  const { all: budgets, isSeen } = await readBudgetsOfKeys(sources)
  const blocking = budgets.filter(({ isBlocking }) => isBlocking)
  const spends = { budgets: ledgerProgress.budgets, slugOf, nowMs: clock.now() }
  const rules = blocking.filter(isRule)
  const counters = await readCounterStates(rules, spends, { percentMin: 100 })
  const states = [...(await readBudgetStates(blocking, spends)), ...counters.states]
  const usedUp = states.filter((state) => usedOf(state) >= state.budget.limit)
  return { budgets, isSeen, usedUp: usedUp.map((state) => ({ ...state.budget, state })) }
}

export interface KeyStates {
  /** Quick: it looks at budgets that are used up alone. */
  readonly statusOf: (key: ApiKey) => KeyStateAnswer['status']
  readonly stateOf: (key: ApiKey) => KeyStateAnswer
}

/** What budgets have left is read once, however many keys are asked for. */
export async function readKeyStates(sources: StateSources, caller: Caller): Promise<KeyStates> {
  const { budgets, isSeen, usedUp } = await readBudgets(sources)
  const nowMs = sources.clock.now()
  const canSee = hasScope(caller, 'read:usage')
  const [findBudgets, findUsedUp] = [createBudgetCovers(budgets), createBudgetCovers(usedUp)]
  const statusOf = (key: ApiKey): KeyStateAnswer['status'] => {
    const life = keyStatusOf(key, nowMs)
    return life === 'active' && isEveryCallCovered(findUsedUp(key), key) ? 'blocked' : life
  }
  return {
    statusOf,
    stateOf(key) {
      const all = findUsedUp(key)
      const used = canSee ? all.filter(({ budget }) => isSeen(budget)) : []
      const status = statusOf(key)
      const isBlocked = status === 'blocked'
      return {
        status,
        reason: toLifeReason(status) ?? toReason(used, isBlocked) ?? toHidden(all, canSee),
        until: isBlocked ? toIsoOrNull(findEnd(all, key)) : null,
        budgets: findBudgets(key).filter(({ budget }) => isSeen(toOwnBudget(budget, key))).length,
        used_up: used.map(toUsedUpAnswer),
      }
    },
  }
}

function toLifeReason(status: KeyStateAnswer['status']): string | null {
  return status === 'blocked' ? null : LIFE_REASONS[status]
}

function toHidden(used: readonly unknown[], canSee: boolean): string | null {
  if (used.length === 0) return null
  return canSee ? COMPANY_BUDGET : HIDDEN_BUDGET
}

function toReason(used: readonly Covering<UsedUp>[], isBlocked: boolean): string | null {
  if (used.length === 0) return null
  // Those that block every call are the ones to raise.
  const first = used.toSorted((one, other) => toRank(one) - toRank(other))
  const words = first.slice(0, REASONS_MAX).map(({ budget }) => describeWayOut(budget.state))
  return [...(isBlocked ? [] : ['Some of its calls are refused.']), ...words].join(' ')
}

function toRank({ cover }: Covering<UsedUp>): number {
  return cover === 'all' ? 0 : 1
}

/** The first moment at which what is still used up does not cover every call. */
function findEnd(used: readonly Covering<UsedUp>[], key: ApiKey): number | null {
  const toEnd = ({ budget }: Covering<UsedUp>): number => budget.state.span.endMs
  const ends = used.map(toEnd).toSorted((one, other) => one - other)
  const isOver = (endMs: number): boolean =>
    !isEveryCallCovered(
      used.filter((each) => toEnd(each) > endMs),
      key,
    )
  return ends.find(isOver) ?? null
}

function toUsedUpAnswer({ budget: { state }, cover }: Covering<UsedUp>) {
  const { id, name, scope } = state.budget
  const of = { id: ruleIdOf(id), name }
  return { ...of, scope: formatScope(scope), covers: cover, resets_at: toIso(state.span.endMs) }
}
