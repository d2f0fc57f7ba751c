import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeptPlaces, NAMES } from './kept-slots.ts'
import type { KeptSlot } from './kept-slots.ts'

const LIMITS = { names: { total: 4, share: 2 }, values: { total: 5, share: 3 } }
const TEAM = 7
const [ONE, TWO, THREE] = [91, 92, 93] as const

function open(given: KeptSlot[] = [], stored: readonly KeptSlot[] = []) {
  const places = createKeptPlaces((place) => given.push(place), LIMITS)
  places.load([], stored)
  return places
}

test('a key gets its share of the values, and another still has room', () => {
  const places = open()
  const taken = [1, 2, 3, 4, 1].map((value) => places.take(TEAM, value, ONE))
  assert.deepEqual(taken, [true, true, true, false, true])
  assert.deepEqual([places.take(TEAM, 5, TWO), places.take(TEAM, 1, TWO)], [true, true])
  // It came after the first key was refused, and might have been what it was refused.
  assert.equal(places.take(TEAM, 5, ONE), false)
})

test('all keys together get no more than the total', () => {
  const places = open()
  for (const value of [1, 2, 3]) places.take(TEAM, value, ONE)
  const taken = [4, 5, 6].map((value) => places.take(TEAM, value, TWO))
  assert.deepEqual(taken, [true, true, false])
  assert.deepEqual([places.take(TEAM, 6, THREE), places.take(TEAM, 5, THREE)], [false, true])
})

test('the same is decided again from what is stored, in any order', () => {
  const given: KeptSlot[] = []
  const places = open(given)
  const asked = [1, 2, 8, 3, 4, 8, 5].flatMap((value) => [
    [value, ONE] as const,
    [value + 10, TWO] as const,
  ])
  const decided = asked.map(([value, key]) => places.take(TEAM, value, key))
  const again = open([], given.toReversed())
  assert.deepEqual(
    asked.map(([value, key]) => again.find(TEAM, value, key)),
    decided,
  )
})

test('facts are kept for a key that has used up its share, and for all when all are given', () => {
  const given: KeptSlot[] = []
  const places = open(given)
  for (const name of [1, 2, 3]) places.take(NAMES, name, ONE)
  for (const name of [4, 5, 6]) places.take(NAMES, name, TWO)
  places.reserveFacts([21, 22])
  places.reserveFacts([21])
  for (const key of [ONE, TWO, THREE]) assert.equal(places.find(NAMES, 21, key), true)
  assert.equal(given.filter(({ place }) => place === 0).length, 2)
  const again = open([], given.toReversed())
  assert.deepEqual([again.find(NAMES, 22, ONE), again.find(NAMES, 3, ONE)], [true, false])
})

test('reserved names get a place when all are given, and count for no key', () => {
  const places = open()
  places.reserve([1, 2, 3])
  const taken = [1, 11, 12, 13].map((name) => places.take(NAMES, name, ONE))
  assert.deepEqual(taken, [true, true, true, false])
  places.reserve([14])
  assert.deepEqual([places.find(NAMES, 14, ONE), places.find(NAMES, 14, TWO)], [false, true])
})
