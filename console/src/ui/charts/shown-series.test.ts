import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAlone, isolate, NONE_OFF, toggle } from './shown-series.ts'

const ALL = ['a', 'b', 'c']

test('a series is switched off and on again', () => {
  const off = toggle(NONE_OFF, 'b', ALL)
  assert.deepEqual([...off], ['b'])
  assert.deepEqual(toggle(off, 'b', ALL), NONE_OFF)
})

test('a chart is never empty: with the last series off, all are back', () => {
  assert.deepEqual(toggle(new Set(['a', 'b']), 'c', ALL), NONE_OFF)
})

test('one is isolated, then another, and once more all are back', () => {
  const onlyB = isolate(NONE_OFF, 'b', ALL)
  assert.deepEqual([...onlyB], ['a', 'c'])
  const onlyA = isolate(onlyB, 'a', ALL)
  assert.ok(isAlone(onlyA, 'a', ALL))
  assert.ok(!isAlone(onlyA, 'b', ALL))
  assert.deepEqual(isolate(onlyA, 'a', ALL), NONE_OFF)
})

test('what another answer left off does no harm', () => {
  const off = new Set(['gone', 'b'])
  assert.deepEqual([...toggle(off, 'b', ALL)], ['gone'])
  assert.ok(isAlone(isolate(off, 'a', ALL), 'a', ALL))
})
