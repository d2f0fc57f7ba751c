// Where a price comes from, as people see it: its source, and both figures where sources differ,
// in the list of models, in a model's history and on the page of a call. And newer prices as an
// administrator sees them: the check, the difference, and applying it.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { formatExactUsd, formatUsd } from '../../console/src/data/format-usd.ts'
import type { PricePage } from '../../src/api/contract.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { openPriceServer, priceDataOf } from '../fakes/peers/price-server.ts'
import { sampleCall, storeCalls } from '../fakes/stored-calls.ts'
import { findDifferingPrice } from '../prices/differing-price.ts'
import { findBarriers, findFaintTextInDark } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY

/** On a phone, then on a desk in the light and in the dark. */
async function openEverywhere(page: Page, path: string): Promise<readonly string[]> {
  await page.setViewportSize(PHONE)
  await openPage(page, path)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  await page.setViewportSize(DESKTOP)
  const faults = [...(await findBarriers(page))]
  if (width !== PHONE.width) faults.push(`${String(width)} wide on a phone`)
  faults.push(...(await findFaintTextInDark(page)))
  return faults
}

test('a price says where it is from, and where sources differ', { skip }, async (t) => {
  const endedAt = Date.now() - 60_000
  const { provider, model, source, other, ...price } = findDifferingPrice(endedAt)
  const call = sampleCall({ provider, model, requestedModel: model, endedAt })
  const seeded: Company[] = []
  const prepare = async (dataDir: string): Promise<void> => {
    seeded.push(await seedCompany(dataDir))
    await storeCalls(dataDir, [call])
  }
  const scene = await openConsoleScene(t, { chromium: chromium ?? '', prepare })
  const company = seeded[0] ?? assert.fail('the scene was not prepared')
  const { page } = await scene.openSignedIn(company.session)
  const figures =
    `${formatExactUsd(price.otherUsd)} per million, ` +
    `listed ${formatExactUsd(price.listedUsd)} per million`
  const unit = price.unit === 'input' ? 'Input' : 'Output'

  const search = new URLSearchParams({ provider, search: model }).toString()
  assert.deepEqual(await openEverywhere(page, `/prices?${search}`), [])
  const row = page.getByRole('row').filter({ has: page.getByText(model, { exact: true }) })
  await row.getByRole('cell', { name: `${source} Sources differ` }).waitFor()

  // By the keyboard alone: the row is a link, and what it opens is text.
  await row.getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  const history = page.getByRole('dialog', { name: model })
  const note = history.getByRole('note', { name: 'Sources differ' }).first()
  await note.getByText(`${other} has other figures than the price list.`).waitFor()
  await note.getByRole('term').filter({ hasText: unit }).waitFor()
  await note.getByRole('definition').filter({ hasText: figures }).waitFor()
  await history.getByText(`From ${source}.`).first().waitFor()
  const { pathname, search: opened } = new URL(page.url())
  assert.deepEqual(await openEverywhere(page, pathname + opened), [])
  await note.waitFor()

  assert.deepEqual(await openEverywhere(page, `/requests/${call.id}`), [])
  const onCall = page.getByRole('note', { name: 'Sources differ' })
  await onCall.getByRole('definition').filter({ hasText: figures }).waitFor()

  await openPage(page, '/prices?provider=openai&search=gpt-4o&model=openai%2Fgpt-4o')
  await page
    .getByRole('dialog', { name: 'gpt-4o' })
    .getByText('From genai-prices.')
    .first()
    .waitFor()
  assert.equal(await page.getByRole('dialog').getByText('Sources differ').count(), 0)
})

test(
  'models that are used come first, and those without a price before them',
  { skip },
  async (t) => {
    const seeded: Company[] = []
    const prepare = async (dataDir: string): Promise<void> =>
      void seeded.push(await seedCompany(dataDir))
    const scene = await openConsoleScene(t, { chromium: chromium ?? '', prepare })
    const company = seeded[0] ?? assert.fail('the scene was not prepared')
    const { page, complaints } = await scene.openSignedIn(company.session)
    assert.deepEqual(await openEverywhere(page, '/prices'), [])
    const headings = await page.locator('.table-group').allInnerTexts()
    const words = headings.map((text) => text.replace(/[,:].*/, ''))
    const usedFirst = ['Used without a price', 'Used in the last 30 days']
    assert.deepEqual(words, [...usedFirst, 'Not used in the last 30 days'])
    assert.match(headings[1] ?? '', /, as of .* UTC$/)

    // The figures are those of the analysis, the most expensive first.
    const headers = { authorization: `Bearer ${company.token}` }
    const asked = await fetch(`${scene.url}/v1/prices?order=used`, { headers })
    const { rows } = (await asked.json()) as PricePage
    const spent = rows.flatMap(({ used }) => (used?.wants === null ? [used.cost_usd] : []))
    assert.ok(spent.length > 3 && spent.every((usd, at) => at === 0 || usd <= (spent[at - 1] ?? 0)))
    const cells = page.locator('tbody tr:not(.table-group)')
    const shown = await cells.allInnerTexts()
    for (const [at, { model, used }] of rows.entries()) {
      const line = shown[at] ?? ''
      assert.ok(line.includes(model), line)
      if (used?.wants === null) assert.ok(line.includes(formatUsd(used.cost_usd)), line)
    }
    await page.getByRole('button', { name: /^Set price of / }).click()
    await page.getByRole('dialog', { name: 'Set a price' }).waitFor()
    await page.keyboard.press('Escape')

    // Of all models, whether they are used or not.
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.fill('gpt-4o-mini')
    await page.waitForURL(/search=gpt-4o-mini/)
    await page.getByText('Not used in the last 30 days').waitFor()
    assert.deepEqual(complaints.list(), [])
  },
)

test('newer prices are shown before they are applied', { skip }, async (t) => {
  const server = await openPriceServer(t)
  server.publish(priceDataOf('acme-9', 3))
  const seeded: Company[] = []
  const prepare = async (dataDir: string): Promise<void> => {
    seeded.push(await seedCompany(dataDir))
    const config = `proxy: { workers: 1 }\nprices: { updateUrl: '${server.url}' }\n`
    writeFileSync(join(dirname(dataDir), 'weir.yaml'), config)
  }
  const scene = await openConsoleScene(t, { chromium: chromium ?? '', prepare })
  const company = seeded[0] ?? assert.fail('the scene was not prepared')
  const { page } = await scene.openSignedIn(company.session)
  await openPage(page, '/prices')
  await page.getByText(/^Price list .* published .* old\./).waitFor()

  await page.getByRole('button', { name: 'Check for newer prices' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('openai/acme-9').waitFor()
  await dialog.getByText('1 model added, 0 removed, 0 rates changed.').waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
  await dialog.getByText('Prices updated').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText(/Last checked .*: newer price data was applied\./).waitFor()

  // A hundred times as much is pointed out before it is offered.
  server.publish(priceDataOf('acme-9', 300))
  await page.getByRole('button', { name: 'Check for newer prices' }).click()
  await dialog.getByText('This looks like a mistake').waitFor()
  await dialog.getByText('Large change').first().waitFor()
  await dialog.getByRole('button', { name: 'Apply anyway' }).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  server.answer((response) => response.writeHead(503).end())
  await page.getByRole('button', { name: 'Check for newer prices' }).click()
  await dialog.getByText(/the server answered 503\. Nothing was changed\./).waitFor()
  assert.equal(await dialog.getByRole('button', { name: /Apply/ }).count(), 0)
})
