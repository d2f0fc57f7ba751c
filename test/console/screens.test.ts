// Every screen over known data: its figures are those of the API, it is accessible, and names that
// would do harm are only text. Other sites can neither frame it nor act through it.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { formatTime } from '../../console/src/data/format-time.ts'
import { formatUsd } from '../../console/src/data/format-usd.ts'
import { CATALOGUE } from '../../src/api/contract.ts'
import type { Analysis, UsageEnvelope, UsageRow } from '../../src/api/contract.ts'
import type { OpenApiDocument } from '../usage-api/openapi-document.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { byForm, LONG_ONLY } from '../long-form.ts'
import { parseCsv } from '../exports/parse-csv.ts'
import { findBarriers, findFaintTextInDark } from './find-barriers.ts'
import { followPage, openPage, openTab, untilReady, WAIT_MS_MAX } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { attackFrom, frameFrom } from './other-site.ts'
import type { Attempt } from './other-site.ts'
import { HOSTILE, RAN } from './seed-company.ts'
import type { Company } from './seed-company.ts'
import { shareCompany } from './share-company.ts'

const FIRST_LOAD_BYTES_MAX = 200_000
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
/** A snapshot may end between the two questions. */
const ATTEMPTS_MAX = 3

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
let scene: ConsoleScene
let company: Company
let ada: Guest

before(async () => {
  if (chromium === null) return
  ;({ scene, company } = await shareCompany(chromium))
  ada = await scene.openSignedIn(company.session)
})

interface Screen {
  readonly path: string
  /** The hostile names that it shows. */
  readonly names: readonly (keyof typeof HOSTILE)[]
  /** Drawn as another one is: only its names are looked at. */
  readonly isAlike?: boolean
  /** It has colours that others have not: they are looked at in the dark as well. */
  readonly hasColours?: boolean
}

function listScreens({ keyId, requestId }: Company): readonly Screen[] {
  const month = '/explore?range=this_month'
  return [
    { path: '/?group_by=dim:team', names: ['user', 'team'], hasColours: true },
    { path: '/?group_by=api_key', names: ['key'], isAlike: true },
    { path: '/', names: ['model'], isAlike: true },
    { path: '/?dim=app', names: ['app'], isAlike: true },
    { path: '/start', names: ['user'] },
    { path: `${month}&group_by=model&compare=previous`, names: ['model'], hasColours: true },
    { path: `${month}&interval=none&group_by=api_key`, names: ['key'] },
    { path: `${month}&group_by=dim:app&filter=dim:team!=search`, names: ['app'], hasColours: true },
    { path: `${month}&group_by=dim:team&group_by=model`, names: ['team', 'model'], isAlike: true },
    { path: '/explore?range=last_12_months&group_by=provider', names: [] },
    { path: '/explore?range=today&interval=none&order_by=requests', names: [] },
    { path: '/explore?from=2020-01-01&to=2020-02-01', names: [] },
    { path: '/performance', names: [], hasColours: true },
    { path: '/performance?group_by=api_key&time=total', names: ['key'], isAlike: true },
    { path: '/requests', names: ['key', 'model', 'team', 'app'], hasColours: true },
    { path: `/requests/${requestId}`, names: ['team', 'app'], hasColours: true },
    { path: '/keys', names: ['key', 'owner', 'note'] },
    { path: `/keys/${keyId}`, names: ['key', 'owner', 'note', 'model'], hasColours: true },
    { path: '/tokens', names: ['token'] },
    { path: '/budgets', names: ['budget', 'team'], hasColours: true },
    { path: '/budgets?tab=alerts', names: [], hasColours: true },
    { path: '/budgets?tab=targets', names: [] },
    { path: '/prices', names: [] },
    { path: '/prices?model=openai%2Fgpt-4o', names: [] },
    { path: '/prices?tab=overrides', names: ['note'] },
    { path: '/prices?tab=missing', names: ['model'], hasColours: true },
    { path: '/audit', names: ['key', 'token', 'budget'] },
    { path: '/settings', names: [] },
    { path: '/settings?tab=providers', names: [], hasColours: true },
    { path: '/settings?tab=users', names: ['user'] },
    { path: '/settings?tab=account', names: ['user'] },
    { path: '/nowhere', names: [] },
  ]
}

