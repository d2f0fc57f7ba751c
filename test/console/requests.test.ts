// The request log in a browser: what is filtered by, in which order, and what the calls come to.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { createRequestId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { openConsoleScene, openPage, untilReady } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let company: Company

/** 0.01 USD, in 1e-12 USD. */
const CENT = 10n ** 10n
/** An hour three days ago, in which nothing else is. */
const HOUR_MS = 3_600_000
const START = Math.floor((systemClock.now() - 72 * HOUR_MS) / HOUR_MS) * HOUR_MS
const SPAN = `from=${toMoment(START)}&to=${toMoment(START + HOUR_MS)}`

function toMoment(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`
}

/** Of every call: its model, cents and seconds. */
const CALLS = [
  ['log-alpha', 5, 3],
  ['log-beta', 40, 1],
  ['log-gamma', 1, 20],
  ['log-alpha', 30, 2],
  ['log-beta', 2, 9],
] as const

function createCalls(): readonly UsageRecord[] {
  return CALLS.map(([model, cents, seconds], place) => {
    const startedAt = START + (place + 1) * 60_000
    const times = { startedAt, endedAt: startedAt + seconds * 1000 }
    const event = { id: createRequestId(startedAt), ...times, model, dims: { job: model } }
    return createRecord({ ...event, keyId: company.keyId }, { amount: BigInt(cents) * CENT })
  })
}

before(async () => {
  if (chromium === null) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    {
      chromium,
      prepare: async (dataDir) => {
        company = await seedCompany(dataDir)
        const store = await openLedgerStore({ dataDir, clock: systemClock })
        const others = { ...batchOf(...createCalls()), forwarded: CALLS.length }
        await store.writeBatch(others)
        await store.close()
      },
    },
  )
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

/** The models that the rows show, from the top. */
async function readModels(page: Page): Promise<readonly string[]> {
  await untilReady(page)
  const cells = page.getByRole('table', { name: 'Requests' }).locator('tbody .call-model')
  const texts = await cells.allInnerTexts()
  return texts.map((text) => text.split('\n')[0] ?? '')
}

test(
  'several values of a filter are chosen, kept by the address and shown again',
  { skip },
  async () => {
    const { page, context, complaints } = await scene.openSignedIn(company.session)
    await openPage(page, `/requests?${SPAN}`)
    const filters = page.getByRole('search', { name: 'Filter the requests' })
    const model = filters.getByRole('combobox', { name: 'Model' })
    for (const name of ['log-alpha', 'log-g*']) {
      await model.fill(name)
      await model.press('Enter')
    }
    await page.waitForURL(/model=log-alpha&model=log-g\*/)
    assert.deepEqual(await readModels(page), ['log-alpha', 'log-gamma', 'log-alpha'])
    await filters.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Delivered' }).click()
    await page.getByRole('option', { name: 'Cut off' }).click()
    await page.waitForURL(/status=delivered&status=cut/)
    await page.keyboard.press('Escape')
    await page.reload()
    assert.deepEqual(await readModels(page), ['log-alpha', 'log-gamma', 'log-alpha'])
    for (const chosen of ['log-alpha', 'log-g*', 'Delivered', 'Cut off']) {
      await filters.getByText(chosen, { exact: true }).first().waitFor()
    }
    // A visit to one call leads back to the same list.
    await page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.waitForURL(/model=log-alpha&model=log-g\*.*status=delivered&status=cut/)
    assert.deepEqual(await readModels(page), ['log-alpha', 'log-gamma', 'log-alpha'])
    assert.deepEqual(complaints.list(), [])
    await context.close()
  },
)
