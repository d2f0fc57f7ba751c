// CSV (RFC 4180). Must stay true: foreign text never becomes a formula, and numbers stay numbers.

export type CsvValue = string | number | boolean | null | Readonly<Record<string, unknown>>

/** text: foreign, so a formula gets an apostrophe in front; plain: ours, never needs quotes. */
export type CsvKind = 'text' | 'plain' | 'json'

export interface CsvColumn {
  readonly name: string
  readonly kind: CsvKind
}

const LINE_END = '\r\n'
// A spreadsheet may split at semicolons and tabs as well.
const NEEDS_QUOTES = /[",;\t\r\n]/
// https://owasp.org/www-community/attacks/CSV_Injection, with the full-width signs.
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/
// Where a spreadsheet splits at semicolons or tabs only, our quotes are not at the start of its
// cells and protect nothing: a cell or a line may then begin inside a text.
const FORMULA_INSIDE = /[;\t\r\n](?=[ "]*[=+\-@＝＋－＠])/g

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
  if (typeof value === 'object') return quote(toJson(value))
  if (kind === 'plain' || typeof value !== 'string') return String(value)
  const inside = value.replaceAll(FORMULA_INSIDE, "$&'")
  return quote(FORMULA_START.test(value) ? `'${inside}` : inside)
}

/** A semicolon is only ever inside a JSON string, where its escape means the same. */
function toJson(value: object): string {
  return JSON.stringify(value).replaceAll(';', String.raw`\u003b`)
}

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** As many decimals as the API rounds to. */
const USD_DIGITS = 9

/** Never `4.2e-7`: not every CSV reader accepts that. */
export function toDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(USD_DIGITS).replace(/\.?0+$/, '') : text
}
