import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { METRICS } from '../core/telemetry.ts'
import { SERIES_MAX, countersOf, createMeter, mergeSamples } from './meter.ts'
import type { CountingMeter, MetricSample } from './meter.ts'

const BOUNDS = METRICS.addedTime.buckets

function find(meter: CountingMeter, metric: string): MetricSample | undefined {
  return meter.samples().find((sample) => sample.metric === metric)
}

test('sums the figures of three processes, gauges too', () => {
  const meters = [createMeter(), createMeter(), createMeter()] as const
  for (const [at, meter] of meters.entries()) {
    meter.add('requests', at + 1, 'some', 'delivered', '2xx')
    meter.set('journalLag', 10)
    meter.histogram('firstByte', 'some').observe(0.03125)
    meter.histogram('firstByte', 'some').observe(at * 1000)
  }
  meters[1].add('requests', 1, 'some', 'cut', 'none')
  meters[2].histogram('firstByte', 'other').observe(1)
  const none = Array.from({ length: 11 }, () => 0)
  assert.deepEqual(mergeSamples(meters.map((meter) => meter.samples())), [
    { metric: 'requests', labels: ['some', 'delivered', '2xx'], value: 6 },
    { metric: 'journalLag', labels: [], value: 30 },
    { metric: 'firstByte', labels: ['some'], value: 3000.09375, buckets: [4, ...none, 0, 2] },
    { metric: 'requests', labels: ['some', 'cut', 'none'], value: 1 },
    {
      metric: 'firstByte',
      labels: ['other'],
      value: 1,
      buckets: [0, 0, 0, 0, 1, ...none.slice(2)],
    },
  ])
})

test('what a dead process counted stays, while its gauges go', () => {
  const dead = createMeter()
  dead.add('refusals', 2, 'overloaded')
  dead.add('openCalls', 5)
  dead.set('journalLag', 7)
  dead.histogram('addedTime').observe(0.5)
  const successor = createMeter()
  successor.add('openCalls', 1)
  successor.histogram('addedTime').observe(0.25)
  const merged = mergeSamples([countersOf(dead.samples()), successor.samples()])
  const figures = new Map(merged.map(({ metric, value }) => [metric, value]))
  assert.deepEqual(
    [...figures],
    [
      ['refusals', 2],
      ['addedTime', 0.75],
      ['openCalls', 1],
    ],
  )
  assert.deepEqual(merged[1]?.buckets?.slice(-3), [1, 1, 0])
})

test('samples are a moment: counting on changes none that was taken', () => {
  const meter = createMeter()
  meter.histogram('addedTime').observe(0)
  const [sample] = meter.samples()
  meter.histogram('addedTime').observe(0)
  assert.equal(sample?.buckets?.[0], 1)
})

for (const [at, bound] of [...BOUNDS, Infinity].entries()) {
  test(`an observation of at most ${bound} falls into bucket ${at}`, () => {
    const meter = createMeter()
    const series = meter.histogram('addedTime')
    const below = BOUNDS[at - 1] ?? 0
    // The bound itself, and a hair above the one before it.
    if (bound !== Infinity) series.observe(bound)
    series.observe(below * (1 + Number.EPSILON))
    const expected = Array.from({ length: BOUNDS.length + 1 }, () => 0)
    expected[at] = bound === Infinity ? 1 : 2
    assert.deepEqual(find(meter, 'addedTime')?.buckets, expected)
  })
}

test('what is no number is not observed, and less than nothing is nothing', () => {
  const meter = createMeter()
  const series = meter.histogram('addedTime')
  for (const value of [NaN, Infinity, -Infinity]) series.observe(value)
  series.observe(-1)
  const sample = find(meter, 'addedTime')
  assert.deepEqual([sample?.value, sample?.buckets?.[0]], [0, 1])
  assert.equal(
    sample?.buckets?.reduce((sum, count) => sum + count),
    1,
  )
})

test('a series is the same object for the same labels, and what add reports to', () => {
  const meter = createMeter()
  const series = meter.counter('requests', 'some', 'delivered', '2xx')
  assert.equal(meter.counter('requests', 'some', 'delivered', '2xx'), series)
  assert.notEqual(meter.counter('requests', 'some', 'delivered', '4xx'), series)
  assert.equal(meter.histogram('firstByte', 'some'), meter.histogram('firstByte', 'some'))
  series.add(2)
  meter.add('requests', 3, 'some', 'delivered', '2xx')
  assert.equal(meter.samples()[0]?.value, 5)
  const calls = meter.counter('openCalls')
  calls.add(1)
  meter.set('openCalls', 9)
  calls.add(-1)
  assert.equal(find(meter, 'openCalls')?.value, 8)
})

test('the number of series is bounded, and each one asked for beyond it is counted', () => {
  const meter = createMeter()
  for (let at = 1; at < SERIES_MAX; at += 1) meter.add('refusals', 1, `code-${at}`)
  assert.equal(find(meter, 'seriesDropped'), undefined)
  const last = meter.counter('refusals', 'last')
  meter.counter('refusals', 'beyond').add(1)
  meter.add('refusals', 1, 'beyond')
  meter.histogram('firstByte', 'beyond').observe(1)
  last.add(1)
  meter.add('refusals', 1, 'code-1')
  const samples = meter.samples()
  assert.equal(samples.length, SERIES_MAX + 1)
  assert.deepEqual(samples.at(-1), { metric: 'seriesDropped', labels: [], value: 3 })
  assert.deepEqual([samples[0]?.value, samples.at(-2)?.value], [2, 1])
  const [merged] = mergeSamples([samples.slice(-1), samples.slice(-1)])
  assert.deepEqual(merged, { metric: 'seriesDropped', labels: [], value: 6 })
})

test('observations spread over processes, dead ones too, sum up as if there had been one', () => {
  // Fractions of two add up to the same sum in any order.
  const observation = fc.record({
    process: fc.nat(2),
    provider: fc.constantFrom('some', 'other'),
    quarters: fc.nat(3000),
  })
  fc.assert(
    fc.property(fc.array(observation), (observations) => {
      const meters = [createMeter(), createMeter(), createMeter()]
      const one = createMeter()
      for (const { process, provider, quarters } of observations) {
        for (const meter of [one, meters[process]]) {
          meter?.histogram('firstByte', provider).observe(quarters / 4)
          meter?.add('requests', 1, provider, 'delivered', '2xx')
        }
      }
      const merged = mergeSamples(meters.map((meter) => countersOf(meter.samples())))
      assert.deepEqual(sorted(merged), sorted(one.samples()))
    }),
  )
})

function sorted(samples: readonly MetricSample[]): string[] {
  return samples.map((sample) => JSON.stringify(sample)).toSorted()
}
