// A member asks for more than a limit, a lead of the team says yes, and the member has the limit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { KeyBudgetList, KeyPage } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { PLAIN_BUDGET } from '../contracts/settings-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage, openTab } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import { seedTeams } from './seed-teams.ts'
import type { Teams } from './seed-teams.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let teams: Teams

before(async () => {
  if (chromium === null || skip !== false) return
  const prepare = async (dataDir: string): Promise<void> => {
    teams = await seedTeams(dataDir)
    const settings = await openSettingsStore({ dataDir, clock: systemClock })
    const scope = { kind: 'dim', key: '@team', value: teams.searchId } as const
    const rule = { name: 'Each key of Search', scope, each: 'key', limit: 5n * 10n ** 12n } as const
    await settings.budgets.create({ ...PLAIN_BUDGET, ...rule }, [], teams.searchId)
    await settings.close()
  }
  scene = await openConsoleScene({ after: (close) => closes.push(close) }, { chromium, prepare })
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

test('a member asks for more, a lead approves, and the member has it', { skip }, async () => {
  const member = await openTab(await scene.openSignedIn(teams.member))
  const { page } = member
  await openPage(page, '/my-keys')
  await page.getByRole('button', { name: 'Ask for more' }).click()
  const form = page.getByRole('dialog', { name: 'Ask for more' })
  await form.getByLabel('What it should be, in USD').fill('8')
  await form.getByLabel('Note').fill('Evaluations')
  assert.deepEqual(await findBarriers(page), [])
  await form.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('row', { name: /Mo laptop.*\$5\.00 → \$8\.00 a month/ }).waitFor()

  const lead = await openTab(await scene.openSignedIn(teams.lead))
  await openPage(lead.page, `/teams/${teams.searchId}`)
  await lead.page.getByRole('tab', { name: 'Asks (1)' }).click()
  await lead.page.getByRole('button', { name: 'Answer mo@example.com' }).click()
  const answer = lead.page.getByRole('dialog', { name: 'More than a limit' })
  await answer.getByLabel('Note').fill('Until the launch')
  assert.deepEqual(await findBarriers(lead.page), [])
  await answer.getByRole('button', { name: 'Approve' }).click()
  await lead.page.getByRole('row', { name: /mo@example\.com.*Approved/ }).waitFor()

  await openPage(page, '/my-keys')
  await page.getByRole('row', { name: /Mo laptop.*Until the launch.*Approved/ }).waitFor()
  const { rows } = await page.evaluate<KeyPage>(`fetch('/v1/keys').then((all) => all.json())`)
  const path = `/v1/keys/${rows[0]?.id}/budgets`
  const limits = await page.evaluate<KeyBudgetList>(`fetch('${path}').then((all) => all.json())`)
  const own = limits.rows.find(({ name }) => name === 'Each key of Search')
  assert.equal(own?.limit_usd, 8)
  for (const { complaints, context } of [member, lead]) {
    assert.deepEqual(complaints.list(), [])
    await context.close()
  }
})
