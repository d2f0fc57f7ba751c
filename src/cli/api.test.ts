// Every command, with and without --url: those that read print the same from the data directory and
// over the API, those that change do it there, and the others say that they cannot.

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { batchOf, createRecord } from '../../test/contracts/usage-scene.ts'
import { createCommandLineAt, runMain } from '../../test/fakes/command-line.ts'
import type { CommandLine } from '../../test/fakes/command-line.ts'
import { openApi } from '../../test/fakes/open-api.ts'
import type { OpenApi } from '../../test/fakes/open-api.ts'
import { toSessionId } from '../api/sessions/session-query.ts'
import { createRequestId } from '../core/ids.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import { createPriceTables } from '../pricing/tables/price-tables.ts'
import { priceUse } from '../pricing/tables/price.ts'
import { toStoredPrice } from '../pricing/tables/price-sheet.ts'
import { COMMANDS } from './commands.ts'

const NOW = Date.parse('2026-10-20T12:00:00.000Z')
const DAY_MS = 86_400_000
const PRICED = createRequestId(NOW - 5000)
const UNPRICED = createRequestId(NOW - 4000)

let api: OpenApi
let line: CommandLine
let keyId: string
let budgetId: string
let admin: string
let priceFile: string

const toToken = (header: string): string => header.replace('Bearer ', '')

before(async () => {
  api = await openApi(NOW)
  line = createCommandLineAt(api.dir, api.clock)
  admin = toToken(await api.authorize('admin'))
  priceFile = `${api.dir}.json`
  writeFileSync(priceFile, JSON.stringify(PRICES))
  await createSettings()
  const agent = { session: 's-1', toolVersion: '2.1.197' }
  await storeCall({ id: PRICED, model: 'gpt-4o', keyId, dims: { team: 'search' }, agent })
  await storeCall({ id: UNPRICED, model: 'no-such-model', keyId: null })
  await storeCall({ id: createRequestId(NOW - 3000), model: null, tokens: null, usage: 'none' })
  await storeCall({ id: createRequestId(NOW - DAY_MS), model: 'gpt-4o-mini', keyId })
  await createAlert()
})

after(async () => {
  await api.close()
  rmSync(priceFile)
})

// Whoever runs the tests may have set them.
beforeEach(() => {
  delete process.env['WEIR_URL']
  process.env['WEIR_TOKEN'] = admin
})
after(() => delete process.env['WEIR_TOKEN'])

const PRICES = {
  format: 'weir-prices/1',
  version: 'acme-2026-10',
  published_at: '2026-10-19T00:00:00Z',
  models: [{ provider: 'openai', names: ['acme-9'], prices: [{ rates: { input: '1' } }] }],
}

async function createSettings(): Promise<void> {
  const { json } = line
  const limits = ['--allow-model', 'openai/*', '--rpm', '60', '--owner', 'Ann', '--expires', '30d']
  keyId = (await json<{ id: string }>('keys', 'create', '--name', 'Nightly', ...limits)).id
  const { id: old } = await json<{ id: string }>('keys', 'create', '--name', 'Old')
  await json('keys', 'revoke', old)
  await json('keys', 'rotate', keyId, '--grace', '24h')
  await json('users', 'create', '--email', 'a@b.example', '--role', 'viewer')
  await json('teams', 'create', '--name', 'Search', '--slug', 'search')
  await json('teams', 'add', 'search', 'a@b.example', '--lead')
  const budget = ['--name', 'all', '--limit-usd', '100', '--period', 'month', '--scope', 'global']
  budgetId = (await json<{ id: string }>('budgets', 'create', ...budget)).id
  await json('alerts', 'add', '--webhook', 'https://hooks.example.com/a/b')
  const rates = ['--input', '2', '--output', '8', '--note', 'Contract']
  await json('prices', 'set', 'openai', 'gpt-4o', ...rates)
  await json('prices', 'set', 'anthropic', 'claude-*', '--multiplier', '0.8')
}

const BOOK = createPriceTables({})

