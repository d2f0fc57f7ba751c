// How many clicks the usual tasks take: from a peak to its most expensive call and to stopping its
// key, a key with its budget and models, a month against the one before, and why calls failed. A
// step that is added fails here.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { BudgetList, KeyPage, KeyRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import { PLAIN_KEY } from '../contracts/settings-scene.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { openConsoleScene, openPage, openTab, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MIDNIGHT_MS = Math.floor(systemClock.now() / DAY_MS) * DAY_MS
const PEAK_MS = MIDNIGHT_MS - 5 * DAY_MS + 3 * HOUR_MS
const YESTERDAY_MS = MIDNIGHT_MS - 12 * HOUR_MS
const RUNAWAY = 'Nightly job'

/** Of the key: three calls on the day of the peak, four yesterday. Two of those failed. */
const CALLS: readonly (readonly [endedAt: number, dollars: bigint, Partial<UsageEvent>])[] = [
  [PEAK_MS, 35n, {}],
  [PEAK_MS + HOUR_MS, 60n, {}],
  [PEAK_MS + 2 * HOUR_MS, 40n, {}],
  [YESTERDAY_MS, 1n, {}],
  [YESTERDAY_MS, 0n, { status: 'refused', httpStatus: 429, providerError: 'quota_exceeded' }],
  [YESTERDAY_MS, 0n, { status: 'denied', httpStatus: 403, errorCode: 'model_not_allowed' }],
  [YESTERDAY_MS, 1n, { status: 'aborted' }],
  // The day before, so that it is left out.
  [YESTERDAY_MS - DAY_MS, 0n, { status: 'refused', httpStatus: 500 }],
]

let scene: ConsoleScene
let company: Company
let ada: Guest
let keyId = ''

before(async () => {
  if (chromium === null || skip !== false) return
  const prepare = async (dataDir: string): Promise<void> => {
    company = await seedCompany(dataDir)
    const settings = await openSettingsStore({ dataDir, clock: systemClock })
    keyId = (await settings.keys.create({ ...PLAIN_KEY, name: RUNAWAY })).key.id
    await settings.close()
    const store = await openLedgerStore({ dataDir, clock: systemClock })
    await store.writeBatch(batchOf(...toRecords()))
    await store.close()
  }
  scene = await openConsoleScene({ after: (close) => closes.push(close) }, { chromium, prepare })
  ada = await scene.openSignedIn(company.session)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

function toRecords() {
  return CALLS.map(([endedAt, dollars, call]) => {
    const startedAt = endedAt - 500
    const event = { id: createRequestId(startedAt), keyId, model: 'gpt-4o', startedAt, endedAt }
    return createRecord({ ...event, ...call }, { amount: dollars * 10n ** 12n })
  })
}

interface CountedPage {
  readonly page: Page
  /** The only way in which a test presses anything. */
  readonly click: (target: Locator) => Promise<void>
  readonly clicks: () => number
}

async function openCounted(path: string): Promise<CountedPage> {
  const { page } = await openTab(ada)
  await openPage(page, path)
  let clicks = 0
  const click = async (target: Locator): Promise<void> => {
    clicks += 1
    await target.click()
    await untilReady(page)
  }
  return { page, click, clicks: () => clicks }
}

async function ask<Answer>(path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${company.token}` }
  const response = await fetch(`${scene.url}${path}`, { headers })
  assert.equal(response.status, 200, path)
  return (await response.json()) as Answer
}

const callsOf = (page: Page): Locator =>
  page.getByRole('table', { name: 'Requests' }).locator('tbody tr')

test('peak to its most expensive call: 2 clicks, and 2 more pause its key', { skip }, async () => {
  const { page, click, clicks } = await openCounted('/')
  const day = new Date(PEAK_MS).toISOString().slice(0, 10)
  await click(page.locator(`[data-bar="${day}"] a`))
  await click(page.getByRole('table').getByRole('link', { name: new RegExp(`^${RUNAWAY}`) }))
  await callsOf(page).first().getByText('$60.00').waitFor()
  assert.equal(clicks(), 2)
  await click(page.getByRole('button', { name: 'Pause key' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Pause key' }))
  await page.getByText(`${RUNAWAY} is paused`).waitFor()
  assert.equal(clicks(), 4)
  assert.equal((await ask<KeyRow>(`/v1/keys/${keyId}`)).status, 'paused')

  // The page of the call has it, too.
  await click(callsOf(page).first().getByRole('link').first())
  await click(page.getByRole('button', { name: 'Resume key' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Resume key' }))
  await page.getByText(`${RUNAWAY} may call again`).waitFor()
  assert.equal((await ask<KeyRow>(`/v1/keys/${keyId}`)).status, 'active')
  await page.close()
})

test('a key with a budget and two models: 1 dialog', { skip }, async () => {
  const { page } = await openCounted('/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Two models')
  await dialog.getByRole('button', { name: 'Models and providers' }).click()
  const models = dialog.getByRole('combobox', { name: 'Allowed models' })
  for (const model of ['gpt-4o', 'claude-sonnet-4-5']) {
    await models.fill(model)
    await models.press('Enter')
  }
  await dialog.getByRole('button', { name: 'Budget', exact: true }).click()
  await dialog.getByLabel('Budget in USD').fill('25')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('The key is ready').waitFor()
  assert.equal(await dialog.count(), 1)
  const { rows } = await ask<KeyPage>('/v1/keys?search=Two+models')
  assert.deepEqual(
    rows.map(({ allowed_models: allowed }) => allowed),
    [['gpt-4o', 'claude-sonnet-4-5']],
  )
  const budgets = await ask<BudgetList>('/v1/budgets')
  const own = budgets.rows.find(({ name }) => name === 'Two models')
  assert.deepEqual([own?.limit_usd, own?.period], [25, 'month'])
  await page.close()
})

test('a month against the one before: 2 clicks', { skip }, async () => {
  const { page, click, clicks } = await openCounted('/explore')
  const [now = 0, last = 0, earlier = 0] = [0, 1, 2].map((back) => toMonth(back))
  const name = (monthMs: number): string =>
    new Date(monthMs).toLocaleDateString('en-GB', { month: 'short', year: 'numeric' })
  const range = page.getByRole('button', { name: /^Period: / })
  for (const [pair, preset] of [
    [`${name(last)} and ${name(earlier)}`, 'last_month'],
    [`${name(now)} so far and ${name(last)}`, 'this_month'],
  ] as const) {
    const before = clicks()
    await click(range)
    await click(page.getByText(pair, { exact: true }))
    await page.getByText('Compared with').waitFor()
    assert.equal(clicks() - before, 2)
    const { searchParams } = new URL(page.url())
    assert.deepEqual([searchParams.get('range'), searchParams.get('compare')], [preset, 'previous'])
  }
  await page.close()
})

function toMonth(back: number): number {
  const now = new Date(systemClock.now())
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 15)
}

test("why yesterday's calls of a key failed: 3 clicks from its page", { skip }, async () => {
  const { page, click, clicks } = await openCounted(`/keys/${keyId}`)
  await click(page.getByRole('link', { name: 'Failed calls' }))
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  await click(page.getByRole('combobox', { name: 'Time' }))
  await click(page.getByRole('option', { name: 'Yesterday' }))
  await page.getByText('1 call, and 1 denied').first().waitFor()
  await untilReady(page)
  assert.equal(clicks(), 3)
  const reasons = await page.locator('.call-status .mono').allInnerTexts()
  assert.deepEqual(reasons.toSorted(), ['403 model_not_allowed', '429 quota_exceeded'])
  await page.close()
})
