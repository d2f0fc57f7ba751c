// What a person waits for in the console, in Chromium on this machine: (a) Overview over a year of
// calls, from a typed address to its four figures, (b) a list of 10,000 keys, and typing into its
// search. The first round computes its figures, the others find them cached. The bars are on
// medians; the page's own CPU time beside them is not affected by other programs.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import type { Browser, Page } from 'playwright-core'

import { openDemoData } from '../demo/demo-data.ts'
import { openSettingsStore } from '../src/store/open-store.ts'
import { systemClock } from '../src/core/clock.ts'
import { OPEN_KEY } from '../src/resources/codecs.ts'
import { findChromium, NO_CHROMIUM, openChromium } from '../test/fakes/chromium.ts'
import { openProgram } from '../test/fakes/program.ts'
import { printBars } from './relay/bars.ts'
import type { Bar } from './relay/bars.ts'
import { quantile } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'

const CALLS = 300_000
const KEYS = 10_000
const ROUNDS = 9
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
declare const document: { querySelectorAll(selector: string): Iterable<{ textContent: string }> }

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

await runBenchmark(async (open) => {
  assertLinux()
  const file = findChromium()
  if (file === null) {
    console.log(`Not run: ${NO_CHROMIUM}.`)
    return true
  }
  const dir = await mkdtemp(join(tmpdir(), 'weir-bench-console-'))
  open.add({ close: () => rm(dir, { recursive: true, force: true }) })
  const dataDir = join(dir, 'data')
  await mkdir(dataDir)
  const session = await fill(dataDir)
  const { addresses } = open.add(await openProgram({ settings: { DATA_DIR: dataDir } }))
  const browser = open.add(await openChromium(file))
  const place = { browser, url: addresses.api, session }

  const overview = await measureLoads(place, '/', hasFigures)
  const keys = await measureLoads(place, '/keys', hasKeys)
  const keystrokes = await measureTyping(place)
  printTable(`Milliseconds, ${ROUNDS} times each, without a file in the browser's cache`, [
    ['', 'first', 'median', 'worst', "page's CPU"],
    toRow(`(a) Overview, a year of ${CALLS} calls`, overview),
    toRow(`(b) API keys, ${KEYS} of them`, keys),
    toRow('(b) a keystroke in their search', keystrokes),
  ])
  return printBars([
    toBar('(a) Overview shows its four figures', overview, READY_MS_MAX),
    toBar('(b) the list of keys is there', keys, READY_MS_MAX),
    toBar('(b) a keystroke is drawn', keystrokes, KEYSTROKE_MS_MAX),
  ])
})

function toRow(name: string, waits: readonly Wait[]): string[] {
  const ms = waits.map((wait) => wait.ms)
  const figures = [ms[0] ?? Number.NaN, part(ms, 0.5), part(ms, 1)]
  return [
    name,
    ...figures,
    part(
      waits.map(({ cpuMs }) => cpuMs),
      0.5,
    ),
  ].map((figure) => (typeof figure === 'number' ? figure.toFixed(0) : figure))
}

function toBar(claim: string, waits: readonly Wait[], limit: number): Bar {
  const figure = part(
    waits.map(({ ms }) => ms),
    0.5,
  )
  return { claim, figure, limit, side: 'at most', unit: 'ms', digits: 0 }
}

function part(figures: readonly number[], share: number): number {
  return quantile(Float64Array.from(figures).sort(), share)
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
  try {
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
    return credential
  } finally {
    await settings.close()
  }
}

interface Place {
  readonly browser: Browser
  readonly url: string
  readonly session: string
}

async function openPage({ browser, url, session }: Place): Promise<Page> {
  const context = await browser.newContext({ baseURL: url })
  await context.addCookies([
    { name: 'weir_session', value: session, url, httpOnly: true, sameSite: 'Strict' },
  ])
  return context.newPage()
}

async function measureLoads(place: Place, path: string, isReady: () => boolean): Promise<Wait[]> {
  const waits: Wait[] = []
  while (waits.length < ROUNDS) {
    const page = await openPage(place)
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
async function measureTyping(place: Place): Promise<Wait[]> {
  const page = await openPage(place)
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