async function storeCall(changes: Partial<UsageEvent> & { readonly id: string }): Promise<void> {
  const times = { startedAt: NOW - 5000, endedAt: NOW - 4000 }
  const { event } = createRecord({ provider: 'openai', ...times, ...changes })
  const { cost, entries } = priceUse(event, BOOK)
  const prices = entries.map(toStoredPrice)
  await api.store.writeBatch({ ...batchOf({ event, cost }), prices })
}

async function createAlert(): Promise<void> {
  const data = {
    budget: { id: budgetId, name: 'all', scope: 'global' },
    threshold_percent: 50,
    spent_usd: 60,
    limit_usd: 100,
    period_end: '2026-11-01T00:00:00.000Z',
  }
  const timestamp = new Date(NOW).toISOString()
  const body = JSON.stringify({ type: 'budget.threshold', timestamp, data })
  const alert = { id: 'msg_1', kind: 'budget.threshold', budgetId, at: NOW, body } as const
  await api.settings.alerts.take([alert], 1)
}

/** At least a row for each command that takes --url; functions, as the ids are made first. */
const READING: readonly (() => readonly string[])[] = [
  () => ['keys', 'list'],
  () => ['keys', 'check', keyId, '--provider', 'openai', '--model', 'gpt-4o'],
  () => ['keys', 'check', keyId, '--provider', 'anthropic', '--model', 'claude-sonnet-4-5'],
  () => ['teams', 'list'],
  () => ['teams', 'show', 'search'],
  () => ['teams', 'members', 'search'],
  () => ['tokens', 'list'],
  () => ['users', 'list'],
  () => ['budgets', 'list'],
  () => ['budgets', 'near'],
  () => ['asks', 'list'],
  () => ['budgets', 'show', budgetId],
  () => ['budgets', 'members', budgetId],
  () => ['alerts', 'list'],
  () => ['alerts', 'list', '--budget', budgetId, '--limit', '1'],
  () => ['alerts', 'targets'],
  () => ['audit', '--noun', 'key'],
  () => ['prices', 'list'],
  () => ['prices', 'show', 'openai', 'gpt-4o'],
  () => ['prices', 'show', 'openai', 'gpt-4o', '--at', '2025-01-01'],
  () => ['prices', 'show', 'anthropic', 'claude-sonnet-4-5'],
  () => ['prices', 'show', 'deepseek', 'deepseek-chat'],
  () => ['prices', 'show', 'openai', 'gpt-4p'],
  () => ['prices', 'missing'],
  () => ['prices', 'export'],
  () => ['reprice'],
  () => ['reprice', '--all', '--api-key', keyId, '--from', '2026-01-01'],
  () => ['reprice', '--log'],
  () => ['nodes'],
  () => ['sessions'],
  () => ['sessions', 'show', toSessionId({ keyId, session: 's-1' })],
  () => ['developers'],
  () => ['explain', PRICED],
  () => ['explain', UNPRICED],
  () => ['requests'],
  () => ['requests', '--model', 'gpt-4o*', '--limit', '1'],
  () => ['usage'],
  () => ['usage', '--dimension', 'api_key'],
  () => ['usage', '--dimension', 'api_key', '--csv'],
  () => ['usage', '--dimension', 'model', '--month', '2026-10'],
  () => ['analyze', '--group-by', 'model'],
  () => ['export', '--month', '2026-10', '--format', 'focus'],
]

const isCalled = (path: readonly string[], words: readonly string[]): boolean =>
  path.every((word, at) => words[at] === word)
const known = READING.filter((words) => COMMANDS.some(({ path }) => isCalled(path, words())))

