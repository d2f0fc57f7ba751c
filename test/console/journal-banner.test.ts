// A disk that is full, as people see it: the banner above every page, the alert, and what is left
// of it when there is room again. Journals and databases are on that disk.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { Locator, Page } from 'playwright-core'

import type { JournalState } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { LONG_ONLY } from '../long-form.ts'
import { openWebhookReceiver } from '../fakes/peers/webhook-receiver.ts'
import type { ReceivedMessage, WebhookReceiver } from '../fakes/peers/webhook-receiver.ts'
import { mountSmallDisk, NEEDS_MOUNT } from '../fakes/small-disk.ts'
import type { SmallDisk } from '../fakes/small-disk.ts'
import { findBarriers, findFaintTextInDark } from './find-barriers.ts'
import { followPage, openConsoleScene, openPage, untilReady } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : LONG_ONLY || NEEDS_MOUNT
/** For the databases of the test and some journal. */
const DISK_BYTES = 24_000_000
const WAIT_MS_MAX = 120_000
const PHONE_WIDTH = 390
const LOST = 10
const CONFIG = `
proxy: { workers: 1 }
journal: { bufferBytesMax: 8192 }
alerts: { allowPrivateTargets: true }
`
const FAILING = 'The disk of this machine does not take the journal'

interface Scene extends ConsoleScene {
  readonly company: Company
  readonly disk: SmallDisk
}

async function openSmallScene(t: TestContext, webhook: string): Promise<Scene> {
  const seeded: Pick<Scene, 'company' | 'disk'>[] = []
  const prepare = async (dataDir: string): Promise<void> => {
    const disk = mountSmallDisk(dataDir, DISK_BYTES)
    seeded.push({ disk, company: await seedCompany(dataDir) })
    const settings = await openSettingsStore({ dataDir, clock: systemClock })
    await settings.targets.create({ kind: 'webhook', address: webhook, budgetId: null })
    await settings.close()
    writeFileSync(join(dirname(dataDir), 'weir.yaml'), CONFIG)
  }
  const scene = await openConsoleScene(t, { chromium: chromium ?? '', prepare })
  return { ...scene, ...(seeded[0] ?? assert.fail('the scene was not prepared')) }
}

/** Asks until it is so, and makes a call before each time. */
async function untilState(
  scene: Scene,
  key: string,
  isSo: (state: JournalState) => boolean,
): Promise<JournalState> {
  const headers = { authorization: `Bearer ${scene.company.token}` }
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    await call(scene, key)
    const response = await fetch(`${scene.url}/v1/journal`, { headers })
    const state = (await response.json()) as JournalState
    if (response.ok && isSo(state)) return state
    if (systemClock.monotonic() > until) throw new Error(`stayed ${JSON.stringify(state)}`)
    await pause(20)
  }
}

async function call({ program }: Scene, key: string): Promise<void> {
  const url = `${program.addresses.proxy}/v1/openai/v1/models`
  const response = await fetch(url, { headers: { 'x-svc-api-key': key } })
  await response.arrayBuffer()
  assert.equal(response.headers.get('x-svc-error'), null)
}

async function untilMessage(receiver: WebhookReceiver): Promise<ReceivedMessage> {
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const [message] = receiver.messages
    if (message !== undefined) return message
    assert.ok(systemClock.monotonic() < until, 'no alert came')
    await pause(20)
  }
}

const bannerOf = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('alert').filter({ hasText: title })

async function assertReadable(page: Page): Promise<void> {
  assert.deepEqual(await findBarriers(page), [])
  assert.deepEqual(await findFaintTextInDark(page), [])
  const size = page.viewportSize()
  await page.setViewportSize({ width: PHONE_WIDTH, height: 844 })
  await page.reload()
  await untilReady(page)
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE_WIDTH)
  if (size !== null) await page.setViewportSize(size)
}

async function assertShown(page: Page, dataDir: string): Promise<void> {
  await openPage(page, '/')
  await bannerOf(page, FAILING).waitFor()
  for (const path of ['/requests', '/keys', '/settings']) {
    await followPage(page, path)
    await bannerOf(page, FAILING).waitFor()
  }
  const text = await bannerOf(page, FAILING).innerText()
  assert.match(text, /Calls pass.* Since .* UTC \(ENOSPC\)/s)
  assert.ok(text.includes(`Free space in ${dataDir}`), text)
  await assertReadable(page)
}

async function assertAlerted(receiver: WebhookReceiver): Promise<void> {
  const { body } = await untilMessage(receiver)
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
  assert.deepEqual(
    [type, data['reason'], data['on_full'], data['directory']],
    ['journal.failing', 'ENOSPC', 'go-on', 'data'],
  )
}

async function watchOutage(scene: Scene, receiver: WebhookReceiver): Promise<void> {
  const { key } = await scene.program.json<{ key: string }>('keys', 'create', '--name', 'caller')
  const { page } = await scene.openSignedIn(scene.company.session)
  await openPage(page, '/')
  assert.equal(await page.getByRole('alert').count(), 0)

  scene.disk.fill()
  await untilState(scene, key, (state) => state.failing_since !== null)
  await assertShown(page, scene.program.dataDir)
  await assertAlerted(receiver)
  const { lost } = await untilState(scene, key, (state) => state.lost >= LOST)
  await openPage(page, '/')
  assert.match(await bannerOf(page, FAILING).innerText(), /[\d,]+ calls? could not be recorded/)

  scene.disk.free()
  const isOver = (state: JournalState): boolean =>
    state.failing_since === null && state.waiting === 0 && state.lost >= lost
  await untilState(scene, key, isOver)
  await openPage(page, '/budgets')
  const banner = bannerOf(page, /calls? could not be recorded/)
  assert.match(await banner.innerText(), /Compare the month/)
  await assertReadable(page)
  await banner.getByRole('button', { name: 'Dismiss' }).click()
  await banner.waitFor({ state: 'detached' })
  await openPage(page, '/')
  assert.equal(await page.getByRole('alert').count(), 0)
  assert.equal(receiver.messages.length, 1)
}

test('a full disk is shown on every page and alerted, until there is room', { skip }, async (t) => {
  const receiver = await openWebhookReceiver(t)
  const scene = await openSmallScene(t, receiver.url)
  try {
    await watchOutage(scene, receiver)
  } finally {
    // Before the scene removes what the disk is mounted on.
    await scene.program.stop()
    scene.disk.unmount()
  }
})
