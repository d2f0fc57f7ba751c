// Explore and Performance in the browser: from a peak to the call that made it, back and forward,
// saved views that another person opens, controls by keyboard, and what takes long or fails.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import { PLAIN_KEY } from '../contracts/settings-scene.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { findBarriers, findFaintText } from './find-barriers.ts'
import { openConsoleScene, openPage, openTab, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
const DAY_MS = 86_400_000
const PICO_USD = 10n ** 12n
const RUNAWAY = 'Nightly job'
/** Far above the seeded calls, which cost some dollars a day. */
const CALLS = 20
const DOLLARS_A_CALL = 5n
const DOLLARS_MOST = 40n
const CALL_MS = 500
const FIRST_BYTE_MS = 200
/** Of a percentile: latencies are counted in buckets (src/store/usage/latency-buckets.ts). */
const NEARLY = 0.08

interface Peak {
  /** `2026-11-12` */
  readonly day: string
  readonly keyId: string
  /** Of the most expensive call. */
  readonly requestId: string
  /** Of a viewer. */
  readonly session: string
}

let scene: ConsoleScene
let company: Company
let peak: Peak
let ada: Guest

before(async () => {
  if (chromium === null || skip !== false) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    {
      chromium,
      prepare: async (dataDir) => {
        company = await seedCompany(dataDir)
        peak = await seedPeak(dataDir)
      },
    },
  )
  ada = await scene.openSignedIn(company.session)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

/** A key that made twenty calls on one day; the most expensive is neither first nor last. */
async function seedPeak(dataDir: string): Promise<Peak> {
  const nowMs = systemClock.now()
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const { key } = await settings.keys.create({ ...PLAIN_KEY, name: RUNAWAY })
  const viewer = (await settings.users.list()).find(({ email }) => email === 'b@example.com')
  const session = await settings.sessions.create({
    userId: viewer?.id ?? '',
    expiresAt: nowMs + DAY_MS,
    agent: null,
    address: null,
  })
  await settings.close()
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS - 5 * DAY_MS
  const records = Array.from({ length: CALLS }, (_, place) => {
    const endedAt = dayMs + 3 * 3_600_000 + place * 60_000
    const dollars = place === 7 ? DOLLARS_MOST : DOLLARS_A_CALL
    return createRecord(
      {
        id: createRequestId(endedAt - CALL_MS),
        keyId: key.id,
        provider: 'openai',
        model: 'gpt-4o',
        startedAt: endedAt - CALL_MS,
        firstByteAt: endedAt - CALL_MS + FIRST_BYTE_MS,
        streamed: true,
        endedAt,
        // A call in five failed; the most expensive did not.
        status: place % 5 === 0 ? 'refused' : 'delivered',
      },
      { amount: dollars * PICO_USD, source: 'gateway', priceVersion: null },
    )
  })
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  await store.writeBatch(batchOf(...records))
  await store.close()
  return {
    day: new Date(dayMs).toISOString().slice(0, 10),
    keyId: key.id,
    requestId: records[7]?.event.id ?? '',
    session: session.credential,
  }
}

function barOf(page: Page, id: string): Locator {
  return page.locator(`[data-bar="${id}"] a`)
}

/** The largest bar of the chart, as its reader finds it. */
async function findPeak(page: Page): Promise<string> {
  const cells = page.locator('[data-figure="bar"]')
  const bars = await cells.evaluateAll((all) =>
    (all as unknown as readonly { readonly dataset: Record<string, string> }[]).map(
      ({ dataset }) => [dataset['bar'] ?? '', Number(dataset['value'])] as const,
    ),
  )
  const [largest] = bars.toSorted(([, one], [, other]) => other - one)
  return largest?.[0] ?? ''
}

test('two clicks from the peak on Overview to its most expensive call', { skip }, async () => {
  const { page, complaints } = await openTab(ada)
  await openPage(page, '/')
  assert.equal(await findPeak(page), peak.day)
  await barOf(page, peak.day).click()
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor()
  await untilReady(page)
  const first = page.getByRole('table').locator('tbody tr').first()
  // 19 calls of $5 and one of $40.
  assert.match(await first.innerText(), new RegExp(`${RUNAWAY}[^]*${peak.keyId}[^]*\\$135\\.00`))
  await first.getByRole('link', { name: new RegExp(`^${RUNAWAY}`) }).click()
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  await untilReady(page)
  const calls = page.getByRole('table').locator('tbody tr')
  assert.equal(await calls.count(), CALLS)
  const href = await calls.first().getByRole('link').first().getAttribute('href')
  assert.ok(href?.includes(peak.requestId), `${href} is not ${peak.requestId}`)
  assert.ok((await calls.first().innerText()).includes('$40.00'))

  // And back to where it began, step by step.
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor()
  assert.match(await first.innerText(), new RegExp(RUNAWAY))
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('from'), peak.day)
  assert.deepEqual(complaints.list(), [])
  await page.close()
})

test('a row narrows, and every step is in the address and its history', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/explore')
  const rows = page.getByRole('table').locator('tbody tr')
  assert.ok((await rows.count()) > 3)
  await page.getByRole('link', { name: 'gpt-4o', exact: true }).click()
  await page.getByRole('button', { name: 'Change: Model is gpt-4o' }).waitFor()
  await untilReady(page)
  assert.equal(await rows.count(), 1)
  assert.equal(new URL(page.url()).searchParams.get('filter'), 'model=gpt-4o')
  await page.getByLabel('Compare with the period before').check()
  await page.getByText('Compared with').waitFor()
  await page.goBack()
  await page.getByText('Compared with').waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('button', { name: 'Change: Model is gpt-4o' }).waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('button', { name: 'Remove: Model is gpt-4o' }).click()
  await page.getByRole('link', { name: 'claude-sonnet-4-5', exact: true }).waitFor()
  // What the address says is what is seen, also after it was opened anew.
  await openPage(page, new URL(page.url()).pathname + new URL(page.url()).search)
  assert.ok((await rows.count()) > 3)
  await page.close()
})

