// A first day with Weir, in a real browser, by what a person sees: roles and labels. One story:
// each step depends on those before it; what follows a failed step is not tried.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createSdk } from '../e2e/scene.ts'
import { findChromium, NO_CHROMIUM } from '../fakes/chromium.ts'
import { findBarriers } from './find-barriers.ts'
import { followPage, openConsoleScene, openPage, untilReady } from './open-scene.ts'
import type { ConsoleScene, Guest } from './open-scene.ts'

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a river runs downhill' }
const GRACE = { name: 'Grace', email: 'grace@example.com', password: 'a weir holds it back' }
const MODEL = 'acme/writer'
/** A running proxy receives a change within a second; the rest is for a slow machine. */
const KNOWN_MS_MAX = 120_000
/** What is offered only to users who may change things. */
const CHANGING =
  /\b(create|make|new|rotate|revoke|save|edit|delete|remove|add|invite|manage|set|reprice|send)\b/i
const SCREENS = [
  '/',
  '/start',
  '/keys',
  '/tokens',
  '/budgets',
  '/budgets?tab=targets',
  '/prices',
  '/prices?tab=overrides',
  '/prices?tab=missing',
  '/settings?tab=users',
] as const

interface Call {
  readonly status: number
  readonly code: string | null
}

interface CallOptions {
  readonly costUsd: string
  readonly team?: string
}

const chromium = findChromium()
const skip = chromium === null ? NO_CHROMIUM : false

