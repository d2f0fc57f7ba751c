// The real program with the built console, a simulated provider behind it and Chromium in front. One of each for a file of
// tests: they are what costs time.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

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
  /** Somebody at a browser of their own, who has not signed in. */
  openVisitor(options?: BrowserContextOptions): Promise<Visitor>
  /** Signed in by a session that is in the store already. */
  openSignedIn(credential: string, options?: BrowserContextOptions): Promise<Visitor>
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: Complaints
}

export interface ConsoleSceneOptions extends Pick<ProgramOptions, 'prepare'> {
  readonly chromium: string
}

/** Of a test, or of a file of them. */
export interface SceneContext {
  after(close: () => Promise<void>): void
}

/** A loaded machine is slow, and no wait is longer than what it waits for. */
const WAIT_MS_MAX = 15_000

export async function openConsoleScene(
  t: SceneContext,
  options: ConsoleSceneOptions,
): Promise<ConsoleScene> {
  const upstream = await openFakeUpstream()
  t.after(() => upstream.close())
  const opening = openChromium(options.chromium)
  t.after(async () => (await opening).close())
  const program = await openProgram({
    settings: {
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
    },
    ...(options.prepare === undefined ? {} : { prepare: options.prepare }),
  })
  t.after(() => program.close())
  const browser = await opening
  const url = program.addresses.api
  return {
    program,
    url,
    openVisitor: (given) => openVisitor(browser, { baseURL: url, ...given }),
    openSignedIn: async (credential, given) => {
      const visitor = await openVisitor(browser, { baseURL: url, ...given })
      await visitor.context.addCookies([
        { name: 'weir_session', value: credential, url, httpOnly: true, sameSite: 'Strict' },
      ])
      return visitor
    },
  }
}

async function openVisitor(browser: Browser, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(WAIT_MS_MAX)
  const complaints = watchContext(context)
  return { context, page: await context.newPage(), complaints }
}

/** The page's, in what is handed to it. */
declare const document: { querySelector(selector: string): unknown }

/** All that a page waits for is there: its heading stands, nothing is grey, busy or on its way. */
export async function untilReady(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(
    () => document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null,
  )
}

export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await untilReady(page)
}
