// Members and leads in the console: a member takes a personal key and sees nothing of others, a
// lead sees their team and no other.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import type { KeyPage, TeamSpend } from '../../src/api/contract.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage, openTab } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { seedTeams } from './seed-teams.ts'
import type { Teams } from './seed-teams.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let teams: Teams

before(async () => {
  if (chromium === null || skip !== false) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    { chromium, prepare: async (dataDir) => void (teams = await seedTeams(dataDir)) },
  )
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

const open = async (session: string): Promise<Guest> => openTab(await scene.openSignedIn(session))

async function listPages(page: Page): Promise<readonly string[]> {
  return page.getByRole('navigation').getByRole('link').allInnerTexts()
}

test(
  'a member starts on their keys, and is two clicks from a call to paste',
  { skip },
  async () => {
    const { page, context, complaints } = await open(teams.member)
    await openPage(page, '/')
    await page.getByRole('heading', { level: 1, name: 'My keys' }).waitFor()
    assert.deepEqual(await listPages(page), [
      'My keys',
      'Explore',
      'Requests',
      'Performance',
      'Teams',
      'Connect',
      'Budgets',
      'Settings',
    ])
    await page.getByRole('button', { name: 'Take a key' }).click()
    const form = page.getByRole('dialog', { name: 'Take a key' })
    await form
      .getByText('Within its limits: openai/*; at most 600 calls per minute; for 90 days.')
      .waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await form.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Your key is ready').waitFor()
    await page.getByText('X-SVC-API-Key').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('2 keys').waitFor()
    const { rows } = await page.evaluate<KeyPage>(`fetch('/v1/keys').then((all) => all.json())`)
    assert.deepEqual(
      rows.map(({ team, person }) => `${team}, ${person}`),
      Array.from({ length: 2 }, () => 'Search, mo@example.com'),
    )
    assert.deepEqual(complaints.list(), [])
    await context.close()
  },
)

test('a member opens every page that their navigation has', { skip }, async () => {
  const { page, context, complaints } = await open(teams.member)
  for (const path of ['/explore', '/requests', '/performance', '/teams', '/start', '/budgets']) {
    await openPage(page, path)
    assert.equal(await page.getByText('Support').count(), 0, path)
  }
  await openPage(page, '/settings')
  assert.deepEqual(await page.getByRole('tab').allInnerTexts(), ['Account'])
  await openPage(page, `/teams/${teams.supportId}`).catch(() => undefined)
  await page.getByText('The team could not be read').waitFor()
  assert.deepEqual(
    complaints.list().filter((line) => !line.startsWith('404 /v1/teams/')),
    [],
  )
  await context.close()
})

test(
  'a member sees the totals of a team that shows them, and no part of others',
  { skip },
  async () => {
    const path = `/teams/${teams.searchId}`
    const member = await open(teams.member)
    await openPage(member.page, path)
    await member.page.getByText('does not show its members what it spends').waitFor()
    const admin = await open(teams.admin)
    await openPage(admin.page, '/teams')
    const shown = await admin.page.evaluate<TeamSpend>(`fetch('/v1${path}', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"members_see_totals":true}',
  }).then(() => fetch('/v1${path}/spend')).then((answer) => answer.json())`)
    await openPage(member.page, path)
    const figure = member.page.locator('[data-figure=month]')
    await figure.waitFor()
    const cost = shown.months?.at(-1)?.cost_usd ?? 0
    assert.ok(cost > 0)
    assert.equal(await figure.getAttribute('data-value'), String(cost))
    await member.page.getByText('Calls this month').waitFor()
    await member.page.getByRole('list', { name: 'Keys by cost this month' }).waitFor()
    assert.doesNotMatch(await member.page.getByRole('main').innerText(), /Backend|lee@/)
    assert.deepEqual(await findBarriers(member.page), [])
    assert.deepEqual(member.complaints.list(), [])
    await member.context.close()
    await admin.context.close()
  },
)

test('who is in no team is told whom to ask', { skip }, async () => {
  const { page, context, complaints } = await open(teams.stranger)
  await openPage(page, '/')
  await page.getByText('You are in no team yet').waitFor()
  assert.deepEqual(await listPages(page), ['My keys', 'Settings'])
  assert.deepEqual(await findBarriers(page), [])
  assert.deepEqual(complaints.list(), [])
  await context.close()
})

test('a lead manages the keys and people of their team, and sees no other', { skip }, async () => {
  const { page, context, complaints } = await open(teams.lead)
  await openPage(page, '/')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.ok((await listPages(page)).includes('API keys'))
  await openPage(page, '/teams')
  await page.getByText('1 team', { exact: true }).waitFor()
  await page
    .getByRole('row', { name: /^Search/ })
    .getByRole('link')
    .click()
  await page.getByRole('list', { name: 'Models by cost this month' }).waitFor()
  await page.getByRole('tab', { name: 'People' }).click()
  await page.getByRole('button', { name: 'Add someone' }).click()
  const form = page.getByRole('dialog', { name: 'Add someone to Search' })
  await form.getByLabel('Email address').fill('noor@example.com')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('row', { name: /noor@example\.com/ }).waitFor()
  await page.getByRole('tab', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'Create a key' }).click()
  const made = page.getByRole('dialog', { name: 'Create an API key' })
  await made.getByLabel('Name', { exact: true }).fill('Indexer')
  await made.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('row', { name: /^Indexer/ }).waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  assert.equal(await page.getByLabel('Short name').isDisabled(), true)
  assert.deepEqual(complaints.list(), [])
  await context.close()
})

test('Ctrl-K goes to the teams that one sees, by name, and to no other', { skip }, async () => {
  const { page, context } = await open(teams.lead)
  await openPage(page, '/my-keys')
  await page.keyboard.press('Control+K')
  const field = page.getByRole('combobox', { name: /^Go to a page/ })
  const found = page.getByRole('option').filter({ hasText: 'Team' })
  for (const [text, names] of [
    ['supp', []],
    ['SEAR', ['Search']],
  ] as const) {
    const answer = page.waitForResponse((response) => response.url().includes('/v1/analysis'))
    await field.fill(text)
    await answer
    for (const name of names) await found.filter({ hasText: name }).waitFor()
    assert.equal(await found.filter({ hasNotText: 'Page' }).count(), names.length, text)
  }
  await found.filter({ hasText: 'Search' }).click()
  await page.waitForURL(`**/teams/${teams.searchId}`)
  await context.close()
})
