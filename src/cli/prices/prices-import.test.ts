// Price data for machines without the internet: out of one Weir, into another.

import assert from 'node:assert/strict'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { dayAfterBundle, msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { sampleCall, storeCalls } from '../../../test/fakes/stored-calls.ts'

const NOW = msAfterBundle(16)
const TODAY = dayAfterBundle(16)

interface Scene extends CommandLine {
  /** Writes a price file and returns its path. */
  readonly write: (name: string, content: unknown) => string
  readonly folder: string
}

function createScene(context: TestContext): Scene {
  const line = createCommandLine(context)
  line.clock.nowMs = NOW
  const folder = path.dirname(line.dataDir)
  const write = (name: string, content: unknown): string => {
    const file = path.join(folder, name)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  return { ...line, folder, write }
}

const PRICES = [{ rates: { input: '1', output: '2' } }]
const FILE = {
  format: 'weir-prices/1',
  version: 'acme-2026-11',
  published_at: `${dayAfterBundle(2)}T00:00:00Z`,
  models: [{ provider: 'openai', names: ['acme-9'], prices: PRICES }],
}

interface Imported {
  readonly imported: boolean
  readonly added: readonly { model: string }[]
  readonly removed: readonly unknown[]
  readonly changed: readonly Record<string, unknown>[]
  readonly large_moves: readonly unknown[]
  readonly needs_force: boolean
}

function setModified(file: string, days: number): void {
  utimesSync(file, msAfterBundle(days) / 1000, msAfterBundle(days) / 1000)
}

async function quote(line: CommandLine, model: string): Promise<string | null> {
  const words = ['prices', 'quote', 'openai', model, '--input', '1000000']
  return (await line.json<{ cost_usd: string | null }>(...words)).cost_usd
}

test('a new model gets its price, after a trial that changes nothing', async (context) => {
  const scene = createScene(context)
  const file = scene.write('new.json', FILE)
  const trial = await scene.weir('prices', 'import', file, '--dry-run')
  assert.equal(trial.code, 0)
  assert.match(trial.out, /1 models added, 0 removed, 0 rates changed\.\n {2}\+ openai acme-9/)
  assert.match(trial.out, /Nothing was changed\.$/)
  assert.equal(await quote(scene, 'acme-9'), null)

  const done = await scene.json<Imported>('prices', 'import', file)
  assert.equal(done.imported, true)
  assert.deepEqual(done.added, [{ provider: 'openai', model: 'acme-9' }])
  assert.equal(await quote(scene, 'acme-9'), '1')
  const list = await scene.weir('prices', 'list')
  assert.match(list.out, /acme-2026-11 over Weir's list of \S+, 14 days old, imported /)
  assert.ok(list.out.includes(`, imported ${TODAY}`), list.out)

  assert.match((await scene.weir('prices', 'unset', 'imported')).out, /were removed/)
  assert.equal(await quote(scene, 'acme-9'), null)
})

test('large moves are refused without --force, and it says which', async (context) => {
  const scene = createScene(context)
  const models = [{ provider: 'openai', names: ['acme-9'], prices: PRICES }]
  await scene.weir('prices', 'import', scene.write('old.json', { ...FILE, models }))
  const endedAt = msAfterBundle(13)
  await storeCalls(scene.dataDir, [sampleCall({ provider: 'openai', model: 'acme-9', endedAt })])
  const dear = [{ ...models[0], prices: [{ rates: { input: '3.01', output: '2' } }] }]
  const file = scene.write('dear.json', { ...FILE, version: 'acme-2026-12', models: dear })
  const refused = await scene.weir('prices', 'import', file)
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /was not imported\.\n1 rates would change by more than a factor of three:/,
  )
  assert.match(refused.err, /openai acme-9 \(standard\) input: 1 → 3\.01 USD\n/)
  // 1,000 × 1 + 500 × 2 USD per million before; 1,000 × 3.01 + 500 × 2 after.
  assert.match(refused.err, /openai acme-9 +1 +0\.002 +0\.00401 +\+0\.00201\nReview the changes/)
  assert.equal(await quote(scene, 'acme-9'), '1')
  const trial = await scene.json<Imported>('prices', 'import', file, '--dry-run')
  assert.deepEqual([trial.imported, trial.needs_force], [false, true])
  assert.deepEqual(trial.changed, trial.large_moves)
  assert.equal((await scene.weir('prices', 'import', file, '--force')).code, 0)
  assert.equal(await quote(scene, 'acme-9'), '3.01')
})

test('older data than what holds is refused without --force', async (context) => {
  const scene = createScene(context)
  const file = scene.write('older.json', { ...FILE, published_at: '2025-01-01T00:00:00Z' })
  const refused = await scene.weir('prices', 'import', file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /older than the current price data/)
  assert.equal((await scene.weir('prices', 'import', file, '--force')).code, 0)
  assert.match(
    (await scene.weir('prices', 'list')).out,
    /bundled data is newer than the imported data/,
  )
})

test('what was exported here changes nothing there', async (context) => {
  const scene = createScene(context)
  const file = path.join(scene.folder, 'out.json')
  assert.match((await scene.weir('prices', 'export', '--out', file)).out, /Wrote the prices to/)
  const again = await scene.weir('prices', 'export', '--out', file)
  assert.equal(again.code, 1)
  assert.match(again.err, /EEXIST.*\nThe file already exists/)
  const printed = await scene.weir('prices', 'export')
  assert.equal(`${printed.out}\n`, readFileSync(file, 'utf8'))
  const done = await scene.json<Imported>('prices', 'import', file)
  assert.deepEqual([done.added, done.removed, done.changed], [[], [], []])
})

const GENAI_FILE = new URL('../../../test/fixtures/prices/genai-prices.json', import.meta.url)

interface Skipping extends Imported {
  readonly is_unchanged: boolean
  readonly skipped: Record<string, unknown>
}

// Cut from the data of genai-prices 0.2.1: 2 models of Cloudflare, one of ElevenLabs; the rate of
// gpt-6.1-terra is there.
test('published data is imported without what Weir does not use, and once', async (context) => {
  const scene = createScene(context)
  const file = scene.write('data.json', readFileSync(GENAI_FILE, 'utf8'))
  setModified(file, 11)
  const trial = await scene.weir('prices', 'import', file, '--dry-run')
  assert.match(trial.out, /Skipped: 3 models of 2 providers that Weir does not use\./)
  const done = await scene.json<Skipping>('prices', 'import', file)
  assert.deepEqual([done.imported, done.is_unchanged], [true, false])
  assert.deepEqual(done.skipped, {
    other_providers: 2,
    other_models: 3,
    unreadable_models: 0,
    examples: [],
  })
  // Above 272,000 tokens: 1,000,000 × 2 USD per million.
  assert.equal(await quote(scene, 'gpt-6.1-terra'), '2')

  setModified(file, 13)
  const again = await scene.weir('prices', 'import', file)
  assert.equal(again.code, 0)
  assert.ok(again.out.includes(`published ${dayAfterBundle(11)} 00:00Z:\n`), again.out)
  assert.match(again.out, /00:00Z:\n +It is imported already.*Nothing was/)
  const report = await scene.json<Skipping>('prices', 'import', file)
  assert.deepEqual([report.imported, report.is_unchanged, report.changed], [false, true, []])
})

interface Measured {
  readonly impact: { readonly models: readonly Record<string, unknown>[] } & Record<string, unknown>
}

// Each call has 1,000 input and 500 output tokens. acme-9 moves from 1 and 2 USD per million to 2
// and 2: 0.002 USD a call become 0.003. acme-8 gets its first price, the same: 0.003 USD. The calls
// of gpt-4o-mini keep theirs: 1,000 × 0.15 + 500 × 0.6 USD per million are 0.00045.
test('the report says what the usage of the last 30 days costs then', async (context) => {
  const scene = createScene(context)
  await scene.weir('prices', 'import', scene.write('old.json', FILE))
  const day = (back: number) => msAfterBundle(16.5 - back)
  const call = (model: string, endedAt: number) =>
    sampleCall({ provider: 'openai', model, endedAt })
  await storeCalls(scene.dataDir, [
    call('acme-9', day(1)),
    call('acme-9', day(29)),
    call('acme-9', day(31)),
    call('acme-8', day(2)),
    call('gpt-4o-mini', day(3)),
  ])
  const prices = [{ rates: { input: '2', output: '2' } }]
  const models = [{ provider: 'openai', names: ['acme-9', 'acme-8'], prices }]
  const file = scene.write('new.json', { ...FILE, version: 'acme-2026-12', models })
  const { impact } = await scene.json<Measured>('prices', 'import', file, '--dry-run')
  const row = { provider: 'openai', unpriced_after: 0 }
  assert.deepEqual(impact, {
    days: 30,
    calls: 4,
    is_estimate: false,
    before_usd: '0.00445',
    after_usd: '0.00945',
    models: [
      {
        ...row,
        model: 'acme-8',
        calls: 1,
        before_usd: '0',
        after_usd: '0.003',
        unpriced_before: 1,
      },
      {
        ...row,
        model: 'acme-9',
        calls: 2,
        before_usd: '0.004',
        after_usd: '0.006',
        unpriced_before: 0,
      },
    ],
  })
  const { out } = await scene.weir('prices', 'import', file)
  assert.match(out, /The 4 calls of the last 30 days: 0\.00445 → 0\.00945 USD \(\+0\.005\)\./)
  assert.match(out, /openai acme-8 +1 +unpriced +0\.003 +\+0\.003\nopenai acme-9 +2 +0\.004 /)
  const again = await scene.json<Measured>('prices', 'import', file)
  assert.equal(again.impact, null)
})

test('an export after an import carries the date of the imported data', async (context) => {
  const scene = createScene(context)
  const file = scene.write('data.json', readFileSync(GENAI_FILE, 'utf8'))
  const day = dayAfterBundle(13)
  await scene.weir('prices', 'import', file, '--published', day)
  const { published_at: at } = await scene.json<{ published_at: string }>('prices', 'export')
  assert.equal(at, `${day}T00:00:00.000Z`)
})

test('a file that does not say when it was published is as old as itself', async (context) => {
  const scene = createScene(context)
  const model = { id: 'acme-9', match: { equals: 'acme-9' }, prices: { input_mtok: 3 } }
  const file = scene.write('data.json', [{ id: 'openai', models: [model] }])
  setModified(file, 2)
  const guessed = await scene.weir('prices', 'import', file)
  assert.ok(guessed.out.includes(`published ${dayAfterBundle(2)} 00:00Z:`), guessed.out)
  assert.match(guessed.out, /The file does not say when; its modification time was used/)
  assert.equal(await quote(scene, 'acme-9'), '3')
  const shown = await scene.weir('prices', 'import', file, '--published', dayAfterBundle(3))
  assert.ok(shown.out.includes(`published ${dayAfterBundle(3)} 00:00Z:`), shown.out)
})

const FAULTY: readonly (readonly [string, unknown, RegExp])[] = [
  [
    'a file that was cut off',
    readFileSync(GENAI_FILE, 'utf8').slice(0, 5000),
    /is not a usable price file:\n {2}is not JSON; it may be cut off\n/,
  ],
  ['a list of something else', [{ id: 7 }], /0\.id: /],
  ['no JSON', 'nonsense', /is not a usable price file:\n {2}is not JSON/],
  ['another format', { ...FILE, format: 'weir-prices/9' }, /format: is not "weir-prices\/1"/],
  ['no models', { ...FILE, models: [] }, /models: /],
  [
    'a rate that is none',
    { ...FILE, models: [{ ...FILE.models[0], prices: [{ rates: { input: '-1' } }] }] },
    /rate for input that is not a decimal/,
  ],
  [
    'a day to come',
    { ...FILE, published_at: `${dayAfterBundle(63)}T00:00:00Z` },
    /is in the future/,
  ],
]

describe('an import is refused for', () => {
  for (const [name, content, message] of FAULTY) {
    test(name, async (context) => {
      const scene = createScene(context)
      const words = ['prices', 'import', scene.write('faulty.json', content), '--force']
      const { code, err } = await scene.weir(...words)
      assert.equal(code, 1)
      assert.match(err, message)
      assert.match((await scene.weir('prices', 'unset', 'imported')).err, /No prices were imported/)
    })
  }

  test('a file that is not there', async (context) => {
    const { code, err } = await createScene(context).weir('prices', 'import', 'nowhere.json')
    assert.equal(code, 1)
    assert.match(err, /nowhere\.json cannot be read \(ENOENT\)\./)
  })
})

test('the report names the corrections that are replaced, and those that stand', async (context) => {
  const scene = createScene(context)
  const prices = [{ rates: { input: '3', output: '9' } }]
  const models = [{ provider: 'openai', names: ['o3'], prices }]
  const file = scene.write('newer.json', { ...FILE, models })
  const { out } = await scene.weir('prices', 'import', file, '--dry-run')
  assert.match(out, /^ {2}Weir's corrections that it replaces, 1: openai o3\.$/m)
  assert.match(
    out,
    /^ {2}Weir's corrections that stand, \d+, because the data has no price for them: .*, and \d+ more/m,
  )
  interface Answer {
    readonly corrections: {
      readonly replaced: readonly unknown[]
      readonly standing: readonly { readonly why: string }[]
    }
  }
  // What costs more than three times as much on other units waits for a person.
  const { corrections } = await scene.json<Answer>('prices', 'import', file, '--force')
  assert.deepEqual(corrections.replaced, [{ provider: 'openai', model: 'o3' }])
  assert.ok(corrections.standing.length > 20)
  assert.ok(corrections.standing.every(({ why }) => why === 'no-price'))
  // The correction has 2; before the import it stood.
  assert.equal(await quote(scene, 'o3'), '3')

  const old = { ...FILE, published_at: '2026-09-01T00:00:00Z', models }
  const older = scene.write('older.json', old)
  const shown = await scene.weir('prices', 'import', older, '--dry-run')
  assert.match(shown.out, /corrections that stand, 1, because the data is not newer: openai o3\.$/m)
  await scene.weir('prices', 'import', older, '--force')
  assert.equal(await quote(scene, 'o3'), '2')
})
