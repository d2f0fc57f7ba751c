// A page is of one moment: what another reader asked before, and Weir keeps for minutes, cannot
// stand on it beside newer figures.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
/** More than all seeded calls together, so that a page without it is far off. */
const DOLLARS = 1000n
const PICO_USD = 10n ** 12n
const MONTH = 'metric=cost_usd&window=month_to_date'

interface Figure {
  readonly dataset: { readonly [name: string]: string | undefined }
}

test('Overview and an answer of Explore add up after kept answers', { skip }, async (t) => {
  if (chromium === null) return
  let company: Company | undefined
  let dataDir = ''
  const scene = await openConsoleScene(
    { after: (close) => t.after(close) },
    {
      chromium,
      prepare: async (dir) => {
        dataDir = dir
        company = await seedCompany(dir)
      },
    },
  )
  assert.ok(company !== undefined)
  const headers = { authorization: `Bearer ${company.token}` }
  const asked = await fetch(`${scene.url}/v1/usage?${MONTH}`, { headers })
  const kept = ((await asked.json()) as { rows: [{ value: number }] }).rows[0].value
  const ofKey = `${MONTH}&api_key=${company.keyId}`
  // Keeps the key's month for five minutes, without the call to come.
  await fetch(`${scene.url}/v1/usage?${ofKey}`, { headers })
  const nowMs = systemClock.now()
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const times = { id: createRequestId(nowMs), endedAt: nowMs, startedAt: nowMs }
  const event = { ...times, keyId: company.keyId, model: 'gpt-4o' }
  await store.writeBatch(batchOf(createRecord(event, { amount: DOLLARS * PICO_USD })))
  await store.close()

  const { page } = await scene.openSignedIn(company.session)
  await openPage(page, '/')
  const read = async (name: string): Promise<number> =>
    Number(await page.locator(`[data-figure="${name}"][data-value]`).getAttribute('data-value'))
  const [today, month] = [await read('today'), await read('month')]
  assert.ok(today >= Number(DOLLARS) && month >= today, `today ${today}, this month ${month}`)
  assert.ok(Math.abs(month - kept - Number(DOLLARS)) < 1e-6, `${kept} became ${month}`)

  // The rows add up to the new whole, not to the one that was kept.
  await openPage(page, '/explore?range=this_month&group_by=model&limit=1')
  assert.equal(await read('total-cost_usd'), month)
  const rows = page.locator('[data-figure="row"]')
  const values = await rows.evaluateAll((all) =>
    (all as unknown as readonly Figure[]).map(({ dataset }) => Number(dataset['value'])),
  )
  const sum = values.reduce((total, value) => total + value, 0)
  assert.ok(values.length > 1 && Math.abs(sum - month) < 1e-6, `${String(values)} of ${month}`)

  await openPage(page, `/keys/${company.keyId}`)
  const spent = [await read('today'), await read('month')] as const
  assert.ok(spent[0] >= Number(DOLLARS) && spent[1] >= spent[0], String(spent))
})
