// Two people who edit the same thing, each in a browser of their own: the second is told, and
// nothing is overwritten unseen.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { BOB, seedEditors } from './seed-editors.ts'
import type { Editors } from './seed-editors.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let editors: Editors
let ada: Guest
let bob: Guest

before(async () => {
  if (chromium === null || skip !== false) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    { chromium, prepare: async (dataDir) => void (editors = await seedEditors(dataDir)) },
  )
  ada = await scene.openSignedIn(editors.ada)
  bob = await scene.openSignedIn(editors.bob)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function read<Answer>(path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${editors.token}` }
  return (await (await fetch(`${scene.url}${path}`, { headers })).json()) as Answer
}

interface Key {
  readonly rate_limit_rpm: number
  readonly max_parallel: number | null
}

const readKey = (): Promise<Key> => read(`/v1/keys/${editors.keyId}`)

/** Bob saves first, Ada with the page that she opened before. */
async function saveBoth(field: [string, string], other: [string, string]): Promise<void> {
  const path = `/keys/${editors.keyId}?tab=settings`
  await openPage(ada.page, path)
  await openPage(bob.page, path)
  await bob.page.getByLabel(field[0]).fill(field[1])
  await bob.page.getByRole('button', { name: 'Save changes' }).click()
  await bob.page.getByText('Search is saved').waitFor()
  await ada.page.getByLabel(other[0]).fill(other[1])
  await ada.page.getByRole('button', { name: 'Save changes' }).click()
}

const meanwhile = (page: Page): Locator =>
  page.getByRole('alert').filter({ hasText: 'Changed meanwhile' })

test('the second of two who change one field is shown both values', { skip }, async () => {
  const { page } = ada
  await saveBoth(['Calls per minute', '120'], ['Calls per minute', '60'])
  const notice = meanwhile(page)
  await notice.getByText(`${BOB.email} changed Calls per minute on`).waitFor()
  const both = notice.getByLabel('Calls per minute', { exact: true })
  assert.match(await both.innerText(), /theirs\s+120\s+.*yours\s+60/s)
  assert.deepEqual(await findBarriers(page), [])
  assert.equal((await readKey()).rate_limit_rpm, 120, 'nothing was overwritten')

  await notice.getByRole('button', { name: 'Keep theirs: Calls per minute' }).click()
  await notice.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Calls per minute').inputValue(), '120')
  assert.equal((await readKey()).rate_limit_rpm, 120)
})

test('theirs is replaced by who says so', { skip }, async () => {
  const { page } = ada
  await saveBoth(['Calls per minute', '200'], ['Calls per minute', '90'])
  await page.getByRole('button', { name: 'Save yours over it' }).click()
  await page.getByText('Search is saved').last().waitFor()
  await meanwhile(page).waitFor({ state: 'detached' })
  assert.equal((await readKey()).rate_limit_rpm, 90)
})

test('who changed another field is told as well, and both changes stay', { skip }, async () => {
  const { page } = ada
  await saveBoth(['Calls per minute', '300'], ['Parallel calls', '4'])
  await meanwhile(page).getByText('leaves their changes as they are').waitFor()
  assert.equal(await page.getByLabel('Calls per minute').inputValue(), '300')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Search is saved').last().waitFor()
  const { rate_limit_rpm: rpm, max_parallel: parallel } = await readKey()
  assert.deepEqual([rpm, parallel], [300, 4])
})

test('a key that was rotated meanwhile is rotated again by who says so', { skip }, async () => {
  const path = `/keys/${editors.keyId}?tab=settings`
  await openPage(ada.page, path)
  await openPage(bob.page, path)
  for (const { page } of [bob, ada]) {
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
  }
  await bob.page.getByRole('button', { name: 'I have saved it' }).click()
  await ada.page.getByText(`${BOB.email} rotated it on`).waitFor()
  await ada.page.getByRole('button', { name: 'Rotate key' }).click()
  await ada.page.getByRole('button', { name: 'I have saved it' }).click()
})

test('a budget is not overwritten unseen either', { skip }, async () => {
  const { page } = ada
  for (const each of [ada, bob]) {
    await openPage(each.page, `/budgets#${editors.budgetId}`)
    await each.page.getByRole('button', { name: 'Edit Everything' }).click()
    await each.page.getByLabel('Limit in USD').fill(each === ada ? '250' : '500')
  }
  await bob.page.getByRole('button', { name: 'Save', exact: true }).click()
  await bob.page.getByText('Budget Everything saved').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = meanwhile(page)
  await notice.getByText(`${BOB.email} changed Limit on`).waitFor()
  assert.match(await notice.innerText(), /theirs\s+500\s+.*yours\s+250/s)
  assert.deepEqual(await findBarriers(page), [])
  const readLimit = async () =>
    (await read<{ limit_usd: number }>(`/v1/budgets/${editors.budgetId}`)).limit_usd
  assert.equal(await readLimit(), 500)
  await page.getByRole('button', { name: 'Save yours over it' }).click()
  await page.getByText('Budget Everything saved').waitFor()
  assert.equal(await readLimit(), 250)
})

