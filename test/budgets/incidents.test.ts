// A job that runs away for three days, through the real program: one incident, sent once, whose
// figures grow.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { AlertRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { checkAnomalies } from '../../src/ledger/anomaly-check.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { createCommandLineAt } from '../fakes/command-line.ts'
import { openWebhookReceiver } from '../fakes/peers/webhook-receiver.ts'
import { openProgram } from '../fakes/program.ts'

const USD = 10n ** 12n
const DAY_MS = 86_400_000
const WAIT_MS_MAX = 120_000
const KEY = 'svc_k_aaaaaaaaaaaaaaaa'
const CONSOLE_URL = 'https://weir.example.com'
const dims = { team: 'search' }

/** What one key spent with one model for one team, so many days ago. */
function toCall(daysAgo: number, usd: bigint) {
  const endedAt = (Math.floor(systemClock.now() / DAY_MS) - daysAgo) * DAY_MS
  return createRecord(
    { id: createRequestId(endedAt), endedAt, dims, keyId: KEY },
    { amount: usd * USD },
  )
}

/** As on the evening of that day. */
async function checkDay(dataDir: string, daysAgo: number): Promise<void> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const nextMs = (Math.floor(systemClock.now() / DAY_MS) - daysAgo + 1) * DAY_MS
  const { signal } = new AbortController()
  const clock = { now: () => nextMs - 1 }
  await checkAnomalies({ store, clock, floor: 10n * USD, consoleUrl: CONSOLE_URL, signal })
  await store.close()
}

function toDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

interface Log {
  readonly alerts: readonly AlertRow[]
}

test('a job that runs away for three days is one alert, sent once, whose figures grow', async (t) => {
  const receiver = await openWebhookReceiver(t)
  const usual = Array.from({ length: 28 }, (_, day) => toCall(day + 3, 20n))
  const program = await openProgram({
    settings: { ALERTS_ALLOW_PRIVATE_TARGETS: 'true', PROXY_WORKERS: '1' },
    prepare: async (dataDir) => {
      mkdirSync(dataDir, { recursive: true })
      const store = await openLedgerStore({ dataDir, clock: systemClock })
      await store.writeBatch(batchOf(...usual, toCall(2, 100n), toCall(1, 150n), toCall(0, 200n)))
      await store.close()
      await checkDay(dataDir, 2)
      await checkDay(dataDir, 1)
      const settings = 'alerts: { allowPrivateTargets: true }'
      const { json } = createCommandLineAt(dataDir, { nowMs: systemClock.now() }, { settings })
      await json('alerts', 'add', '--webhook', receiver.url)
    },
  })
  t.after(() => program.close())
  const { json } = createCommandLineAt(program.dataDir, { nowMs: systemClock.now() })
  const readLog = (): Promise<Log> => json<Log>('alerts', 'list')
  const until = async (isSo: (log: Log) => boolean): Promise<Log> => {
    const deadline = systemClock.monotonic() + WAIT_MS_MAX
    for (;;) {
      const log = await readLog()
      if (isSo(log)) return log
      assert.ok(systemClock.monotonic() < deadline, `waited in vain: ${JSON.stringify(log)}`)
      await pause(100)
    }
  }

  const isSent = ({ alerts }: Log): boolean =>
    alerts.length > 0 &&
    alerts.every(({ deliveries }) => deliveries.every(({ state }) => state === 'delivered'))
  const early = await until(isSent)
  assert.equal(early.alerts[0]?.body.data['spent_usd'], 150)
  await checkDay(program.dataDir, 0)
  const late = await until(({ alerts }) => alerts[0]?.body.data['spent_usd'] === 200)
  const { alerts } = await until(isSent)
  assert.equal(receiver.messages.length, 1, 'one message for three subjects and three days')
  assert.deepEqual(alerts, late.alerts)
  const [incident, ...others] = alerts
  assert.deepEqual(others, [])
  assert.deepEqual(incident?.body.data['subjects'], [
    { kind: 'api_key', name: KEY },
    { kind: 'dim', name: 'team=search' },
    { kind: 'model', name: 'north/model-1' },
  ])
  // 100, 150 and 200, each 20 of which are usual: 80 + 130 + 180.
  assert.equal(incident?.body.data['excess_usd'], 390)
  assert.equal(incident?.id, early.alerts[0]?.id)
  const sent = JSON.parse(receiver.messages[0]?.body ?? '')
  assert.equal(sent.data.spent_usd, 150, 'as it was when it was sent')
  const [first, end] = [-2, 1].map((days) => toDay(systemClock.now() + days * DAY_MS))
  const link = (to: string): string =>
    `${CONSOLE_URL}/requests?api_key=${KEY}&from=${first}&to=${to}&sort=cost`
  assert.equal(sent.data.calls_url, link(toDay(systemClock.now())))
  assert.equal(incident?.body.data['calls_url'], link(end ?? ''))
})
