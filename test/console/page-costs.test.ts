// What a page asks and draws for a large company, counted so that no machine is too slow for it:
// questions, bytes, elements, and the store's statements. A page that asks once for each key, draws
// every one of them or reads them all for fifty rows fails here. The times are in bench/console.ts.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'

import { systemClock } from '../../src/core/clock.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { openApiBeside } from '../fakes/open-api.ts'
import { byForm } from '../long-form.ts'
import { FIRST_PATHS, listPaths } from './list-pages.ts'
import { openPage } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { shareLargeCompany } from './share-large-company.ts'

/** Of any page; few come near one of them. */
const MOST = { questions: 11, alike: 4, bytes: 27_000, rows: 160, elements: 3000 }
/** Of the answers to one page's questions, by an API that has read the keys once. */
const MOST_OF_STORE = { statements: 66 }

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false
let scene: ConsoleScene
let company: Company

before(async () => {
  if (chromium !== null) ({ scene, company } = await shareLargeCompany(chromium))
})

interface Cost {
  /** `GET /v1/keys?limit=50`: a question that is repeated after a while counts once. */
  readonly questions: readonly string[]
  /** The most of one kind: `/v1/keys/…` of ten keys are ten. */
  readonly alike: number
  /** As they were sent. */
  readonly bytes: number
  readonly rows: number
  readonly elements: number
}

async function countCost(page: Page, path: string): Promise<Cost> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const asked = new Map<string, string>()
  const sizes = new Map<string, number>()
  client.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    const { pathname, search } = new URL(url)
    if (pathname.startsWith('/v1/')) asked.set(requestId, `${method} ${pathname}${search}`)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const question = asked.get(requestId)
    if (question !== undefined) sizes.set(question, encodedDataLength)
  })
  await openPage(page, path)
  await page.waitForLoadState('networkidle')
  const count = (selector: string): Promise<number> => page.locator(selector).count()
  const kinds = Map.groupBy(new Set(asked.values()), (question) =>
    question.replace(/\?.*/, '').replace(/svc_k_\w+/, ':id'),
  )
  return {
    questions: [...new Set(asked.values())],
    alike: Math.max(0, ...[...kinds.values()].map(({ length }) => length)),
    bytes: sizes.values().reduce((sum, size) => sum + size, 0),
    rows: await count('tbody tr, li, option'),
    elements: await count('*'),
  }
}

test('no page asks, draws or reads more for a large company', { skip }, async (t) => {
  const { context } = await scene.openSignedIn(company.session)
  const faults: string[] = []
  const asked = new Map<string, readonly string[]>()
  for (const path of byForm(FIRST_PATHS, listPaths(company))) {
    const page = await context.newPage()
    const { questions, ...cost } = await countCost(page, path)
    const figures = { ...cost, questions: questions.length }
    t.diagnostic(`${path} ${JSON.stringify(figures)}`)
    for (const [name, most] of Object.entries(MOST)) {
      const figure = figures[name as keyof typeof MOST]
      if (figure > most) faults.push(`${path}: ${figure} ${name}, ${most} at most`)
    }
    asked.set(path, questions)
    await page.close()
  }
  await context.close()
  for (const [path, statements] of await countStatements(asked)) {
    t.diagnostic(`${path} ${statements} statements`)
    if (statements > MOST_OF_STORE.statements) faults.push(`${path}: ${statements} statements`)
  }
  assert.deepEqual(faults, [])
})

/** Asked again of an API in this process, whose statements can be seen. */
async function countStatements(
  asked: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, number>> {
  const clock = { nowMs: 0, monotonicMs: 0, ...systemClock }
  const api = await openApiBeside({ dir: scene.program.dataDir, clock })
  const authorization = `Bearer ${company.token}`
  // The first question about keys reads them all, and remembers them.
  await api.get('/v1/keys?limit=1', authorization)
  let statements = 0
  const note = (): void => void (statements += 1)
  const ask = async (questions: readonly string[]): Promise<void> => {
    for (const question of questions) {
      const [method, at = ''] = question.split(' ')
      if (method === 'GET') await (await api.get(at, authorization)).arrayBuffer()
    }
  }
  subscribe('sqlite.db.query', note)
  const counts = new Map<string, number>()
  for (const [path, questions] of asked) {
    // Some answers are kept for a minute, and how old they are by now is up to the machine.
    await ask(questions)
    const before = statements
    await ask(questions)
    counts.set(path, statements - before)
  }
  unsubscribe('sqlite.db.query', note)
  await api.close()
  return counts
}
