// Lines of comma-separated values (RFC 4180). Must stay true: what callers wrote cannot become a
// formula in the spreadsheet that opens the file, and numbers stay numbers.

export type CsvValue = string | number | boolean | null | Readonly<Record<string, unknown>>

/**
 * text   may come from callers or providers: what would be a formula gets an apostrophe in front
 * plain  a number, a moment or a word of ours, none of which needs quotes: as it is
 * json   an object as JSON text
 */
export type CsvKind = 'text' | 'plain' | 'json'

export interface CsvColumn {
  readonly name: string
  readonly kind: CsvKind
}

const LINE_END = '\r\n'
const NEEDS_QUOTES = /[",\r\n]/
// https://owasp.org/www-community/attacks/CSV_Injection, the full-width signs included.
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
