// The page on which a person signs a device in, in a browser: signing in first, a code that is
// filled in and waits for a hand, what is shown of who asks, approving and denying.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, test } from 'node:test'

import { createPasswords } from '../../src/accounts/passwords.ts'
import { systemClock } from '../../src/core/clock.ts'
import { TEAM_CODEC } from '../../src/resources/codecs.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { askCodes, discover, poll, toTokens } from '../fakes/callers/device-client.ts'
import type { Discovered } from '../fakes/callers/device-client.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { PASSWORD } from '../fakes/sign-in-scene.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'

const EMAIL = 'mo@example.com'
const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let found: Discovered

before(async () => {
  if (chromium === null) return
  const settings = { AGENTS_SIGN_IN_CLAUDE: 'on' }
  const context = { after: (close: () => Promise<void>) => closes.push(close) }
  scene = await openConsoleScene(context, { chromium, settings, prepare: seed })
  found = await discover(`${scene.program.addresses.proxy}/claude`)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function seed(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const passwordHash = await createPasswords().hash(PASSWORD)
  const person = { email: EMAIL, name: 'Mo', role: 'none', passwordHash, subject: null } as const
  const user = await settings.users.create(person)
  for (const name of ['Ads', 'Search']) {
    const body = { name, slug: name.toLowerCase(), use_credentials: ['anthropic'] }
    const { id: teamId } = await settings.teams.create(TEAM_CODEC.fromNew(body))
    await settings.teams.join({ teamId, userId: user.id, role: 'member', source: 'hand' })
  }
  await settings.close()
}

async function signIn({ page }: Guest): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test(
  'a person signs in, confirms the code of the address by hand, and approves',
  { skip },
  async () => {
    const guest = await scene.openGuest()
    const { page, complaints } = guest
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/device/')) asked.push(new URL(request.url()).pathname)
    })
    const { userCode, deviceCode, pageWithCode } = await askCodes(found)
    await page.goto(pageWithCode)
    await signIn(guest)
    await page.getByRole('heading', { level: 1, name: 'Sign a device in' }).waitFor()
    assert.equal(await page.getByLabel('Code').inputValue(), userCode)
    await page.getByText(`You are signed in as ${EMAIL}.`).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(asked, [], 'nothing is sent by itself')

    await page.getByRole('button', { name: 'My device shows this code' }).click()
    await page.getByRole('heading', { level: 1, name: 'Approve this sign-in?' }).waitFor()
    await page.getByText(userCode).waitFor()
    await page.getByText('“device-client/1.0” wants to call anthropic as mo@example.com.').waitFor()
    await page.getByText(/It asked at \d\d:\d\d UTC from 127\.0\.0\.1\./).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(asked, ['/v1/device/find'])
    await page.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Search' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { level: 1, name: 'The device is signed in' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(toTokens(await poll(found, deviceCode)).email, EMAIL)

    await openPage(page, '/my-keys')
    await page.getByRole('link', { name: 'Claude Code' }).first().waitFor()
    // That nobody has signed in yet is an answer.
    assert.deepEqual(complaints.list('401 /v1/session'), [])
  },
)

test(
  'a code is typed in, a wrong one is told, and a device elsewhere is denied',
  { skip },
  async () => {
    const guest = await scene.openGuest()
    const { page } = guest
    const { userCode, deviceCode } = await askCodes(found, '127.0.0.2')
    await page.goto('/device')
    await signIn(guest)
    await page.getByLabel('Code').fill('bbbb-bbbb')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('No sign-in waits with this code.').waitFor()
    await page.getByLabel('Code').fill(userCode.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('it asked from elsewhere').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { level: 1, name: 'The sign-in was denied' }).waitFor()
    assert.equal((await poll(found, deviceCode)).json?.['error'], 'access_denied')
  },
)
