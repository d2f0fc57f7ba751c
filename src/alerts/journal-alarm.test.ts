import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createMeter } from '../app/meter.ts'
import type { Alert, AlertTarget } from '../core/alert.ts'
import { systemClock } from '../core/clock.ts'
import type { JournalHealth } from '../core/completeness.ts'
import { openJournalAlarm } from './journal-alarm.ts'
import type { SendOutcome } from './webhook.ts'

const SINCE = Date.UTC(2026, 10, 17, 9, 30)
const WAIT_MS_MAX = 60_000
const CALM_MS = 60_000
const WELL: JournalHealth = { refusal: null, waiting: 0 }
const FAILING: JournalHealth = { refusal: { since: SINCE, reason: 'ENOSPC' }, waiting: 3 }

function targetOf(id: string, budgetId: string | null = null): AlertTarget {
  const address = `https://example.com/${id}`
  return { id, kind: 'webhook', address, budgetId, secret: null, createdAt: 0 }
}

interface Sent {
  readonly target: string
  readonly alert: Alert
}

function openScene(t: TestContext, targets: readonly AlertTarget[] = [targetOf('a')]) {
  const sent: Sent[] = []
  const meter = createMeter()
  const scene = {
    sent,
    health: WELL as JournalHealth | Error,
    nowMs: SINCE + 500,
    looks: 0,
    lost: 0 as number | Error,
    answer: (): SendOutcome => ({ kind: 'delivered', detail: '200' }),
    warned: [] as string[],
    /** In which nothing more may happen. */
    someLooks: async (): Promise<void> => {
      const enough = scene.looks + 3
      await until(() => scene.looks >= enough)
    },
    kinds: () => sent.map(({ target, alert }) => `${target} ${alert.kind}`),
    figure: (result: string) =>
      meter.samples().find(({ labels }) => labels[0] === result)?.value ?? 0,
  }
  const alarm = openJournalAlarm({
    site: { host: 'mill', directory: 'weir-data', onFull: 'go-on' },
    readHealth: async () => {
      scene.looks += 1
      return orThrow(scene.health)
    },
    countLost: async () => orThrow(scene.lost),
    listTargets: async () => targets,
    send: async (alert, { id }) => {
      sent.push({ target: id, alert })
      return scene.answer()
    },
    clock: { now: () => scene.nowMs },
    meter,
    warn: (_, message) => scene.warned.push(message),
    random: () => 0,
    everyMs: 1,
    calmMs: CALM_MS,
  })
  t.after(() => alarm.close())
  return Object.assign(scene, { alarm })
}

function orThrow<Value>(value: Value | Error): Value {
  if (value instanceof Error) throw value
  return value
}

async function until(isSo: () => boolean): Promise<void> {
  const end = systemClock.monotonic() + WAIT_MS_MAX
  while (!isSo()) {
    if (systemClock.monotonic() > end) throw new Error(`not within ${WAIT_MS_MAX} ms`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const dataOf = ({ alert }: Sent): unknown => (JSON.parse(alert.body) as { data: unknown }).data

test('sends one alert when the disk stops taking lines, and one when it is over', async (t) => {
  const scene = openScene(t, [targetOf('a'), targetOf('of-a-budget', 'bud_1'), targetOf('b')])
  await scene.someLooks()
  assert.equal(scene.sent.length, 0)
  scene.health = FAILING
  await scene.someLooks()
  await until(() => scene.sent.length === 2)
  await scene.someLooks()
  assert.deepEqual(scene.kinds().toSorted(), ['a journal.failing', 'b journal.failing'])
  assert.deepEqual(dataOf(scene.sent[0] as Sent), {
    host: 'mill',
    directory: 'weir-data',
    since: '2026-11-17T09:30:00.000Z',
    reason: 'ENOSPC',
    on_full: 'go-on',
  })
  scene.health = WELL
  scene.lost = 7
  scene.nowMs += CALM_MS
  await until(() => scene.sent.length === 4)
  assert.deepEqual(scene.kinds().slice(2).toSorted(), [
    'a journal.recovered',
    'b journal.recovered',
  ])
  assert.deepEqual(dataOf(scene.sent[3] as Sent), {
    host: 'mill',
    directory: 'weir-data',
    since: '2026-11-17T09:30:00.000Z',
    until: '2026-11-17T09:30:00.500Z',
    lost_calls: 7,
  })
})

test('a disk that takes a line now and then is one outage', async (t) => {
  const scene = openScene(t)
  for (let times = 0; times < 5; times++) {
    scene.health = FAILING
    await scene.someLooks()
    scene.health = WELL
    scene.nowMs += CALM_MS - 1
    await scene.someLooks()
  }
  assert.deepEqual(scene.kinds(), ['a journal.failing'])
  scene.nowMs += 1
  await until(() => scene.sent.length === 2)
  await scene.someLooks()
  assert.deepEqual(scene.kinds(), ['a journal.failing', 'a journal.recovered'])
})

test('an alert that fails is tried again with the same id, until there is a newer one', async (t) => {
  const scene = openScene(t)
  scene.answer = () => ({ kind: 'failed', detail: '500' })
  scene.health = FAILING
  await until(() => scene.sent.length === 2)
  assert.equal(scene.sent[0]?.alert.id, scene.sent[1]?.alert.id)
  assert.deepEqual([scene.figure('failed'), scene.figure('delivered')], [2, 0])
  scene.answer = () => ({ kind: 'delivered', detail: '200' })
  scene.health = WELL
  scene.nowMs += CALM_MS
  await until(() => scene.sent.at(-1)?.alert.kind === 'journal.recovered')
  await scene.alarm.close()
  const failing = scene.kinds().filter((kind) => kind === 'a journal.failing')
  assert.equal(failing.length, 2)
})

test('what cannot be read is warned of once and read again; the end says that nothing is known', async (t) => {
  const scene = openScene(t)
  scene.health = new Error('EIO')
  await scene.someLooks()
  assert.deepEqual(scene.warned, ['the journal could not be watched; trying again'])
  scene.health = FAILING
  await until(() => scene.sent.length === 1)
  scene.health = WELL
  scene.lost = new Error('locked')
  scene.nowMs += CALM_MS
  await until(() => scene.sent.length === 2)
  assert.equal((dataOf(scene.sent[1] as Sent) as { lost_calls: unknown }).lost_calls, null)
})
