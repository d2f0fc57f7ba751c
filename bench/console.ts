// What a person waits for in the console, in Chromium on this machine: (a) Overview over a year of
// calls, from a typed address to its four figures, (b) a list of 10,000 keys, and typing into its
// search, (c) every page of a company with 3,000 keys and 400 teams, until nothing on it loads. The
// first round computes its figures, the others find them cached. The bars are on medians; the
// page's own CPU time beside them is not affected by other programs. What these pages ask and draw
// is counted by test/console/page-costs.test.ts.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import type { Browser, Page } from 'playwright-core'

import { openDemoData } from '../demo/demo-data.ts'
import { openSettingsStore } from '../src/store/open-store.ts'
import { systemClock } from '../src/core/clock.ts'
import { OPEN_KEY } from '../src/resources/codecs.ts'
import { findChromium, NO_CHROMIUM, openChromium } from '../test/fakes/chromium.ts'
import { openProgram } from '../test/fakes/program.ts'
import { seedLargeCompany } from '../test/console/seed-large-company.ts'
import { listPaths } from '../test/console/list-pages.ts'
import { atMost, printTable } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import type { OpenItems } from './harness/benchmark.ts'
import { median, quantile } from './harness/quantile.ts'

const CALLS = 300_000
const KEYS = 10_000
const ROUNDS = 9
/** Of the large company. */
const LARGE_CALLS = 474_728
const LARGE_ROUNDS = 3
const READY_MS_MAX = 1000
/** Beyond it typing feels slow. */
const KEYSTROKE_MS_MAX = 100
/** An address is typed into an idle browser, not into one that is closing the last page. */
const SETTLE_MS = 500
const TYPED = 'key 99'
const DAY_MS = 86_400_000

interface Wait {
  readonly ms: number
  /** The page's own thread: scripts, styles and layout. */
  readonly cpuMs: number
}

/** The page's, in functions that run there. */
declare const document: {
  querySelector(selector: string): unknown
  querySelectorAll(selector: string): Iterable<{ textContent: string }>
}

function hasFigures(): boolean {
  const names = ['today', 'yesterday', 'month', 'forecast']
  const places = names.map((name) => `[data-figure="${name}"]`).join()
  const texts = Array.from(document.querySelectorAll(places), ({ textContent }) =>
    textContent.trim(),
  )
  return texts.length === names.length && texts.every((text) => text !== '')
}

function hasKeys(): boolean {
  return [...document.querySelectorAll('tbody a')].length >= 20
}

function hasSettled(): boolean {
  const waiting = '.mantine-Skeleton-root, [aria-busy="true"], .call-log-old'
  return document.querySelector('h1') !== null && document.querySelector(waiting) === null
}

await runBenchmark(async (open) => {
  const file = findChromium()
  if (file === null) {
    console.log(`Not run: ${NO_CHROMIUM}.`)
    return []
  }
  const dataDir = join(await open.addFolder(), 'data')
  await mkdir(dataDir)
  const session = await fill(dataDir)
  const { addresses } = open.add(await openProgram({ settings: { DATA_DIR: dataDir } }))
  const browser = open.add(await openChromium(file))
  const openPage = createOpenPage(browser, addresses.api, session)
  const overview = await measureLoads(openPage, { path: '/', isReady: hasFigures })
  const keys = await measureLoads(openPage, { path: '/keys', isReady: hasKeys })
  const keystrokes = await measureTyping(await openPage())
  const large = await measureLargeCompany(open, browser)
  printTable(
    `Milliseconds, ${ROUNDS} times each (${LARGE_ROUNDS} for (c)), without a file in the browser's cache`,
    [
      ['', 'first', 'median', 'worst', "page's CPU"],
      toRow(`(a) Overview, a year of ${CALLS} calls`, overview),
      toRow(`(b) API keys, ${KEYS} of them`, keys),
      toRow('(b) a keystroke in their search', keystrokes),
      ...[...large].map(([path, waits]) => toRow(`(c) ${path}`, waits)),
    ],
  )
  const ready = { limit: READY_MS_MAX, unit: 'ms', digits: 0 }
  const drawn = { ...ready, limit: KEYSTROKE_MS_MAX }
  return [
    atMost(
      '(a) Overview shows its four figures',
      median(overview, ({ ms }) => ms),
      ready,
    ),
    atMost(
      '(b) the list of keys is there',
      median(keys, ({ ms }) => ms),
      ready,
    ),
    atMost(
      '(b) a keystroke is drawn',
      median(keystrokes, ({ ms }) => ms),
      drawn,
    ),
    ...[...large].map(([path, waits]) =>
      atMost(
        `(c) ${path}`,
        median(waits, ({ ms }) => ms),
        ready,
      ),
    ),
  ]
})

