// Teams in the console: one is made, given people, keys, limits and a budget, and archived; what
// its calls cost is its own; and a key says whose it is.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import type { KeyPage, MemberList, TeamPage } from '../../src/api/contract.ts'
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
let ada: Guest

before(async () => {
  if (chromium === null || skip !== false) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    { chromium, prepare: async (dataDir) => void (teams = await seedTeams(dataDir)) },
  )
  ada = await openTab(await scene.openSignedIn(teams.admin))
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

/** As the page's own session reads it. */
function read<Answer>(page: Page, path: string): Promise<Answer> {
  return page.evaluate<Answer>(`fetch(${JSON.stringify(path)}).then((answer) => answer.json())`)
}

const openTeamTab = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('tab', { name }).click()
  await page.getByRole('tabpanel', { name }).waitFor()
}

const rowOf = (page: Page, name: RegExp): Locator => page.getByRole('row', { name })

test('a list of teams has what each spent, and of its budget', { skip }, async () => {
  const { page } = ada
  await openPage(page, '/teams')
  await rowOf(page, /^Search/)
    .getByText(/\$\d/)
    .first()
    .waitFor()
  const costs = new Map<string, string>()
  for (const name of ['Search', 'Support', 'Engineering']) {
    const cells = await rowOf(page, new RegExp(`^${name}`))
      .getByRole('cell')
      .allInnerTexts()
    costs.set(name, cells.find((text) => text.startsWith('$')) ?? '')
  }
  const month = new Date().toISOString().slice(0, 7)
  const question = 'interval=none&group_by=team&order_by=cost'
  const { rows } = await read<{ rows: { group: { name: string }[]; cost_usd: number }[] }>(
    page,
    `/v1/analysis?from=${month}-01&${question}`,
  )
  for (const { group, cost_usd: cost } of rows) {
    assert.equal(costs.get(group[0]?.name ?? ''), `$${cost.toFixed(2)}`)
  }
  assert.equal(costs.get('Engineering'), '$0.00')
  await rowOf(page, /^Search/)
    .getByText('of $10.00')
    .waitFor()
  assert.deepEqual(await findBarriers(page), [])
})

test(
  'a team is made with a short name of its name, and leads to its people',
  { skip },
  async () => {
    const { page } = ada
    await page.getByRole('button', { name: 'Create a team' }).click()
    const form = page.getByRole('dialog', { name: 'Create a team' })
    await form.getByLabel('Name', { exact: true }).fill('Search & Ranking')
    assert.equal(await form.getByLabel('Short name').inputValue(), 'search-ranking')
    assert.deepEqual(await findBarriers(page), [])
    await form.getByLabel('Short name').fill('search')
    await form.getByRole('button', { name: 'Create team' }).click()
    await form
      .getByText(/search/)
      .last()
      .waitFor()
    await form.getByLabel('Short name').fill('ranking')
    await form.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Search & Ranking' }).waitFor()
    await page.getByText('Nobody is in it yet', { exact: true }).waitFor()
  },
)

