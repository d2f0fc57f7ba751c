// Reads comma-separated values by the letter of RFC 4180, and refuses whatever departs from it.

import assert from 'node:assert/strict'

export type CsvRow = Readonly<Record<string, string>>

export interface CsvFile {
  readonly names: readonly string[]
  readonly rows: readonly CsvRow[]
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

export function parseCsv(text: string): CsvFile {
  const lines: string[][] = []
  let line: string[] = []
  FIELD.lastIndex = 0
  for (let at = 0; at < text.length; at = FIELD.lastIndex) {
    const match = FIELD.exec(text)
    assert.ok(match !== null, `no field at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`)
    const [, quoted, plain = '', end] = match
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  assert.deepEqual(line, [], 'the last line has no end')
  const [names = [], ...values] = lines
  const rows = values.map((fields) => {
    assert.equal(fields.length, names.length, `a line of ${fields.length} fields: ${fields.join()}`)
    return Object.fromEntries(names.map((name, at) => [name, fields[at] as string]))
  })
  return { names, rows }
}
