import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sampleEvent } from '../../test/fakes/usage-samples.ts'
import { createMeter } from '../app/meter.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import { SpanQueue } from './span-queue.ts'
import type { SpanQueueOptions } from './span-queue.ts'

function createRecords(count: number): UsageRecord[] {
  const cost = { amount: 1n, source: 'price-book', priceVersion: null } as const
  return Array.from({ length: count }, () => ({ event: sampleEvent(), cost }))
}

function createScene(options: Partial<SpanQueueOptions> = {}) {
  const batches: number[] = []
  const answers: PromiseWithResolvers<string | null>[] = []
  const meter = createMeter()
  const queue = new SpanQueue({
    send: (records) => {
      batches.push(records.length)
      const answer = Promise.withResolvers<string | null>()
      answers.push(answer)
      return answer.promise
    },
    meter,
    recordsMax: 10,
    batchMax: 4,
    delayMs: 0,
    ...options,
  })
  const counted = (): Record<string, number> =>
    Object.fromEntries(meter.samples().map(({ labels, value }) => [labels.join(), value]))
  return { queue, batches, answers, counted }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns++) {
    assert.ok(turns < 1000, 'it never comes about')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

test('sends batch after batch, one at a time, and counts what arrived', async () => {
  const { queue, batches, answers, counted } = createScene()
  queue.add(createRecords(3))
  queue.add(createRecords(3))
  await until(() => batches.length === 1)
  answers[0]?.resolve(null)
  await until(() => batches.length === 2)
  answers[1]?.resolve('away')
  await until(() => counted()['failed'] === 2)
  assert.deepEqual([batches, counted()], [[4, 2], { exported: 4, failed: 2 }])
  queue.add(createRecords(1))
  await until(() => batches.length === 3)
  answers[2]?.resolve(null)
  await until(() => counted()['exported'] === 5)
})

test('what does not fit is dropped and counted, and the rest goes on', async () => {
  const { queue, batches, answers, counted } = createScene()
  queue.add(createRecords(4))
  await until(() => batches.length === 1)
  // These are under way, so there is room for ten more.
  queue.add(createRecords(9))
  queue.add(createRecords(3))
  assert.deepEqual(counted(), { queue_full: 2 })
  for (let batch = 0; batch < 4; batch++) {
    await until(() => answers.length > batch)
    answers[batch]?.resolve(null)
  }
  await until(() => counted()['exported'] === 14)
  assert.deepEqual(batches, [4, 4, 4, 2])
})

test('at the end it sends what waits', async () => {
  const { queue, batches, answers, counted } = createScene({ delayMs: 60_000 })
  queue.add(createRecords(2))
  const closed = queue.close(60_000)
  assert.deepEqual(batches, [2])
  answers[0]?.resolve(null)
  await closed
  assert.deepEqual(counted(), { exported: 2 })
})

test('at the end it waits for no collector longer than it may, and counts what is left', async () => {
  const { queue, answers, counted } = createScene({ delayMs: 60_000 })
  queue.add(createRecords(6))
  await queue.close(5)
  assert.deepEqual(counted(), { failed: 6 })
  answers[0]?.resolve(null)
  await new Promise((resolve) => setImmediate(resolve))
  queue.add(createRecords(1))
  assert.deepEqual(counted(), { failed: 6, queue_full: 1 })
})
