import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createCommandLine, runMain } from '../../test/fakes/command-line.ts'
import { parseCsv } from '../../test/exports/parse-csv.ts'
import { openApi } from '../../test/fakes/open-api.ts'
import { sampleCall, storeCalls, toBatch } from '../../test/fakes/stored-calls.ts'
import type { RequestRow } from '../api/contract.ts'
import { createPriceTables } from '../pricing/tables/price-tables.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const WEIR = fileURLToPath(new URL('../../bin/weir', import.meta.url))

const SLOWED = { status: 'refused', httpStatus: 429, providerError: 'slow_down' } as const

const CALLS = [
  sampleCall({ endedAt: NOW - 3000, provider: 'openai', model: 'gpt-4o', dims: { team: 'ads' } }),
  sampleCall({ endedAt: NOW - 2000, provider: 'openai', model: 'gpt-4o', ...SLOWED }),
  sampleCall({ endedAt: NOW - 1000, provider: 'openai', model: 'acme-9' }),
]
const [ADS, REFUSED, ACME] = CALLS.map(({ id }) => id)

function idsOf(out: string): string[] {
  const lines = out === '' ? [] : out.split('\n')
  return lines.map((line) => (JSON.parse(line) as RequestRow).id)
}

const FILTERS: readonly (readonly [words: string, ids: readonly (string | undefined)[]])[] = [
  ['', [ACME, REFUSED, ADS]],
  ['--limit 1', [ACME]],
  ['--model gpt-*', [REFUSED, ADS]],
  ['--status refused', [REFUSED]],
  ['--model acme-9 --model *-4o --status delivered', [ACME, ADS]],
  ['--dim-key team --dim-value search --dim-value ads', [ADS]],
  ['--dim-key team', [ADS]],
  ['--dim-key team --dim-value search', []],
  ['--source unpriced --provider openai', [ACME]],
  ['--from 2026-02-01', []],
  ['--http-status 4xx --http-status 429', [REFUSED]],
  ['--error-code slow_down', [REFUSED]],
  ['--min-duration-ms 1000 --max-duration-ms 1000 --streamed false --limit 1', [ACME]],
  ['--min-duration-ms 1001', []],
  [`--id ${ADS}`, [ADS]],
  ['--sort time --direction asc --limit 2', [ADS, REFUSED]],
  // Two cost the same; what is not known comes last.
  ['--sort cost', [REFUSED, ADS, ACME]],
]

test('lists calls by every filter, newest first, here and remotely the same', async (context) => {
  const api = await openApi(NOW)
  context.after(() => api.close())
  await api.store.writeBatch(toBatch(CALLS, createPriceTables()))
  const [, token = ''] = (await api.authorize('read:requests')).split(' ')
  process.env['WEIR_TOKEN'] = token
  context.after(() => delete process.env['WEIR_TOKEN'])
  const { weir, dataDir } = createCommandLine(context)
  await storeCalls(dataDir, CALLS)
  for (const [words, ids] of FILTERS) {
    const call = ['requests', ...words.split(' ').filter(Boolean)]
    const json = await weir(...call, '--json')
    assert.equal(json.code, 0, json.err)
    assert.deepEqual(idsOf(json.out), ids, words)
    assert.equal((await runMain([...call, '--json', '--url', api.url])).out, json.out)
    const table = await weir(...call)
    assert.equal((await runMain([...call, '--url', api.url])).out, table.out)
    if (ids.length === 0) assert.equal(table.out, 'No call on record matches.')
    else assert.match(table.out, /^STARTED +ID +KEY +PROVIDER +MODEL +MS +TOKENS +USD +STATUS\n/)
  }
})

test('says how many calls match in all, and what they cost', async (context) => {
  const { weir, dataDir } = createCommandLine(context)
  await storeCalls(dataDir, CALLS)
  // gpt-4o, per million tokens: 2.50 USD input, 10 USD output (OpenAI's price list), so
  // 1000 × 0.0000025 + 500 × 0.00001 = 0.0075 for each of two calls.
  for (const [words, line] of [
    [['--limit', '2'], '3 calls, together 0.015 USD (1 without a known cost). 2 are shown.'],
    [['--model', 'gpt-4o', '--status', 'delivered'], '1 call, together 0.0075 USD.'],
  ] as const) {
    assert.equal((await weir('requests', ...words)).out.split('\n').at(-1), line)
  }
})

