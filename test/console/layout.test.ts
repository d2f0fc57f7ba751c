// How every screen looks for a large company, whose names are longer than any column: nothing is
// cut off without a way to read it, nothing scrolls sideways, nothing moves once it is drawn, and
// nobody is shut out. The short form opens what people open first, the long form everything.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'

import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { byForm } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { findLayoutFaults, watchShifts } from './find-layout-faults.ts'
import { openConsoleScene, openPage } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { seedLargeCompany } from './seed-large-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const PHONE_WIDTH = 390
/** A busy machine answers later than a page waits for it, and then in another order each time. */
const LOOKS_MAX = 3

const closes: (() => Promise<void>)[] = []
let scene: ConsoleScene
let company: Company

before(async () => {
  if (chromium === null) return
  const prepare = async (dataDir: string): Promise<void> => {
    company = await seedLargeCompany(dataDir)
  }
  scene = await openConsoleScene({ after: (close) => closes.push(close) }, { chromium, prepare })
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

const FIRST = ['/?group_by=dim:team', '/requests', '/keys'] as const

function listPaths({ keyId, requestId }: Company): readonly string[] {
  const month = '/explore?range=last_30_days'
  return [
    ...FIRST,
    `${month}&group_by=dim:team&compare=previous`,
    `${month}&group_by=dim:team&group_by=model`,
    `${month}&group_by=api_key&interval=none`,
    '/performance?group_by=model',
    '/performance?group_by=api_key',
    `/requests/${requestId}`,
    `/keys/${keyId}`,
    '/tokens',
    '/budgets',
    '/budgets?tab=alerts',
    '/budgets?tab=targets',
    '/prices',
    '/prices?tab=overrides',
    '/prices?tab=missing',
    '/audit',
    '/settings',
    '/settings?tab=providers',
    '/settings?tab=users',
    '/settings?tab=account',
    '/start',
  ]
}

for (const width of byForm([1280, PHONE_WIDTH], [1280, 1440, PHONE_WIDTH])) {
  test(`nothing is cut off, moves or scrolls sideways at ${width} px`, { skip }, async () => {
    const { context, complaints } = await scene.openSignedIn(company.session, {
      viewport: { width, height: 800 },
    })
    await watchShifts(context)
    const page = await context.newPage()
    const faults: string[] = []
    for (const path of byForm<readonly string[]>(FIRST, listPaths(company))) {
      const found = await lookAt(page, path)
      faults.push(...found.map((fault) => `${path}: ${fault}`))
    }
    assert.deepEqual([...faults, ...complaints.list()], [])
    await context.close()
  })
}

async function lookAt(page: Page, path: string): Promise<readonly string[]> {
  const mayTablesScroll = page.viewportSize()?.width === PHONE_WIDTH
  for (let looks = 1; ; looks += 1) {
    await openPage(page, path)
    const layout = await findLayoutFaults(page, { mayTablesScroll })
    const faults = layout.length === 0 ? await findBarriers(page) : layout
    if (faults.length === 0 || looks === LOOKS_MAX) return faults
  }
}
