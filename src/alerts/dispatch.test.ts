// The dispatcher over real stores, with a clock that the test sets and senders that fail on demand.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import { createMeter } from '../app/meter.ts'
import type { Alert, AlertTarget } from '../core/alert.ts'
import { toBody } from '../core/alerts/budget-alert.ts'
import { systemClock } from '../core/clock.ts'
import { CLAIM_MS } from '../store/settings/alert-store.ts'
import type { AlertStore, Delivery } from '../store/settings/alert-store.ts'
import { openWebhookReceiver } from '../../test/fakes/peers/webhook-receiver.ts'
import { openDispatcher } from './dispatch.ts'
import { ATTEMPTS_MAX } from './retry-pause.ts'
import { createSender, TIME_LIMIT_MS } from './send-alert.ts'
import type { SendAlert } from './send-alert.ts'
import type { SendOutcome } from './webhook.ts'

const DAY_MS = 86_400_000
const EVERY_MS = 2
const DELIVERED: SendOutcome = { kind: 'delivered', detail: '200' }
const FAILED: SendOutcome = { kind: 'failed', detail: '500' }

async function openScene(context: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-dispatch-'))
  const time = { now: systemClock.now(), turns: 0 }
  const clock = { now: () => time.now, monotonic: () => time.now }
  const settings = await openSettingsStore({ dataDir, clock, busyTimeoutMs: 0 })
  const usage = await openLedgerStore({ dataDir, clock })
  const meter = createMeter()
  const warned: string[] = []
  const opened = new Set<{ close(): Promise<void> }>()
  const start = (send: SendAlert, log: AlertStore = settings.alerts) => {
    const dispatcher = openDispatcher({
      outbox: {
        read: (place, rowsMax) => {
          time.turns += 1
          return usage.progress.outbox.read(place, rowsMax)
        },
      },
      log,
      send,
      clock,
      oldest: () => time.now - 400 * DAY_MS,
      meter,
      warn: (_, message) => warned.push(message),
      random: () => 0,
      everyMs: EVERY_MS,
      closeMs: 20,
    })
    opened.add(dispatcher)
    return dispatcher
  }
  context.after(async () => {
    for (const dispatcher of opened) await dispatcher.close()
    await usage.close()
    await settings.close()
    rmSync(dataDir, { recursive: true })
  })
  const addTarget = (address: string): Promise<AlertTarget> =>
    settings.targets.create({ kind: 'webhook', address, budgetId: null })
  const raise = (...ids: string[]): Promise<number> =>
    usage.progress.outbox.add(ids.map((id) => alertOf(id, time.now)))
  const deliveries = async () => {
    const { alerts } = await settings.alerts.list({ before: null, rowsMax: 1000 })
    return alerts.flatMap((alert) => alert.deliveries.map((one) => ({ id: alert.id, ...one })))
  }
  /** In which nothing more may happen. */
  const someTurns = (): Promise<void> => {
    const enough = time.turns + 3
    return until(() => time.turns >= enough)
  }
  const figure = (metric: string, label?: string) =>
    meter.samples().find((one) => one.metric === metric && one.labels[0] === label)?.value ?? 0
  const asked = { addTarget, raise, deliveries, someTurns, figure }
  return { dataDir, clock, time, settings, warned, start, ...asked }
}

function alertOf(id: string, at: number): Alert {
  return { id, kind: 'spend.anomaly', budgetId: null, at, body: toBody('spend.anomaly', at, {}) }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = systemClock.monotonic() + 60_000
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < giveUp, 'it never came about')
    await pause(EVERY_MS)
  }
}