test('a first day, from the first sign-in to the last sign-out', { skip }, async (t) => {
  const scene = await openConsoleScene(t, { chromium: chromium ?? '', workers: 2 })
  const ada = await scene.openGuest()
  const grace = await scene.openGuest()
  const { page } = ada
  const secrets = { first: '', job: '', token: '' }
  let broken: string | null = null

  const step = async (title: string, run: () => Promise<void>): Promise<void> => {
    const because = broken === null ? false : `depends on: ${broken}`
    await t.test(title, { skip: because }, async (each) => {
      broken = title
      try {
        await run()
      } catch (error) {
        for (const { page: shown } of [ada, grace]) each.diagnostic(await describePage(shown))
        throw error
      }
      broken = null
    })
  }

  await step('the printed link creates the first administrator', async () => {
    await page.goto(scene.program.addresses.setup ?? '')
    await page.getByLabel('Name').fill(ADA.name)
    await page.getByLabel('Email').fill(ADA.email)
    await page.getByLabel('Password', { exact: true }).fill(ADA.password)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await heading(page, 'Connect').waitFor()
  })

  await step('the first page creates a key and shows its first call arrive', async () => {
    await page.getByLabel('Key name').fill('Search')
    await page.getByRole('button', { name: 'Create key' }).click()
    secrets.first = await readSecret(page, 'the key')
    await page.getByText('Waiting for a call with this key').waitFor()
    const made = await untilCall(scene, secrets.first, { status: 200, costUsd: '0.25' })
    assert.equal(made.status, 200)
    await page.getByText(/call arrived/).waitFor()
  })

  await step('the call is shown for the tool and the provider of choice', async () => {
    const base = `${scene.program.addresses.proxy}/v1`
    await field(page, 'Tool').click()
    await page.getByRole('option', { name: 'Codex', exact: true }).click()
    assert.ok((await readSecret(page, 'the file for Codex')).includes(`"${base}/openai/v1"`))
    const variables = await readSecret(page, 'the variables for Codex')
    assert.ok(variables.startsWith(`export WEIR_KEY=${secrets.first}\n`), variables)
    // Nothing is stored for the provider, and the key needs no dimension.
    assert.equal(await page.getByText('With a stored credential').count(), 0)
    assert.doesNotMatch(variables, /DIMS/)
    assert.deepEqual(await findBarriers(page), [])
    await field(page, 'Provider').click()
    await page.getByRole('option', { name: 'anthropic', exact: true }).click()
    const curl = await readSecret(page, 'the call with curl')
    assert.ok(curl.includes(`${base}/anthropic/v1/chat/completions`), curl)
  })

  await step('Overview shows what it cost', async () => {
    await page.getByRole('link', { name: 'Go to Overview' }).click()
    await heading(page, 'Overview').waitFor()
    await page.locator('[data-figure="today"]', { hasText: '$0.25' }).waitFor()
    await page.locator('[data-figure="month"]', { hasText: '$0.25' }).waitFor()
    await page.getByRole('list', { name: 'This month by model' }).getByText(MODEL).waitFor()
  })

  await step('Requests shows it, and explains it', async () => {
    await follow(page, 'Requests')
    const row = page.getByRole('row').filter({ hasText: MODEL })
    await row.getByText('Delivered').waitFor()
    await row.getByText('$0.25').waitFor()
    await row.getByRole('link').first().click()
    await heading(page, 'Request').waitFor()
    await untilReady(page)
    const main = page.getByRole('main')
    for (const word of [MODEL, 'Delivered', '$0.25', 'Stated in the response', 'team', 'search']) {
      await main.getByText(word).first().waitFor()
    }
  })

  await step('a key is made, its secret shown once', async () => {
    await follow(page, 'API keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an API key' })
    await dialog.getByLabel('Name').fill('Billing job')
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Create key' }).click()
    secrets.job = await readSecret(page, 'the new key')
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('row', { name: /Billing job/ }).waitFor()
    assert.ok(!(await page.content()).includes(secrets.job), 'the secret is gone from the page')
  })

  await step('a policy is tried before it is saved, and then denies', async () => {
    await page.getByRole('link', { name: /Billing job/ }).click()
    await heading(page, 'Billing job').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    const models = field(page, 'Allowed models')
    await models.fill('gpt-5.4-m')
    await page.getByRole('option', { name: 'openai/gpt-5.4-mini', exact: true }).waitFor()
    await models.fill('gpt-5.4-mnii')
    await models.press('Enter')
    await page
      .getByText(/^gpt-5\.4-mnii matches no model .* Did you mean gpt-5\.4-mini\?$/)
      .waitFor()
    await models.press('Backspace')
    await models.fill('openai/*')
    await models.press('Enter')
    await field(page, 'Provider').click()
    await page.getByRole('option', { name: 'gateway', exact: true }).click()
    await field(page, 'Model').fill(MODEL)
    await page.getByText('No, it would be refused').waitFor()
    await field(page, 'Model').fill('openai/gpt-4o-mini')
    await page.getByText('Yes, it can').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Billing job is saved').waitFor()
    // Free: some may pass before the proxy knows.
    const denied = await untilCall(scene, secrets.job, { status: 403, costUsd: '0' })
    assert.equal(denied.code, 'model_not_allowed')
    // Live: the page may come before the record does.
    await openPage(page, '/requests?status=denied&live=true')
    const row = page.getByRole('row').filter({ hasText: 'Denied by Weir' })
    await row.getByText('Billing job').waitFor()
    // The list, and the page of the call, say once what the caller got.
    await row.getByText('403 model_not_allowed', { exact: true }).waitFor()
    await row.getByRole('link').first().click()
    await heading(page, 'Request').waitFor()
    await page.getByText('403 model_not_allowed', { exact: true }).waitFor()
    assert.equal(await page.getByText('model_not_allowed').count(), 1)
    assert.equal(await page.getByText(/\b403\b/).count(), 1)
    // The call's address has the list's filters: they are there again on the way back.
    await page.reload()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await heading(page, 'Requests').waitFor()
    assert.equal(new URL(page.url()).search, '?status=denied&live=true')
    await page.goBack()
    await heading(page, 'Request').waitFor()
    await page.goForward()
    await row.getByText('Billing job').waitFor()
  })

  await step('Connect shows a key that is there the calls that it may make', async () => {
    await follow(page, 'Connect')
    await heading(page, 'Connect').waitFor()
    await field(page, 'Or use a key that you have').fill('Billing')
    await page.getByRole('option', { name: 'Billing job' }).click()
    await page.getByText('Waiting for a call with this key').waitFor()
    await field(page, 'Tool').click()
    await page.getByRole('option', { name: 'Codex', exact: true }).click()
    assert.match(await readSecret(page, 'the file for Codex'), /\/v1\/openai\/v1"/)
    assert.deepEqual(await findBarriers(page), [])
    // Its call of a moment ago is not taken for the one that is waited for.
    assert.equal(await page.getByText(/call arrived/).count(), 0)
    await untilCall(scene, secrets.job, { status: 403, costUsd: '0' })
    await page.getByText(/call arrived/).waitFor()
  })

  await step('a token is made, and asks the API', async () => {
    await follow(page, 'Access tokens')
    await page.getByRole('button', { name: 'Create a token' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create an access token' })
    await dialog.getByLabel('Name').fill('Dashboard')
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Create token' }).click()
    secrets.token = await readSecret(page, 'the new token')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('row', { name: /Dashboard/ }).waitFor()
    const asked = await askUsage(scene, secrets.token)
    assert.deepEqual([asked.status, asked.value], [200, 0.25])
    assert.equal((await askUsage(scene, 'svc_agt_nobody.secret')).status, 401)
  })

  await step('a budget is made, fires and refuses', async () => {
    await follow(page, 'Budgets')
    await page.getByRole('button', { name: 'Create a budget' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create a budget' })
    await dialog.getByLabel('Name').fill('The search team')
    await dialog.getByRole('radio', { name: 'A dimension' }).check()
    await dialog.getByLabel('Dimension', { exact: true }).fill('team')
    await dialog.getByLabel('Value').fill('search')
    await dialog.getByLabel('Limit in USD').fill('1')
    await dialog.getByLabel('Refuse calls once the limit is reached').check()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Create budget' }).click()
    await page.getByRole('link', { name: 'The search team' }).waitFor()
    await untilCall(scene, secrets.first, { status: 402, costUsd: '0.5' })
    // Other people's calls continue.
    assert.equal((await call(scene, secrets.first, { costUsd: '0', team: 'mail' })).status, 200)
    await untilShown(page, '/budgets?tab=alerts', 'The search team')
    await page.getByText('See the budget').first().click()
    await page.getByText('Refusing calls').filter({ visible: true }).waitFor()
  })

  await step('a rotated key works with its new secret alone', async () => {
    await follow(page, 'API keys')
    await page.getByRole('link', { name: /Search/ }).click()
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    const before = secrets.first
    secrets.first = await readSecret(page, 'the new key')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    // Workers receive it one by one.
    await untilCall(scene, before, { status: 401, costUsd: '0', team: 'mail' })
    await untilCall(scene, secrets.first, { status: 200, costUsd: '0', team: 'mail' })
  })

  await step('a revoked key is refused', async () => {
    await page.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke key Search?' })
    await dialog.getByLabel('Type Search to confirm').fill('Search')
    const answered = page.waitForResponse(/\/revoke$/)
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    assert.equal((await answered).status(), 200)
    const last = await untilCall(scene, secrets.first, { status: 401, costUsd: '0', team: 'mail' })
    assert.equal(last.code, 'revoked_api_key')
    await page.getByText('Calls with this key have been refused').waitFor()
  })

  await step('Audit shows who did all that', async () => {
    await follow(page, 'Audit')
    await untilReady(page)
    const table = page.getByRole('table', { name: /audit/i })
    for (const word of ['Billing job', 'The search team', 'Dashboard']) {
      await table.getByText(word).first().waitFor()
    }
    await table.getByText(ADA.email).or(table.getByText(ADA.name)).first().waitFor()
  })

  await step('a viewer is invited by a link, and offered no change', async () => {
    await openPage(page, '/settings?tab=users')
    await page.getByRole('button', { name: 'Invite a user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a user' })
    await dialog.getByLabel('Email').fill(GRACE.email)
    await dialog.getByLabel('Name').fill(GRACE.name)
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await readSecret(page, 'the sign-in link')
    await grace.page.goto(link)
    await grace.page.getByLabel('Password', { exact: true }).fill(GRACE.password)
    await grace.page.getByRole('button', { name: 'Set password and sign in' }).click()
    await heading(grace.page, 'Overview').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await openPage(grace.page, '/requests')
    const offers: string[] = []
    for (const path of SCREENS) offers.push(...(await listOffers(grace, path)))
    assert.deepEqual(offers, [])
    await grace.page
      .getByText('Your role can view')
      .or(grace.page.getByText('administrator'))
      .first()
      .waitFor()
  })

  await step('what a viewer asks for anyway is refused', async () => {
    assert.deepEqual(await changeEverything(grace.page), [])
  })

  await step('a session that ended leads to sign-in, and back', async () => {
    const asked = '/explore?range=today&group_by=provider'
    await openPage(grace.page, asked)
    await endSessions(scene, GRACE.email)
    await grace.page.getByRole('link', { name: 'Requests' }).click()
    await heading(grace.page, 'Sign in').waitFor()
    await grace.page.getByText(/session (has )?ended/i).waitFor()
    await grace.page.getByLabel('Email').fill(GRACE.email)
    await grace.page.getByLabel('Password', { exact: true }).fill(GRACE.password)
    await grace.page.getByRole('button', { name: 'Sign in' }).click()
    await heading(grace.page, 'Requests').waitFor()
  })

  await step('signing out ends the session, here and at the server', async () => {
    const cookies = await ada.context.cookies()
    const cookie = cookies.find(({ name }) => name === 'weir_session')
    await page.getByRole('button', { name: `Account: ${ADA.name}` }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    const headers = { cookie: `weir_session=${cookie?.value}` }
    assert.equal((await fetch(`${scene.url}/v1/session`, { headers })).status, 401)
    await page.goto('/keys?order=name')
    await heading(page, 'Sign in').waitFor()
    await page.getByLabel('Email').fill(ADA.email)
    await page.getByLabel('Password', { exact: true }).fill(ADA.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'API keys').waitFor()
    assert.equal(new URL(page.url()).search, '?order=name')
  })

  await step('no page reported an error', async () => {
    assert.deepEqual(ada.complaints.list('401 /v1/session'), [])
    const refused = CHANGES.map(({ path }) => `403 ${path}`)
    assert.deepEqual(grace.complaints.list(...refused, ...GRACE_ENDED), [])
  })
})

/** Asked by a page whose session ended meanwhile. */
const GRACE_ENDED = [
  '401 /v1/session',
  '401 /v1/requests',
  '401 /v1/usage',
  '401 /v1/analysis',
  '401 /v1/views',
  '401 /v1/keys',
  '401 /v1/info',
]

function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { level: 1, name, exact: true })
}

/** What stood there when a step failed. */
async function describePage(page: Page): Promise<string> {
  return `${page.url()}\n${await page.locator('body').innerText()}`
}

async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
}

/** The text beside the button that copies it. */
async function readSecret(page: Page, label: string): Promise<string> {
  const button = page.getByRole('button', { name: `Copy: ${label}`, exact: true })
  const text = await page.locator('.code', { has: button }).locator('code').innerText()
  return text.trim()
}

/** One that also offers a list. */
function field(page: Page, name: string): Locator {
  return page.getByRole('combobox', { name, exact: true })
}

async function call(scene: ConsoleScene, secret: string, options: CallOptions): Promise<Call> {
  const { costUsd, team = 'search' } = options
  const headers = { 'X-SVC-API-Key': secret, 'X-SVC-Dims': `team=${team}` }
  const sdk = createSdk(`${scene.program.addresses.proxy}/v1/gateway/v1`, headers)
  const made = sdk.chat.completions.create({
    model: MODEL,
    messages: [{ role: 'user', content: 'Where are rivers measured?' }],
    metadata: { cost: costUsd },
  })
  return made.then(
    () => ({ status: 200, code: null }),
    (error: { status: number; code: string | null }) => ({
      status: error.status,
      code: error.code,
    }),
  )
}

/** Calls until it is answered so. */
async function untilCall(
  scene: ConsoleScene,
  secret: string,
  options: CallOptions & { readonly status: number },
): Promise<Call> {
  const until = systemClock.monotonic() + KNOWN_MS_MAX
  for (;;) {
    const made = await call(scene, secret, options)
    if (made.status === options.status) return made
    assert.ok(systemClock.monotonic() < until, `${JSON.stringify(made)}, not ${options.status}`)
    await pause(20)
  }
}

async function untilShown(page: Page, path: string, text: string): Promise<void> {
  const until = systemClock.monotonic() + KNOWN_MS_MAX
  for (;;) {
    await openPage(page, path)
    if ((await page.getByRole('main').getByText(text).count()) > 0) return
    assert.ok(systemClock.monotonic() < until, `${path} does not show ${text}`)
  }
}

async function askUsage(
  { url }: ConsoleScene,
  token: string,
): Promise<{ readonly status: number; readonly value: number | undefined }> {
  const response = await fetch(`${url}/v1/usage?metric=cost_usd&window=today`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { rows } = (await response.json()) as { rows?: readonly { value: number }[] }
  return { status: response.status, value: rows?.[0]?.value }
}

interface Named {
  readonly textContent: string
  getAttribute(name: string): string | null
}

/** The buttons of a screen that would change something, as `path: name`. */
async function listOffers({ page }: Guest, path: string): Promise<string[]> {
  await followPage(page, path)
  const buttons = page.getByRole('main').getByRole('button').filter({ visible: true })
  const names = await buttons.evaluateAll((all) =>
    (all as unknown as readonly Named[]).map(
      (button) => button.getAttribute('aria-label') ?? button.textContent,
    ),
  )
  return names.filter((name) => CHANGING.test(name)).map((name) => `${path}: ${name}`)
}

const CHANGES = [
  { method: 'POST', path: '/v1/keys', body: { name: 'x' } },
  { method: 'PATCH', path: '/v1/keys/svc_k_x', body: { name: 'x' } },
  { method: 'POST', path: '/v1/keys/svc_k_x/rotate' },
  { method: 'POST', path: '/v1/keys/svc_k_x/end-grace' },
  { method: 'POST', path: '/v1/keys/svc_k_x/revoke' },
  { method: 'GET', path: '/v1/tokens' },
  { method: 'POST', path: '/v1/tokens', body: { name: 'x', scopes: ['admin'] } },
  { method: 'POST', path: '/v1/tokens/svc_agt_x/revoke' },
  { method: 'POST', path: '/v1/budgets', body: { name: 'x' } },
  {
    method: 'POST',
    path: '/v1/targets',
    body: { kind: 'webhook', address: 'https://example.com' },
  },
  { method: 'POST', path: '/v1/prices/rules', body: { provider: 'x' } },
  { method: 'POST', path: '/v1/prices/reprice', body: {} },
  { method: 'POST', path: '/v1/prices/update', body: { check: true } },
  { method: 'GET', path: '/v1/users' },
  { method: 'POST', path: '/v1/users', body: { email: 'x@example.com', name: 'x', role: 'admin' } },
  { method: 'GET', path: '/v1/audit' },
] as const

/** By a script on the console's own page. Returns those that were not refused. */
async function changeEverything(page: Page): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { method, path, ...rest } of CHANGES) {
    const body = 'body' in rest ? JSON.stringify(rest.body) : undefined
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const options = JSON.stringify({ method, body, headers })
    const status = await page.evaluate(
      `fetch(${JSON.stringify(path)}, ${options}).then((response) => response.status)`,
    )
    if (status !== 403) faults.push(`${method} ${path}: ${String(status)}`)
  }
  return faults
}

async function endSessions({ program }: ConsoleScene, email: string): Promise<void> {
  const settings = await openSettingsStore({ dataDir: program.dataDir, clock: systemClock })
  try {
    const user = await settings.users.find({ email })
    for (const { id } of await settings.sessions.list(user?.id ?? '')) {
      assert.ok(await settings.sessions.end(id))
    }
  } finally {
    await settings.close()
  }
}