test('a denied call is no call of the count, and has its model, its reason and its key by name', async (context) => {
  const { weir, json, dataDir } = createCommandLine(context)
  const key = await json<{ id: string }>('keys', 'create', '--name', 'Nightly jobs')
  const denied = sampleCall({
    endedAt: NOW,
    provider: 'openai',
    keyId: key.id,
    status: 'denied',
    httpStatus: 403,
    errorCode: 'model_not_allowed',
    // As calls that were stored before: their model is the one that ran.
    requestedModel: 'gpt-asked',
    model: null,
  })
  await storeCalls(dataDir, [...CALLS, denied])
  const { out } = await weir('requests')
  assert.match(out, /Nightly jobs .*gpt-asked .*denied by Weir: 403 model_not_allowed$/m)
  assert.match(out, / error from the provider: 429 slow_down$/m)
  assert.match(out, /^3 calls, and 1 denied, together 0\.015 USD/m)
  // The same numbers as analysis, on which Explore and every report are built.
  const { total } = await json<{ total: { requests: number; denials: number } }>('analyze')
  assert.deepEqual([total.requests, total.denials], [3, 1])
})

test('exports all calls that match, here and remotely the same, to a file or a pipe', async (context) => {
  const api = await openApi(NOW)
  context.after(() => api.close())
  await api.store.writeBatch(toBatch(CALLS, createPriceTables()))
  const [, token = ''] = (await api.authorize('read:requests')).split(' ')
  process.env['WEIR_TOKEN'] = token
  context.after(() => delete process.env['WEIR_TOKEN'])
  const { weir, dataDir } = createCommandLine(context)
  await storeCalls(dataDir, CALLS)
  const call = ['requests', '--model', 'gpt-4o', '--model', 'acme-9', '--export']
  const csv = await weir(...call, 'csv')
  assert.equal(csv.code, 0, csv.err)
  assert.deepEqual(
    parseCsv(`${csv.out}\n`).rows.map((row) => row['id']),
    [ACME, REFUSED, ADS],
  )
  const lines = await weir(...call, 'jsonl', '--status', 'refused')
  assert.deepEqual(idsOf(lines.out), [REFUSED])
  assert.equal((await runMain([...call, 'csv', '--url', api.url])).out, csv.out)
  const remote = await runMain([...call, 'jsonl', '--status', 'refused', '--url', api.url])
  assert.equal(remote.out, lines.out)
  const file = join(dirname(dataDir), 'calls.csv')
  const written = await weir(...call, 'csv', '--output', file)
  assert.match(written.out, /calls\.csv: .* KiB\.$/)
  assert.equal(readFileSync(file, 'utf8'), `${csv.out}\n`)
  const again = await weir(...call, 'csv', '--output', file)
  assert.deepEqual([again.code, /already exists/.test(again.err)], [1, true])
})

test('refuses what the API would, and a key that there is not', async (context) => {
  const { weir } = createCommandLine(context)
  for (const [words, code, message] of [
    ['--limit 0', 2, /limit must be an integer from 1 to 1000/],
    ['--status odd', 2, /status must be/],
    ['--dim-value x', 2, /goes with dim_key/],
    ['--follow --to 2026-02-01', 2, /--follow and --to exclude each other/],
    ['--follow --sort cost', 2, /--follow and --sort exclude each other/],
    ['--sort model', 2, /sort must be one of time, cost, duration/],
    ['--export xls', 2, /--export must be one of csv, jsonl/],
    ['--export csv --limit 5', 2, /--export and --limit exclude each other/],
    ['--export csv --follow', 2, /--follow and --export exclude each other/],
    ['--output a.csv', 2, /--output goes with --export/],
    ['--api-key svc_k_aaaaaaaaaaaaaaaa', 1, /There is no key svc_k_aaaaaaaaaaaaaaaa/],
  ] as const) {
    const result = await weir('requests', ...words.split(' '))
    assert.equal(result.code, code, result.err)
    assert.match(result.err, message)
  }
})

test('follows: a new call is printed once, and SIGINT or a closed pipe ends it well', async (context) => {
  const { weir, dataDir } = createCommandLine(context)
  await weir('keys', 'list')
  await storeCalls(dataDir, CALLS.slice(0, 1))
  for (const ending of ['SIGINT', 'pipe'] as const) {
    const words = [WEIR, 'requests', '--follow', '--limit', '1', '--json']
    const env = { ...process.env, WEIR_DATA_DIR: dataDir }
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    context.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]()
    await lines.next()
    const fresh = sampleCall({ endedAt: NOW, provider: 'openai', model: 'gpt-4o' })
    await storeCalls(dataDir, [fresh])
    const { value } = (await lines.next()) as { value: string }
    assert.deepEqual(idsOf(value.trimEnd()), [fresh.id])
    if (ending === 'SIGINT') child.kill('SIGINT')
    else {
      child.stdout.destroy()
      await storeCalls(dataDir, [sampleCall({ endedAt: NOW, provider: 'openai' })])
    }
    assert.deepEqual(await ended, [0, null], ending)
  }
})