function createOpenPage(browser: Browser, url: string, session: string) {
  const cookie = { name: 'weir_session', value: session, url, httpOnly: true } as const
  return async (): Promise<Page> => {
    const context = await browser.newContext({ baseURL: url })
    await context.addCookies([{ ...cookie, sameSite: 'Strict' }])
    return context.newPage()
  }
}

/** By path. */
async function measureLargeCompany(
  open: OpenItems,
  browser: Browser,
): Promise<ReadonlyMap<string, readonly Wait[]>> {
  const dataDir = join(await open.addFolder(), 'data')
  const company = await seedLargeCompany(dataDir, LARGE_CALLS)
  const { addresses } = open.add(await openProgram({ settings: { DATA_DIR: dataDir } }))
  const openPage = createOpenPage(browser, addresses.api, company.session)
  const waits = new Map<string, readonly Wait[]>()
  for (const path of listPaths(company)) {
    const load = { path, isReady: hasSettled, rounds: LARGE_ROUNDS }
    waits.set(path, await measureLoads(openPage, load))
  }
  return waits
}

function toRow(name: string, waits: readonly Wait[]): string[] {
  const ms = waits.map((wait) => wait.ms)
  const cpuMs = median(waits, (wait) => wait.cpuMs)
  const figures = [ms[0] ?? Number.NaN, quantile(ms, 0.5), quantile(ms, 1), cpuMs]
  return [name, ...figures.map((figure) => figure.toFixed(0))]
}

/** The demo's company, with many more keys. Returns the credential of a session. */
async function fill(dataDir: string): Promise<string> {
  const clock = systemClock
  await openDemoData({
    dataDir,
    isFresh: true,
    calls: CALLS,
    clock,
    hookUrl: 'http://127.0.0.1:9/',
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const settings = await openSettingsStore({ dataDir, clock })
  const there = (await settings.keys.list()).length
  for (let number = there; number < KEYS; number += 1) {
    await settings.keys.create({ ...OPEN_KEY, name: `Some key ${number}` })
  }
  const [user] = await settings.users.list()
  const { credential } = await settings.sessions.create({
    userId: user?.id ?? '',
    expiresAt: clock.now() + DAY_MS,
    agent: 'bench',
    address: null,
  })
  await settings.close()
  return credential
}

interface Load {
  readonly path: string
  readonly isReady: () => boolean
  readonly rounds?: number
}

async function measureLoads(
  openPage: () => Promise<Page>,
  { path, isReady, rounds = ROUNDS }: Load,
): Promise<Wait[]> {
  const waits: Wait[] = []
  while (waits.length < rounds) {
    const page = await openPage()
    const readCpuMs = await watchCpu(page)
    await setTimeout(SETTLE_MS)
    const began = systemClock.monotonic()
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(isReady)
    const ms = systemClock.monotonic() - began
    waits.push({ ms, cpuMs: await readCpuMs() })
    await page.context().close()
  }
  return waits
}

/** From a key press until the next frame after it was handled. */
async function measureTyping(page: Page): Promise<Wait[]> {
  await page.goto('/keys')
  await page.waitForFunction(hasKeys)
  await page.getByRole('searchbox', { name: 'Search' }).click()
  const readCpuMs = await watchCpu(page)
  const waits: Wait[] = []
  for (const letter of TYPED.repeat(Math.ceil(ROUNDS / TYPED.length))) {
    const before = await readCpuMs()
    const began = systemClock.monotonic()
    await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    await page.evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    )
    waits.push({ ms: systemClock.monotonic() - began, cpuMs: (await readCpuMs()) - before })
  }
  await page.context().close()
  return waits
}

/** Counts from now on, from one page to the next. */
async function watchCpu(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
}