describe('from the data directory and over the API', () => {
  for (const [at, toWords] of known.entries()) {
    test(`the same is printed, row ${at + 1}`, async () => {
      const words = toWords()
      // Both print CSV, or all price data, whatever else is asked for.
      const isFile = words.includes('--csv') || words.join(' ') === 'prices export'
      for (const form of isFile ? [[]] : [[], ['--json']]) {
        const there = await runMain([...words, ...form, '--url', api.url], api.clock)
        const here = await line.weir(...words, ...form)
        assert.deepEqual([there.code, there.err], [here.code, here.err])
        assert.notEqual(here.out, '', here.err)
        // Where figures are from is said beside them.
        const far = there.out.replace(`, from ${api.url}`, '').replace(` --url ${api.url}`, '')
        const near = here.out.replace(` in ${api.dir}`, '').replace(` --config ${api.dir}.yaml`, '')
        assert.equal(far, near)
      }
    })
  }

  test('WEIR_URL is asked as well', async () => {
    process.env['WEIR_URL'] = api.url
    const { code, out } = await runMain(['keys', 'list'], api.clock)
    assert.equal(code, 0)
    assert.match(out, /Nightly/)
  })

  test('without a token it is said which one is needed, and nothing is read', async () => {
    delete process.env['WEIR_TOKEN']
    const { code, err } = await runMain(['keys', 'list', '--url', api.url], api.clock)
    assert.equal(code, 1)
    assert.match(err, /needs an access token in WEIR_TOKEN\.\n.*--scope read:keys/)
  })

  test('a token that may not is refused in the words of the API', async () => {
    process.env['WEIR_TOKEN'] = toToken(await api.authorize('read:usage'))
    const { code, err } = await runMain(['tokens', 'list', '--url', api.url], api.clock)
    assert.equal(code, 1)
    assert.match(err, /^weir tokens list failed \(scope_denied\)\n.*admin/)
  })

  test('an id that there is not is an error there too', async () => {
    for (const words of [
      ['keys', 'check', 'svc_k_0', '--provider', 'openai', '--model', 'gpt-4o'],
      ['explain', createRequestId(NOW)],
      ['alerts', 'list', '--budget', 'bud_0'],
    ]) {
      const { code, err } = await runMain([...words, '--url', api.url], api.clock)
      assert.equal(code, 1, words.join(' '))
      assert.match(err, /failed \(not_found\)/)
    }
  })
})

/** In this order; each is given what those before it have made. */
const CHANGING: readonly ((made: Record<string, string>) => readonly string[])[] = [
  () => ['keys', 'create', '--name', 'Remote', '--rpm', '5', '--lock-dim', 'squad=remote'],
  ({ key = '' }) => ['keys', 'update', key, '--clear', 'rpm'],
  ({ key = '' }) => ['keys', 'rotate', key, '--grace', '1h'],
  ({ key = '' }) => ['keys', 'rotate', key, '--end-grace'],
  ({ key = '' }) => ['keys', 'pause', key],
  ({ key = '' }) => ['keys', 'resume', key],
  ({ key = '' }) => ['keys', 'revoke', key],
  () => ['teams', 'create', '--name', 'Remote', '--slug', 'remote', '--rpm', '5'],
  () => ['teams', 'update', 'remote', '--clear', 'rpm'],
  () => ['teams', 'add', 'remote', 'a@b.example'],
  () => ['teams', 'remove', 'remote', 'a@b.example'],
  () => ['teams', 'archive', 'remote'],
  () => ['teams', 'restore', 'remote'],
  () => ['teams', 'adopt', '--dim', 'squad'],
  () => ['tokens', 'create', '--name', 'Remote', '--scope', 'read:usage'],
  ({ token = '' }) => ['tokens', 'revoke', token],
  () => ['users', 'create', '--email', 'remote@b.example', '--role', 'viewer'],
  () => ['users', 'update', 'remote@b.example', '--name', 'Remote'],
  () => ['users', 'link', 'remote@b.example'],
  () => ['users', 'remove', 'remote@b.example'],
  () =>
    ['budgets', 'create', '--name', 'Remote', '--limit-usd', '5', '--period', 'day'].concat([
      '--scope',
      'global',
      '--webhook',
      'https://hooks.example.com/c',
    ]),
  ({ budget = '' }) => ['budgets', 'update', budget, '--at', '90', '--slack', 'https://a.example'],
  ({ budget = '' }) => ['budgets', 'test', budget],
  ({ budget = '' }) => ['budgets', 'delete', budget],
  () => ['alerts', 'add', '--webhook', 'https://hooks.example.com/d'],
  ({ target = '' }) => ['alerts', 'test', target],
  ({ target = '' }) => ['alerts', 'remove', target],
  () => ['prices', 'set', 'openai', 'gpt-remote', '--input', '1', '--output', '2'],
  ({ rule = '' }) => ['prices', 'unset', rule],
  () => ['prices', 'import', priceFile, '--force'],
  () => ['prices', 'unset', 'imported'],
  () => ['reprice', '--apply'],
]