/** The figures beside the point that is shown, a row each. */
async function readCard(page: Page): Promise<readonly string[]> {
  const rows = await page.locator('.chart-card dl > div').allInnerTexts()
  return rows.map((row) => row.replaceAll(/\s+/g, ' '))
}

test('a chart shows exact figures, and its legend switches series', { skip }, async () => {
  const { page, context, complaints } = await scene.openSignedIn(company.session)
  await openPage(page, `/explore?range=last_30_days&group_by=api_key&compare=previous`)
  const bar = barOf(page, `${peak.day}T00:00:00.000Z`)
  const top = page.locator('.chart-tick-y').last()
  await bar.hover()
  // 19 calls of $5 and one of $40; the company's own calls are some dollars, of two keys.
  const [first = '', , , total = '', before = ''] = await readCard(page)
  assert.match(first, new RegExp(`^${RUNAWAY}.* \\$135\\.00 \\d\\d %$`))
  assert.match(total, /^Total \$1[3-9]\d\.\d\d$/)
  assert.match(before, /^\w{3}, \d+ \w+ \d{4} \$\d/)
  assert.equal(await top.textContent(), '$150')

  // Without the runaway the axis follows; alone, it is the whole.
  const key = page.getByRole('button', { name: new RegExp(`^${RUNAWAY}`) })
  await key.click()
  assert.equal(await key.getAttribute('aria-pressed'), 'false')
  assert.notEqual(await top.textContent(), '$150')
  await page.mouse.move(0, 0)
  await bar.hover()
  assert.equal(
    (await readCard(page)).some((row) => row.startsWith(RUNAWAY)),
    false,
  )
  await key.dblclick()
  await bar.hover()
  assert.deepEqual((await readCard(page))[0], `${RUNAWAY} $135.00`)
  assert.equal(await page.locator('.chart-key[aria-pressed="true"]').count(), 2, 'and earlier')

  // By keyboard: all again, then another alone, then along the points and to the hours of one.
  await page.getByRole('button', { name: new RegExp(`^Only ${RUNAWAY}`) }).press('Enter')
  assert.equal(await page.locator('.chart-legend [aria-pressed="false"].chart-key').count(), 0)
  await page.getByRole('button', { name: /^Only Support/ }).press('Enter')
  assert.equal(await key.getAttribute('aria-pressed'), 'false')
  await page.getByRole('button', { name: /^Only Support/ }).press('Enter')
  const slider = page.getByRole('slider')
  await slider.press('End')
  for (let day = 0; day < 5; day += 1) await slider.press('ArrowLeft')
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /Total \$1.*Nightly job.*\$135/)
  assert.ok((await readCard(page)).some((row) => row.includes('$135.00')))
  assert.deepEqual(await findBarriers(page), [])
  await slider.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('from')?.startsWith(peak.day) === true)
  assert.deepEqual(complaints.list(), [])
  await context.close()

  // A tap shows a point, a second one follows it.
  const phone = await scene.openSignedIn(company.session, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await openPage(phone.page, '/')
  const tapped = barOf(phone.page, peak.day)
  await tapped.tap()
  assert.ok((await readCard(phone.page)).some((row) => row.includes('$1')))
  assert.equal(new URL(phone.page.url()).pathname, '/')
  await tapped.tap()
  await phone.page.waitForURL((url) => url.pathname === '/explore')
  await phone.context.close()
})

