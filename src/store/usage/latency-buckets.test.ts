import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LATENCY_ERROR, readPercentile, toLatencyBucket } from './latency-buckets.ts'

test('a percentile is as near to the call’s own time as it says', () => {
  const times = fc.array(fc.integer({ min: 1, max: 3_600_000 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95, 0.99), (drawn, share) => {
      const counts = new Map<number, number>()
      for (const time of drawn) {
        const bucket = toLatencyBucket(time)
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
      }
      const sorted = drawn.toSorted((one, other) => one - other)
      const exact = sorted[Math.ceil(share * drawn.length) - 1] as number
      const read = readPercentile(counts, share) as number
      const ratio = read / exact
      assert.ok(ratio <= 1 + LATENCY_ERROR + 1e-9 && ratio >= 1 / (1 + LATENCY_ERROR) - 1e-9)
    }),
  )
})

test('times below one and beyond the last bucket have a bucket', () => {
  assert.deepEqual([0, -5, Number.NaN, 1e15].map(toLatencyBucket), [0, 0, 0, 127])
  assert.equal(readPercentile(new Map([[0, 3]]), 0.99), 0)
  assert.equal(readPercentile(new Map(), 0.5), null)
})
