// The rows of what budgets spent, on PostgreSQL. They are changed under the store's lock only.

import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { Sql, Statement } from '../../sql/sql.ts'
import { toNumberArray, toTextArray } from '../../postgres/array-text.ts'
import { listChanged } from '../budget-page.ts'
import type { FiguresById, Page } from '../budget-page.ts'
import { fromSpendRows, SPEND_COLUMNS, toSpendValues } from '../spend-figures.ts'
import type { SpendRow } from '../spend-figures.ts'

interface StoredRow extends SpendRow {
  readonly period_start: number
}

/** Of the spans, all their rows: there are few, and one reading is enough. */
export async function readSpendRows(
  sql: Sql,
  spans: readonly BudgetSpan[],
): Promise<(budgets: readonly Budget[], span: BudgetSpan) => FiguresById> {
  const starts = [...new Set(spans.map(({ startMs }) => startMs))]
  const rows = await sql.all<StoredRow>(
    'SELECT * FROM budget_spend WHERE period_start = ANY (?::bigint[])',
    [toNumberArray(starts)],
  )
  const byStart = Map.groupBy(rows, (row) => row.period_start)
  return (budgets, span) => fromSpendRows(byStart.get(span.startMs) ?? [], budgets)
}

const PUT = `INSERT INTO budget_spend (${SPEND_COLUMNS.join(', ')})
  VALUES (${SPEND_COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (period_start, budget) DO UPDATE SET
  ${SPEND_COLUMNS.slice(2)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`

export function toSpendWrites(pages: Iterable<Page>): readonly Statement[] {
  const statements: Statement[] = []
  for (const page of pages) {
    for (const { budget, figures } of listChanged(page)) {
      statements.push({ text: PUT, values: toSpendValues(budget, page.span, figures) })
    }
  }
  return statements
}

/** Rows of earlier periods, and of budgets that no longer exist. */
export function toSpendPruning(budgets: readonly Budget[], sinceMs: number): Statement {
  const text = 'DELETE FROM budget_spend WHERE period_start < ? OR NOT budget = ANY (?::text[])'
  return { text, values: [sinceMs, toTextArray(budgets.map(({ id }) => id))] }
}
