import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnalysisSum, AnalysisValue } from '../../store/usage/analysis.ts'
import { createFigureSum } from './analysis-figures.ts'
import { chooseRows } from './choose-rows.ts'
import type { ChosenRows, RowChoice } from './choose-rows.ts'

const NONE: AnalysisValue = { kind: 'none' }
const OTHER: AnalysisValue = { kind: 'other' }
const is = (value: string): AnalysisValue => ({ kind: 'value', value })

function sum(groups: readonly AnalysisValue[], cost: bigint, requests = 1): AnalysisSum {
  return { bucketMs: null, groups, figures: { ...createFigureSum(), cost, requests } }
}

const BY_COST: RowChoice = { orderBy: 'cost', limit: 2 }

function show({ rows }: ChosenRows): (readonly [string, bigint])[] {
  return rows.map(({ group, figures }) => [
    group.map((member) => (member.kind === 'value' ? member.value : `(${member.kind})`)).join(' '),
    figures.cost,
  ])
}

test('the largest come first, and what is beyond the limit is one last row', () => {
  const sums = [sum([is('a')], 1n), sum([is('b')], 5n), sum([is('c')], 3n), sum([is('d')], 2n)]
  const chosen = chooseRows(sums, BY_COST)
  assert.deepEqual(show(chosen), [
    ['b', 5n],
    ['c', 3n],
    ['(other)', 3n],
  ])
  assert.equal(chosen.otherGroups, 2)
  assert.deepEqual(chosen.places, [2, 0, 1, 2])
})

test('sums of several buckets are one group', () => {
  const sums = [sum([is('a')], 2n), sum([is('b')], 3n), sum([is('a')], 2n)]
  assert.deepEqual(show(chooseRows(sums, BY_COST)), [
    ['a', 4n],
    ['b', 3n],
  ])
})

test('untagged calls have their row whatever the limit', () => {
  const sums = [sum([is('a')], 5n), sum([is('b')], 4n), sum([is('c')], 3n), sum([NONE], 1n)]
  const chosen = chooseRows(sums, BY_COST)
  assert.deepEqual(show(chosen), [
    ['a', 5n],
    ['b', 4n],
    ['(none)', 1n],
    ['(other)', 3n],
  ])
  assert.equal(chosen.otherGroups, 1)
})

test('a value that reads like another kind is a value', () => {
  const sums = [sum([is('none')], 3n), sum([NONE], 2n), sum([is('')], 1n)]
  assert.equal(chooseRows(sums, { orderBy: 'cost', limit: 3 }).rows.length, 3)
})

test('what was too much to keep apart is in the last row, however large', () => {
  const sums = [sum([OTHER], 9n), sum([is('a')], 2n), sum([is('b')], 2n)]
  const chosen = chooseRows(sums, BY_COST)
  assert.deepEqual(show(chosen), [
    ['a', 2n],
    ['b', 2n],
    ['(other)', 9n],
  ])
  assert.equal(chosen.otherGroups, 0)
  // With a value of another field beside it, it is a group like any.
  const pairs = [sum([OTHER, is('m')], 9n), sum([NONE, is('m')], 2n), sum([is('a'), NONE], 1n)]
  assert.deepEqual(show(chooseRows(pairs, BY_COST)), [
    ['(other) m', 9n],
    ['(none) m', 2n],
    ['(other) (other)', 1n],
  ])
})

test('a group of another span has a row with nothing in it, behind those with something', () => {
  const others = [sum([is('a')], 1n), sum([is('z')], 7n)]
  const chosen = chooseRows([sum([is('a')], 2n)], BY_COST, others)
  assert.deepEqual(show(chosen), [
    ['a', 2n],
    ['z', 0n],
  ])
  assert.deepEqual([chosen.otherPlaces, chosen.otherGroups], [[0, 1], 0])
  const few = chooseRows([sum([is('a')], 2n)], { orderBy: 'cost', limit: 1 }, others)
  assert.deepEqual(show(few), [
    ['a', 2n],
    ['(other)', 0n],
  ])
  assert.deepEqual([few.otherPlaces, few.otherGroups], [[0, 1], 1])
})

test('by change, what fell most is as far up as what rose most', () => {
  const sums = [sum([is('a')], 2n), sum([is('b')], 5n), sum([is('c')], 9n)]
  const others = [sum([is('a')], 9n), sum([is('c')], 9n), sum([is('z')], 6n)]
  const chosen = chooseRows(sums, { orderBy: 'change', limit: 3 }, others)
  assert.deepEqual(show(chosen), [
    ['a', 2n],
    ['z', 0n],
    ['b', 5n],
    ['(other)', 9n],
  ])
})

test('by change in percent, what there was nothing of before is last, the largest first', () => {
  const sums = [
    sum([is('new')], 5n),
    sum([is('large')], 110n),
    sum([is('newer')], 900n),
    sum([is('small')], 3n),
    sum([is('same')], 7n),
  ]
  const others = [
    sum([is('large')], 100n),
    sum([is('small')], 1n),
    sum([is('same')], 7n),
    sum([is('gone')], 2n),
  ]
  const chosen = chooseRows(sums, { orderBy: 'change_percent', limit: 9 }, others)
  assert.deepEqual(show(chosen), [
    ['small', 3n],
    ['gone', 0n],
    ['large', 110n],
    ['same', 7n],
    ['newer', 900n],
    ['new', 5n],
  ])
})

test('without fields there is one group, of all calls', () => {
  assert.deepEqual(show(chooseRows([sum([], 2n), sum([], 3n)], BY_COST)), [['', 5n]])
  assert.deepEqual(show(chooseRows([], BY_COST)), [])
})

test('orders by another figure', () => {
  const sums = [sum([is('dear')], 9n, 1), sum([is('busy')], 1n, 50)]
  const chosen = chooseRows(sums, { orderBy: 'requests', limit: 1 })
  assert.deepEqual(show(chosen), [
    ['busy', 1n],
    ['(other)', 9n],
  ])
})
