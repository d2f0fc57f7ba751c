// Newer prices as an administrator sees them: the check, the difference, and applying it.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { openPriceServer, priceDataOf } from '../fakes/peers/price-server.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false

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
