// What stands beside the figures of spend: a month that was repriced says so, a budget has its
// history, unusual spend leads to its calls, a page is of one moment, and all places that share a
// figure show the same. Tests that store calls while the program runs have one of their own.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { formatUsd } from '../../console/src/data/format-usd.ts'
import { toSummaryWords } from '../../console/src/pages/requests/summary-words.ts'
import type { AlertRow, BudgetPeriodList, IncidentList } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { totalTokens } from '../../src/core/token-counts.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { checkAnomalies } from '../../src/ledger/anomaly-check.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { listBudgetPlaces, listMoverPlaces } from './budget-places.ts'
import { addUp, listPlaces, toFilter } from './figure-places.ts'
import type { Figures, Grouping, Measure, Sum } from './figure-places.ts'
import { findBarriers } from './find-barriers.ts'
import { followPage, openConsoleScene, openPage, openTab, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'
import { HOSTILE, seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY
const closes: (() => Promise<void>)[] = []
const PICO_USD = 10n ** 12n
const DAY_MS = 86_400_000
const WAIT_MS_MAX = 120_000
const MONTH = 'metric=cost_usd&window=month_to_date'
/** By repricing a call of this month. */
const ADDED_USD = 250
/** More than all seeded calls together, so that a page without it is far off. */
const DOLLARS = 1000n

let scene: ConsoleScene
let company: Company
let ada: Guest
let budgetId = ''
let expected: ReadonlyMap<Grouping, Readonly<Record<string, Sum>>>

before(async () => {
  if (chromium === null || skip !== false) return
  scene = await openConsoleScene(
    { after: (close) => closes.push(close) },
    {
      chromium,
      prepare: async (dataDir) => {
        company = await seedCompany(dataDir)
        await repriceThisMonth(dataDir)
        expected = await sumThisMonth(dataDir)
        budgetId = await addBudget(dataDir)
      },
    },
  )
  ada = await scene.openSignedIn(company.session)
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function repriceThisMonth(dataDir: string): Promise<void> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const nowMs = systemClock.now()
  const month = new Date(nowMs).toISOString().slice(0, 7)
  const filter = { ...ALL_REQUESTS, fromMs: Date.parse(`${month}-01`) }
  const records = await store.usage.upkeep.readRecords(filter, { after: null, rowsMax: 1000 })
  const record = records.find(
    ({ event, cost }) =>
      event.status !== 'denied' &&
      cost.amount !== null &&
      new Date(event.endedAt).toISOString().startsWith(month),
  )
  assert.ok(record?.cost.amount !== null && record !== undefined)
  const amount = record.cost.amount + BigInt(ADDED_USD) * PICO_USD
  const change = { id: record.event.id, before: record.cost, after: { ...record.cost, amount } }
  const line = { repricing: null, at: nowMs, who: 'me', what: 'one call', prices: [] }
  await store.usage.upkeep.changeCosts([change], line)
  await store.close()
}

const toMonth = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7)

/** Denies three calls, and adds up all calls of the month by hand. */
async function sumThisMonth(dataDir: string): Promise<typeof expected> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const endedAt = systemClock.now() - 1000
  const denied = [0, 1, 2].map((place) => {
    const event = {
      id: createRequestId(endedAt),
      startedAt: endedAt,
      endedAt,
      model: 'gpt-4o-mini',
    }
    const asked = { requestedModel: event.model, dims: { team: place === 0 ? 'search' : 'new' } }
    const key = { keyId: company.keyId, status: 'denied', errorCode: 'model_not_allowed' } as const
    return createRecord({ ...event, ...asked, ...key, tokens: null }, { amount: 0n })
  })
  await store.writeBatch(batchOf(...denied))
  const page = { after: null, rowsMax: 1000 }
  const records = await store.usage.upkeep.readRecords(ALL_REQUESTS, page)
  await store.close()
  const calls = records.filter(({ event }) => toMonth(event.endedAt) === toMonth(endedAt))
  const by = (groupOf: (event: UsageEvent) => string | null | undefined) =>
    addUp(
      calls.map(({ event, cost }) => ({
        group: groupOf(event) ?? '',
        isDenied: event.status === 'denied',
        cost: Number(cost.amount ?? 0n) / Number(PICO_USD),
        tokens: event.tokens === null ? 0 : totalTokens(event.tokens),
      })),
    )
  return new Map([
    ['total', by(() => 'total')],
    ['model', by((event) => event.model)],
    ['api_key', by((event) => event.keyId)],
    ['dim:team', by((event) => event.dims['team'])],
  ])
}

/** A weekly budget of six weeks ago, whose limit was raised three weeks ago. */
async function addBudget(dataDir: string): Promise<string> {
  const clock = { ago: 42, now: () => systemClock.now() - clock.ago * DAY_MS, monotonic: () => 0 }
  const settings = await openSettingsStore({ dataDir, clock })
  const { id } = await settings.budgets.create({
    name: 'All of it',
    scope: { kind: 'global' },
    period: 'week',
    limit: 10n * PICO_USD,
    thresholds: [],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: false,
  })
  clock.ago = 21
  await settings.budgets.update(id, { limit: 40n * PICO_USD })
  await settings.close()
  return id
}

test(
  'Overview, Explore and the export show a repriced month before and after',
  { skip },
  async () => {
    const { page } = await openTab(ada)
    await openPage(page, '/')
    const figure = page.locator('[data-figure="month"]')
    const afterUsd = Number(await figure.getAttribute('data-value'))
    const sums = `${formatUsd(afterUsd - ADDED_USD)} before, ${formatUsd(afterUsd)} after`
    const text = await page.locator('.stat', { has: figure }).innerText()
    assert.ok(text.includes(sums) && /Repriced on \d+ \w+ \d{4}: /.test(text), text)
    assert.deepEqual(await findBarriers(page), [])

    await openPage(page, '/explore?range=this_month')
    await page.locator('.repriced-note').waitFor()
    const note = await page.locator('.repriced-note').innerText()
    assert.ok(note.endsWith(`: ${sums}.`), note)
    await openPage(page, '/explore?range=today')
    assert.equal(await page.locator('.repriced-note').count(), 0)

    await openPage(page, '/requests')
    await page.getByRole('button', { name: 'Export a month' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${sums}.`).waitFor()
    const daily = dialog.getByRole('link', { name: 'FOCUS by day (CSV)' })
    assert.match((await daily.getAttribute('href')) ?? '', /focus\.csv\?month=.*granularity=daily/)
    assert.deepEqual(await findBarriers(page), [])
    await page.close()
  },
)

/** Sums of floats differ in their last bits; money ends at a billionth of a dollar. */
function pick(sums: Figures, measure: Measure): Readonly<Record<string, number>> {
  const figures = Object.entries(sums).map(
    ([group, sum]) => [group, Number((sum[measure] ?? 0).toFixed(9))] as const,
  )
  return Object.fromEntries(figures.filter(([, value]) => value !== 0))
}

test('every figure of this month is the same wherever it is shown', { skip }, async () => {
  const { page } = await openTab(ada)
  const month = toMonth(systemClock.now())
  const sumsOf = (by: Grouping): Readonly<Record<string, Sum>> => expected.get(by) ?? {}
  const groups = (by: Grouping): readonly string[] => Object.keys(sumsOf(by))
  const options = { page, url: scene.url, token: company.token, month, groups }
  for (const { name, by: groupings, has, isWhole = false, read } of listPlaces(options)) {
    for (const by of groupings) {
      let answer: Figures | null = null
      for (const measure of has) {
        answer = isWhole && answer !== null ? answer : await read(by, measure)
        const shown = pick(answer, measure)
        assert.deepEqual(shown, pick(sumsOf(by), measure), `${name}: ${measure} by ${by}`)
      }
    }
  }
  // These round: the same figures as they are written there.
  await openPage(page, '/keys')
  const list = await page.getByRole('table').innerText()
  for (const { cost } of Object.values(sumsOf('api_key'))) assert.ok(list.includes(formatUsd(cost)))
  for (const by of ['total', 'api_key'] as const) {
    for (const [group, { requests, denials, cost }] of Object.entries(sumsOf(by))) {
      const search = new URLSearchParams({ range: 'this_month', ...toFilter(by, group) })
      await openPage(page, `/requests?${search.toString()}`)
      const sum = { requests, denied: denials, calls: requests + denials, cost_usd: String(cost) }
      const { text } = toSummaryWords({ as_of: '', ...sum, unpriced: 0, is_complete: true })
      const summary = page.locator('.call-summary strong')
      assert.equal(await summary.innerText(), text, `Requests: ${by} ${group}`)
    }
  }
  await page.close()
})

test('what a budget has spent is the same wherever it is shown', { skip }, async () => {
  const { page } = await openTab(ada)
  const month = toMonth(systemClock.now())
  const options = { page, url: scene.url, token: company.token, month, groups: () => [] }
  const { all, ofKey } = listBudgetPlaces(options, company.keyId)
  const spent = await all['/v1/budgets']()
  assert.equal(Object.keys(spent).length, 2)
  const ofTeam = expected.get('dim:team')?.[HOSTILE.team]?.cost.toFixed(9)
  assert.ok(
    Object.values(spent).some((usd) => usd.toFixed(9) === ofTeam),
    `${ofTeam} of the team, in ${JSON.stringify(spent)}`,
  )
  for (const [name, read] of Object.entries(all)) assert.deepEqual(await read(), spent, name)
  for (const [name, read] of Object.entries(ofKey)) {
    const shown = Object.entries(await read())
    assert.ok(shown.length > 0, name)
    for (const [id, usd] of shown) assert.equal(usd, spent[id], `${name}: ${id}`)
  }
  await page.close()
})

test('what changed most is the same wherever it is shown', { skip }, async () => {
  const { page } = await openTab(ada)
  const month = toMonth(systemClock.now())
  const options = { page, url: scene.url, token: company.token, month, groups: () => [] }
  const places = listMoverPlaces(options)
  const toText = (moved: Awaited<ReturnType<(typeof places)['/v1/analysis']>>) =>
    moved.slice(0, 3).map(([label, usd]) => `${label} ${usd.toFixed(9)}`)
  const moved = toText(await places['/v1/analysis']())
  assert.equal(moved.length, 3)
  for (const [name, read] of Object.entries(places)) {
    assert.deepEqual(toText(await read()), moved, name)
  }
  await openPage(page, '/explore?range=this_month&group_by=dim:team&compare=previous')
  const table = page.getByRole('table').filter({ hasText: 'Share' })
  await table.getByRole('button', { name: 'Change' }).click()
  await page.waitForURL(/order_by=change/)
  await untilReady(page)
  const rows = await table.locator('tbody tr').allInnerTexts()
  for (const [place, [label, usd]] of (await places['/v1/analysis']()).slice(0, 3).entries()) {
    const row = rows[place] ?? ''
    assert.ok(row.includes(label) && row.includes(formatUsd(Math.abs(usd))), `${row}: ${usd}`)
  }
  await page.close()
})

test('the history of a budget has a bar and a line for each period', { skip }, async () => {
  const headers = { authorization: `Bearer ${company.token}` }
  const asked = await fetch(`${scene.url}/v1/budgets/${budgetId}/periods`, { headers })
  const { rows } = (await asked.json()) as BudgetPeriodList
  assert.deepEqual(
    rows.map(({ limit_usd: limit }) => limit),
    [40, 40, 40, 40, 10, 10, 10],
  )
  const { page, complaints } = await openTab(ada)
  await openPage(page, `/budgets#${budgetId}`)
  const history = page.getByRole('region', { name: 'History of All of it' })
  await history.getByText('Show as a table').click()
  // The oldest first, as the bars.
  const lines = (await history.locator('tbody tr').allInnerTexts()).toReversed()
  assert.equal(lines.length, rows.length)
  for (const [place, { spent_usd: spent, limit_usd: limit }] of rows.entries()) {
    const line = lines[place] ?? ''
    assert.ok(line.includes(formatUsd(spent ?? 0)) && line.includes(formatUsd(limit)), line)
  }
  assert.equal(await history.locator('.chart-plot [data-bar]').count(), rows.length)
  assert.deepEqual(await findBarriers(page), [])
  assert.deepEqual(complaints.list(), [])
  await page.close()
})

interface OwnScene extends ConsoleScene {
  readonly company: Company
}

async function openOwnScene(
  t: TestContext,
  prepare?: (dataDir: string, seeded: Company) => Promise<void>,
): Promise<OwnScene> {
  const companies: Company[] = []
  const opened = await openConsoleScene(t, {
    chromium: chromium ?? '',
    prepare: async (dataDir) => {
      const seeded = await seedCompany(dataDir)
      companies.push(seeded)
      await prepare?.(dataDir, seeded)
    },
  })
  return { ...opened, company: companies[0] ?? assert.fail('the scene was not prepared') }
}

interface Figure {
  readonly dataset: { readonly [name: string]: string | undefined }
}

test('Overview and an answer of Explore add up after kept answers', { skip }, async (t) => {
  const own = await openOwnScene(t)
  const { token, keyId, session } = own.company
  const headers = { authorization: `Bearer ${token}` }
  const asked = await fetch(`${own.url}/v1/usage?${MONTH}`, { headers })
  const kept = ((await asked.json()) as { rows: [{ value: number }] }).rows[0].value
  const ofKey = `${MONTH}&api_key=${keyId}`
  // Keeps the key's month for five minutes, without the call to come.
  await fetch(`${own.url}/v1/usage?${ofKey}`, { headers })
  await fetch(`${own.url}/v1/keys`, { headers })
  const nowMs = systemClock.now()
  const store = await openLedgerStore({ dataDir: own.program.dataDir, clock: systemClock })
  const times = { id: createRequestId(nowMs), endedAt: nowMs, startedAt: nowMs }
  const event = { ...times, keyId, model: 'gpt-4o' }
  await store.writeBatch(batchOf(createRecord(event, { amount: DOLLARS * PICO_USD })))
  await store.close()

  const { page } = await own.openSignedIn(session)
  await openPage(page, '/')
  const read = async (name: string): Promise<number> =>
    Number(await page.locator(`[data-figure="${name}"][data-value]`).getAttribute('data-value'))
  const [today, month] = [await read('today'), await read('month')]
  assert.ok(today >= Number(DOLLARS) && month >= today, `today ${today}, this month ${month}`)
  assert.ok(Math.abs(month - kept - Number(DOLLARS)) < 1e-6, `${kept} became ${month}`)

  // The rows add up to the new whole, not to the one that was kept.
  await openPage(page, '/explore?range=this_month&group_by=model&limit=1')
  assert.equal(await read('total-cost_usd'), month)
  const rows = page.locator('[data-figure="row"]')
  const values = await rows.evaluateAll((all) =>
    (all as unknown as readonly Figure[]).map(({ dataset }) => Number(dataset['value'])),
  )
  const sum = values.reduce((total, value) => total + value, 0)
  assert.ok(values.length > 1 && Math.abs(sum - month) < 1e-6, `${String(values)} of ${month}`)

  await openPage(page, `/keys/${keyId}`)
  const spent = [await read('today'), await read('month')] as const
  assert.ok(spent[0] >= Number(DOLLARS) && spent[1] >= spent[0], String(spent))

  // The list is of the same moment, and says so.
  const moment = /As of [^.]*UTC/.exec(await page.getByRole('main').innerText())?.[0]
  await followPage(page, '/keys')
  await page.getByRole('link', { name: keyId }).getByText(keyId).waitFor()
  const line = page.getByRole('row').filter({ hasText: keyId })
  await line.getByText(formatUsd(spent[1]), { exact: true }).waitFor()
  assert.equal(await page.getByTestId('as-of').innerText(), moment)
})

/** More than the key spent on any of the ten weeks before. */
async function runAway(dataDir: string, keyId: string, usd: bigint): Promise<void> {
  const nowMs = systemClock.now()
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const event = { id: createRequestId(nowMs), endedAt: nowMs, startedAt: nowMs, keyId }
  const call = { ...event, model: 'gpt-4o', dims: { team: 'search' } }
  await store.writeBatch(batchOf(createRecord(call, { amount: usd * PICO_USD })))
  const { signal } = new AbortController()
  const clock = { now: () => nowMs }
  await checkAnomalies({ store, clock, floor: 10n * PICO_USD, consoleUrl: null, signal })
  await store.close()
}

async function untilListed(
  { url, company: { token } }: OwnScene,
  isSo: (row: AlertRow) => boolean,
): Promise<AlertRow> {
  const deadline = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/v1/incidents`, { headers })
    const { rows } = (await answer.json()) as IncidentList
    const [row] = rows
    if (rows.length === 1 && row !== undefined && isSo(row)) return row
    assert.ok(systemClock.monotonic() < deadline, `waited in vain: ${JSON.stringify(rows)}`)
    await pause(50)
  }
}

test('from the first page to the calls of a key that ran away', { skip }, async (t) => {
  const own = await openOwnScene(t, (dir, { keyId }) => runAway(dir, keyId, 500n))
  const { keyId, session } = own.company
  const row = await untilListed(own, () => true)
  assert.deepEqual(row.body.data['subject'], { kind: 'api_key', name: keyId })
  const { page, complaints } = await own.openSignedIn(session)
  await openPage(page, '/')
  const notice = page.locator('.overview-notices li').first()
  const title = `Key ${HOSTILE.key} spent far more than usual`
  // The name of the key may come a moment after its id.
  await notice.getByText(title).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await notice.getByRole('link', { name: 'See the calls' }).click()
  await page.waitForURL(/\/requests\?/)
  const { searchParams } = new URL(page.url())
  const day = new Date(systemClock.now()).toISOString().slice(0, 10)
  assert.deepEqual([searchParams.get('api_key'), searchParams.get('from')], [keyId, day])
  // The most expensive is there: $500 in one call.
  await page.locator('tbody').getByText('$500.00').first().waitFor()

  await openPage(page, '/budgets?tab=alerts')
  const alert = page.locator('.alert-log > li', { hasText: 'far more than usual' })
  await alert.getByText(title).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  const href = await alert.getByRole('link', { name: /See the calls/ }).getAttribute('href')
  assert.match(href ?? '', new RegExp(`^/requests\\?api_key=${keyId}&from=${day}&`))

  // A snooze takes it off the first page, until it has more than doubled.
  await openPage(page, '/')
  await notice.getByRole('button', { name: `Snooze: ${title}` }).click()
  await page.getByRole('button', { name: 'For a day' }).click()
  const ofKey = page.locator('.overview-notices li', { hasText: 'far more than usual' })
  await ofKey.waitFor({ state: 'detached' })
  await untilListed(own, ({ incident }) => incident?.state === 'snoozed')
  await runAway(own.program.dataDir, keyId, 600n)
  await untilListed(own, ({ incident }) => incident?.state === 'open')
  await openPage(page, '/')
  await ofKey.getByRole('button', { name: `Acknowledge: ${title}` }).click()
  await ofKey.waitFor({ state: 'detached' })
  await openPage(page, '/budgets?tab=alerts')
  await alert.getByText('Acknowledged', { exact: true }).waitFor()
  assert.match(await alert.innerText(), /Acknowledged by ada@example\.com/)
  assert.deepEqual(await findBarriers(page), [])
  await alert.getByRole('button', { name: `Reopen: ${title}` }).click()
  await alert.getByText('Open', { exact: true }).waitFor()
  await openPage(page, '/audit')
  const actions = await page.locator('main').innerText()
  for (const word of ['Snoozed', 'Acknowledged', 'Reopened']) {
    assert.ok(actions.includes(`${word} the unusual spend of`), actions)
  }
  assert.deepEqual(complaints.list(), [])
})