test('a user who was changed meanwhile is changed by who confirms again', { skip }, async () => {
  const email = 'grace@example.com'
  await ask('POST', '/v1/users', { email, name: 'Grace', role: 'viewer' })
  const { page } = ada
  for (const each of [ada, bob]) {
    await openPage(each.page, '/settings?tab=users')
    await each.page.getByRole('button', { name: `Manage ${email}` }).click()
    await each.page.getByRole('button', { name: each === ada ? 'Remove' : 'Disable' }).click()
  }
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await bob.page.getByText(`${email} is disabled`).waitFor()
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove' })
  await remove.click()
  await page.getByText(`${BOB.email} changed Disabled on`).waitFor()
  await page.getByText('Confirm again to do it anyway').waitFor()
  await remove.click()
  await page.getByText(`${email} was removed`).waitFor()
})

test(
  'a price that another has set from that day is shown before it is replaced',
  { skip },
  async () => {
    const { page } = ada
    const body = { provider: 'openai', model: 'gpt-4o', effective_from: '2026-01-01T00:00:00Z' }
    await openPage(page, '/prices?tab=overrides')
    await page.getByRole('button', { name: 'Set a price' }).click()
    await page.getByRole('combobox', { name: 'Provider', exact: true }).click()
    await page.getByRole('option', { name: 'openai', exact: true }).click()
    await page.getByLabel('Model', { exact: true }).fill('gpt-4o')
    await page.getByLabel('Input', { exact: true }).fill('3')
    await page.getByRole('radio', { name: 'A date' }).check()
    await page.getByLabel('Date, from 00:00 UTC').fill('2026-01-01')
    await ask('POST', '/v1/prices/rules', { ...body, multiplier: '0.8' })
    const dialog = page.getByRole('dialog', { name: 'Set a price' })
    await dialog.getByRole('button', { name: 'Set price' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'has a price from then on' })
    assert.match(await notice.innerText(), /theirs\s+0.8 × list price\s+.*yours\s+Input \$3/s)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Save yours over it' }).click()
    await page.getByText('Price of gpt-4o set').waitFor()
    const { rows } = await read<{ rows: { multiplier: string | null }[] }>('/v1/prices/rules')
    assert.deepEqual(
      rows.map(({ multiplier }) => multiplier),
      [null],
    )
  },
)

test('nothing but refusals was reported', { skip }, () => {
  const key = `/v1/keys/${editors.keyId}`
  const refused = [key, `${key}/rotate`, `/v1/budgets/${editors.budgetId}`, '/v1/prices/rules']
  const isExpected = (line: string): boolean =>
    refused.some((path) => line === `412 ${path}`) || line.startsWith('412 /v1/users/')
  assert.deepEqual(
    [...ada.complaints.list(), ...bob.complaints.list()].filter((line) => !isExpected(line)),
    [],
  )
})

async function ask(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${editors.token}` }
  const response = await fetch(scene.url + path, { method, headers, body: JSON.stringify(body) })
  assert.equal(response.status, 201, await response.text())
}
