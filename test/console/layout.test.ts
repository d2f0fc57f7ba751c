// How every screen looks for a large company, whose names are longer than any column: nothing is
// cut off without a way to read it, nothing scrolls sideways, nothing moves once it is drawn, and
// nobody is shut out. The short form opens what people open first, the long form everything.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'

import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { byForm } from '../long-form.ts'
import { findBarriers } from './find-barriers.ts'
import { findLayoutFaults, watchShifts } from './find-layout-faults.ts'
import { openPage } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { FIRST_PATHS, listPaths, shareLargeCompany } from './share-large-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
const PHONE_WIDTH = 390
/** A busy machine answers later than a page waits for it, and then in another order each time. */
const LOOKS_MAX = 3

let scene: ConsoleScene
let company: Company

before(async () => {
  if (chromium !== null) ({ scene, company } = await shareLargeCompany(chromium))
})

for (const width of byForm([1280, PHONE_WIDTH], [1280, 1440, PHONE_WIDTH])) {
  test(`nothing is cut off, moves or scrolls sideways at ${width} px`, { skip }, async () => {
    const { context, complaints } = await scene.openSignedIn(company.session, {
      viewport: { width, height: 800 },
    })
    await watchShifts(context)
    const page = await context.newPage()
    const faults: string[] = []
    for (const path of byForm(FIRST_PATHS, listPaths(company))) {
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
