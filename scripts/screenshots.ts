// Takes a picture of every screen of the console, from the demo: light, dark, and on a phone. Needs
// Chromium. The pictures are the demo as anyone sees it; nothing is edited afterwards.
//
//   node scripts/screenshots.ts            all of them, into docs/images
//   node scripts/screenshots.ts overview   only the named

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { ADMIN } from '../demo/people.ts'
import { findChromium, NO_CHROMIUM, openChromium } from '../test/fakes/chromium.ts'
import { untilReady } from '../test/console/open-scene.ts'
import { toPalettePng } from './palette-png.ts'

const ROOT = path.join(import.meta.dirname, '..')
const IMAGES = path.join(ROOT, 'docs', 'images')
const KILOBYTE = 1000

interface Screen {
  readonly name: string
  readonly path: string
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

interface Looks {
  readonly name: 'light' | 'dark' | 'phone'
  readonly options: BrowserContextOptions
}

const DESKTOP = { viewport: { width: 1440, height: 900 } } as const
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
} as const
const LOOKS: readonly Looks[] = [
  { name: 'light', options: { ...DESKTOP, colorScheme: 'light' } },
  { name: 'dark', options: { ...DESKTOP, colorScheme: 'dark' } },
  { name: 'phone', options: { ...PHONE, colorScheme: 'light' } },
]

interface Ids {
  readonly key: string
  readonly request: string
  readonly team: string
}

function listScreens(ids: Ids): readonly Screen[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'explore', path: '/explore?range=last_30_days&group_by=model&compare=previous' },
    { name: 'explore-trend', path: '/explore?range=last_12_months&group_by=provider' },
    { name: 'performance', path: '/performance?group_by=model' },
    { name: 'requests', path: '/requests?live=true' },
    { name: 'request', path: `/requests/${ids.request}` },
    { name: 'keys', path: '/keys' },
    { name: 'key', path: `/keys/${ids.key}` },
    { name: 'key-policy', path: `/keys/${ids.key}?tab=settings`, prepare: askForModel },
    { name: 'teams', path: '/teams' },
    { name: 'team', path: `/teams/${ids.team}` },
    { name: 'team-people', path: `/teams/${ids.team}?tab=people` },
    { name: 'tokens', path: '/tokens' },
    { name: 'budgets', path: '/budgets' },
    { name: 'alerts', path: '/budgets?tab=alerts' },
    { name: 'prices', path: '/prices' },
    { name: 'prices-missing', path: '/prices?tab=missing' },
    { name: 'audit', path: '/audit' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-users', path: '/settings?tab=users' },
    { name: 'start', path: '/start' },
  ]
}

/** The header must not cover what is scrolled to the top. */
const BELOW_HEADER_PX = 120

/** Asks for a model that it may not use. */
async function askForModel(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: 'Can this key use this model?' })
  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('gpt-5.5')
  await page.keyboard.press('Escape')
  await page.getByText('No, it would be refused').waitFor()
  const { y = 0 } = (await heading.boundingBox()) ?? {}
  await page.mouse.wheel(0, y - BELOW_HEADER_PX)
}

interface Demo {
  readonly url: string
  close(): Promise<void>
}

async function openDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-screenshots-'))
  const words = ['demo/demo.ts', '--data', dataDir, '--fresh', '--port', '0']
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const close = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return { url: await readAddress(child, ended), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The console's address, as the demo prints it. */
async function readAddress(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  const found = Promise.withResolvers<string>()
  let text = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    const url = /Console\s+(\S+)\/\n/.exec(text)?.[1]
    if (url !== undefined) found.resolve(url)
  })
  const gone = ended.then(() => {
    throw new Error(`The demo ended before it was ready:\n${text}`)
  })
  return Promise.race([found.promise, gone])
}

async function signIn(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url, ...DESKTOP, colorScheme: 'light' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').waitFor()
  const pictures = await takeEntrance(browser, url)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const read = async (address: string): Promise<readonly Row[]> =>
    (await page.evaluate(
      `fetch(${JSON.stringify(address)}).then(async (answer) => (await answer.json()).rows)`,
    )) as readonly Row[]
  const [key] = await read('/v1/keys?search=Intern&limit=1')
  const [team] = await read('/v1/teams?search=Support&limit=1')
  const calls = await read('/v1/requests?provider=anthropic&status=delivered&limit=100')
  // Taking pictures keeps the machine busy.
  const [call] = calls.toSorted((one, other) => (one.own_ms ?? 0) - (other.own_ms ?? 0))
  const ids = { key: key?.id ?? '', request: call?.id ?? '', team: team?.id ?? '' }
  const state = await context.storageState()
  await context.close()
  return { ids, state, pictures }
}

interface Row {
  readonly id: string
  readonly own_ms?: number
}

interface Picture {
  readonly name: string
  readonly png: Buffer
}

async function takeEntrance(browser: Browser, url: string): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const { name, options } of LOOKS) {
    const context = await browser.newContext({ baseURL: url, ...options })
    pictures.push(await take(await context.newPage(), { name: 'sign-in', path: '/sign-in' }, name))
    await context.close()
  }
  return pictures
}

async function take(page: Page, screen: Screen, look: string): Promise<Picture> {
  await page.goto(screen.path, { waitUntil: 'load' })
  await untilReady(page)
  await screen.prepare?.(page)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  return { name: `${screen.name}-${look}`, png }
}

function write({ name, png }: Picture): number {
  const small = toPalettePng(png)
  writeFileSync(path.join(IMAGES, `${name}.png`), small)
  console.log(`${name}.png  ${Math.round(small.length / KILOBYTE)} KB`)
  return small.length
}

async function run(wanted: readonly string[]): Promise<void> {
  const file = findChromium()
  if (file === null) throw new Error(`A picture ${NO_CHROMIUM}.`)
  mkdirSync(IMAGES, { recursive: true })
  const demo = await openDemo()
  const browser = await openChromium(file)
  try {
    const { ids, state, pictures } = await signIn(browser, demo.url)
    const isWanted = ({ name }: Pick<Screen, 'name'>): boolean =>
      wanted.length === 0 || wanted.includes(name)
    const screens = listScreens(ids).filter(isWanted)
    let bytes = 0
    if (isWanted({ name: 'sign-in' })) for (const picture of pictures) bytes += write(picture)
    for (const { name, options } of LOOKS) {
      const context = await browser.newContext({
        baseURL: demo.url,
        storageState: state,
        reducedMotion: 'reduce',
        ...options,
      })
      const page = await context.newPage()
      for (const screen of screens) bytes += write(await take(page, screen, name))
      await context.close()
    }
    console.log(`${(bytes / KILOBYTE / KILOBYTE).toFixed(1)} MB in docs/images`)
  } finally {
    await browser.close()
    await demo.close()
  }
}

await run(process.argv.slice(2))
