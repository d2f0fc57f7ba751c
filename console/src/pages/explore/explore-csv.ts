// The rows of an answer as CSV, as `weir usage --csv` prints them. Must stay true: what callers
// wrote cannot become a formula in a spreadsheet, and the digits are those that the API sent.

import type { UsageRow } from '../../../../src/api/contract.ts'
import type { UsageQuestion } from '../../data/usage.ts'

const COLUMNS = ['label', 'value', 'bucket', 'model', 'requests', 'tokens'] as const
const LINE_END = '\r\n'
// A spreadsheet may split at semicolons and tabs as well.
const NEEDS_QUOTES = /[",;\t\r\n]/
// https://owasp.org/www-community/attacks/CSV_Injection, the full-width signs included.
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/
// Where it splits there only, our quotes protect nothing: see src/api/exports/csv.ts.
const FORMULA_INSIDE = /[;\t\r\n](?=[ "]*[=+\-@＝＋－＠])/g
/** As many decimals as the API rounds to. */
const USD_DIGITS = 9

export function toUsageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => toField(row[name])).join(','))
  return [COLUMNS.join(','), ...lines].map((line) => line + LINE_END).join('')
}

/** `weir-cost_usd-by-model-month_to_date-2026-11-16.csv` */
export function toCsvName(question: UsageQuestion, asOf: string): string {
  const { metric, dimension, dim_key: key, window, month } = question
  const grouping =
    dimension === undefined ? [] : ['by', dimension, ...(key === undefined ? [] : [key])]
  const parts = ['weir', metric, ...grouping, month ?? window, asOf.slice(0, 10)]
  return `${parts.join('-').replaceAll(/[^\w.-]/g, '_')}.csv`
}

function toField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return toDecimal(value)
  const inside = value.replaceAll(FORMULA_INSIDE, "$&'")
  const text = FORMULA_START.test(value) ? `'${inside}` : inside
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Never `4.2e-7`: not every reader of CSV takes that for a number. */
function toDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(USD_DIGITS).replace(/\.?0+$/, '') : text
}
