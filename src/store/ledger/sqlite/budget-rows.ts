// The rows of what budgets spent, on SQLite.

import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { fromSpendRows, SPEND_COLUMNS, toSpendValues } from '../spend-figures.ts'
import type { SpendFigures, SpendRow } from '../spend-figures.ts'

export interface BudgetRows {
  /** Reads the rows of budgets in the period; all must have that kind of period. */
  read(budgets: readonly Budget[], span: BudgetSpan): Map<string, SpendFigures>
  write(budget: Budget, span: BudgetSpan, figures: SpendFigures): void
  /** Removes rows of earlier periods and of other budgets. If needed again, they are recounted. */
  retain(budgets: readonly Budget[], sinceMs: number): void
}

export function createBudgetRows(file: SqliteFile): BudgetRows {
  const select = file.prepare<SpendRow>('SELECT * FROM budget_spend WHERE period_start = ?')
  const put = file.prepare(`INSERT OR REPLACE INTO budget_spend (${SPEND_COLUMNS.join(', ')})
    VALUES (${SPEND_COLUMNS.map(() => '?').join(', ')})`)
  const removal = file.prepare(`DELETE FROM budget_spend WHERE period_start < ?
    OR budget NOT IN (SELECT value FROM json_each(?))`)
  return {
    read: (budgets, span) => fromSpendRows(select.all(span.startMs), budgets),
    write(budget, span, figures) {
      put.run(...toSpendValues(budget, span, figures))
    },
    retain(budgets, sinceMs) {
      removal.run(sinceMs, JSON.stringify(budgets.map(({ id }) => id)))
    },
  }
}
