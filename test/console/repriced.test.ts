// A month that was repriced says so beside its figure: on Overview, in Explore, and where it is
// exported.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUsd } from '../../console/src/data/format-usd.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const ADDED_USD = 250
const PICO_USD = 10n ** 12n

test(
  'Overview, Explore and the export show a repriced month before and after',
  { skip },
  async (t) => {
    if (chromium === null) return
    let company: Company | undefined
    const scene = await openConsoleScene(
      { after: (close) => t.after(close) },
      {
        chromium,
        prepare: async (dataDir) => {
          company = await seedCompany(dataDir)
          await repriceThisMonth(dataDir)
        },
      },
    )
    assert.ok(company !== undefined)
    const { page } = await scene.openSignedIn(company.session)
    await openPage(page, '/')
    const figure = page.locator('[data-figure="month"]')
    const after = Number(await figure.getAttribute('data-value'))
    const sums = `${formatUsd(after - ADDED_USD)} before, ${formatUsd(after)} after`
    const text = await page.locator('.stat', { has: figure }).innerText()
    assert.ok(text.includes(sums) && /Repriced on \d+ \w+ \d{4}: /.test(text), text)
    assert.deepEqual(await findBarriers(page), [])

    await openPage(page, '/explore?range=this_month')
    await page.locator('.repriced-note').waitFor()
    const note = await page.locator('.repriced-note').innerText()
    assert.match(note, /: \$250\.00 more than before\.$/)
    await openPage(page, '/explore?range=today')
    assert.equal(await page.locator('.repriced-note').count(), 0)

    await openPage(page, '/requests')
    await page.getByRole('button', { name: 'Export a month' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${sums}.`).waitFor()
    const daily = dialog.getByRole('link', { name: 'FOCUS by day (CSV)' })
    assert.match((await daily.getAttribute('href')) ?? '', /focus\.csv\?month=.*granularity=daily/)
    assert.deepEqual(await findBarriers(page), [])
  },
)

async function repriceThisMonth(dataDir: string): Promise<void> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const nowMs = systemClock.now()
  const month = new Date(nowMs).toISOString().slice(0, 7)
  const filter = { ...ALL_REQUESTS, fromMs: Date.parse(`${month}-01`) }
  const records = await store.usage.upkeep.readRecords(filter, { after: null, rowsMax: 1000 })
  const record = records.find(
    ({ event, cost }) =>
      event.status !== 'denied' &&
      cost.amount !== null &&
      new Date(event.endedAt).toISOString().startsWith(month),
  )
  assert.ok(record?.cost.amount !== null && record !== undefined)
  const amount = record.cost.amount + BigInt(ADDED_USD) * PICO_USD
  const change = { id: record.event.id, before: record.cost, after: { ...record.cost, amount } }
  const line = { repricing: null, at: nowMs, who: 'me', what: 'one call', prices: [] }
  await store.usage.upkeep.changeCosts([change], line)
  await store.close()
}
