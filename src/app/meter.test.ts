import assert from 'node:assert/strict'
import { test } from 'node:test'

import { countersOf, createMeter, mergeSamples } from './meter.ts'
import { createMetricsText } from './metrics-text.ts'

test('sums the figures of several processes, and keeps the counters of dead ones', () => {
  const one = createMeter()
  const two = createMeter()
  one.add('requests', 2, 'some', 'delivered')
  two.add('requests', 3, 'some', 'delivered')
  two.add('requests', 1, 'some', 'cut')
  two.add('openCalls', 5)
  assert.deepEqual(mergeSamples([one.samples(), countersOf(two.samples())]), [
    { metric: 'requests', labels: ['some', 'delivered'], value: 5 },
    { metric: 'requests', labels: ['some', 'cut'], value: 1 },
  ])
})

test('speaks the text format of Prometheus', async () => {
  const meter = createMeter()
  meter.add('requests', 2, 'some', 'delivered')
  meter.set('journalLag', 7)
  const render = createMetricsText(() => meter.samples())
  await render()
  const text = await render()
  assert.match(text, /^weir_requests_total\{provider="some",status="delivered"\} 2$/m)
  assert.match(text, /^weir_journal_lag_bytes 7$/m)
  assert.match(text, /^# TYPE weir_requests_total counter$/m)
})
