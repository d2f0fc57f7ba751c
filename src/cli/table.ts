// Text in aligned columns, for people. Programs use --json.

import { toPrintable } from './printable.ts'

const COLUMN_GAP = '  '
/** What most columns show of a name. */
const CELL_CHARS_MAX = 60

/** Its heading first. */
export type Column = readonly string[]

/** Rows of equal length; the last column is not padded. Empty columns are kept. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, countChars(cell))
    }
  }
  const lines = rows.map((row) =>
    row.map((cell, column) => padCell(cell, widths[column] ?? 0)).join(COLUMN_GAP),
  )
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** The same, of columns with their headings. A column may end before the others. */
export function formatColumns(columns: readonly Column[]): string {
  const lines = Math.max(0, ...columns.map((column) => column.length))
  const rows = Array.from({ length: lines }, (_, line) =>
    columns.map((column) => column[line] ?? ''),
  )
  return formatTable(rows)
}

/** For `formatColumns`. */
export function toColumn<Row>(
  heading: string,
  rows: readonly Row[],
  toCell: (row: Row) => string,
): Column {
  return [heading, ...rows.map(toCell)]
}

/** A line for each row below the headings; what the cells say is made safe to print. */
export function formatRows<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>,
): string {
  const toCells = Object.values(columns)
  const lines = rows.map((row) => toCells.map((toCell) => toPrintable(toCell(row))))
  return formatTable([Object.keys(columns), ...lines])
}

/** Ends with an ellipsis where something was cut. */
export function cutCell(text: string, charsMax = CELL_CHARS_MAX): string {
  const chars = Array.from(text)
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`
}

/** `2026-01-31 12:00Z`. */
export function formatMoment(ms: number | null): string {
  if (ms === null) return 'never'
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

/** As `formatMoment`, from the API's text. */
export function formatTime(iso: string | null): string {
  return formatMoment(iso === null ? null : Date.parse(iso))
}

function padCell(cell: string, width: number): string {
  return cell + ' '.repeat(width - countChars(cell))
}

function countChars(text: string): number {
  return Array.from(text).length
}