test('people are added by address, made leads, and removed', { skip }, async () => {
  const { page } = ada
  const add = async (email: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add someone' }).click()
    const form = page.getByRole('dialog', { name: 'Add someone to Search & Ranking' })
    await form.getByLabel('Email address').fill(email)
    await form.getByRole('heading').click()
    await form.getByRole('button', { name: 'Add', exact: true }).click()
  }
  await add('nobody@example.com')
  await page.getByText('No user has this address').waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await add('noor@example.com')
  await rowOf(page, /noor@example\.com/).waitFor()

  const choose = async (item: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Manage noor@example.com' }).click()
    await page.getByRole('button', { name: item, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  }
  await choose('Make lead', 'Make lead')
  await rowOf(page, /noor@example\.com/)
    .getByRole('cell', { name: 'Lead' })
    .waitFor()
  const [team] = (await read<TeamPage>(page, '/v1/teams?search=ranking')).rows
  const { rows } = await read<MemberList>(page, `/v1/teams/${team?.id}/members`)
  assert.deepEqual(
    rows.map(({ email, role, source }) => [email, role, source]),
    [['noor@example.com', 'lead', 'hand']],
  )
  await choose('Remove', 'Remove')
  await page.getByText('Nobody is in it yet', { exact: true }).waitFor()
})

test('its settings are changed, listed before they are saved', { skip }, async () => {
  const { page } = ada
  await openTeamTab(page, 'Settings')
  await page.getByLabel('Calls per minute of a key').fill('60')
  await page.getByRole('combobox', { name: 'Department' }).click()
  await page.getByRole('option', { name: 'Engineering' }).click()
  const bar = page.getByRole('region', { name: 'Changes that are not saved' })
  await bar.getByText('Engineering').waitFor()
  assert.match(await bar.innerText(), /Department[^]*none[^]*Engineering/)
  assert.match(await bar.innerText(), /Calls per minute of a key[^]*no limit[^]*60/)
  assert.deepEqual(await findBarriers(page), [])
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Search & Ranking is saved').waitFor()
  await page.getByText('Department Engineering').waitFor()
})

test('a key that is made in it has its limits, and is refused beyond them', { skip }, async () => {
  const { page } = ada
  await openTeamTab(page, 'Keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByLabel('Name', { exact: true }).fill('Backend')
  assert.equal(await form.getByRole('combobox', { name: 'Team' }).inputValue(), 'Search & Ranking')
  await form.getByText('Within its limits: at most 60 calls per minute.').waitFor()
  await form.getByRole('button', { name: 'Limits and expiry' }).click()
  await form.getByLabel('Calls per minute').fill('600')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('allows 60 calls a minute at most').waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await form.getByLabel('Calls per minute').fill('')
  await form.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await rowOf(page, /^Backend/)
    .getByText('At most 60 per minute')
    .waitFor()
})

test('a key is moved to a person of the team, named before it is saved', { skip }, async () => {
  const { page } = ada
  const { rows } = await read<KeyPage>(page, `/v1/keys?team=${teams.searchId}&search=Backend`)
  await openPage(page, `/keys/${rows[0]?.id}?tab=settings`)
  await page.getByRole('combobox', { name: 'Personal key of' }).click()
  await page.getByRole('option', { name: 'mo@example.com' }).click()
  const bar = page.getByRole('region', { name: 'Changes that are not saved' })
  assert.match(await bar.innerText(), /Personal key of[^]*none[^]*mo@example\.com/)
  await page.getByRole('combobox', { name: 'Team' }).fill('Supp')
  await page.getByRole('option', { name: 'Support' }).click()
  // The name is read once the team is chosen.
  await bar.getByText('Support').waitFor()
  assert.match(await bar.innerText(), /Team[^]*Search[^]*Support/)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await bar.getByText('They are not in the team Support').waitFor()
  await page.getByRole('button', { name: 'Undo: Team', exact: true }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Backend is saved').waitFor()
  await page.getByText('Personal key of mo@example.com').waitFor()
})

test('the list of keys is filtered by team; names may be the same', { skip }, async () => {
  const { page } = ada
  await openPage(page, '/keys?search=Backend')
  await page.getByText('3 keys').waitFor()
  await page.getByRole('combobox', { name: 'Team' }).fill('Supp')
  await page.getByRole('option', { name: 'Support' }).click()
  await page.getByText('1 key', { exact: true }).waitFor()
  assert.match(page.url(), new RegExp(`team=${teams.supportId}`))
})

test('a budget of a team is made on its page, for each of its keys', { skip }, async () => {
  const { page } = ada
  await openPage(page, `/teams/${teams.supportId}?tab=budgets`)
  await page.getByText('No budget yet').waitFor()
  await page.getByRole('button', { name: 'Create a budget' }).click()
  const form = page.getByRole('dialog', { name: 'Create a budget' })
  assert.equal(await form.getByRole('combobox', { name: 'Team' }).inputValue(), 'Support')
  await form.getByLabel(/limit/i).first().fill('25')
  await form.getByRole('radio', { name: 'Each key apart' }).check()
  assert.deepEqual(await findBarriers(page), [])
  await form.getByRole('button', { name: 'Create budget' }).click()
  await rowOf(page, /Monthly · Team Support, for each key/)
    .getByRole('link')
    .click()
  await page
    .getByRole('list', { name: 'Nearest to the limit' })
    .getByRole('link', { name: 'Backend' })
    .waitFor()
  assert.deepEqual(await findBarriers(page), [])
})

test('its report leads to Explore with the team as a filter, by name', { skip }, async () => {
  const { page } = ada
  await openPage(page, `/teams/${teams.searchId}`)
  await page.getByRole('list', { name: 'Models by cost this month' }).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.getByRole('link', { name: 'Explore its calls' }).click()
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor()
  await page.getByText('Team is Search', { exact: true }).waitFor()
})

test('an archived team takes no key, and is restored', { skip }, async () => {
  const { page } = ada
  await openPage(page, '/teams?search=ranking')
  await rowOf(page, /Ranking/)
    .getByRole('link')
    .click()
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive team' }).click()
  await page.getByText(/^Since .* no key is made or moved here/).waitFor()
  await openTeamTab(page, 'Keys')
  assert.equal(await page.getByRole('button', { name: 'Create a key' }).count(), 0)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore team' }).click()
  await page.getByRole('button', { name: 'Create a key' }).waitFor()
  // What was refused on the way: a short name that is taken, an address of nobody, limits.
  assert.deepEqual(
    ada.complaints.list().filter((line) => !line.startsWith('400 ')),
    [],
  )
})

test('Settings has the teams of each user, and adds one to a team', { skip }, async () => {
  const { page, context } = await openTab(await scene.openSignedIn(teams.admin))
  await openPage(page, '/settings?tab=users')
  const lead = rowOf(page, /lee@example\.com/)
  await lead.getByRole('link', { name: 'Search' }).waitFor()
  // It stands there twice, once for narrow screens.
  await lead.getByText('(lead)').filter({ visible: true }).waitFor()
  await page.getByRole('button', { name: 'Manage noor@example.com' }).click()
  await page.getByRole('button', { name: 'Add to a team' }).click()
  const form = page.getByRole('dialog', { name: 'Add noor@example.com to a team' })
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('Choose a team.').waitFor()
  await form.getByLabel('Team', { exact: true }).click()
  await page.getByRole('option', { name: 'Support' }).click()
  assert.deepEqual(await findBarriers(page), [])
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await rowOf(page, /noor@example\.com/)
    .getByRole('link', { name: 'Support' })
    .click()
  await page.getByRole('tabpanel', { name: 'People' }).getByText('noor@example.com').waitFor()
  await context.close()
})
