import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownNode } from '../../../test/nodes/known-nodes.ts'
import type { KnownNode } from '../../store/nodes/node-store.ts'
import { createLeaderWatch, NO_LEADER } from './leader-watch.ts'

const AT = 1_800_000_000_000
const PROXY = createKnownNode({ startedAt: AT - 60_000, seenAt: AT - 900 })
const API: KnownNode = { ...PROXY, id: 'b', role: 'api' }

function createScene() {
  const said: string[] = []
  let passedMs = 0
  const clock = { now: () => AT, monotonic: () => passedMs }
  const watch = createLeaderWatch({ clock, say: (line) => said.push(line) })
  const lookAfter = (ms: number, ...nodes: readonly KnownNode[]): string | null => {
    passedMs += ms
    watch.look({ at: AT, nodes })
    return watch.warning()
  }
  return { said, lookAfter }
}

test('a proxy says once that no node leads, after the time that an API may need to start', () => {
  const { said, lookAfter } = createScene()
  assert.equal(lookAfter(0, PROXY), null)
  assert.equal(lookAfter(29_999, PROXY), null)
  assert.equal(lookAfter(1, PROXY), NO_LEADER)
  assert.equal(lookAfter(10_000, PROXY), NO_LEADER)
  assert.deepEqual(said, [NO_LEADER])
  assert.equal(lookAfter(10_000, PROXY, API), null)
  assert.equal(lookAfter(10_000, PROXY), null)
  assert.equal(lookAfter(30_000, PROXY), NO_LEADER)
  assert.deepEqual(said, [NO_LEADER, NO_LEADER])
})

for (const [what, other, expected] of [
  ['runs', API, null],
  ['runs with all of it', { ...API, role: 'all' }, null],
  ['drains', { ...API, state: 'draining' }, null],
  ['is silent', { ...API, seenAt: AT - 5001 }, NO_LEADER],
  ['has left', { ...API, state: 'left' }, NO_LEADER],
] as const) {
  test(`where the other node, an API, ${what}, ${expected === null ? 'it' : 'nobody'} leads`, () => {
    const { lookAfter } = createScene()
    lookAfter(0, PROXY, other)
    assert.equal(lookAfter(30_000, PROXY, other), expected)
  })
}