const ENTRANCES = [
  '/sign-in',
  '/sign-in?error=ended&to=%2Fkeys',
  '/setup?code=x',
  '/welcome?code=x',
]

test('every screen is accessible, fits a phone and shows names as text', { skip }, async () => {
  const faults: string[] = []
  const lookAtAll = async (guest: Guest, screens: readonly Screen[]): Promise<void> => {
    for (const [place, screen] of screens.entries()) {
      await guest.page.setViewportSize(PHONE)
      // The first is opened, the others are reached as by a link.
      await (place === 0 ? openPage : followPage)(guest.page, screen.path)
      faults.push(...(await look(guest.page, screen)))
    }
    faults.push(...guest.complaints.list('401 /v1/session'))
    await guest.page.close()
  }
  const entrances = ENTRANCES.map((path) => ({ path, names: [], hasColours: true }))
  await Promise.all([
    lookAtAll(await openTab(ada), listScreens(company)),
    lookAtAll(await scene.openGuest(), entrances),
  ])
  assert.deepEqual(faults, [])
})

interface Field {
  readonly value: string
}

/** What is wrong with a screen that is shown as on a phone, one line each. */
async function look(page: Page, screen: Screen): Promise<readonly string[]> {
  const { path, names, isAlike = false, hasColours = false } = screen
  const faults: string[] = []
  const width = await page.evaluate('document.documentElement.scrollWidth')
  if (width !== PHONE.width) faults.push(`${String(width)} wide on a phone`)
  await page.setViewportSize(DESKTOP)
  if (!isAlike) faults.push(...(await findBarriers(page)))
  if (hasColours) faults.push(...(await findFaintTextInDark(page)))
  faults.push(...(await findMissing(page, names)).map((name) => `no ${name}`))
  if ((await page.evaluate(`window.${RAN}`)) !== undefined) faults.push('a script ran')
  const made = page.locator('img[src=x], svg[onload], a[href^="javascript:" i], main script')
  if ((await made.count()) > 0) faults.push('an element was made of a name')
  return faults.map((fault) => `${path}: ${fault}`)
}

const LOOKS_MAX = 50
const LOOK_MS = 200

/** A screen that differs from the last by its question only shows the last one's names at first. */
async function findMissing(page: Page, names: Screen['names']): Promise<Screen['names']> {
  for (let looks = 1; ; looks += 1) {
    const text = await page.locator('body').innerText()
    const fields = await page
      .locator('input')
      .evaluateAll((all) => (all as unknown as readonly Field[]).map(({ value }) => value))
    const shown = [text, ...fields].join('\n')
    const missing = names.filter((name) => !shown.includes(HOSTILE[name]))
    if (missing.length === 0 || looks === LOOKS_MAX) return missing
    await page.waitForTimeout(LOOK_MS)
  }
}

test('an open menu is accessible and returns the focus', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/settings?tab=users')
  for (const name of [/^Manage /, /^Account: /]) {
    const button = page.getByRole('button', { name }).first()
    await button.click()
    await page.locator('.dropdown-list:popover-open').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await button.and(page.locator(':focus')).count(), 1)
  }
  await page.close()
})

const FIELD = { name: /^Go to a page/ } as const

test('Ctrl-K goes to pages, keys and models by keyboard, and is accessible', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/tokens')
  const goTo = async (text: string, kind: string): Promise<void> => {
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', FIELD).fill(text)
    const option = page.getByRole('option').filter({ hasText: kind }).first()
    await option.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    while ((await option.getAttribute('aria-selected')) !== 'true') {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', FIELD).waitFor({ state: 'detached' })
  }
  await goTo('price', 'Page')
  await page.waitForURL('**/prices')
  await goTo('support', 'API key')
  await page.waitForURL('**/keys/svc_k_*')
  await goTo('0192f0c1-2f1b-7000-8000-000000000000', 'Request')
  await page.waitForURL('**/requests/0192f0c1-*')
  await page.close()
})

