import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createCatchUp } from './catch-up.ts'

/** What is said to looks as `[seconds since the start, megabytes left]`. */
function sayings(looks: readonly (readonly [seconds: number, megabytes: number])[]): string[] {
  const said: string[] = []
  const at = { ms: 7000 }
  const clock = { now: () => 0, monotonic: () => at.ms }
  const { look } = createCatchUp({ clock, say: (line) => said.push(line) })
  for (const [seconds, megabytes] of looks) {
    at.ms = 7000 + seconds * 1000
    look(megabytes * 1_000_000)
  }
  return said
}

test('says nothing when little waits, also when more comes later', () => {
  const looks = [
    [0, 8],
    [5, 900],
    [10, 0],
  ] as const
  assert.deepEqual(sayings(looks), [])
})

test('says every few seconds how far it is, and when it is done, once', () => {
  const looks = [
    [0, 500],
    [1, 450],
    [4, 300],
    [5, 250],
    [7, 200],
    [8, 1],
    [9, 0],
    [20, 90],
  ] as const
  assert.deepEqual(sayings(looks), [
    'storing the journals: 500 MB wait',
    'storing the journals: 40 % of 500 MB, about 6 s left',
    'storing the journals: 60 % of 500 MB, about 5 s left',
    'the journals are stored: 500 MB in 8 s',
  ])
})

test('gives no time while the traffic outweighs what is stored', () => {
  const looks = [
    [0, 100],
    [3, 120],
    [900, 50],
  ] as const
  assert.deepEqual(sayings(looks), [
    'storing the journals: 100 MB wait',
    'storing the journals: 0 % of 100 MB',
    'storing the journals: 50 % of 100 MB, about 15 min left',
  ])
})