test('every alert reaches every target once, and is on record', async (t) => {
  const scene = await openScene(t)
  const targets = [
    await scene.addTarget('http://a.example.com/'),
    await scene.addTarget('http://b.example.com/'),
  ]
  const sent: string[] = []
  scene.start(async (alert, target) => {
    sent.push(`${alert.id} ${target.id}`)
    return DELIVERED
  })
  const ids = Array.from({ length: 30 }, (_, index) => `msg_${index}`)
  await scene.raise(...ids)
  await until(() => sent.length >= 60)
  await scene.someTurns()
  const expected = ids.flatMap((id) => targets.map((target) => `${id} ${target.id}`))
  assert.deepEqual(sent.toSorted(), expected.toSorted())
  for (const one of await scene.deliveries()) {
    assert.equal(one.state, 'delivered')
    assert.deepEqual(
      one.attempts.map(({ detail }) => detail),
      ['200'],
    )
  }
  assert.equal(scene.figure('alertDeliveries', 'delivered'), 60)
})

test('what fails is tried again after growing pauses, and given up after a day of trying', async (t) => {
  const scene = await openScene(t)
  await scene.addTarget('http://a.example.com/')
  const times: number[] = []
  scene.start(async () => {
    times.push(scene.time.now)
    return FAILED
  })
  await scene.raise('msg_1')
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await until(async () => (await scene.deliveries())[0]?.attempts.length === attempt)
    const next = (await scene.deliveries())[0]?.nextAt ?? null
    if (next === null) break
    scene.time.now = next - 1
    await scene.someTurns()
    assert.equal(times.length, attempt, 'not before its time')
    scene.time.now = next
  }
  const [delivery] = await scene.deliveries()
  assert.equal(delivery?.state, 'given_up')
  assert.equal(times.length, ATTEMPTS_MAX)
  const first = times[0] as number
  assert.deepEqual(
    times.slice(1, 5).map((at) => at - first),
    [1000, 3000, 7000, 15_000],
  )
  assert.ok((times.at(-1) as number) - first >= DAY_MS)
  assert.equal(scene.figure('alertDeliveries', 'failed'), ATTEMPTS_MAX - 1)
  assert.equal(scene.figure('alertDeliveries', 'given_up'), 1)
  assert.deepEqual(scene.warned, ['an alert could not be delivered and was given up'])
})

test('a receiver that wants no more is asked no more', async (t) => {
  const scene = await openScene(t)
  await scene.addTarget('http://a.example.com/')
  scene.start(async () => ({ kind: 'gone', detail: '410' }))
  await scene.raise('msg_1')
  await until(async () => (await scene.deliveries())[0]?.state === 'given_up')
})

test('a target gets one at a time, and no more than eight are sent at once', async (t) => {
  const scene = await openScene(t)
  for (let number = 0; number < 12; number += 1)
    await scene.addTarget(`http://${number}.example.com/`)
  const running: string[] = []
  let most = 0
  const sends: (() => void)[] = []
  scene.start(async (_, target) => {
    assert.ok(!running.includes(target.id), 'twice at once')
    running.push(target.id)
    most = Math.max(most, running.length)
    await new Promise<void>((resolve) => sends.push(resolve))
    running.splice(running.indexOf(target.id), 1)
    return DELIVERED
  })
  await scene.raise('msg_1', 'msg_2')
  await until(() => running.length === 8)
  await scene.someTurns()
  assert.equal(most, 8)
  for (let ended = 0; ended < 24; ended += 1) {
    await until(() => sends.length > 0)
    sends.shift()?.()
  }
  await until(async () => (await scene.deliveries()).every(({ state }) => state === 'delivered'))
  assert.equal(most, 8)
})

test('what was recorded since the due ones were read is not sent again', async (t) => {
  const scene = await openScene(t)
  await scene.addTarget('http://a.example.com/')
  const { alerts } = scene.settings
  let sends = 0
  let first: readonly Delivery[] = []
  scene.start(
    async () => {
      sends += 1
      return DELIVERED
    },
    {
      ...alerts,
      listDue: async (nowMs, rowsMax) => {
        if (first.length === 0) first = await alerts.listDue(nowMs, rowsMax)
        return first
      },
    },
  )
  await scene.raise('msg_1')
  await until(async () => (await scene.deliveries())[0]?.state === 'delivered')
  await scene.someTurns()
  assert.equal(sends, 1)
})

