// A page: what all watched budgets with one kind of period have spent in one such period, read and
// written within a transaction. Must stay true: every budget on an open page has its count, from
// its row or the records, and a threshold is raised at the call that reaches it.

import { amountAt } from '../../../core/budget.ts'
import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import { toThresholdAlert } from '../../../core/budget-alert.ts'
import type { Money } from '../../../core/money.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { canCount, countSpend } from './budget-count.ts'
import type { CountOptions } from './budget-count.ts'
import { addCall, createBudgetRows } from './budget-rows.ts'
import type { BudgetRows, SpendFigures } from './budget-rows.ts'
import { createOutboxWriter } from './outbox.ts'

export interface Tally {
  readonly budget: Budget
  readonly figures: SpendFigures
  /** The spend at which each threshold fires, ascending. */
  readonly amounts: readonly Money[]
  /** How many thresholds the spend has reached. */
  reached: number
  /** It differs from its row, or has none yet. */
  isChanged: boolean
}

export interface Page {
  readonly span: BudgetSpan
  readonly tallies: ReadonlyMap<string, Tally>
}

export interface OpenOptions extends CountOptions {
  readonly isInDoubt?: (budget: Budget, stored: SpendFigures) => boolean
}

export interface BudgetPages {
  /** Counts budgets that have no row, and those whose row `isInDoubt`, where possible. */
  open(budgets: readonly Budget[], options: OpenOptions): Page
  add(page: Page, tally: Tally, record: UsageRecord): void
  /** Raises an alert for every threshold reached, unless it has one already. */
  judge(page: Page, tally: Tally, atMs: number): void
  write(page: Page): void
  retain: BudgetRows['retain']
}

export function createBudgetPages(file: SqliteFile): BudgetPages {
  const rows = createBudgetRows(file)
  const addAlert = createOutboxWriter(file)

  function raise(span: BudgetSpan, { budget, figures, reached }: Tally, at: number): void {
    const percent = budget.thresholds[reached - 1] as number
    addAlert(toThresholdAlert(budget, { span, percent, spent: figures.spent, at }))
  }

  return {
    open(budgets, { span, slugOf, isInDoubt = () => false }) {
      const stored = rows.read(budgets, span)
      const isWanted = (budget: Budget): boolean => {
        const figures = stored.get(budget.id)
        return figures === undefined || (isInDoubt(budget, figures) && canCount(file, budget, span))
      }
      const counted = countSpend(file, budgets.filter(isWanted), { span, slugOf })
      const tallies = new Map<string, Tally>()
      for (const budget of budgets) {
        const { id } = budget
        const figures = merge(stored.get(id), counted.get(id))
        tallies.set(id, { ...createTally(budget, figures), isChanged: counted.has(id) })
      }
      return { span, tallies }
    },
    add({ span }, tally, { event, cost }) {
      const { figures, amounts } = tally
      const { requestBytes, tokens, endedAt } = event
      addCall(figures, { amount: cost.amount, requestBytes, outputTokens: tokens?.output ?? 0 })
      tally.isChanged = true
      while (tally.reached < amounts.length) {
        if (figures.spent < (amounts[tally.reached] as Money)) return
        tally.reached += 1
        raise(span, tally, endedAt)
      }
    },
    judge({ span }, tally, atMs) {
      for (let reached = 1; reached <= tally.reached; reached += 1) {
        raise(span, { ...tally, reached }, atMs)
      }
    },
    write({ span, tallies }) {
      for (const { budget, figures, isChanged } of tallies.values()) {
        if (isChanged) rows.write(budget, span, figures)
      }
    },
    retain: (budgets, sinceMs) => rows.retain(budgets, sinceMs),
  }
}

/** Rollups give the spend only: figures of single calls are kept. At least one is defined. */
function merge(stored: SpendFigures | undefined, counted: SpendFigures | undefined): SpendFigures {
  if (stored === undefined || counted === undefined) return (stored ?? counted) as SpendFigures
  const { costRevision, spent, unpriced } = counted
  return counted.calls === 0 ? { ...stored, costRevision, spent, unpriced } : counted
}

function createTally(budget: Budget, figures: SpendFigures): Omit<Tally, 'isChanged'> {
  const amounts = budget.thresholds.map((percent) => amountAt(budget.limit, percent))
  const reached = amounts.filter((amount) => amount <= figures.spent).length
  return { budget, figures, amounts, reached }
}
