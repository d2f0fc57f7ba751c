import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Alert } from '../core/alert.ts'
import { createTakeOver } from './take-over.ts'

function alertOf(number: number, at = 1000): Alert {
  return { id: `msg_${number}`, kind: 'spend.anomaly', budgetId: null, at, body: '{}' }
}

/** An outbox whose places are 1, 2, 3… and a log that knows its place. */
function createScene(count: number, place = 0) {
  const outbox = Array.from({ length: count }, (_, index) => alertOf(index + 1))
  const log = { place, ids: new Set<string>(), takes: 0, isLocked: false }
  const stores = {
    outbox: {
      read: async (from: number, rowsMax: number) => {
        const alerts = outbox.slice(from, from + rowsMax)
        return { alerts, place: alerts.length === 0 ? from : from + alerts.length }
      },
    },
    log: {
      readPlace: async () => log.place,
      take: async (alerts: readonly Alert[], next: number) => {
        if (log.isLocked) throw new Error('locked')
        log.takes += 1
        for (const { id } of alerts) log.ids.add(id)
        log.place = next
      },
    },
  }
  return { outbox, log, stores }
}

test('takes over all there is by pages, and then only what is new', async () => {
  const { outbox, log, stores } = createScene(450)
  const takeOver = createTakeOver(stores)
  await takeOver(0)
  assert.equal(log.ids.size, 450)
  assert.deepEqual([log.place, log.takes], [450, 3])
  await takeOver(0)
  assert.equal(log.takes, 3)
  outbox.push(alertOf(451))
  await takeOver(0)
  assert.deepEqual([log.place, log.takes, log.ids.has('msg_451')], [451, 4, true])
})

test('what could not be written is taken over later', async () => {
  const { log, stores } = createScene(3)
  const takeOver = createTakeOver(stores)
  log.isLocked = true
  await assert.rejects(takeOver(0), /locked/)
  log.isLocked = false
  await takeOver(0)
  assert.equal(log.ids.size, 3)
})

test('a restored outbox that is behind the log loses nothing', async () => {
  for (const [count, place] of [
    [3, 50],
    [5000, 6000],
    [5000, 9000],
    [0, 9000],
  ] as const) {
    const { outbox, log, stores } = createScene(count, place)
    const takeOver = createTakeOver(stores)
    await takeOver(0)
    outbox.push(alertOf(count + 1))
    await takeOver(0)
    assert.ok(log.ids.has(`msg_${count + 1}`), `${count} of ${place}`)
    assert.equal(log.place, count + 1)
  }
})

test('a start looks back a little, not over everything', async () => {
  const { log, stores } = createScene(10_000, 10_000)
  await createTakeOver(stores)(0)
  assert.equal(log.ids.size, 2000)
})

test('what the log has removed for its age is not taken over again', async () => {
  const { outbox, log, stores } = createScene(0)
  outbox.push(alertOf(1, 999), alertOf(2, 1000))
  await createTakeOver(stores)(1000)
  assert.deepEqual([...log.ids], ['msg_2'])
  assert.equal(log.place, 2)
})

test('an outbox that goes back while it is read loses nothing', async () => {
  const { outbox, log, stores } = createScene(10)
  const takeOver = createTakeOver(stores)
  await takeOver(0)
  outbox.splice(4)
  await takeOver(0)
  outbox.push(alertOf(11))
  await takeOver(0)
  assert.ok(log.ids.has('msg_11'))
})
