import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ByteBudget } from './byte-budget.ts'
import { OWN_BYTES, WaitingBytes } from './waiting-bytes.ts'

test('beyond its own bytes a reader takes of the shared ones, and gives back what it took', () => {
  const shared = new ByteBudget(100)
  const [one, other] = [new WaitingBytes(shared), new WaitingBytes(shared)]
  assert.ok(one.add(OWN_BYTES - 10) && one.add(70) && other.add(OWN_BYTES))
  assert.equal(other.add(41), false)
  assert.ok(other.add(40))
  one.remove(20)
  assert.ok(other.add(20))
  one.clear()
  other.clear()
  assert.ok(shared.take(100))
})

test('without shared bytes there are its own', () => {
  const waiting = new WaitingBytes(null)
  assert.ok(waiting.add(OWN_BYTES))
  assert.equal(waiting.add(1), false)
  waiting.clear()
  assert.ok(waiting.add(1))
})