const NOUNS: Readonly<Record<string, RegExp>> = {
  key: /"id": "(svc_k_\w+)"/,
  token: /"id": "(svc_agt_\w+)"/,
  budget: /"id": "(bud_\w+)"/,
  target: /"id": "(tgt_\w+)"/,
  rule: /"id": "(price_\w+)"/,
}

test('what changes is changed over the API, and is there afterwards', async () => {
  const made: Record<string, string> = {}
  for (const toWords of CHANGING) {
    const words = toWords(made)
    const { code, out, err } = await runMain([...words, '--url', api.url, '--json'], api.clock)
    assert.equal(code, 0, `${words.join(' ')}\n${err}`)
    for (const [noun, id] of Object.entries(NOUNS))
      made[noun] = id.exec(out)?.[1] ?? made[noun] ?? ''
  }
  const { out } = await line.weir('keys', 'list')
  assert.match(out, /Remote +revoked/)
})

test('several targets are added together, or none', async () => {
  const count = async () => (await api.settings.targets.list()).length
  const there = [
    'alerts',
    'add',
    '--slack',
    'https://a.example/1',
    '--slack',
    'https://a.example/2',
  ]
  const before = await count()
  assert.equal((await runMain([...there, '--url', api.url], api.clock)).code, 0)
  assert.equal(await count(), before + 2)
  const again = [
    'alerts',
    'add',
    '--slack',
    'https://a.example/3',
    '--slack',
    'https://a.example/2',
  ]
  const { code, err } = await runMain([...again, '--url', api.url], api.clock)
  assert.deepEqual([code, await count()], [1, before + 2])
  assert.match(err, /--slack https:\/\/a\.example\/2 is a target already/)
})

/** What cannot be done in the scene fails in the same words, wherever it is asked for. */
const FAILING: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['nodes', 'forget', 'nosuch-node'], /There is no node nosuch-node\./],
  [['prices', 'update'], /Nothing was changed: the price data could not be fetched/],
  [['prices', 'unset', 'imported'], /No prices were imported\./],
  [['asks', 'approve', 'ask_0'], /There is no ask/],
  [['asks', 'decline', 'ask_0'], /There is no ask/],
  [['reprice', '--provider', 'nowhere'], /no provider "nowhere"/],
  [['reprice', '--api-key', 'svc_k_0'], /There is no key svc_k_0\./],
]

test('a failure is one over the API, too', async () => {
  process.env['WEIR_PRICES_UPDATE_URL'] = 'http://127.0.0.1:1/data.json'
  for (const [words, message] of FAILING) {
    const there = await runMain([...words, '--url', api.url], api.clock)
    const here = await line.weir(...words)
    assert.deepEqual([there.code, here.code], [1, 1], words.join(' '))
    assert.match(there.err, message)
    assert.match(here.err, message)
  }
  delete process.env['WEIR_PRICES_UPDATE_URL']
})

/** Of an incident, which the scene has none of. */
const MARKING = ['alerts acknowledge', 'alerts snooze', 'alerts reopen']

describe('each command', () => {
  for (const { path, load } of COMMANDS) {
    test(`weir ${path.join(' ')} reads from both, or says that it cannot`, async () => {
      const { options = {} } = await load()
      if ('url' in options) {
        const failing = FAILING.map(([words]) => words)
        const rows = [...READING, ...CHANGING].map((toWords) => toWords({})).concat(failing)
        const isMark = MARKING.includes(path.join(' '))
        assert.ok(isMark || rows.some((words) => isCalled(path, words)), 'it needs a row above')
        return
      }
      const { code, err } = await runMain([...path, '--url', api.url], api.clock)
      assert.equal(code, 2)
      assert.match(err, /cannot ask a remote Weir: there is no --url\.\nIt uses the data directory/)
    })
  }
})
