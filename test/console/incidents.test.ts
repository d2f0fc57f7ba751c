// Unusual spend in the console: from the first page to its calls.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { AlertRow, IncidentList } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { checkAnomalies } from '../../src/ledger/anomaly-check.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import { HOSTILE, seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const USD = 10n ** 12n
const WAIT_MS_MAX = 20_000

/** More than the key spent on any of the ten weeks before. */
async function runAway(dataDir: string, keyId: string, usd: bigint): Promise<void> {
  const nowMs = systemClock.now()
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const event = { id: createRequestId(nowMs), endedAt: nowMs, startedAt: nowMs, keyId }
  const call = { ...event, model: 'gpt-4o', dims: { team: 'search' } }
  await store.writeBatch(batchOf(createRecord(call, { amount: usd * USD })))
  const { signal } = new AbortController()
  const clock = { now: () => nowMs }
  await checkAnomalies({ store, clock, floor: 10n * USD, consoleUrl: null, signal })
  await store.close()
}

async function untilListed(
  { url }: ConsoleScene,
  { token }: Company,
  isSo: (row: AlertRow) => boolean,
): Promise<AlertRow> {
  const deadline = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/v1/incidents`, { headers })
    const { rows } = (await answer.json()) as IncidentList
    const [row] = rows
    if (rows.length === 1 && row !== undefined && isSo(row)) return row
    assert.ok(systemClock.monotonic() < deadline, `waited in vain: ${JSON.stringify(rows)}`)
    await pause(50)
  }
}

test('from the first page to the calls of a key that ran away', { skip }, async (t) => {
  if (chromium === null) return
  let company: Company | undefined
  const scene = await openConsoleScene(
    { after: (close) => t.after(close) },
    {
      chromium,
      prepare: async (dir) => {
        company = await seedCompany(dir)
        await runAway(dir, company.keyId, 500n)
      },
    },
  )
  assert.ok(company !== undefined)
  const { keyId } = company
  const row = await untilListed(scene, company, () => true)
  assert.deepEqual(row.body.data['subject'], { kind: 'api_key', name: keyId })
  const { page, complaints } = await scene.openSignedIn(company.session)
  await openPage(page, '/')
  const notice = page.locator('.overview-notices li').first()
  const title = `Key ${HOSTILE.key} spent far more than usual`
  // The name of the key may come a moment after its id.
  await notice.getByText(title).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await notice.getByRole('link', { name: 'See the calls' }).click()
  await page.waitForURL(/\/requests\?/)
  const { searchParams } = new URL(page.url())
  const day = new Date(systemClock.now()).toISOString().slice(0, 10)
  assert.deepEqual([searchParams.get('api_key'), searchParams.get('from')], [keyId, day])
  // The most expensive is there: $500 in one call.
  await page.locator('tbody').getByText('$500.00').first().waitFor()

  await openPage(page, '/budgets?tab=alerts')
  const alert = page.locator('.alert-log > li', { hasText: 'far more than usual' })
  await alert.getByText(title).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  const href = await alert.getByRole('link', { name: /See the calls/ }).getAttribute('href')
  assert.match(href ?? '', new RegExp(`^/requests\\?api_key=${keyId}&from=${day}&`))

  // A snooze takes it off the first page, until it has more than doubled.
  await openPage(page, '/')
  await notice.getByRole('button', { name: `Snooze: ${title}` }).click()
  await page.getByRole('button', { name: 'For a day' }).click()
  const ofKey = page.locator('.overview-notices li', { hasText: 'far more than usual' })
  await ofKey.waitFor({ state: 'detached' })
  await untilListed(scene, company, ({ incident }) => incident?.state === 'snoozed')
  await runAway(scene.program.dataDir, keyId, 600n)
  await untilListed(scene, company, ({ incident }) => incident?.state === 'open')
  await openPage(page, '/')
  await ofKey.getByRole('button', { name: `Acknowledge: ${title}` }).click()
  await ofKey.waitFor({ state: 'detached' })
  await openPage(page, '/budgets?tab=alerts')
  await alert.getByText('Acknowledged', { exact: true }).waitFor()
  assert.match(await alert.innerText(), /Acknowledged by ada@example\.com/)
  assert.deepEqual(await findBarriers(page), [])
  await alert.getByRole('button', { name: `Reopen: ${title}` }).click()
  await alert.getByText('Open', { exact: true }).waitFor()
  await openPage(page, '/audit')
  const actions = await page.locator('main').innerText()
  for (const word of ['Snoozed', 'Acknowledged', 'Reopened']) {
    assert.ok(actions.includes(`${word} the unusual spend of`), actions)
  }
  assert.deepEqual(complaints.list(), [])
})
