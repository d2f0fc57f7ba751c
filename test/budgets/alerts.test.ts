// Alerts from the call that reaches a threshold to the one who is to hear of it, through everything
// that can go wrong on the way, in the real program.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { openScene } from '../e2e/scene.ts'
import type { Scene } from '../e2e/scene.ts'
import { openWebhookReceiver } from '../fakes/peers/webhook-receiver.ts'
import type { ReceivedMessage, WebhookReceiver } from '../fakes/peers/webhook-receiver.ts'

const WAIT_MS_MAX = 120_000
const THRESHOLDS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]

async function spend(scene: Scene, usd: string, metadata: object = {}): Promise<void> {
  await scene.sdk('gateway').chat.completions.create({
    model: 'acme/writer',
    messages: [{ role: 'user', content: 'Hello' }],
    metadata: { cost: usd, ...metadata },
  })
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < deadline, `waited in vain until ${what}`)
    await pause(20)
  }
}

function percentOf({ body }: ReceivedMessage): number | undefined {
  return (JSON.parse(body) as { data: { threshold_percent?: number } }).data.threshold_percent
}

/** Those of thresholds: early in a month a forecast speaks up as well. */
function listThresholds({ messages }: WebhookReceiver): ReceivedMessage[] {
  return messages.filter((message) => percentOf(message) !== undefined)
}

function percentsOf(receiver: WebhookReceiver): number[] {
  const percents = receiver.messages.map(percentOf).filter((percent) => percent !== undefined)
  return [...new Set(percents)].toSorted((a, b) => a - b)
}

function countIds(receiver: WebhookReceiver): number {
  return new Set(listThresholds(receiver).map(({ id }) => id)).size
}

/** The old one is gone and another has its place. */
async function killLedger({ program }: Scene): Promise<void> {
  const [pid] = program.pids('ledger') as [number]
  process.kill(pid, 'SIGKILL')
  await until('there is another ledger', () => program.pids('ledger').some((each) => each !== pid))
}

test('every alert arrives, verified and under one id, though receiver, ledger and settings fail', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const scene = await openScene(t, { ALERTS_ALLOW_PRIVATE_TARGETS: 'true', PROXY_WORKERS: '1' })
  const { program } = scene
  const words = ['--name', 'Alerts', '--limit-usd', '1', '--period', 'month', '--scope', 'global']
  const at = ['--at', THRESHOLDS.join(','), '--webhook', receiver.url]
  const made = await program.json<{ id: string; webhook_secret: string }>(
    'budgets',
    'create',
    ...words,
    ...at,
  )
  receiver.secret = made.webhook_secret

  receiver.answer = (response) => response.destroy()
  await spend(scene, '0.1')
  await until('it was tried twice', () => receiver.messages.length >= 2)
  receiver.answer = 'hang'
  await spend(scene, '0.2')
  await until('one hangs', () => percentsOf(receiver).includes(30))
  await killLedger(scene)
  // The caller's own key pays: nobody's budget moves.
  await spend(scene, '0', { byok: 'true', market_cost: '5' })
  receiver.answer = 500
  await spend(scene, '0.2')
  await until('another ledger has tried', () => percentsOf(receiver).includes(50))
  await killLedger(scene)
  // While somebody else holds the settings, alerts wait.
  const locking = new DatabaseSync(join(program.dataDir, 'settings.db'), { timeout: 10_000 })
  locking.exec('BEGIN IMMEDIATE')
  receiver.answer = 200
  await spend(scene, '0.4')
  const store = new DatabaseSync(join(program.dataDir, 'usage.db'), { readOnly: true })
  t.after(() => store.close())
  const count = store.prepare("SELECT COUNT(*) AS n FROM outbox WHERE kind = 'budget.threshold'")
  const countOutbox = (): unknown => count.get()?.['n']
  await until('all but one are in the outbox', () => countOutbox() === THRESHOLDS.length - 1)
  assert.equal(percentsOf(receiver).includes(90), false)
  locking.exec('COMMIT')
  locking.close()
  await program.stop()
  await program.restart()
  await spend(scene, '0.1')
  await until('all have arrived', () => percentsOf(receiver).length === THRESHOLDS.length)
  assert.deepEqual(percentsOf(receiver), THRESHOLDS)
  await until('none is on its way', async () => (await countPending(scene)) === 0)

  assert.ok(receiver.messages.every(({ isVerified }) => isVerified))
  const ids = Map.groupBy(listThresholds(receiver), percentOf)
  for (const [percent, messages] of ids) {
    assert.equal(new Set(messages.map(({ id }) => id)).size, 1, `one id for ${percent} %`)
    assert.equal(new Set(messages.map(({ body }) => body)).size, 1)
  }
  assert.equal(countIds(receiver), THRESHOLDS.length)
  const delivered = JSON.parse(
    listThresholds(receiver).find((each) => percentOf(each) === 30)?.body ?? '',
  )
  assert.deepEqual(delivered.type, 'budget.threshold')
  assert.equal(delivered.data.budget.id, made.id)
  assert.equal(delivered.data.spent_usd, 0.3)

  // A limit that is lowered is judged at once, without another call.
  await scene.commands.json('budgets', 'update', made.id, '--limit-usd', '0.5')
  await until('the new limit speaks up', () => countIds(receiver) === 2 * THRESHOLDS.length)
})

interface Log {
  readonly alerts: readonly { readonly deliveries: readonly { readonly state: string }[] }[]
}

async function countPending({ commands }: Scene): Promise<number> {
  const { alerts } = await commands.json<Log>('alerts', 'list')
  return alerts.flatMap(({ deliveries }) => deliveries).filter(({ state }) => state === 'pending')
    .length
}
