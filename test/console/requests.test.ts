// The request log in a browser: what is filtered by, in which order, and what the calls come to.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers, findFaintTextInDark } from './find-barriers.ts'
import { openPage, openTab, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { LOG_CALLS, LOG_END, LOG_START, shareCompany } from './share-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
let scene: ConsoleScene
let company: Company
let ada: Guest

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const SPAN = `from=${toMoment(LOG_START)}&to=${toMoment(LOG_END)}`

function toMoment(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`
}

before(async () => {
  if (chromium === null || skip !== false) return
  ;({ scene, company } = await shareCompany(chromium))
  ada = await scene.openSignedIn(company.session, { viewport: DESKTOP })
})

/** The models that the rows show, from the top. */
async function readModels(page: Page): Promise<readonly string[]> {
  await untilReady(page)
  const table = page.getByRole('table', { name: 'Requests' })
  return table.locator('tbody .call-model > span:first-child').allInnerTexts()
}

test(
  'several values of a filter are chosen, kept by the address and shown again',
  { skip },
  async () => {
    const { page, complaints } = await openTab(ada)
    await openPage(page, `/requests?${SPAN}`)
    const filters = page.getByRole('search', { name: 'Filter the requests' })
    const model = filters.getByRole('combobox', { name: 'Model' })
    // The rows of before stay, marked as old, until those that are asked for have come.
    const asked = page.waitForRequest(/\/v1\/requests\?.*model=log-g/)
    for (const name of ['log-alpha', 'log-g*']) {
      await model.fill(name)
      await model.press('Enter')
    }
    await page.waitForURL(/model=log-alpha&model=log-g\*/)
    await asked
    assert.deepEqual(await readModels(page), ['log-alpha', 'log-gamma', 'log-alpha'])
    await filters.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Delivered' }).click()
    await page.getByRole('option', { name: 'Provider disconnected' }).click()
    await page.waitForURL(/status=delivered&status=cut/)
    await page.keyboard.press('Escape')
    await page.reload()
    assert.deepEqual(await readModels(page), ['log-alpha', 'log-gamma', 'log-alpha'])
    for (const chosen of ['log-alpha', 'log-g*', 'Delivered', 'Provider disconnected']) {
      await filters.getByText(chosen, { exact: true }).first().waitFor()
    }
    // A visit to one call leads back to the same list.
    await page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.waitForURL(/model=log-alpha&model=log-g\*.*status=delivered&status=cut/)
    assert.deepEqual(await readModels(page), ['log-alpha', 'log-gamma', 'log-alpha'])
    assert.deepEqual(complaints.list(), [])
    await page.close()
  },
)

test(
  'says what the calls come to, and sorts them by the heads of its columns',
  { skip },
  async () => {
    const { page, complaints } = await openTab(ada)
    await openPage(page, `/requests?${SPAN}`)
    // 5 + 40 + 1 + 30 + 2 cents.
    await page.getByText('5 calls, $0.78').waitFor()
    assert.deepEqual(await readModels(page), LOG_CALLS.map(([model]) => model).toReversed())
    const head = (name: string) => page.getByRole('columnheader', { name })
    for (const [column, order, models] of [
      // By cents: 40, 30, 5, 2, 1.
      ['Cost', 'descending', ['log-beta', 'log-alpha', 'log-alpha', 'log-beta', 'log-gamma']],
      ['Cost', 'ascending', ['log-gamma', 'log-beta', 'log-alpha', 'log-alpha', 'log-beta']],
      // By seconds: 20, 9, 3, 2, 1.
      ['Duration', 'descending', ['log-gamma', 'log-beta', 'log-alpha', 'log-alpha', 'log-beta']],
      ['Time', 'descending', ['log-beta', 'log-alpha', 'log-gamma', 'log-beta', 'log-alpha']],
      ['Time', 'ascending', ['log-alpha', 'log-beta', 'log-gamma', 'log-alpha', 'log-beta']],
    ] as const) {
      await head(column).getByRole('button').click()
      await page.locator(`th[aria-sort="${order}"]`, { hasText: column }).waitFor()
      await page.locator('.call-log-old').waitFor({ state: 'detached' })
      assert.deepEqual(await readModels(page), models, `${column} ${order}`)
    }
    // Another page's link for the most expensive first.
    await openPage(page, `/requests?${SPAN}&model=log-*&sort=cost`)
    await page.getByText('5 calls, $0.78').waitFor()
    assert.equal((await readModels(page))[0], 'log-beta')
    assert.equal(await head('Cost').getAttribute('aria-sort'), 'descending')
    assert.deepEqual(complaints.list(), [])
    await page.close()
  },
)

test('many calls are on a screen, and all that match are in a file', { skip }, async () => {
  const { page, complaints } = await openTab(ada)
  await openPage(page, '/requests')
  const rows = await page.getByRole('table', { name: 'Requests' }).locator('tbody tr').all()
  const boxes = await Promise.all(rows.map((row) => row.boundingBox()))
  const heights = boxes.map((box) => box?.height ?? Infinity)
  assert.equal(heights.length, 50)
  assert.ok(Math.max(...heights) <= 34, `a row is ${Math.max(...heights)} px high`)
  await openPage(page, `/requests?${SPAN}&model=log-alpha&model=log-gamma&sort=cost`)
  await page.getByRole('button', { name: 'Export these calls' }).click()
  assert.deepEqual(await findBarriers(page), [])
  for (const [name, last] of [
    ['CSV', 'csv'],
    ['JSON Lines', 'jsonl'],
  ] as const) {
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name }).click()
    const file = await saving
    assert.match(file.suggestedFilename(), new RegExp(`^weir-requests-.*Z\\.${last}$`))
    const text = await readFile(await file.path(), 'utf8')
    // Two calls of one model, one of the other; CSV has the names of the columns as well.
    const lines = text.split('\n').filter(Boolean)
    assert.equal(lines.length, last === 'csv' ? 4 : 3)
    assert.equal(lines.filter((line) => line.includes('log-alpha')).length, 2)
    assert.equal(lines.filter((line) => line.includes('log-gamma')).length, 1)
  }
  assert.deepEqual(complaints.list(), [])
  await page.close()
})

test(
  'where there are too many calls to sort, it says so and leads back to the newest',
  { skip },
  async () => {
    const { page } = await openTab(ada)
    const error =
      'At most 500,000 calls can be sorted: from=2026-03-15T11:00:00Z or later would fit.'
    await page.route(/\/v1\/requests\?.*sort=cost/, (route) =>
      route.fulfill({ status: 400, json: { error, code: 'invalid_parameter' } }),
    )
    await page.goto(`/requests?${SPAN}&sort=cost`)
    const alert = page.getByRole('alert').filter({ hasText: 'These calls cannot be sorted' })
    await alert.getByText(error).waitFor()
    await alert.getByRole('button', { name: 'Newest first' }).click()
    await alert.waitFor({ state: 'detached' })
    assert.equal((await readModels(page)).length, LOG_CALLS.length)
    assert.ok(!page.url().includes('sort'))
    await page.close()
  },
)

test(
  'with values chosen it is accessible in light and dark, and fits a phone',
  { skip },
  async () => {
    const { page } = await openTab(ada)
    await page.setViewportSize(PHONE)
    const chosen =
      'model=log-*&model=other&status=delivered&status=cut&provider=north&source=unpriced'
    const search = `${SPAN}&${chosen}&source=price-book&api_key=${company.keyId}&dim_key=job`
    await openPage(page, `/requests?${search}&dim_value=log-alpha&dim_value=log-beta&sort=cost`)
    await page.getByText('4 calls, $0.77').waitFor()
    const width = await page.evaluate('document.documentElement.scrollWidth')
    assert.equal(width, PHONE.width)
    await page.setViewportSize(DESKTOP)
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(await findFaintTextInDark(page), [])
    await page.close()
  },
)
