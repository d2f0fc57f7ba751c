import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutCell, formatMoment, formatTable } from './table.ts'

test('columns are aligned, and lines have no blanks at their end', () => {
  const table = formatTable([
    ['ID', 'NAME', 'X'],
    ['a', 'Zürich 😀', ''],
    ['long', 'b', 'c'],
  ])
  assert.deepEqual(table.split('\n'), ['ID    NAME      X', 'a     Zürich 😀', 'long  b         c'])
})

test('a cell is cut to its limit', () => {
  assert.equal(cutCell('abcde', 5), 'abcde')
  assert.equal(cutCell('abcdef', 5), 'abcd…')
})

test('a moment is shown to the minute, in UTC', () => {
  assert.equal(formatMoment(Date.UTC(2026, 0, 31, 12, 34, 56)), '2026-01-31 12:34Z')
  assert.equal(formatMoment(null), 'never')
})
