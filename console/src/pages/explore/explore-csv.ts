// An answer as CSV, as `weir analyze --csv` prints it: over time a line for each bar and row. Must
// stay true: what callers wrote cannot become a formula in a spreadsheet, and the digits are those
// that the API sent.

import type { AnalysisAnswer, Figures, Member } from '../../data/analysis/analysis.ts'

const LINE_END = '\r\n'
// A spreadsheet may split at semicolons and tabs as well.
const NEEDS_QUOTES = /[",;\t\r\n]/
// https://owasp.org/www-community/attacks/CSV_Injection, the full-width signs included.
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/
// Where it splits there only, our quotes protect nothing: see src/api/exports/csv.ts.
const FORMULA_INSIDE = /[;\t\r\n](?=[ "]*[=+\-@＝＋－＠])/g
/** As many decimals as the API rounds to. */
const USD_DIGITS = 9
const SHARES = ['p50', 'p95', 'p99'] as const

type Value = string | number | boolean | null

export function toAnalysisCsv(answer: AnalysisAnswer): string {
  const { interval, buckets, rows, series, previous, total } = answer
  const groupOf = (row: number): readonly Value[] => toGroup(rows[row]?.group ?? [])
  const now =
    interval === 'none'
      ? rows.map((row) => ['current', null, null, ...toGroup(row.group), ...toFigures(row)])
      : series.map(({ bucket, row, ...figures }) => {
          const { start = null, is_partial: isPartial = null } = buckets[bucket] ?? {}
          return ['current', start, isPartial, ...groupOf(row), ...toFigures(figures)]
        })
  const before = (previous?.rows ?? []).map(({ row, ...figures }) => [
    'previous',
    null,
    null,
    ...groupOf(row),
    ...toFigures(figures),
  ])
  const head = [
    'span',
    'bucket',
    'is_partial',
    ...answer.group_by.flatMap(toGroupNames),
    ...toFigureNames(total),
  ]
  return [head, ...now, ...before].map((line) => line.map(toField).join(',') + LINE_END).join('')
}

/** A key has its name beside its id. */
function toGroupNames(field: string): readonly string[] {
  return [field, ...(field === 'api_key' ? ['api_key_name'] : []), `${field}_kind`]
}

function toGroup(group: readonly Member[]): readonly Value[] {
  return group.flatMap(({ field, kind, value, name }) =>
    field === 'api_key' ? [value, name, kind] : [value, kind],
  )
}

const TIMES = ['first_byte_ms', 'total_ms', 'own_us'] as const

function listAmounts(figures: Figures): readonly (readonly [string, Value])[] {
  const known: readonly string[] = [...TIMES, 'group']
  return Object.entries(figures as unknown as Readonly<Record<string, Value>>).filter(
    ([name]) => !known.includes(name),
  )
}

function toFigureNames(total: Figures): readonly string[] {
  const times = TIMES.flatMap((name) => SHARES.map((share) => `${name}_${share}`))
  return [...listAmounts(total).map(([name]) => name), ...times]
}

function toFigures(figures: Figures): readonly Value[] {
  const times = TIMES.flatMap((name) => SHARES.map((share) => figures[name]?.[share] ?? null))
  return [...listAmounts(figures).map(([, value]) => value), ...times]
}

/** `weir-cost-by-model-2026-11-01-to-2026-11-17.csv` */
export function toCsvName({ group_by, from, to }: AnalysisAnswer, measure: string): string {
  const by = group_by.length === 0 ? [] : ['by', ...group_by]
  const parts = ['weir', measure, ...by, from.slice(0, 10), 'to', to.slice(0, 10)]
  return `${parts.join('-').replaceAll(/[^\w.-]/g, '_')}.csv`
}

function toField(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'number') return toDecimal(value)
  if (typeof value === 'boolean') return String(value)
  const inside = value.replaceAll(FORMULA_INSIDE, "$&'")
  const text = FORMULA_START.test(value) ? `'${inside}` : inside
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Never `4.2e-7`: not every reader of CSV takes that for a number. */
function toDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(USD_DIGITS).replace(/\.?0+$/, '') : text
}

const CSV_TYPE = 'text/csv;charset=utf-8'

/** Saves a text that the page made as a file. It never leaves the browser. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: CSV_TYPE }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
