// The rows of what budgets spent. They are changed under the store's lock only.

import type { Budget, BudgetSpan } from '../../../core/budget.ts'
import type { Sql, Statement } from '../../sql/sql.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import { listChanged } from '../period-counters.ts'
import type { PeriodCounters } from '../period-counters.ts'
import { fromSpendRows, SPEND_COLUMNS, toSpendValues } from '../spend-figures.ts'
import type { SpendFigures, SpendRow } from '../spend-figures.ts'

export interface StoredFigures extends SpendFigures {
  /** How many batches there were when it was last counted; null where that is not known. */
  readonly countedAt: number | null
}

interface StoredRow extends SpendRow {
  readonly period_start: number
  readonly counted_at: number | null
}

/** Of the spans, all their rows: there are few, and one reading is enough. */
export async function readSpendRows(
  sql: Sql,
  spans: readonly BudgetSpan[],
  dialect: Pick<Dialect, 'isAmong'>,
): Promise<(budgets: readonly Budget[], span: BudgetSpan) => ReadonlyMap<string, StoredFigures>> {
  const starts = [...new Set(spans.map(({ startMs }) => startMs))]
  const isWanted = dialect.isAmong('period_start', starts)
  const text = `SELECT * FROM budget_spend WHERE ${isWanted.sql}`
  const rows = await sql.all<StoredRow>(text, isWanted.parameters)
  const byStart = Map.groupBy(rows, (row) => row.period_start)
  return (budgets, span) => {
    const found = byStart.get(span.startMs) ?? []
    const countedAt = new Map(found.map((row) => [row.budget, row.counted_at]))
    const figures = fromSpendRows(found, budgets)
    return new Map(
      Array.from(figures, ([id, of]) => [id, { ...of, countedAt: countedAt.get(id) ?? null }]),
    )
  }
}

function toPut(columns: readonly string[]): string {
  const changes = columns.slice(2).map((column) => `${column} = excluded.${column}`)
  return `INSERT INTO budget_spend (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (period_start, budget) DO UPDATE SET ${changes.join(', ')}`
}

/** A batch adds to what was counted, and does not change when that was. */
const PUT = toPut(SPEND_COLUMNS)
const PUT_COUNTED = toPut([...SPEND_COLUMNS, 'counted_at'])

export function toSpendWrites(pages: Iterable<PeriodCounters>): readonly Statement[] {
  const statements: Statement[] = []
  for (const page of pages) {
    for (const { budget, figures } of listChanged(page)) {
      statements.push({ text: PUT, values: toSpendValues(budget, page.span, figures) })
    }
  }
  return statements
}

/** What was counted again, and how many batches there were at that moment. */
export function toCountWrites(
  page: PeriodCounters,
  countedAt: number | null,
): readonly Statement[] {
  return listChanged(page).map(({ budget, figures }) => ({
    text: PUT_COUNTED,
    values: [...toSpendValues(budget, page.span, figures), countedAt],
  }))
}

/** Rows of earlier periods, and of budgets that no longer exist. */
export function pruneSpendRows(
  sql: Sql,
  { budgets, sinceMs }: { readonly budgets: readonly Budget[]; readonly sinceMs: number },
  dialect: Pick<Dialect, 'isOneOf'>,
): Promise<number> {
  const ids = budgets.map(({ id }) => id)
  const isKept = dialect.isOneOf('budget', ids)
  const text = `DELETE FROM budget_spend WHERE period_start < ? OR NOT (${isKept.sql})`
  return sql.run(text, [sinceMs, ...isKept.parameters])
}
