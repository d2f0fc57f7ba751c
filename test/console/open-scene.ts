// The real program with the built console, a simulated provider behind it and Chromium in front.
// They take seconds to start: there is one Chromium for all files, and one program for all tests
// that can share its data.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

import { atEndOfProcess } from '../by-room/end-of-process.ts'
import { openChromium } from '../fakes/chromium.ts'

import { openProgram } from '../fakes/program.ts'
import type { Program, ProgramOptions } from '../fakes/program.ts'
import { openFakeUpstream } from '../fakes/upstreams/upstream.ts'
import { watchContext } from './watch-context.ts'
import type { Complaints } from './watch-context.ts'

export interface ConsoleScene {
  readonly program: Program
  /** Where the console is, without a slash at the end. */
  readonly url: string
  /** A person with their own browser, who has not signed in. */
  openGuest(options?: BrowserContextOptions): Promise<Guest>
  /** Signed in by a session that is in the store already. */
  openSignedIn(credential: string, options?: BrowserContextOptions): Promise<Guest>
}

export interface Guest {
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: Complaints
}

export interface ConsoleSceneOptions extends Pick<ProgramOptions, 'prepare' | 'settings'> {
  readonly chromium: string
  /** Proxy processes: more than one only where calls are made. */
  readonly workers?: number
}

/** Of a test, or of a file of them. */
export interface SceneContext {
  after(close: () => Promise<void>): void
}

/** A loaded machine is slow, and no wait is longer than what it waits for. */
export const WAIT_MS_MAX = 60_000

let browserOpening: Promise<Browser> | null = null

/** One for the process: each test has a context of its own in it. */
function shareChromium(file: string): Promise<Browser> {
  if (browserOpening !== null) return browserOpening
  const opening = openChromium(file)
  atEndOfProcess(async () => (await opening).close())
  return (browserOpening = opening)
}

export async function openConsoleScene(
  t: SceneContext,
  options: ConsoleSceneOptions,
): Promise<ConsoleScene> {
  const upstream = await openFakeUpstream()
  t.after(() => upstream.close())
  const opening = shareChromium(options.chromium)
  const program = await openProgram({
    settings: {
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      PROXY_WORKERS: String(options.workers ?? 1),
      ...options.settings,
    },
    ...(options.prepare === undefined ? {} : { prepare: options.prepare }),
  })
  const browser = await opening
  const contexts: BrowserContext[] = []
  t.after(async () => {
    // Pages that nobody closed would go on asking.
    await Promise.all(contexts.map((context) => context.close()))
    await program.close()
  })
  const url = program.addresses.api
  const open = async (given?: BrowserContextOptions): Promise<Guest> => {
    const guest = await openGuest(browser, { baseURL: url, ...given })
    contexts.push(guest.context)
    return guest
  }
  return {
    program,
    url,
    openGuest: open,
    openSignedIn: async (credential, given) => {
      const guest = await open(given)
      await guest.context.addCookies([
        { name: 'weir_session', value: credential, url, httpOnly: true, sameSite: 'Strict' },
      ])
      return guest
    },
  }
}

async function openGuest(browser: Browser, options: BrowserContextOptions): Promise<Guest> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(WAIT_MS_MAX)
  const complaints = watchContext(context)
  return { context, page: await context.newPage(), complaints }
}

/**
 * Another page of the same person, for a test that shares their browser with others: it has read
 * the console's scripts already, which is most of a first load.
 */
export async function openTab({ context }: Guest): Promise<Guest> {
  const page = await context.newPage()
  return { context, page, complaints: watchContext(context, page) }
}

/** Asking at every frame, as is usual, makes the browser draw sixty of them a second. */
const POLL_MS = 25

/** The page's, in functions that run there. */
declare const document: { querySelector(selector: string): unknown }

/** The page is complete: its heading is there, and nothing is loading or busy. */
export async function untilReady(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector('.mantine-Skeleton-root, [aria-busy="true"], .call-log-old') === null,
    undefined,
    { polling: POLL_MS },
  )
}

export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await untilReady(page)
}

/** By the console's router, which leaves itself there for its own tools. */
const FOLLOW = `(path) => new Promise((resolve) => {
  const router = globalThis.__TSR_ROUTER__
  const stop = router.subscribe('onRendered', () => {
    stop()
    resolve()
  })
  router.history.push(path)
})`

/**
 * Goes to another page of the console as its links do, which takes half the work of opening it. The
 * page must be one of the console's already, at another address.
 */
export async function followPage(page: Page, path: string): Promise<void> {
  await page.evaluate(`(${FOLLOW})(${JSON.stringify(path)})`)
  await untilReady(page)
}