test('of two dispatchers on two stores one sends each alert, also when one of them ends', async (t) => {
  const scene = await openScene(t)
  const targets = [
    await scene.addTarget('http://a.example.com/'),
    await scene.addTarget('http://b.example.com/'),
    await scene.addTarget('http://c.example.com/'),
  ]
  const other = await openSettingsStore({ ...scene, busyTimeoutMs: 5000 })
  t.after(() => other.close())
  const sent: string[] = []
  const running = new Set<string>()
  const toSend =
    (who: string): SendAlert =>
    async (alert, target) => {
      assert.ok(!running.has(target.id), 'twice at once')
      running.add(target.id)
      sent.push(`${alert.id} ${target.id}`)
      await pause(1)
      running.delete(target.id)
      senders.add(who)
      return DELIVERED
    }
  const senders = new Set<string>()
  const one = scene.start(toSend('one'))
  scene.start(toSend('other'), other.alerts)
  const ids = Array.from({ length: 40 }, (_, index) => `msg_${index}`)
  await scene.raise(...ids)
  await until(() => senders.has('one'))
  await one.close()
  await until(async () => {
    const all = await scene.deliveries()
    return all.length === 120 && all.every(({ state }) => state === 'delivered')
  })
  await scene.someTurns()
  const expected = ids.flatMap((id) => targets.map((target) => `${id} ${target.id}`))
  assert.deepEqual(sent.toSorted(), expected.toSorted())
  assert.deepEqual([...senders].toSorted(), ['one', 'other'])
})

test('an attempt ends long before its claim', () => {
  assert.ok(TIME_LIMIT_MS * 2 < CLAIM_MS)
})

