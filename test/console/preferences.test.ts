// What a person chooses for the console applies at once, everywhere, is there the next time, and is
// theirs alone.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/core/clock.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { findBarriers } from './find-barriers.ts'
import { openConsoleScene, openPage, untilReady } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const DAY_MS = 86_400_000
/** It has no summer time: seven hours ahead of UTC on every day. */
const ZONE = 'Asia/Bangkok'
const AHEAD_MS = 7 * 3_600_000

const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let company: Company
/** Of another person. */
let otherSession = ''

before(async () => {
  if (chromium === null) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    {
      chromium,
      prepare: async (dataDir) => {
        company = await seedCompany(dataDir)
        const settings = await openSettingsStore({ dataDir, clock: systemClock })
        const other = (await settings.users.list()).find(({ name }) => name === 'Bo')
        const made = await settings.sessions.create({
          userId: other?.id ?? '',
          expiresAt: systemClock.now() + DAY_MS,
          agent: 'test',
          address: '127.0.0.1',
        })
        otherSession = made.credential
        await settings.close()
      },
    },
  )
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function chooseTimes(page: Page, now: string, wanted: string): Promise<void> {
  await page.getByRole('button', { name: `Times: ${now}` }).click()
  await page.getByRole('button', { name: `Times in ${wanted}` }).click()
}

/** `14:03:20`, as a clock that is so far ahead of UTC shows it. */
function toClock(iso: string, aheadMs: number): string {
  return new Date(Date.parse(iso) + aheadMs).toISOString().slice(11, 19)
}

async function readFirstCall(): Promise<string> {
  const headers = { authorization: `Bearer ${company.token}` }
  const answer = await fetch(`${scene.url}/v1/requests?limit=1`, { headers })
  return ((await answer.json()) as { rows: [{ started_at: string }] }).rows[0].started_at
}

test('times are UTC or local, as a person chooses, and sums stay UTC', { skip }, async () => {
  const { page, context, complaints } = await scene.openSignedIn(company.session, {
    timezoneId: ZONE,
  })
  const at = await readFirstCall()
  await openPage(page, '/requests')
  const first = page.locator('.call-time').first()
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
  assert.ok((await first.innerText()).startsWith(toClock(at, 0)))

  // What is typed stays: the page is drawn again, not opened again.
  await page.getByRole('button', { name: 'More filters' }).click()
  await chooseTimes(page, 'UTC', ZONE)
  await page.getByRole('columnheader', { name: `Time (${ZONE})` }).waitFor()
  assert.ok((await first.innerText()).startsWith(toClock(at, AHEAD_MS)))
  assert.equal(await page.getByRole('button', { name: 'More filters' }).count(), 0)
  assert.deepEqual(await findBarriers(page), [])

  // A moment is typed in the zone of its label, and asked for in UTC.
  await openPage(page, '/requests?from=2026-03-01T00:00:00Z')
  const from = page.getByLabel(`From (${ZONE})`)
  assert.equal(await from.inputValue(), '2026-03-01T07:00')
  await from.fill('2026-03-02T07:30')
  await page.waitForURL(/from=2026-03-02T00%3A30%3A00Z/)

  await openPage(page, '/')
  const asOf = await page.getByTestId('as-of').innerText()
  assert.match(asOf, /GMT\+7$/)
  const main = page.getByRole('main')
  await main.getByText('Days and months are UTC.').waitFor()
  await main.getByText('Cost per day, UTC').waitFor()
  await page.reload()
  await untilReady(page)
  await page.getByRole('button', { name: `Times: ${ZONE}` }).waitFor()

  // Whoever signs in next in this browser has not chosen anything.
  const cookie = { name: 'weir_session', url: scene.url, httpOnly: true } as const
  await context.addCookies([{ ...cookie, value: otherSession, sameSite: 'Strict' }])
  await openPage(page, '/requests')
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
  await context.addCookies([{ ...cookie, value: company.session, sameSite: 'Strict' }])
  await openPage(page, '/requests')
  await chooseTimes(page, ZONE, 'UTC')
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
  assert.deepEqual(complaints.list(), [])
})

test(
  'the dimension of Overview is there again, for the person who chose it',
  { skip },
  async () => {
    const { page, context } = await scene.openSignedIn(company.session)
    await openPage(page, '/')
    const choice = page.getByLabel('Dimension')
    const first = await choice.inputValue()
    const other = first === 'team' ? 'app' : 'team'
    await choice.selectOption(other)
    await page.getByRole('heading', { name: `By ${other}` }).waitFor()
    await openPage(page, '/')
    await page.getByRole('heading', { name: `By ${other}` }).waitFor()
    assert.equal(await choice.inputValue(), other)
    // A link shows a colleague what it says.
    await openPage(page, `/?dim=${first}`)
    await page.getByRole('heading', { name: `By ${first}` }).waitFor()
    const cookie = { name: 'weir_session', url: scene.url, httpOnly: true } as const
    await context.addCookies([{ ...cookie, value: otherSession, sameSite: 'Strict' }])
    await openPage(page, '/')
    await page.getByRole('heading', { name: `By ${first}` }).waitFor()
  },
)
