import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import { toCsvHead, toCsvLine } from './csv.ts'
import type { CsvKind, CsvValue } from './csv.ts'

const CASES: readonly (readonly [kind: CsvKind, value: CsvValue, field: string])[] = [
  ['text', 'plain', 'plain'],
  ['text', null, ''],
  ['text', 'a,b', '"a,b"'],
  ['text', 'say "hi"', '"say ""hi"""'],
  ['text', 'two\nlines', '"two\nlines"'],
  ['text', '=1+1', "'=1+1"],
  ['text', '+1', "'+1"],
  ['text', '-1', "'-1"],
  ['text', '@sum', "'@sum"],
  ['text', '\tx', '"\'\tx"'],
  ['text', '\rx', '"\'\rx"'],
  ['text', '＝1', "'＝1"],
  ['text', '=a,"b"', '"\'=a,""b"""'],
  ['text', 'a=1', 'a=1'],
  ['text', 'a;b', '"a;b"'],
  ['text', 'a\tb', '"a\tb"'],
  ['text', 'a;=1+1;b', '"a;\'=1+1;b"'],
  ['text', 'a\t@sum', '"a\t\'@sum"'],
  ['text', 'a; -1;"+1"', '"a;\' -1;\'""+1"""'],
  ['text', 'a\r\n＝1', '"a\r\n\'＝1"'],
  ['text', ';;=1', '";;\'=1"'],
  ['text', '=1;=2', '"\'=1;\'=2"'],
  ['text', 'a;b=1', '"a;b=1"'],
  ['plain', '-0.5', '-0.5'],
  ['plain', -3, '-3'],
  ['plain', 0, '0'],
  ['plain', false, 'false'],
  ['json', {}, '{}'],
  ['json', { a: '=1', b: 2 }, '"{""a"":""=1"",""b"":2}"'],
  ['json', { a: 'x;=1;\t=2' }, String.raw`"{""a"":""x\u003b=1\u003b\t=2""}"`],
]

for (const [kind, value, field] of CASES) {
  test(`${kind} ${JSON.stringify(value)} is the field ${JSON.stringify(field)}`, () => {
    const columns = [{ name: 'a', kind }] as const
    assert.equal(toCsvLine(columns, { a: value }), `${field}\r\n`)
  })
}

const HOSTILE = ['=1', 'a;=1;b', 'a\t=1\tb', 'a\n=1\nb', 'a;"=1";b', 'a; =1;b', '"\n;=1;']

for (const separator of [',', ';', '\t']) {
  test(`no cell begins a formula where ${JSON.stringify(separator)} separates`, () => {
    const columns = [
      { name: 'first', kind: 'text' },
      { name: 'second', kind: 'text' },
      { name: 'third', kind: 'json' },
    ] as const
    for (const text of HOSTILE) {
      const line = toCsvLine(columns, { first: text, second: text, third: { [text]: text } })
      const cells = splitAsSpreadsheet(line, separator)
      assert.deepEqual(
        cells.filter((cell) => /^\s*[=+\-@]/.test(cell)),
        [],
        JSON.stringify(line),
      )
    }
  })
}

/** Quotes count at the start of a cell only; what follows the closing one is taken as it is. */
function splitAsSpreadsheet(text: string, separator: string): string[] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"?)?([^${separator}\\r\\n]*)[${separator}\\r\\n]?`,
    'y',
  )
  const cells: string[] = []
  while (cell.lastIndex < text.length) {
    const [, quoted = '', rest = ''] = cell.exec(text) ?? []
    cells.push(quoted.replaceAll('""', '"') + rest)
  }
  return cells
}

test('JSON has the same value after its semicolons are escaped', () => {
  const value = { 'a;=1': 'b;"=2"\\;' }
  const columns = [{ name: 'a', kind: 'json' }] as const
  const { rows } = parseCsv(toCsvHead(columns) + toCsvLine(columns, { a: value }))
  assert.deepEqual(JSON.parse(rows[0]?.['a'] ?? ''), value)
})

test('a reader of RFC 4180 gets back what was written', () => {
  const columns = [
    { name: 'one', kind: 'text' },
    { name: 'two', kind: 'text' },
  ] as const
  const rows = [
    { one: 'a "quoted", value', two: '' },
    { one: 'line\r\nbreak', two: 'é—🙂' },
  ]
  const text = toCsvHead(columns) + rows.map((row) => toCsvLine(columns, row)).join('')
  assert.deepEqual(parseCsv(text), { names: ['one', 'two'], rows })
})
