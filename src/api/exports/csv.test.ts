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
  ['text', '\tx', "'\tx"],
  ['text', '\rx', '"\'\rx"'],
  ['text', '＝1', "'＝1"],
  ['text', '=a,"b"', '"\'=a,""b"""'],
  ['text', 'a=1', 'a=1'],
  ['plain', '-0.5', '-0.5'],
  ['plain', -3, '-3'],
  ['plain', 0, '0'],
  ['plain', false, 'false'],
  ['json', {}, '{}'],
  ['json', { a: '=1', b: 2 }, '"{""a"":""=1"",""b"":2}"'],
]

for (const [kind, value, field] of CASES) {
  test(`${kind} ${JSON.stringify(value)} is the field ${JSON.stringify(field)}`, () => {
    const columns = [{ name: 'a', kind }] as const
    assert.equal(toCsvLine(columns, { a: value }), `${field}\r\n`)
  })
}

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
