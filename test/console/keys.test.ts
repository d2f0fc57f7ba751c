// A key in the console: whom it belongs to, when it was last used, a name that exists, and a
// rotation that leaves the old secret some time.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { Locator, Page } from 'playwright-core'

import { systemClock } from '../../src/core/clock.ts'
import { createSdk } from '../e2e/scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { ADA, seedEditors } from './seed-editors.ts'
import type { Editors } from './seed-editors.ts'

/** A running proxy receives a change within a second; the rest is for a slow machine. */
const KNOWN_MS_MAX = 20_000
const OWNER = 'grace@example.com'
const NOTE = 'The ranking job, every night.'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let editors: Editors
let ada: Guest
let secret = ''

before(async () => {
  if (chromium === null) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    { chromium, prepare: async (dataDir) => void (editors = await seedEditors(dataDir)) },
  )
  ada = await scene.openSignedIn(editors.ada)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function readSecret(page: Page): Promise<string> {
  const button = page.getByRole('button', { name: 'Copy: the new key', exact: true })
  const text = await page.locator('.code', { has: button }).locator('code').innerText()
  return text.trim()
}

async function call(credential: string): Promise<number> {
  const headers = { 'X-SVC-API-Key': credential }
  const sdk = createSdk(`${scene.program.addresses.proxy}/v1/gateway/v1`, headers)
  const made = sdk.chat.completions.create({
    model: 'acme/writer',
    messages: [{ role: 'user', content: 'Where are rivers measured?' }],
    metadata: { cost: '0.01' },
  })
  return made.then(
    () => 200,
    (error: { status: number }) => error.status,
  )
}

async function untilCall(credential: string, status: number): Promise<void> {
  const until = systemClock.monotonic() + KNOWN_MS_MAX
  for (;;) {
    const answered = await call(credential)
    if (answered === status) return
    assert.ok(systemClock.monotonic() < until, `${answered}, not ${status}`)
    await pause(20)
  }
}

const row = (page: Page): Locator => page.getByRole('row', { name: /Ranking/ })

test(
  'a key is made with its owner and a note, and warned of a name that exists',
  { skip },
  async () => {
    const { page } = ada
    await openPage(page, '/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.getByLabel('Name').fill('search')
    const warning = form.getByText('There is a key of this name already')
    await warning.waitFor()
    assert.equal(await form.getByRole('link', { name: /svc_k_/ }).count(), 1)
    assert.deepEqual(await findBarriers(page), [])
    await form.getByLabel('Name').fill('Ranking')
    await warning.waitFor({ state: 'detached' })
    await form.getByLabel('Owner').fill(OWNER)
    await form.getByLabel('Note').fill(NOTE)
    await form.getByRole('button', { name: 'Create key' }).click()
    secret = await readSecret(page)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await row(page).getByText(OWNER).waitFor()
    await row(page).getByText(NOTE).waitFor()
    await row(page).getByText('never').waitFor()
  },
)

test('its list and its page say when it was last used', { skip }, async () => {
  const { page } = ada
  await untilCall(secret, 200)
  const until = systemClock.monotonic() + KNOWN_MS_MAX
  do {
    assert.ok(systemClock.monotonic() < until, 'the list shows no use')
    await openPage(page, '/keys?search=grace')
  } while ((await row(page).getByText('never').count()) > 0)
  await row(page)
    .getByText(/seconds? ago|just now|minutes? ago/)
    .waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await row(page).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: 'Ranking' }).waitFor()
  await page.getByText(/^Last used /).waitFor()
})

test('owner and note are edited, and their difference is shown', { skip }, async () => {
  const { page } = ada
  await page.getByRole('textbox', { name: 'Owner' }).fill(ADA.email)
  await page.getByRole('textbox', { name: 'Note' }).fill('')
  const bar = page.getByRole('region', { name: 'Changes that are not saved' })
  assert.match(await bar.innerText(), /Owner[^]*grace@example\.com[^]*ada@example\.com/)
  assert.match(await bar.innerText(), /Note[^]*every night\.[^]*none/)
  await page.getByRole('textbox', { name: 'Name' }).fill('SEARCH')
  await page.getByText('There is a key of this name already').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ranking')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Ranking is saved').waitFor()
  await openPage(page, '/keys')
  await row(page).getByText(ADA.email).waitFor()
  assert.equal(await row(page).getByText(NOTE).count(), 0)
})

test('a rotation leaves the old secret the time that was chosen', { skip }, async () => {
  const { page } = ada
  await row(page).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate key Ranking?' })
  await dialog.getByText('refused').waitFor()
  await dialog.getByRole('radio', { name: '24 hours' }).check()
  await dialog.getByText('keeps working for 24 hours').waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const before = secret
  secret = await readSecret(page)
  assert.notEqual(secret, before)
  await page.getByText(/old one works until/).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText(/^The old secret works until .* UTC/).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await untilCall(secret, 200)
  assert.equal(await call(before), 200, 'the old secret works as well')
  await openPage(page, '/keys')
  await row(page)
    .getByText(/^Old secret works until/)
    .filter({ visible: true })
    .waitFor()

  await row(page).getByRole('link').first().click()
  await page.getByRole('button', { name: 'End it now' }).click()
  const question = page.getByRole('dialog', { name: 'End the old secret of Ranking?' })
  await question.getByRole('button', { name: 'End old secret' }).click()
  await page.getByText(/^The old secret works until/).waitFor({ state: 'detached' })
  await untilCall(before, 401)
  await untilCall(secret, 200)
})

test('the audit log shows all of it', { skip }, async () => {
  const { page } = ada
  await page.getByRole('link', { name: 'Its audit log' }).click()
  const table = page.getByRole('table', { name: /audit/i })
  for (const words of [
    'Created the API key',
    'Changed the API key',
    'Rotated the API key',
    'Ended the old secret of the API key',
    'Old secret ends',
    'Owner',
  ]) {
    await table.getByText(words).first().waitFor()
  }
  assert.deepEqual(ada.complaints.list(), [])
})

test('a phone shows the list and the page of a key in its width', { skip }, async () => {
  const phone = { width: 390, height: 844 }
  const guest = await scene.openSignedIn(editors.bob, { viewport: phone })
  for (const path of ['/keys', `/keys/${editors.keyId}`]) {
    await openPage(guest.page, path)
    assert.equal(await guest.page.evaluate('document.documentElement.scrollWidth'), phone.width)
  }
  await guest.context.close()
})
