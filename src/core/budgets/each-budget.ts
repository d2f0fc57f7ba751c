// A budget that counts apart for each key, person or team: a rule. Each member of it has a counter,
// which is a budget of its own for the ledger and the limits; its id says both. Must stay true:
// who the member is follows from the call alone, so the ledger and all proxies say the same.

import type { Budget, BudgetEach } from '../budget.ts'
import type { CoveredCall } from '../budget-index.ts'
import { PERSON_FACT, TEAM_FACT } from '../teams/team.ts'

/** As many counters of one rule are read at once, those with the most spend. */
export const COUNTERS_MAX = 50_000

/** As long is a rule's own id, `bud_…`, in that of a counter. */
export const BUDGET_ID_CHARS = 20
/** No id has it. */
const BETWEEN = '#'

/** Null for a call that belongs to nobody of the kind: no counter has it. */
export function memberOf(
  each: BudgetEach,
  { keyId, dims }: Pick<CoveredCall, 'keyId' | 'dims'>,
): string | null {
  switch (each) {
    case 'none':
      return null
    case 'key':
      return keyId
    case 'person':
      return dims[PERSON_FACT] ?? null
    case 'team':
      return dims[TEAM_FACT] ?? null
  }
}

/** Whether it is about that call: for rules, that somebody has it, for counters, that they do. */
export function isForMember(
  { each, member }: Pick<Budget, 'each' | 'member'>,
  call: Pick<CoveredCall, 'keyId' | 'dims'>,
): boolean {
  if (each === 'none') return true
  const own = memberOf(each, call)
  return own !== null && (member === undefined || member === own)
}

export function isRule({ each, member }: Pick<Budget, 'each' | 'member'>): boolean {
  return each !== 'none' && member === undefined
}

export function counterIdOf(ruleId: string, member: string): string {
  return `${ruleId}${BETWEEN}${member}`
}

/** With the limit of that member, where it was given one. */
export function toCounter({ ownLimits, ...rule }: Budget, member: string): Budget {
  const own = ownLimits?.[member]
  const counter = { ...rule, id: counterIdOf(rule.id, member), member }
  return own === undefined ? counter : { ...counter, limit: BigInt(own) }
}

/** Of what is no counter, itself. */
export function toRule({ member: _member, ...budget }: Budget): Budget {
  return { ...budget, id: ruleIdOf(budget.id) }
}

/** Of a budget that has no counters, its own. */
export function ruleIdOf(id: string): string {
  const at = id.indexOf(BETWEEN)
  return at === -1 ? id : id.slice(0, at)
}

/** Null for what is no counter. */
export function memberIdOf(id: string): string | null {
  const at = id.indexOf(BETWEEN)
  return at === -1 ? null : id.slice(at + 1)
}

/** The ids of a rule's counters lie between them, byte by byte. */
export function counterIdsOf(ruleId: string): readonly [above: string, below: string] {
  return [`${ruleId}${BETWEEN}`, `${ruleId}${String.fromCharCode(BETWEEN.charCodeAt(0) + 1)}`]
}