test('a shared view is opened by another person; a private one is not seen', { skip }, async () => {
  const her = await openTab(ada)
  await openPage(her.page, `/explore?from=${peak.day}&group_by=api_key&order_by=requests`)
  const save = async (name: string, isShared: boolean): Promise<void> => {
    await her.page.getByRole('button', { name: 'Views' }).click()
    await her.page.getByRole('button', { name: 'Save this view' }).click()
    const dialog = her.page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByLabel('Name').fill(name)
    if (isShared) await dialog.getByLabel('Share it').check()
    assert.deepEqual(await findBarriers(her.page), [])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await save('The incident', true)
  await save('Not yet', false)

  const bo = await scene.openSignedIn(peak.session)
  await openPage(bo.page, '/explore')
  await bo.page.getByRole('button', { name: 'Views' }).click()
  assert.equal(await bo.page.getByRole('link', { name: /Not yet/ }).count(), 0)
  assert.deepEqual(await findBarriers(bo.page), [])
  await bo.page.getByRole('link', { name: /The incident/ }).click()
  await bo.page.getByRole('link', { name: new RegExp(`^${RUNAWAY}`) }).waitFor()
  const [hers, his] = [new URL(her.page.url()), new URL(bo.page.url())]
  assert.deepEqual([...his.searchParams], [...hers.searchParams])
  // He may not change it.
  await bo.page.getByRole('button', { name: 'Views' }).click()
  assert.equal(await bo.page.getByRole('button', { name: 'Manage views' }).count(), 0)

  await her.page.getByRole('button', { name: 'Views' }).click()
  await her.page.getByRole('button', { name: 'Manage views' }).click()
  const dialog = her.page.getByRole('dialog', { name: 'Manage views' })
  assert.deepEqual(await findBarriers(her.page), [])
  const shared = her.page.getByRole('switch', { name: 'Shared: The incident' })
  const form = dialog.getByRole('listitem').filter({ has: shared })
  await form.getByLabel('Name').fill('The peak')
  await form.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByLabel('Shared: The peak').click()
  await dialog.getByRole('switch', { name: 'Shared: The peak', checked: false }).waitFor()
  await dialog.getByRole('button', { name: 'Delete Not yet' }).click()
  await her.page.getByRole('button', { name: 'Delete view' }).click()
  await dialog.getByRole('button', { name: 'Delete Not yet' }).waitFor({ state: 'detached' })
  await openPage(bo.page, '/explore')
  await bo.page.getByRole('button', { name: 'Views' }).click()
  await bo.page.getByText('No views are saved yet.').waitFor()
  await Promise.all([her.page.close(), bo.context.close()])
})

test('the period and the filters are chosen by keyboard', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/explore')
  await page.getByRole('button', { name: 'Period: Last 30 days' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Last 30 days' }).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.getByRole('radio', { name: 'Last 30 days' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Period: This month' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(new URL(page.url()).searchParams.get('range'), 'this_month')
  const button = page.getByRole('button', { name: 'Period: This month' })
  assert.equal(await button.and(page.locator(':focus')).count(), 1)

  await page.keyboard.press('Enter')
  await page.getByLabel('From (UTC)').fill(`${peak.day}T03:00`)
  await page.getByLabel('To (UTC)').fill(`${peak.day}T02:00`)
  await page.getByRole('button', { name: 'Apply' }).press('Enter')
  await page.getByText('The end must be at least an hour after the beginning.').waitFor()
  await page.getByLabel('To (UTC)').fill(`${peak.day}T04:00`)
  await page.getByRole('button', { name: 'Apply' }).press('Enter')
  await page.waitForURL((url) => url.searchParams.get('from') === `${peak.day}T03:00Z`)
  await untilReady(page)

  await page.getByRole('button', { name: 'Add filter' }).press('Enter')
  const values = page.getByRole('combobox', { name: 'Values' })
  await values.fill('gpt-4o')
  await page.getByRole('option', { name: 'gpt-4o', exact: true }).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('form', { name: 'Filter' }).getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Change: Model is gpt-4o' }).waitFor()
  await page.close()
})

for (const [width, height, filters] of [
  [1280, 800, ['model!=gpt-4o']],
  [1440, 900, ['model!=gpt-4o', 'status=delivered']],
] as const) {
  test(`at ${width} px the question is one line, and the chart is in sight`, { skip }, async () => {
    const { page, context } = await scene.openSignedIn(company.session, {
      viewport: { width, height },
    })
    const question = 'range=last_30_days&group_by=dim:team&group_by=model&compare=previous'
    await openPage(page, `/explore?${question}&filter=${filters.join('&filter=')}`)
    const line = page.getByRole('search', { name: 'What is shown' })
    const parts = line.locator('.range-button, input[role="combobox"], select, .filter-chip')
    const ends = await Promise.all([
      ...(await parts.all()).map(findEnd),
      findEnd(line.getByRole('button', { name: 'Add filter' })),
    ])
    assert.equal(ends.length, 6 + filters.length)
    assert.equal(new Set(ends).size, 1, `the parts end at ${ends.join(', ')}`)
    assert.ok((await findEnd(page.locator('.chart-room'))) <= height)

    // A chip opens its filter over the page, which stays where it is.
    const before = await findEnd(page.locator('.chart-room'))
    await line.getByRole('button', { name: 'Change: Model is not gpt-4o' }).click()
    const form = page.getByRole('form', { name: 'Filter' })
    await form.waitFor()
    const field = await form.getByRole('combobox').first().boundingBox()
    assert.equal(field?.x, (await form.boundingBox())?.x)
    assert.equal(await findEnd(page.locator('.chart-room')), before)
    await context.close()
  })
}

async function findEnd(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  return Math.round((box?.y ?? 0) + (box?.height ?? 0))
}

test('rows are ordered by their change in money and in percent', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/explore?range=last_7_days&group_by=model&compare=previous')
  const share = page.getByRole('columnheader', { name: '%' })
  await share.getByRole('button').click()
  await page.waitForURL((url) => url.searchParams.get('order_by') === 'change_percent')
  await untilReady(page)
  assert.equal(await share.getAttribute('aria-sort'), 'descending')
  const place = (await page.locator('.table-rows thead th').allInnerTexts()).indexOf('%')
  const cells = page.locator(`.table-rows tbody td:nth-child(${place + 1})`)
  const shares = (await cells.allInnerTexts())
    .filter((text) => /\d/.test(text))
    .map((text) => Number(text.replaceAll(/[^\d.]/g, '')))
  assert.ok(shares.length > 1)
  assert.deepEqual(
    shares,
    shares.toSorted((one, other) => other - one),
  )
  await page.close()
})

test('Overview draws the days before as Explore does', { skip }, async () => {
  const { page } = await openTab(ada)
  const read = async (path: string) => {
    await openPage(page, path)
    const last = page.locator('.chart-table').first().locator('tr > :last-child')
    const [name, ...costs] = await last.allTextContents()
    return { name, costs, label: await page.locator('.chart-notes .chart-key').innerText() }
  }
  const explored = await read('/explore?range=last_30_days&group_by=model&compare=previous')
  assert.equal(explored.costs.length, 30)
  assert.ok(explored.costs.some((cost) => /[1-9]/.test(cost)))
  assert.equal(explored.name, explored.label)
  assert.deepEqual(await read('/?group_by=model'), explored)
  await page.close()
})

test('a question that is refused says how to narrow it', { skip }, async () => {
  const { page } = await openTab(ada)
  const error = 'This would be 720 buckets of 102 rows. Take limit=25 or less.'
  await page.route('**/v1/analysis?*', (route) =>
    route.fulfill({ status: 400, json: { error, code: 'invalid_parameter' } }),
  )
  await openPage(page, '/explore')
  await page.getByRole('alert').getByText('Narrow the question').waitFor()
  await page.getByText(error).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  await page.close()
})

test('Performance shows what takes long and what fails, and leads to it', { skip }, async () => {
  const { page, complaints } = await openTab(ada)
  await openPage(page, `/performance?from=${peak.day}&group_by=api_key&filter=model=gpt-4o`)
  const read = async (name: string): Promise<number> =>
    Number(await page.locator(`[data-figure="${name}"]`).getAttribute('data-value'))
  assert.ok(Math.abs((await read('first_byte-p95')) / FIRST_BYTE_MS - 1) < NEARLY)
  assert.ok(Math.abs((await read('total-p95')) / CALL_MS - 1) < NEARLY)
  assert.equal(await read('errors'), CALLS / 5)
  // One point of the chart has calls; its lines are the percentiles.
  const bars = page.locator(
    `[data-figure="bar"][data-bar^="${peak.day}"][data-label="p95"][data-value]`,
  )
  assert.ok(Math.abs(Number(await bars.getAttribute('data-value')) / FIRST_BYTE_MS - 1) < NEARLY)
  await page.getByLabel('Time', { exact: true }).selectOption('total')
  await page.waitForURL((url) => url.searchParams.get('time') === 'total')
  await page.getByRole('heading', { name: 'Whole call, any', exact: true }).waitFor()
  assert.ok(Math.abs(Number(await bars.getAttribute('data-value')) / CALL_MS - 1) < NEARLY)
  await page.goBack()
  await page.getByRole('heading', { name: 'First byte, streamed', exact: true }).waitFor()
  const rates = page.locator(`[data-figure="bar"][data-bar^="${peak.day}"][data-label="Errors"]`)
  assert.equal(Number(await rates.getAttribute('data-value')), 0.2)
  // A point narrows here as well.
  await barOf(page, `${peak.day}T00:00:00.000Z`).first().click()
  await page.waitForURL((url) => url.searchParams.has('to'))
  await page.getByRole('option', { name: 'Hour' }).waitFor({ state: 'attached' })
  await untilReady(page)
  assert.equal(await read('errors'), CALLS / 5)

  const failed = page.getByRole('table', { name: 'Errors, caches and speed by API key' })
  await failed.getByRole('link', { name: new RegExp(`^${RUNAWAY}`) }).click()
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  await untilReady(page)
  assert.equal(await page.getByRole('table').locator('tbody tr').count(), CALLS / 5)
  assert.deepEqual(complaints.list(), [])
  await page.close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`Explore and Performance are accessible on a phone, ${colorScheme}`, { skip }, async () => {
    const options = { colorScheme, viewport: { width: 390, height: 844 } }
    const { page, context } = await scene.openSignedIn(company.session, options)
    const filtered = 'group_by=dim:team&filter=model!=gpt-4o'
    // In the dark only colours are others.
    const findFaults = colorScheme === 'dark' ? findFaintText : findBarriers
    for (const path of [`/explore?compare=previous&${filtered}`, `/performance?${filtered}`]) {
      await openPage(page, path)
      assert.deepEqual(await findFaults(page), [], path)
      await page.getByRole('button', { name: /^Period: / }).click()
      await page.getByLabel('From (UTC)').waitFor()
      assert.deepEqual(await findFaults(page), [], `${path}, its period`)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Filters (1)' }).click()
      await page.getByRole('button', { name: 'Add filter' }).click()
      await page.getByRole('form', { name: 'Filter' }).waitFor()
      assert.deepEqual(await findFaults(page), [], `${path}, a filter`)
    }
    await context.close()
  })
}
