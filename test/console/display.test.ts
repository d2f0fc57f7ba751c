// How screens are laid out, measured in the browser: grids have no half-empty last row, ticks are
// evenly spaced, amounts of a column have their points below each other, and icons have names. And
// what a person chooses applies at once, everywhere, is there the next time, and is theirs alone.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Overview } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { followPage, openConsoleScene, openPage, openTab, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const WIDTHS = [360, 480, 640, 767, 768, 900, 991, 992, 1100, 1199, 1200, 1359, 1360, 1600, 1920]
/** Of a pixel: layouts are rounded. */
const SLACK_PX = 1.5
const DAY_MS = 86_400_000
/** It has no summer time: seven hours ahead of UTC on every day. */
const ZONE = 'Asia/Bangkok'
const AHEAD_MS = 7 * 3_600_000

const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let company: Company
let ada: Guest
/** Of another person. */
let otherSession = ''

before(async () => {
  if (chromium === null || skip !== false) return
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
  ada = await scene.openSignedIn(company.session)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

// These run in the page, as text: its types are not those of this program.

/** Each grid whose last row does not reach its right edge. */
const FIND_HOLES = `[...document.querySelectorAll('.panels, .stats, .overview-head')]
  .filter((grid) => grid.children.length > 0)
  .map((grid) => {
    const { paddingRight, borderRightWidth } = getComputedStyle(grid)
    const around = parseFloat(paddingRight) + parseFloat(borderRightWidth)
    const edge = grid.getBoundingClientRect().right - around
    const last = grid.lastElementChild.getBoundingClientRect()
    return { name: grid.className, gap: edge - last.right }
  })
  .filter(({ gap }) => gap > ${SLACK_PX})
  .map(({ name, gap }) => name + ' ' + Math.round(gap))`

/** The middles of an axis' labels, and their widths. */
const readLabels = (axis: 'x' | 'y'): string => `[...document.querySelectorAll(
    '.chart-plot .chart-tick-${axis}')]
  .map((label) => {
    const { x, y, width, height } = label.getBoundingClientRect()
    return { text: label.textContent, x: x + width / 2, y: y + height / 2, width }
  })`

interface Label {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Where the point of each amount is, by column. */
const readPoints = (
  cells: string,
): string => `[...document.querySelectorAll(${JSON.stringify(cells)})]
  .filter((cell) => /\\.\\d+$/.test(cell.innerText.trim()))
  .map((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    let text = walker.nextNode()
    while (!text.data.includes('.')) text = walker.nextNode()
    const range = document.createRange()
    range.setStart(text, text.data.lastIndexOf('.'))
    range.setEnd(text, text.data.lastIndexOf('.') + 1)
    return { text: cell.innerText, x: range.getBoundingClientRect().x }
  })`

/** Buttons and links that show an icon alone, without a name or a tooltip. Bars are no icons. */
const FIND_NAMELESS = `[...document.querySelectorAll('button, a')]
  .filter((each) => each instanceof HTMLElement)
  .filter((each) => each.checkVisibility() && each.innerText.trim() === '')
  .filter((each) => !each.getAttribute('aria-label') || !each.title)
  .map((each) => each.outerHTML.slice(0, 200))`

async function measure<Result>(page: Page, script: string): Promise<Result> {
  return (await page.evaluate(script)) as Result
}

function assertEven(labels: readonly Label[], place: 'x' | 'y'): void {
  assert.ok(labels.length >= 2, JSON.stringify(labels))
  const gaps = labels.slice(1).map((label, index) => label[place] - (labels[index] as Label)[place])
  const words = labels.map((label) => `${label.text} ${label[place]}`).join(', ')
  // The first and last label may be moved a little, so as not to be cut off.
  const [first = 0] = gaps.toSorted((one, other) => one - other)
  for (const gap of gaps) assert.ok(Math.abs(gap - first) < 4, words)
  assert.equal(new Set(labels.map(({ text }) => text)).size, labels.length, words)
  if (place === 'y') return
  for (const [index, gap] of gaps.entries()) {
    assert.ok(gap > (labels[index] as Label).width, `crowded: ${words}`)
  }
}

test('no grid has a half-empty last row, at any width', { skip }, async () => {
  const { page } = await openTab(ada)
  const paths = ['/', `/keys/${company.keyId}`, '/settings', '/settings?tab=account']
  await openPage(page, '/keys')
  for (const path of [...paths, `/requests/${company.requestId}`]) {
    await followPage(page, path)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepEqual(await measure(page, FIND_HOLES), [], `${path} at ${width}`)
    }
  }
})

test('the ticks of a chart are evenly spaced, at any width', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/keys')
  for (const width of [390, 820, 1100, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', `/keys/${company.keyId}`]) {
      await followPage(page, path)
      await page.locator('.chart-plot .chart-tick-x').first().waitFor()
      assertEven(await measure(page, readLabels('x')), 'x')
      assertEven(await measure(page, readLabels('y')), 'y')
    }
  }
})

test('amounts of a column have their points below each other', { skip }, async () => {
  const { page } = await openTab(ada)
  const check = async (path: string, cells: string): Promise<void> => {
    await openPage(page, path)
    const points = await measure<readonly { text: string; x: number }[]>(page, readPoints(cells))
    const lengths = new Set(points.map(({ text }) => text.split('.').at(-1)?.length))
    assert.ok(lengths.size > 1, `all amounts of ${path} are of one length`)
    const [{ x } = { x: 0 }] = points
    for (const point of points) assert.ok(Math.abs(point.x - x) < 1, JSON.stringify(points))
  }
  await check('/requests', 'tbody tr td:nth-child(4)')
  await check('/prices', 'tbody tr td:nth-child(3)')
})

test('an icon alone has a name and a tooltip', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/tokens')
  for (const path of ['/', '/explore', '/requests', '/keys', '/budgets', '/prices', '/audit']) {
    await followPage(page, path)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepEqual(await measure(page, FIND_NAMELESS), [], `${path} at ${width}`)
    }
  }
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
  await main.getByText('Cost per day by model, UTC').waitFor()
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

test('the grouping of Overview is there again, for the person who chose it', { skip }, async () => {
  const { page, context } = await scene.openSignedIn(company.session)
  await openPage(page, '/')
  const choice = page.getByLabel('Group by')
  const heading = (by: string) => page.getByRole('heading', { name: `This month by ${by}` })
  // The same for everyone who has chosen none.
  assert.equal(await choice.inputValue(), 'model')
  await choice.selectOption('dim:team')
  await heading('team').waitFor()
  await page.waitForURL(/group_by=dim%3Ateam/)
  await openPage(page, '/')
  await heading('team').waitFor()
  assert.equal(await choice.inputValue(), 'dim:team')
  // A link shows a colleague what it says, one of before as well.
  await openPage(page, '/?dim=app')
  await heading('app').waitFor()
  await openPage(page, '/?group_by=provider')
  await heading('provider').waitFor()
  const cookie = { name: 'weir_session', url: scene.url, httpOnly: true } as const
  await context.addCookies([{ ...cookie, value: otherSession, sameSite: 'Strict' }])
  await openPage(page, '/')
  await heading('model').waitFor()
})

for (const [reducedMotion, animation] of [
  ['no-preference', 'figure-changed'],
  ['reduce', 'none'],
] as const) {
  test(
    `a figure that changed has the animation ${animation} for ${reducedMotion}`,
    { skip },
    async () => {
      const { page, context } = await scene.openSignedIn(company.session, { reducedMotion })
      await page.route('**/v1/overview?*', async (route) => {
        const answer = await route.fetch()
        const overview = (await answer.json()) as Overview
        const figures = { ...overview.figures, month_to_date_usd: 123_456 }
        await route.fulfill({ response: answer, json: { ...overview, figures } })
      })
      await openPage(page, '/')
      assert.equal(await page.locator('.figure-changed').count(), 0, 'none when it is first shown')
      await page.getByLabel('Group by').selectOption('dim:team')
      await page.getByText('$123,456.00').waitFor()
      const name = await page.evaluate(
        'getComputedStyle(document.querySelector("[data-figure=month] > span")).animationName',
      )
      assert.equal(name, animation)
      // One that has not changed stays as it is.
      assert.equal(await page.locator('[data-figure="yesterday"] > .figure-changed').count(), 0)
      await context.close()
    },
  )
}