test('a target that hangs holds up no other', async (t) => {
  const scene = await openScene(t)
  const slow = await scene.addTarget('http://slow.example.com/')
  await scene.addTarget('http://quick.example.com/')
  const quick: string[] = []
  scene.start((alert, target, signal) => {
    if (target.id !== slow.id) {
      quick.push(alert.id)
      return Promise.resolve(DELIVERED)
    }
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  await scene.raise('msg_1', 'msg_2', 'msg_3')
  await until(() => quick.length === 3)
})

test('a target that hangs holds up no other, however much is due to it', async (t) => {
  const scene = await openScene(t)
  const slow = await scene.addTarget('http://slow.example.com/')
  const sent: string[] = []
  scene.start((alert, target, signal) => {
    sent.push(alert.id)
    if (target.id !== slow.id) return Promise.resolve(DELIVERED)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  await scene.raise(...Array.from({ length: 500 }, (_, index) => `msg_${index}`))
  await until(() => sent.length === 1)
  await scene.addTarget('http://quick.example.com/')
  scene.time.now += 1
  await scene.raise('msg_news')
  await until(() => sent.includes('msg_news'))
})

test('settings that are locked delay and drop nothing; it is told once', async (t) => {
  const scene = await openScene(t)
  await scene.addTarget('http://a.example.com/')
  const sent: string[] = []
  const lock = new DatabaseSync(path.join(scene.dataDir, 'settings.db'))
  t.after(() => lock.close())
  scene.start(async (alert) => {
    sent.push(alert.id)
    // From now on the outcome cannot be noted.
    if (alert.id === 'msg_2') lock.exec('BEGIN IMMEDIATE')
    return DELIVERED
  })
  lock.exec('BEGIN IMMEDIATE')
  await scene.raise('msg_1')
  await until(() => scene.warned.length > 0)
  await scene.someTurns()
  assert.deepEqual([sent, scene.warned.length], [[], 1])
  lock.exec('COMMIT')
  await until(async () => (await scene.deliveries())[0]?.state === 'delivered')
  await scene.raise('msg_2')
  await until(() => scene.warned.length > 1)
  await scene.someTurns()
  // It was made, and is not made again only because it could not be written down yet.
  assert.deepEqual([sent, scene.warned.length], [['msg_1', 'msg_2'], 2])
  lock.exec('COMMIT')
  await until(async () => (await scene.deliveries()).every(({ state }) => state === 'delivered'))
  assert.deepEqual(sent, ['msg_1', 'msg_2'])
})

test('what is cut off by the end is sent again after the next start, under the same id', async (t) => {
  const scene = await openScene(t)
  await scene.addTarget('http://a.example.com/')
  const sent: string[] = []
  const first = scene.start((alert, _, signal) => {
    sent.push(alert.id)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  await scene.raise('msg_1')
  await until(() => sent.length === 1)
  await first.close()
  await first.close()
  assert.deepEqual((await scene.deliveries())[0]?.attempts, [])
  scene.start(async (alert) => {
    sent.push(alert.id)
    return DELIVERED
  })
  await until(async () => (await scene.deliveries())[0]?.state === 'delivered')
  assert.deepEqual(sent, ['msg_1', 'msg_1'])
  assert.deepEqual(scene.warned, [])
})

test('an alert is sent no more once its target is removed', async (t) => {
  const scene = await openScene(t)
  const target = await scene.addTarget('http://a.example.com/')
  let sends = 0
  scene.start(async () => {
    sends += 1
    return FAILED
  })
  await scene.raise('msg_1')
  await until(async () => (await scene.deliveries())[0]?.attempts.length === 1)
  scene.time.now += 900
  await scene.settings.targets.remove(target.id)
  scene.time.now += DAY_MS
  await scene.someTurns()
  assert.equal(sends, 1)
})

test('counts what is still to be delivered, and removes what is old', async (t) => {
  const scene = await openScene(t)
  await scene.addTarget('http://a.example.com/')
  await scene.raise('msg_old')
  const results = [DELIVERED, FAILED]
  scene.start(async () => results.shift() ?? FAILED)
  await until(async () => (await scene.deliveries())[0]?.state === 'delivered')
  scene.time.now += 399 * DAY_MS
  await scene.raise('msg_new')
  await until(async () =>
    (await scene.deliveries()).some(({ attempts }) => attempts[0]?.detail === '500'),
  )
  scene.time.now += 2 * DAY_MS
  await until(async () => !(await scene.deliveries()).some(({ id }) => id === 'msg_old'))
  await until(() => scene.figure('alertsPending') === 1)
})

test('a receiver that fails, hangs and recovers gets every alert verified, with the same id', async (t) => {
  const scene = await openScene(t)
  const receiver = await openWebhookReceiver(t)
  receiver.secret = (await scene.addTarget(receiver.url)).secret ?? ''
  const clock = { now: () => scene.time.now }
  const lookup = async (): Promise<never> => Promise.reject(new Error('no names here'))
  const fixed = { allowPrivate: true, lookup, smtp: {}, clock, version: '1' }
  const attempts = async (): Promise<readonly string[]> =>
    (await scene.deliveries())[0]?.attempts.map(({ detail }) => detail) ?? []
  receiver.answer = 500
  let dispatcher = scene.start(createSender(fixed))
  await scene.raise('msg_1')
  await until(async () => (await attempts()).length === 1)
  // A new process knows as much as the old one.
  await dispatcher.close()
  receiver.answer = 'hang'
  dispatcher = scene.start(createSender({ ...fixed, timeLimitMs: 200 }))
  scene.time.now += 1000
  await until(async () => (await attempts()).length === 2)
  await dispatcher.close()
  receiver.answer = 200
  dispatcher = scene.start(createSender(fixed))
  scene.time.now += 2000
  await until(async () => (await scene.deliveries())[0]?.state === 'delivered')
  assert.deepEqual(await attempts(), ['500', 'no answer within 0.2 s', '200'])
  assert.ok(receiver.messages.length >= 2)
  for (const { id, isVerified, body } of receiver.messages) {
    assert.deepEqual([id, isVerified, body], ['msg_1', true, receiver.messages[0]?.body])
  }
})
