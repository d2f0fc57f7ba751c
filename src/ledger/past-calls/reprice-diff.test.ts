import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEvent } from '../../../test/fakes/usage-samples.ts'
import { createRepriceDiff, OTHERS } from './reprice-diff.ts'

const event = (keyId: string | null, model: string | null) => sampleEvent({ keyId, model })

test('a diff adds up by key and by model, the largest difference first', () => {
  const diff = createRepriceDiff()
  diff.addChange(event('svc_k_a', 'small'), { before: 0n, after: 5n })
  diff.addChange(event('svc_k_b', 'big'), { before: 100n, after: 20n })
  diff.addChange(event('svc_k_a', 'big'), { before: 0n, after: 7n })
  const { total, byKey, byModel } = diff.read()
  assert.deepEqual(total, { calls: 3, before: 100n, after: 32n })
  assert.deepEqual(byKey, [
    { keyId: 'svc_k_b', calls: 1, before: 100n, after: 20n },
    { keyId: 'svc_k_a', calls: 2, before: 0n, after: 12n },
  ])
  assert.deepEqual(byModel, [
    { provider: 'some', model: 'big', calls: 2, before: 100n, after: 27n },
    { provider: 'some', model: 'small', calls: 1, before: 0n, after: 5n },
  ])
})

test('groups beyond the limit are added up as others, and none is lost', () => {
  const diff = createRepriceDiff(2)
  for (const name of ['a', 'b', 'c', 'd', 'a']) {
    diff.addChange(event(name, name), { before: 0n, after: 1n })
    diff.addUnpriced(event(name, name), { kind: 'no-price', model: name })
  }
  const { total, byKey, byModel, unpriced } = diff.read()
  assert.equal(total.calls, 5)
  assert.deepEqual(
    byKey.map(({ keyId, calls }) => [keyId, calls]),
    [
      ['a', 2],
      [OTHERS, 2],
      ['b', 1],
    ],
  )
  assert.equal(
    byModel.reduce((sum, { calls }) => sum + calls, 0),
    5,
  )
  assert.equal(
    unpriced.reduce((sum, { calls }) => sum + calls, 0),
    5,
  )
})

test('calls without a cost are listed by model and reason', () => {
  const diff = createRepriceDiff()
  diff.addUnpriced(event(null, null), { kind: 'no-model' })
  diff.addUnpriced(event('k', 'big'), { kind: 'no-price', model: 'big' })
  diff.addUnpriced(event('l', 'big'), { kind: 'no-price', model: 'big' })
  diff.addUnpriced(event('l', 'big'), { kind: 'no-tokens' })
  diff.addKept()
  const { unpriced, kept, total } = diff.read()
  assert.deepEqual(
    unpriced.map(({ model, reason, calls }) => [model, reason.kind, calls]),
    [
      ['big', 'no-price', 2],
      [null, 'no-model', 1],
      ['big', 'no-tokens', 1],
    ],
  )
  assert.equal(kept, 1)
  assert.equal(total.calls, 0)
})
