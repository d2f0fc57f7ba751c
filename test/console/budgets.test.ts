// One budget: how far it is, on one scale with all others; the address that opens it; and a key's
// own, made and changed where the key's other settings are.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { BudgetList, KeyBudgetList } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import { PLAIN_KEY } from '../contracts/settings-scene.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage, openTab, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const PICO_USD = 10n ** 12n
const LIMIT = 100n * PICO_USD
const SLACK_PX = 1
/** Each of a key of its own, in percent of its limit. */
const SPENT = [12, 88, 40, 125, 3, 60, 99, 1, 2, 4, 5, 6, 7, 8] as const

const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let company: Company
let ada: Guest
let bareKeyId = ''

before(async () => {
  if (chromium === null || skip !== false) return
  const prepare = async (dataDir: string): Promise<void> => {
    company = await seedCompany(dataDir)
    await seedBudgets(dataDir)
  }
  scene = await openConsoleScene({ after: (close) => closes.push(close) }, { chromium, prepare })
  ada = await scene.openSignedIn(company.session)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function seedBudgets(dataDir: string): Promise<void> {
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const ledger = await openLedgerStore({ dataDir, clock: systemClock })
  const endedAt = systemClock.now()
  for (const percent of SPENT) {
    const name = `spends ${percent}`
    const { key } = await settings.keys.create({ ...PLAIN_KEY, name })
    await settings.budgets.create(
      {
        name,
        scope: { kind: 'api_key', keyId: key.id },
        period: 'month',
        limit: LIMIT,
        thresholds: [50, 100],
        each: 'none',
        isTargetsOnly: false,
        isBlocking: percent === 99,
      },
      [],
    )
    const amount = (LIMIT * BigInt(percent)) / 100n
    const call = { keyId: key.id, startedAt: endedAt - 1000, endedAt }
    await ledger.writeBatch(batchOf(createRecord(call, { amount, priceVersion: null })))
  }
  bareKeyId = (await settings.keys.create({ ...PLAIN_KEY, name: 'Bare' })).key.id
  await ledger.close()
  await settings.close()
}

async function ask<Answer>(path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${company.token}` }
  return (await (await fetch(`${scene.url}${path}`, { headers })).json()) as Answer
}

interface Drawn {
  readonly name: string
  readonly trackPx: number
  readonly usedPx: number
  readonly isBeyond: boolean
  readonly rowPx: number
}

/** Runs in the page, as text: its types are not those of this program. */
const READ_METERS = `[...document.querySelectorAll('tr:has(.meter)')].map((row) => {
  const width = (selector) => row.querySelector(selector).getBoundingClientRect().width
  return {
    name: row.querySelector('a').firstChild.textContent,
    trackPx: width('.meter-track'),
    usedPx: width('.meter-used'),
    isBeyond: row.querySelector('.meter-beyond:not(.meter-faint)') !== null,
    rowPx: row.getBoundingClientRect().width,
  }
})`

test('all budgets are on one scale, the nearest to its limit first', { skip }, async () => {
  const { rows } = await ask<BudgetList>('/v1/budgets')
  const percents = new Map(rows.map((row) => [row.name, row.spent_percent]))
  const { page, complaints } = await openTab(ada)
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await openPage(page, '/budgets')
    const meters = await page.evaluate<Drawn[]>(READ_METERS)
    assert.equal(meters.length, rows.length)
    assert.equal(new Set(meters.map(({ trackPx }) => Math.round(trackPx))).size, 1, `${width}`)
    assert.equal(new Set(meters.map(({ rowPx }) => Math.round(rowPx))).size, 1, `${width}`)
    for (const { name, trackPx, usedPx, isBeyond } of meters) {
      const percent = percents.get(name) ?? assert.fail(name)
      const expected = (trackPx * Math.min(percent, 100)) / 100
      assert.ok(Math.abs(usedPx - expected) < SLACK_PX, `${name}: ${usedPx} of ${trackPx}`)
      assert.equal(isBeyond, percent > 100, name)
    }
    const order = meters.map(({ name }) => percents.get(name) ?? 0)
    assert.deepEqual(
      order,
      order.toSorted((one, other) => other - one),
    )
    assert.deepEqual(await findBarriers(page), [])
  }
  assert.deepEqual(complaints.list(), [])
  await page.close()
})

async function assertOpen(page: Page, name: string): Promise<void> {
  const detail = page.getByRole('region', { name: `Budget ${name}`, exact: true })
  await detail.waitFor()
  await untilReady(page)
  const row = page.locator('tr.table-open')
  assert.match(await row.innerText(), new RegExp(`^${name}\n`))
  const isSeen =
    '(row) => row.getBoundingClientRect().top > 56 && row.getBoundingClientRect().bottom < innerHeight'
  assert.equal(await row.evaluate(`(${isSeen})(document.querySelector('.table-open'))`), true)
  assert.equal(await page.locator('tr.table-open').count(), 1)
}

test('the address of a budget opens it in sight, wherever it is from', { skip }, async () => {
  const { rows } = await ask<BudgetList>('/v1/budgets')
  const last = rows.find(({ name }) => name === 'spends 1') ?? assert.fail()
  const address = `/budgets#${last.id}`
  const { page, complaints } = await openTab(ada)
  await page.setViewportSize({ width: 1280, height: 600 })
  await openPage(page, address)
  await assertOpen(page, last.name)
  assert.deepEqual(await findBarriers(page), [])

  // A row opens and closes where it is.
  const link = page.getByRole('link', { name: /^spends 1\b/ })
  const topOf = async () => (await link.boundingBox())?.y
  const top = await topOf()
  await link.click()
  await page
    .getByRole('region', { name: 'Budget spends 1', exact: true })
    .waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).hash, '')
  assert.equal(await link.getAttribute('aria-expanded'), 'false')
  assert.ok(top !== undefined && top < 600)

  // From the key that it limits, and by Ctrl-K, also from Budgets itself.
  const [, keyId = ''] = last.scope.split('=')
  await openPage(page, `/keys/${keyId}`)
  await page
    .getByRole('table', { name: /Budgets that count/ })
    .getByRole('link')
    .click()
  await assertOpen(page, last.name)
  for (const from of ['/keys', '/budgets']) {
    await openPage(page, from)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to/ }).fill('spends 1')
    await page.getByRole('option', { name: 'spends 1 Budget', exact: true }).waitFor()
    await page.getByRole('option', { name: 'spends 1 Budget', exact: true }).click()
    await page.waitForURL(`**${address}`)
    await assertOpen(page, last.name)
  }
  await openPage(page, '/budgets#bud_gone')
  await page.getByText('There is no budget bud_gone any more').waitFor()
  assert.deepEqual(complaints.list(), [])
  await page.close()
})

