// How every screen looks for a large company, whose names are longer than any column: nothing is
// cut off without a way to read it, nothing scrolls sideways, nothing moves once it is drawn, and
// nobody is shut out. The short form opens what people open first, the long form everything.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'

import type { BudgetList } from '../../src/api/contract.ts'
import {
  BUDGET_TABS,
  KEY_TABS,
  PRICE_TABS,
  SETTINGS_TABS,
  TEAM_TABS,
} from '../../console/src/data/page-search.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { byForm, LONG_ONLY } from '../long-form.ts'
import { findBarriers, findFaintTextInDark } from './find-barriers.ts'
import { findLayoutFaults, watchShifts } from './find-layout-faults.ts'
import { ENTRANCES, FIRST_PATHS, listOpened, listPaths } from './list-pages.ts'
import { openPage } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { shareLargeCompany } from './share-large-company.ts'

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
  const viewport = { width, height: 800 }

  test(`nothing is cut off, moves or scrolls sideways at ${width} px`, { skip }, async () => {
    const { context, complaints } = await scene.openSignedIn(company.session, { viewport })
    await watchShifts(context)
    const page = await context.newPage()
    const faults: string[] = []
    const paths = byForm(FIRST_PATHS, [...listPaths(company), await findBudget()])
    for (const path of paths) faults.push(...(await lookAt(page, path)))
    assert.deepEqual([...faults, ...complaints.list()], [])
    await context.close()
  })

  test(
    `no dialog or list that opens is cut off at ${width} px`,
    { skip: skip || LONG_ONLY },
    async () => {
      const { context } = await scene.openSignedIn(company.session, { viewport })
      await watchShifts(context)
      const page = await context.newPage()
      const faults: string[] = []
      for (const [path, ...names] of listOpened(company)) {
        faults.push(...(await lookAt(page, path, names)))
      }
      assert.deepEqual(faults, [])
      await context.close()
    },
  )

  test(`no entrance is cut off at ${width} px`, { skip: skip || LONG_ONLY }, async () => {
    const { context } = await scene.openGuest({ viewport })
    await watchShifts(context)
    const page = await context.newPage()
    const faults: string[] = []
    for (const path of ENTRANCES) faults.push(...(await lookAt(page, path)))
    assert.deepEqual(faults, [])
    await context.close()
  })
}

test('every screen of the console is looked at, in each of its tabs', { skip }, async () => {
  const looked = [...listPaths(company), ...ENTRANCES].map((path) => new URL(path, scene.url))
  const names = looked.map(({ pathname }) =>
    [company.keyId, company.teamId, company.requestId].reduce(
      (path, id) => path.replace(id, '$id'),
      pathname,
    ),
  )
  const routes = await readFile(new URL('../../console/src/routes.tsx', import.meta.url), 'utf8')
  for (const [, path = ''] of routes.matchAll(/^ {2}path: '(.+)',$/gm)) {
    assert.ok(names.includes(path), path)
  }
  const tabs = {
    '/keys/$id': KEY_TABS,
    '/teams/$id': TEAM_TABS,
    '/budgets': BUDGET_TABS,
    '/prices': PRICE_TABS,
  }
  for (const [path, all] of Object.entries({ ...tabs, '/settings': SETTINGS_TABS })) {
    const there = looked.filter((_, place) => names[place] === path)
    const opened = new Set(there.map(({ searchParams }) => searchParams.get('tab') ?? all[0]))
    assert.deepEqual([...opened].toSorted(), [...all].toSorted(), path)
  }
})

/** A budget, open below its row. */
async function findBudget(): Promise<string> {
  const headers = { authorization: `Bearer ${company.token}` }
  const response = await fetch(`${scene.url}/v1/budgets`, { headers })
  const { rows } = (await response.json()) as BudgetList
  return `/budgets#${rows[0]?.id}`
}

/** With what opens when these are pressed. */
async function lookAt(
  page: Page,
  path: string,
  names: readonly string[] = [],
): Promise<readonly string[]> {
  const isPhone = page.viewportSize()?.width === PHONE_WIDTH
  for (let looks = 1; ; looks += 1) {
    await page.goto('about:blank')
    await openPage(page, path)
    for (const name of names) await page.getByRole('button', { name }).first().click()
    const layout = await findLayoutFaults(page, { mayTablesScroll: isPhone })
    const faults = [...(layout.length === 0 ? await findBarriers(page) : layout)]
    if (faults.length === 0 && !isPhone) faults.push(...(await findFaintTextInDark(page)))
    if (faults.length === 0 || looks === LOOKS_MAX) {
      return faults.map((fault) => `${[path, ...names].join(', ')}: ${fault}`)
    }
  }
}
