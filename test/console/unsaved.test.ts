// What was typed and not saved: it outlives the end of a session, and is not left by accident.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { systemClock } from '../../src/core/clock.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { ADA, BOB, seedEditors } from './seed-editors.ts'
import type { Editors } from './seed-editors.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let editors: Editors
let ada: Guest

before(async () => {
  if (chromium === null || skip !== false) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    { chromium, prepare: async (dataDir) => void (editors = await seedEditors(dataDir)) },
  )
  ada = await scene.openSignedIn(editors.ada)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function endSessions(email: string): Promise<void> {
  const { dataDir } = scene.program
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  try {
    const user = await settings.users.find({ email })
    for (const { id } of await settings.sessions.list(user?.id ?? '')) {
      assert.ok(await settings.sessions.end(id))
    }
  } finally {
    await settings.close()
  }
}

async function readKey(): Promise<{ readonly rate_limit_rpm: number | null }> {
  const headers = { authorization: `Bearer ${editors.token}` }
  const response = await fetch(`${scene.url}/v1/keys/${editors.keyId}`, { headers })
  return (await response.json()) as { rate_limit_rpm: number | null }
}

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByText(ADA.email).waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(ADA.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Chromium's own storage, in a page's words. */
const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'

test(
  'an edit outlives the end of the session, and is saved after signing in',
  { skip },
  async () => {
    const { page } = ada
    await openPage(page, `/keys/${editors.keyId}?tab=settings`)
    await page.getByRole('textbox', { name: 'Calls per minute' }).fill('77')
    await endSessions(ADA.email)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    // Nothing behind it can be reached: neither by Escape nor by the keyboard.
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password', { exact: true }).fill('a wrong password')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByText(/wrong|not right|refused|do not/i).waitFor()
    assert.ok(!String(await page.evaluate(STORED)).includes('77'), 'what was typed is in a store')
    await signInAgain(page)
    assert.equal(new URL(page.url()).pathname, `/keys/${editors.keyId}`)
    assert.equal(await page.getByRole('textbox', { name: 'Calls per minute' }).inputValue(), '77')
    assert.equal((await readKey()).rate_limit_rpm, 10, 'nothing is saved by signing in')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Search is saved').waitFor()
    assert.equal((await readKey()).rate_limit_rpm, 77)
  },
)

test('a dialog and what was typed in it outlive the end of the session', { skip }, async () => {
  const { page } = ada
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByLabel('Name').fill('Billing job')
  await form.getByRole('button', { name: 'Limits and expiry' }).click()
  await form.getByLabel('Parallel calls').fill('3')
  await endSessions(ADA.email)
  await form.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await page.keyboard.press('Escape')
  await signInAgain(page)
  assert.equal(await form.getByLabel('Name').inputValue(), 'Billing job')
  assert.equal(await form.getByLabel('Parallel calls').inputValue(), '3')
  await form.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('row', { name: /Billing job/ }).waitFor()
})

test('who signs in in another tab goes on in this one', { skip }, async () => {
  const { page, context } = ada
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByLabel('Name').fill('Night job')
  await endSessions(ADA.email)
  await form.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.waitFor()
  const other = await context.newPage()
  await other.goto('/sign-in')
  await other.getByLabel('Email').fill(ADA.email)
  await other.getByLabel('Password', { exact: true }).fill(ADA.password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { level: 1, name: /Overview|Connect/ }).waitFor()
  await other.close()
  await page.bringToFront()
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await form.getByLabel('Name').inputValue(), 'Night job')
})

test('unsaved edits are not left without a question', { skip }, async () => {
  const { page } = ada
  await openPage(page, `/keys/${editors.keyId}?tab=settings`)
  const field = page.getByRole('textbox', { name: 'Calls per minute' })
  const link = page.getByRole('navigation').getByRole('link', { name: 'Budgets', exact: true })
  await field.fill('5')
  await link.click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), '5')

  await page.getByRole('button', { name: 'Account: Ada' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await question.getByRole('button', { name: 'Stay' }).click()
  assert.equal(await field.inputValue(), '5')

  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const warning = await asked
  assert.equal(warning.type(), 'beforeunload')
  await warning.dismiss()
  await closing

  await link.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor()
})

test('who will not sign in again leaves what is unsaved', { skip }, async () => {
  const guest = await scene.openSignedIn(editors.bob)
  await openPage(guest.page, `/keys/${editors.keyId}?tab=settings`)
  await guest.page.getByRole('textbox', { name: 'Calls per minute' }).fill('5')
  await endSessions(BOB.email)
  await guest.page.getByRole('button', { name: 'Save changes' }).click()
  await guest.page.getByRole('button', { name: 'Leave without saving' }).click()
  await guest.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  assert.ok(!(await guest.page.content()).includes('Search'), 'the page is gone')
  await guest.context.close()
})

test('what was taken back or saved is left without a question', { skip }, async () => {
  const { page } = ada
  await openPage(page, `/keys/${editors.keyId}?tab=settings`)
  await page.getByRole('textbox', { name: 'Calls per minute' }).fill('5')
  await page.getByRole('button', { name: 'Undo all' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Prices', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor()
})

test('nothing but refusals was reported', { skip }, () => {
  const lines = ada.complaints.list().filter((line) => !line.startsWith('401 /v1/'))
  assert.deepEqual(lines, [])
})