test("a key's own budget is made and changed in its settings", { skip }, async () => {
  const { page, complaints } = await openTab(ada)
  await openPage(page, `/keys/${bareKeyId}?tab=settings`)
  const own = page.getByRole('region', { name: 'Budget of its own' })
  await own.getByText('It has none').waitFor()
  await own.getByRole('button', { name: 'Create a budget' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a budget' })
  assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Bare')
  await dialog.getByLabel('Limit in USD').fill('25')
  await dialog.getByRole('button', { name: 'Create budget' }).click()
  await own.getByRole('cell', { name: '$25.00' }).waitFor()
  assert.deepEqual(await findBarriers(page), [])

  await own.getByRole('button', { name: 'Edit Bare' }).click()
  await page.getByRole('dialog').getByLabel('Limit in USD').fill('40')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await own.getByRole('cell', { name: '$40.00' }).waitFor()
  // Nothing of the key itself was changed by it.
  assert.equal(await page.getByRole('region', { name: 'Changes that are not saved' }).count(), 0)
  const { rows } = await ask<KeyBudgetList>(`/v1/keys/${bareKeyId}/budgets`)
  assert.deepEqual(
    rows.map(({ scope, limit_usd: limit }) => [scope, limit]),
    [[`api_key=${bareKeyId}`, 40]],
  )
  await own.getByRole('link', { name: /^Bare/ }).click()
  await assertOpen(page, 'Bare')
  assert.deepEqual(complaints.list(), [])
  await page.close()
})