test('a CSV from Explore is the table beside it, and contains no formula', { skip }, async () => {
  const { page } = await openTab(ada)
  await openPage(page, '/explore?range=this_month&group_by=dim:app&interval=day')
  await page.getByRole('button', { name: 'CSV' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'These rows' }).click()
  const text = await readFile(await (await coming).path(), 'utf8')
  const { names: words, rows } = parseCsv(text)
  const table = page.getByRole('table').filter({ hasText: 'Share' })
  const heads = await table.locator('thead th').allInnerTexts()
  const toWord = (name: string): string => /^(?:dim:)?([a-z]+)/.exec(name)?.[1] ?? ''
  // The last column of the table has links.
  const shown = heads.slice(0, -1).map((head) => head.trim().toLowerCase())
  assert.deepEqual(words.map(toWord), shown)
  const names = await table.locator('tbody tr td:first-child').allInnerTexts()
  assert.deepEqual(
    rows.map((row) => row['dim:app']?.replace(/^'/, '')),
    names.map((name) => name.trim()),
  )
  assert.ok(text.includes(`'=HYPERLINK(`), text)
  assert.ok(!/^"?=/m.test(text), text)
  await page.close()
})

test('every figure of Overview is the one that /v1/usage reports', { skip }, async () => {
  const { page } = await openTab(ada)
  const month = { metric: 'cost_usd', window: 'month_to_date' }
  const totals = {
    today: { metric: 'cost_usd', window: 'today' },
    yesterday: { metric: 'cost_usd', window: 'yesterday' },
    month,
    'last-month': { metric: 'cost_usd', window: 'last_month' },
    'requests-today': { metric: 'requests', window: 'today' },
    'requests-month': { metric: 'requests', window: 'month_to_date' },
    'tokens-month': { metric: 'tokens', window: 'month_to_date' },
  }
  const lists = {
    'This month by provider': ['provider', { ...month, dimension: 'provider', limit: '8' }],
    'This month by model': ['model', { ...month, dimension: 'model', limit: '8' }],
    'This month by API key': ['api_key', { ...month, dimension: 'api_key', limit: '8' }],
    'This month by team': ['dim:team', { ...month, dimension: 'dim', dim_key: 'team', limit: '8' }],
  } as const
  await untilSame(async () => {
    await openPage(page, '/')
    for (const [name, question] of Object.entries(totals)) {
      const answer = await askUsage(question)
      const shown = page.locator(`[data-figure="${name}"]`)
      const value = answer.rows[0]?.value
      assert.equal(Number(await shown.getAttribute('data-value')), value, name)
      if (question.metric === 'cost_usd')
        assert.equal(await shown.innerText(), formatUsd(value ?? 0))
    }
    for (const [label, [field, question]] of Object.entries(lists)) {
      await openPage(page, `/?group_by=${field}`)
      const answer = await askUsage(question)
      assert.ok(answer.rows.length > 1, label)
      const list = page.getByRole('list', { name: label, exact: true })
      const rows = await readRows(page, list)
      // Behind them come calls without a value, and the rest.
      assert.deepEqual(rows.slice(0, answer.rows.length), answer.rows.map(toShown), label)
    }
    const overview = await ask<{ readonly asOf: string }>('/v1/overview?group_by=dim:team')
    const before = await page.locator('[data-figure="month-before"]').getAttribute('data-value')
    const { previous } = await ask<Analysis>('/v1/analysis?compare=previous')
    assert.equal(Number(before), previous?.total.cost_usd)
    const { cost_usd: spent } = previous?.total ?? assert.fail('nothing to compare with')
    await openPage(page, '/explore?range=this_month&group_by=model&compare=previous')
    const foot = page.getByRole('table').last().locator('tfoot')
    assert.ok(
      (await foot.innerText()).includes(formatUsd(spent)),
      'Explore compares with another span',
    )
    await openPage(page, '/?group_by=dim:team')
    assert.equal(await readAsOf(page), formatTime(overview.asOf))
  })
  await page.close()
})

test(
  'every question of the catalogue has on Explore the answer of /v1/usage',
  { skip },
  async () => {
    const { page } = await openTab(ada)
    const asOfs: string[] = []
    page.on('response', async (response) => {
      if (!response.url().includes('/v1/analysis?')) return
      asOfs.push(((await response.json()) as { readonly asOf: string }).asOf)
    })
    await openPage(page, '/explore')
    for (const question of listQuestions()) {
      const search = new URLSearchParams(question).toString()
      await untilSame(async (attempt) => {
        // The address of before: it leads to the question of today. Opened, nothing is kept of the
        // answers to other questions.
        const go = attempt === 1 ? followPage : openPage
        await go(page, `/explore?${search}&view=table`)
        assert.ok(new URL(page.url()).searchParams.has('order_by'), page.url())
        const answer = await askUsage(question)
        assert.ok(answer.rows.length > 0, search)
        const shown = await readExplore(page, question)
        const expected = answer.rows.map(toShown).filter(([, value]) => value !== 0)
        assert.deepEqual(shown.toSorted(byText), expected.toSorted(byText), search)
        assert.equal(await readAsOf(page), formatTime(asOfs.at(-1) ?? ''), search)
      })
    }
    await page.close()
  },
)

test('the first load of Overview stays below 200 KB, with its typeface', { skip }, async (t) => {
  const { page, context } = await scene.openSignedIn(company.session)
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  let bytes = 0
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  const asked: string[] = []
  page.on('request', (request) =>
    asked.push(new URL(request.url()).pathname + new URL(request.url()).search),
  )
  await openPage(page, '/')
  await page.locator('svg.chart-plot').first().waitFor()
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes > 100_000, `only ${bytes} bytes: that was no first load`)
  assert.ok(bytes < FIRST_LOAD_BYTES_MAX, `${bytes} bytes`)
  assert.ok(asked.includes('/v1/session') && asked.includes('/v1/overview'), asked.join(' '))
  const twice = asked.filter((path, place) => asked.indexOf(path) !== place)
  assert.deepEqual(twice, [], 'nothing is asked twice')
  await context.close()
})

test('no other site can show the console in a frame', { skip }, async () => {
  const { page } = await openTab(ada)
  // Fails where the browser does not say that it refused.
  assert.equal((await frameFrom(page, scene.url)).length, 2)
  await page.close()
})

test('no other site can change anything, though the browser has a session', { skip }, async () => {
  const { page } = await openTab(ada)
  const before = await readAudit()
  const attempts = await attackFrom(page, scene.url, company.keyId)
  // The same host is the same site to a cookie: it is sent and refused. Another host's page sends
  // none.
  const isRefused = ({ from, status }: Attempt): boolean =>
    status === (from.startsWith('http://127.0.0.1') ? 403 : 401)
  assert.deepEqual(
    attempts.filter((attempt) => !isRefused(attempt)),
    [],
  )
  assert.deepEqual(await readAudit(), before)
  // The session itself is good, and still there.
  await openPage(page, '/keys')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.close()
})

interface Question {
  readonly [name: string]: string
}

function listQuestions(): readonly Question[] {
  const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7)
  return CATALOGUE.flatMap(({ metric, dimension, windows }) =>
    windows.slice(0, byForm(1, windows.length)).map((window) => ({
      metric,
      window,
      ...(dimension === null ? {} : { dimension }),
      ...(dimension === null || dimension === 'day' ? {} : { limit: '20' }),
      ...(dimension === 'dim' || dimension === 'dim_model' ? { dim_key: 'team' } : {}),
      ...(window === 'month' ? { month } : {}),
    })),
  )
}

async function ask<Answer>(path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${company.token}` }
  const response = await fetch(`${scene.url}${path}`, { headers })
  assert.equal(response.status, 200, path)
  return (await response.json()) as Answer
}

function askUsage(question: Question): Promise<UsageEnvelope> {
  return ask(`/v1/usage?${new URLSearchParams(question).toString()}`)
}

async function readAudit(): Promise<unknown> {
  return (await ask<{ rows: unknown }>('/v1/audit')).rows
}

test(
  "the API's reference shows every path in light and dark, and asks nobody but this Weir",
  // Its library takes as long to draw as twenty of our own pages.
  { skip: skip || LONG_ONLY },
  async () => {
    const spec = (await (await fetch(`${scene.url}/v1/openapi.json`)).json()) as OpenApiDocument
    const grounds = new Set<string>()
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, page, complaints } = await scene.openGuest({ colorScheme })
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).origin))
      await page.goto('/v1/reference')
      assert.equal(await page.title(), 'Weir: API reference')
      // The library takes many times as long to draw as our own pages do.
      page.setDefaultTimeout(10 * WAIT_MS_MAX)
      await page.locator('.opblock').first().waitFor()
      const calls = Object.values(spec.paths).flatMap((methods) => Object.keys(methods))
      const shown = calls.filter((method) => method !== 'head').length
      assert.equal(await page.locator('.opblock').count(), shown)
      await page.getByText('The request log, newest first unless sort says otherwise').click()
      await page.getByText('019cf1a0-7c1e-7a3b-9d2f-4b6a8c0e1f23').first().waitFor()
      assert.equal(await page.getByText(/Try it out|Authorize/).count(), 0)
      assert.deepEqual([...hosts], [scene.url])
      assert.deepEqual(complaints.list(), [])
      grounds.add(
        String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')),
      )
      await context.close()
    }
    assert.equal(grounds.size, 2, 'the page is not dark where the system is')
  },
)

async function untilSame(compare: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await compare(attempt)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error
    }
  }
}

type Shown = readonly [label: string, value: number, bucket: string, model: string]

function toShown({ label, value, bucket, model }: UsageRow): Shown {
  return [label, value, bucket ?? '', model ?? '']
}

function byText(one: Shown, other: Shown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}

interface Figure {
  readonly dataset: { readonly [name: string]: string | undefined }
}

async function readRows(page: Page, within: Locator): Promise<Shown[]> {
  await untilReady(page)
  const figures = within.locator('[data-figure="row"]')
  return figures.evaluateAll((all) =>
    (all as unknown as readonly Figure[]).map(({ dataset }): Shown => {
      const { label = '', value, bucket = '', model = '' } = dataset
      return [label, Number(value), bucket, model]
    }),
  )
}

/** The figures of the page as /v1/usage writes them; what is nothing is left out. */
async function readExplore(page: Page, question: Question): Promise<Shown[]> {
  const { dimension, metric, window } = question
  if (dimension === undefined) {
    const total = page.locator(`[data-figure="total-${metric}"]`)
    return [['total', Number(await total.getAttribute('data-value')), '', '']]
  }
  const isTimed = dimension === 'day' || window === 'monthly_series'
  const figures = page.locator(isTimed ? '[data-figure="bar"]' : '[data-figure="row"]')
  const read = await figures.evaluateAll((all) =>
    (all as unknown as readonly Figure[]).map(({ dataset }) => ({ ...dataset })),
  )
  return read.flatMap(({ label = '', value, bar = '', second = '', kind = 'value' }): Shown[] => {
    if (Number(value) === 0 || kind !== 'value') return []
    const day = bar.slice(0, 10)
    if (dimension === 'day') return [[day, Number(value), '', '']]
    return [[label, Number(value), window === 'monthly_series' ? day : '', second]]
  })
}

async function readAsOf(page: Page): Promise<string> {
  const text = await page.getByTestId('as-of').innerText()
  return text.replace('As of ', '')
}
