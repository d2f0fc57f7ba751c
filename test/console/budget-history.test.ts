// The history of a budget in the console: what the API says, readable by everyone.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { formatUsd } from '../../console/src/data/format-usd.ts'
import type { BudgetPeriodList } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const USD = 10n ** 12n
const DAY_MS = 86_400_000

/** A weekly budget of six weeks ago, whose limit was raised three weeks ago. */
async function addBudget(dataDir: string): Promise<string> {
  const clock = { ago: 42, now: () => systemClock.now() - clock.ago * DAY_MS, monotonic: () => 0 }
  const settings = await openSettingsStore({ dataDir, clock })
  const { id } = await settings.budgets.create({
    name: 'All of it',
    scope: { kind: 'global' },
    period: 'week',
    limit: 10n * USD,
    thresholds: [],
    isBlocking: false,
  })
  clock.ago = 21
  await settings.budgets.update(id, { limit: 40n * USD })
  await settings.close()
  return id
}

test('the history of a budget has a bar and a line for each period', { skip }, async (t) => {
  if (chromium === null) return
  let company: Company | undefined
  let id = ''
  const scene = await openConsoleScene(
    { after: (close) => t.after(close) },
    {
      chromium,
      prepare: async (dir) => {
        company = await seedCompany(dir)
        id = await addBudget(dir)
      },
    },
  )
  assert.ok(company !== undefined)
  const headers = { authorization: `Bearer ${company.token}` }
  const asked = await fetch(`${scene.url}/v1/budgets/${id}/periods`, { headers })
  const { rows } = (await asked.json()) as BudgetPeriodList
  assert.deepEqual(
    rows.map(({ limit_usd: limit }) => limit),
    [40, 40, 40, 40, 10, 10, 10],
  )
  const { page, complaints } = await scene.openSignedIn(company.session)
  await openPage(page, '/budgets')
  await page.getByText('History of All of it').click()
  const table = page.getByRole('group', { name: 'Periods of All of it' })
  await table.waitFor()
  const lines = await table.locator('tbody tr').allInnerTexts()
  assert.equal(lines.length, rows.length)
  for (const [place, { spent_usd: spent, limit_usd: limit }] of rows.entries()) {
    const line = lines[place] ?? ''
    assert.ok(line.includes(formatUsd(spent ?? 0)) && line.includes(formatUsd(limit)), line)
  }
  assert.equal(await page.locator('.period-bars rect').count(), rows.length)
  assert.deepEqual(await findBarriers(page), [])
  assert.deepEqual(complaints.list(), [])
})
