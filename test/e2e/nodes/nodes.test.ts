// Two proxies and an API as nodes of their own, with real processes on a real PostgreSQL.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import OpenAI from 'openai'
import { systemClock } from '../../../src/core/clock.ts'
import type { CompletenessAnswer, UsageEnvelope } from '../../../src/api/contract.ts'
import { listNamedMetrics } from '../../deploy/named-metrics.ts'
import { untilKeyKnown } from '../../fakes/callers/until-key-known.ts'
import { createCommandLineAt } from '../../fakes/command-line.ts'
import type { CommandResult } from '../../fakes/command-line.ts'
import { parseMetrics } from '../../fakes/parse-metrics.ts'
import { openTestDatabase } from '../../fakes/postgres/test-database.ts'
import { createEnvironment, openProgram, runWeir } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { openFakeUpstream } from '../../fakes/upstreams/upstream.ts'

const WAIT_MS_MAX = 120_000

interface ListedNode {
  readonly id: string
  readonly role: string
  readonly state: string
  readonly version: string
  readonly config_hash: string
  readonly clock_offset_ms: number
  readonly silent_ms: number
  readonly journal: { lag_bytes: number; forwarded: number; recorded: number } | null
  readonly warnings: readonly string[]
}

interface Figures {
  readonly forwarded: number
  readonly recorded: number
}

const closes: (() => unknown)[] = []
const context = { after: (close: () => unknown) => void closes.push(close) }
let settings: Readonly<Record<string, string>> = {}
let proxies: readonly Program[] = []
let api: Program
let weir: (...words: string[]) => Promise<CommandResult>
let key = ''
let token = ''

before(async () => {
  const upstream = await openFakeUpstream()
  context.after(() => upstream.close())
  settings = {
    SETTINGS_URL: await openTestDatabase(context),
    PROXY_WORKERS: '1',
    PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
  }
  const cwd = mkdtempSync(join(tmpdir(), 'weir-nodes-'))
  context.after(() => rmSync(cwd, { recursive: true }))
  const clock = {
    get nowMs() {
      return systemClock.now()
    },
  }
  const config = `settings: { url: ${JSON.stringify(settings['SETTINGS_URL'])} }`
  const line = createCommandLineAt(join(cwd, 'none'), clock, { hasData: false, settings: config })
  weir = line.weir
  assert.equal((await weir('migrate')).code, 0)
  proxies = [await open('proxy'), await open('proxy')]
  api = await open('api')
  key = (await json<{ key: string }>('keys', 'create', '--name', 'nodes')).key
  for (const { addresses } of proxies) await untilKeyKnown(addresses.proxy, key)
  const made = await json<{ token: string }>(
    'tokens',
    'create',
    '--name',
    'nodes',
    '--scope',
    'read:usage',
  )
  token = made.token
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function open(command: 'proxy' | 'api'): Promise<Program> {
  const program = await openProgram({ command, settings })
  context.after(() => program.close())
  return program
}

async function json<Shape>(...words: string[]): Promise<Shape> {
  const { code, out, err } = await weir(...words, '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out) as Shape
}

async function listNodes(): Promise<readonly ListedNode[]> {
  return (await json<{ nodes: readonly ListedNode[] }>('nodes')).nodes
}

async function call(program: Program): Promise<void> {
  const client = new OpenAI({
    baseURL: `${program.addresses.proxy}/v1/openai/v1`,
    apiKey: 'sk-test',
    defaultHeaders: { 'x-svc-api-key': key },
    maxRetries: 0,
  })
  await client.chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'hello' }],
  })
}

