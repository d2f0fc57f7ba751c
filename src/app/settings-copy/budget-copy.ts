// The copy of the blocking budgets as the ledger reported them last, for a node that starts while
// the database is away: what was used up stays used up.

import type { Budget } from '../../core/budget.ts'
import type { BudgetReport, BudgetState, UsualCall } from '../../core/budget-state.ts'
import { readCopy, writeCopy } from './copy-file.ts'

/** With amounts as text: JSON has no integers of that size. */
interface StoredState extends Omit<BudgetState, 'budget' | 'spent' | 'usual' | 'unpriced'> {
  /** What is optional is absent in copies of older versions. */
  readonly budget: Omit<Budget, 'limit' | 'each' | 'isTargetsOnly'> & {
    readonly limit: string
    readonly each?: Budget['each']
    readonly isTargetsOnly?: boolean
  }
  readonly spent: string
  readonly usual: (Omit<UsualCall, 'cost'> & { readonly cost: string }) | null
  readonly unpriced?: number
}

interface StoredReport extends Omit<BudgetReport, 'states'> {
  readonly states: readonly StoredState[]
}

const name = 'budgets-copy.json'

export async function writeBudgetCopy(dataDir: string, report: BudgetReport): Promise<void> {
  const content: StoredReport = { ...report, states: report.states.map(toStored) }
  await writeCopy({ dataDir, name }, content)
}

/** Null without one; `tell` gets what is used instead of the database, or why nothing is. */
export function readBudgetCopy(dataDir: string, tell: (line: string) => void): BudgetReport | null {
  const copy = readCopy({ dataDir, name })
  if (copy.kind === 'unusable') tell(copy.reason)
  if (copy.kind !== 'found') return null
  const content = copy.content as StoredReport
  const time = new Date(copy.confirmedAt).toISOString()
  tell(`Blocking budgets are a copy of ${time} until the database answers.`)
  return { ...content, states: content.states.map(fromStored) }
}

function toStored(state: BudgetState): StoredState {
  const { budget, spent, usual } = state
  return {
    ...state,
    budget: { ...budget, limit: String(budget.limit) },
    spent: String(spent),
    usual: usual === null ? null : { ...usual, cost: String(usual.cost) },
  }
}

function fromStored(state: StoredState): BudgetState {
  const { budget, spent, usual } = state
  return {
    ...state,
    budget: { each: 'none', isTargetsOnly: false, ...budget, limit: BigInt(budget.limit) },
    spent: BigInt(spent),
    usual: usual === null ? null : { ...usual, cost: BigInt(usual.cost) },
    unpriced: state.unpriced ?? 0,
  }
}
