// CSV (RFC 4180). Must stay true: foreign text never becomes a formula, and numbers stay numbers.

export type CsvValue = string | number | boolean | null | Readonly<Record<string, unknown>>

/** text: foreign, so a formula gets an apostrophe in front; plain: ours, never needs quotes. */
export type CsvKind = 'text' | 'plain' | 'json'

export interface CsvColumn {
  readonly name: string
  readonly kind: CsvKind
}

const LINE_END = '\r\n'
const NEEDS_QUOTES = /[",\r\n]/
// https://owasp.org/www-community/attacks/CSV_Injection, with the full-width signs.
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

export function toCsvLine(
  columns: readonly CsvColumn[],
  row: Readonly<Record<string, CsvValue>>,
): string {
  let line = ''
  for (let at = 0; at < columns.length; at += 1) {
    const { name, kind } = columns[at] as CsvColumn
    line += `${at === 0 ? '' : ','}${toField(row[name] ?? null, kind)}`
  }
  return line + LINE_END
}

export function toCsvHead(columns: readonly CsvColumn[]): string {
  return columns.map(({ name }) => name).join(',') + LINE_END
}

function toField(value: CsvValue, kind: CsvKind): string {
  if (value === null) return ''
  if (typeof value === 'object') return quote(JSON.stringify(value))
  if (kind === 'plain' || typeof value !== 'string') return String(value)
  return quote(FORMULA_START.test(value) ? `'${value}` : value)
}

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