async function ask<Shape>(path: string): Promise<Shape> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${api.addresses.api}${path}`, { headers })
  const body = await response.json()
  assert.equal(response.status, 200, JSON.stringify(body))
  return body as Shape
}

/** Asked of each proxy: a token may ask the API only so often, and a command takes long. */
const untilRecorded = (calls: number): Promise<void> =>
  until(async () => {
    const answers = proxies.map(({ addresses }) => fetch(`${addresses.status}/metrics`))
    const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
    return texts.every((text) => text.includes(`\nweir_calls_recorded ${calls}\n`))
  })

async function until(isSo: () => Promise<boolean>, what?: () => string): Promise<void> {
  const endsAt = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < endsAt, what?.() ?? 'it never came to be')
    await pause(50)
  }
}

test('calls through either proxy are counted together by the API', async () => {
  for (const proxy of proxies) for (let count = 0; count < 3; count += 1) await call(proxy)
  await untilRecorded(3)
  const usage = await ask<UsageEnvelope>('/v1/usage?metric=requests&window=month_to_date')
  assert.equal(usage.rows[0]?.value, 6)
  const { forwarded, recorded } = await ask<Figures>('/v1/completeness')
  assert.deepEqual([forwarded, recorded], [6, 6])
})

test('every node is listed, with what belongs to it', async () => {
  await untilRecorded(3)
  let nodes: readonly ListedNode[] = []
  // A machine that has no time for them is late with heartbeats, and measures clocks badly.
  await until(
    async () => {
      nodes = await listNodes()
      const states = nodes.map(({ role, state }) => `${role} ${state}`)
      return (
        isDeepStrictEqual(states, ['api running', 'proxy running', 'proxy running']) &&
        nodes.every((node) => node.warnings.length === 0 && Math.abs(node.clock_offset_ms) < 1000)
      )
    },
    () => JSON.stringify(nodes),
  )
  assert.equal(new Set(nodes.map(({ config_hash }) => config_hash)).size, 1)
  const { out } = await weir('nodes')
  assert.match(out, /^NODE +HOST +ROLE +STATE +VERSION +CONFIG +LAG +CLOCK +SEEN$/m)
})

test('a proxy answers for its health and its figures on a port of its own', async () => {
  await untilRecorded(3)
  const [{ addresses }] = proxies as [Program]
  assert.equal((await fetch(`${addresses.status}/healthz`)).status, 200)
  const ready = await fetch(`${addresses.status}/readyz`)
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ok' }])
  const metrics = await (await fetch(`${addresses.status}/metrics`)).text()
  assert.ok(metrics.includes('\nweir_calls_recorded 3\n'))
  assert.equal((await fetch(`${addresses.status}/v1/usage`)).status, 404)
})

test('the nodes export every metric that alert rules and dashboard name', async () => {
  const exported = new Set(['up'])
  for (const url of [proxies[0]?.addresses.status, api.addresses.api]) {
    const families = parseMetrics(await (await fetch(`${url}/metrics`)).text())
    for (const { name, kind } of families.values()) {
      const suffixes = kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      for (const suffix of suffixes) exported.add(name + suffix)
    }
  }
  const named = listNamedMetrics()
  assert.ok(named.length > 30)
  assert.deepEqual(
    named.filter((name) => !exported.has(name)),
    [],
  )
})

test('a node that is drained stores its calls, leaves, and is listed as left', async () => {
  const [, second] = proxies as [Program, Program]
  await call(second)
  const drained = await second.json<{ stored: boolean }>('drain', '--timeout', '120')
  assert.equal(drained.stored, true)
  const { forwarded, recorded } = await ask<Figures>('/v1/completeness')
  assert.deepEqual([forwarded, recorded], [7, 7])
  const left = (await listNodes()).filter(({ state }) => state === 'left')
  assert.deepEqual(
    left.map(({ role, journal }) => [role, journal?.lag_bytes, journal?.recorded]),
    [['proxy', 0, 4]],
  )
  const again = await second.weir('drain')
  assert.equal(again.code, 1)
  assert.match(again.err, /No node is running/)
  assert.match((await weir('nodes', 'forget', left[0]?.id ?? '')).out, /no longer listed/)
})

test('the link of the first administrator is made once, by whoever asks', async () => {
  const { setup } = await json<{ setup: string }>('setup-link')
  assert.match(setup, /\/setup\?code=/)
  const again = await weir('setup-link')
  assert.equal(again.code, 1)
  assert.match(again.err, /weir users create/)
})

test('a proxy that is killed is named beside figures, with its calls in completeness', async () => {
  const [first] = proxies as [Program]
  first.signal('SIGKILL')
  const headers = { authorization: `Bearer ${token}` }
  let named: string | null = null
  await until(async () => {
    // A token may ask the API only so often.
    await pause(1000)
    const answer = await fetch(`${api.addresses.api}/v1/budgets`, { headers })
    named = answer.headers.get('weir-silent-nodes')
    return named !== null
  })
  const { nodes } = await ask<CompletenessAnswer>('/v1/completeness')
  const silent = nodes.filter((node) => node.silent)
  assert.deepEqual(
    silent.map(({ role, recorded, host, last_seen_at: at }) => [
      role,
      recorded,
      `${host} (since ${at})`,
    ]),
    [['proxy', 3, named]],
  )
})

test('without a database to share, a proxy alone is refused with what to do', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-nodes-'))
  context.after(() => rmSync(cwd, { recursive: true }))
  const env = createEnvironment({ DATA_DIR: join(cwd, 'data') })
  for (const role of ['proxy', 'api']) {
    const { code, err } = await runWeir([role], { cwd, env })
    assert.equal(code, 1)
    assert.match(err, /settings\.url is not set\.\nSet WEIR_SETTINGS_URL, or run weir start/)
  }
})
