import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUNDLE, BUNDLE_PUBLISHED_AT } from './bundle.ts'
import { bundledTables } from './bundled-prices.ts'
import { toModelSources } from './genai-versions.ts'
import type { GenaiModel } from './model-price.ts'
import { createListTable } from '../tables/list-table.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import { createFileTables, FILE_BYTES_MAX, parsePriceFile } from './price-file.ts'
import type { PriceFile } from './price-file.ts'
import { toRuleRates } from '../tables/rate-text.ts'

const DAY_MS = 86_400_000

const MODEL = {
  provider: 'own',
  names: ['sketch-1', 'sketch-1-latest'],
  prices: [{ rates: { input: '2', output: '8', image: '0.04' } }],
}
const FILE = {
  format: 'weir-prices/1',
  version: 'acme-2026-11',
  published_at: '2026-11-01T00:00:00Z',
  models: [MODEL],
}

function parse(file: unknown): PriceFile {
  const parsed = parsePriceFile(JSON.stringify(file))
  assert.ok(parsed.kind === 'valid', parsed.kind === 'faulty' ? parsed.faults.join('; ') : '')
  return parsed.file
}

function faultsOf(file: unknown): readonly string[] {
  const parsed = parsePriceFile(typeof file === 'string' ? file : JSON.stringify(file))
  assert.equal(parsed.kind, 'faulty')
  return parsed.kind === 'faulty' ? parsed.faults : []
}

function withModel(change: object): object {
  return { ...FILE, models: [{ ...MODEL, ...change }] }
}

function withPrice(price: object): object {
  return withModel({ prices: [price] })
}

test('a file says what it is', () => {
  const { form, version, publishedAt, modelCount } = parse(FILE)
  assert.deepEqual(
    [form, version, publishedAt, modelCount],
    ['weir-prices', 'acme-2026-11', Date.parse('2026-11-01T00:00:00Z'), 1],
  )
})

const PRICES = withModel({
  prices: [
    { rates: { input: '2' } },
    { tier: 'batch', rates: { input: '1' } },
    { from: '2026-06-01', hours: { start: '22:00', end: '06:00' }, rates: { input: '3' } },
    { from: '2026-06-01', rates: { input: { base: '4', steps: [{ above: 100, rate: '5' }] } } },
    { from: '2026-07-01', free: true },
  ],
})
const PRICE_CASES = [
  ['before', '2026-05-31T23:00:00Z', null, { input: '2' }],
  ['in a tier', '2026-05-31T23:00:00Z', 'batch', { input: '1' }],
  ['at some hours', '2026-06-01T23:00:00Z', null, { input: '3' }],
  [
    'at others',
    '2026-06-01T12:00:00Z',
    null,
    { input: { base: '4', steps: [{ above: 100, rate: '5' }] } },
  ],
  ['in a tier that the newer price lacks', '2026-06-01T12:00:00Z', 'batch', null],
  ['when it costs nothing any more', '2026-07-01T00:00:00Z', null, {}],
] as const

for (const [title, at, serviceTier, expected] of PRICE_CASES) {
  test(`a model of a file has its price ${title}`, () => {
    const priceTables = createPriceTables({ tables: createFileTables(parse(PRICES)) })
    const question = {
      provider: 'own',
      model: 'Sketch-1-latest',
      serviceTier,
      atMs: Date.parse(at),
    }
    const entry = priceTables.find(question)
    assert.deepEqual(entry === null ? null : toRuleRates(entry.rates), expected)
  })
}

test('imported data comes before the bundle, and before corrections of older data; it names its file', () => {
  const { corrections, bundle } = bundledTables()
  const isCorrected = (model: string) => corrections.findVersions('openai', model) !== null
  const bundled = bundle.listModels().filter(({ provider, model }) => {
    return provider === 'openai' && !isCorrected(model)
  })
  const [listed, other] = bundled.map(({ model }) => model)
  assert.ok(listed !== undefined && other !== undefined && isCorrected('gpt-4o-audio-preview'))
  const models = [listed, 'gpt-4o-audio-preview'].map((name) => ({
    provider: 'openai',
    names: [name],
    prices: [{ rates: { input: '7' } }],
  }))
  const at = (ms: number): string => new Date(BUNDLE_PUBLISHED_AT + ms).toISOString()
  const versionOf = (model: string, publishedAt = at(2 * DAY_MS)): string => {
    const file = parse({ ...FILE, published_at: publishedAt, models })
    const question = { provider: 'openai', model, serviceTier: null }
    const priceTables = createPriceTables({ imported: file })
    return priceTables.find({ ...question, atMs: Date.parse('2026-11-01') })?.version ?? ''
  }
  const isImported = /^import acme-2026-11 openai\/\S+ #[0-9a-f]{8}$/
  assert.match(versionOf(listed), isImported)
  assert.match(versionOf('gpt-4o-audio-preview'), isImported)
  assert.match(versionOf(other), /^bundle@/)
  // Of the day of the bundle, which the corrections were written against, and of the day before.
  assert.match(versionOf(listed, at(0)), isImported)
  assert.match(versionOf('gpt-4o-audio-preview', at(DAY_MS - 1)), /^corrections@/)
  assert.match(versionOf('gpt-4o-audio-preview', at(DAY_MS)), isImported)
  assert.match(versionOf(listed, at(-1)), /^bundle@/)
})

const FAULTY: readonly [string, unknown, RegExp][] = [
  ['no JSON', '{', /is not JSON/],
  ['nothing', '', /is not JSON/],
  ['a number', 7, /expected object/],
  ['another format', { ...FILE, format: 'weir-prices/2' }, /^format: is not "weir-prices\/1"/],
  ['a member that nobody knows', { ...FILE, modles: [] }, /modles/],
  ['no models', { ...FILE, models: [] }, /^models: /],
  ['a version with a space', { ...FILE, version: 'a + b' }, /^version: /],
  ['no moment', { ...FILE, published_at: 'yesterday' }, /^published_at: is not a time/],
  [
    'a layer of after the file',
    { ...FILE, layers: ['2026-11-01T00:00:00Z', '2026-11-01T00:00:01Z'] },
    /^layers\.1: is later than published_at/,
  ],
  [
    'a correction of data from after the file',
    withModel({ against: '2026-11-02' }),
    /^models\.0\.against: is later than published_at/,
  ],
  ['a correction of a day that is none', withModel({ against: 'monday' }), /is not a day/],
  [
    'a provider in capitals',
    withModel({ provider: 'Own' }),
    /^models\.0\.provider: is not a provider id/,
  ],
  ['neither names nor match', withModel({ names: undefined }), /either names or match/],
  ['both names and match', withModel({ id: 'x', match: { equals: 'x' } }), /either names or match/],
  ['a match without an id', withModel({ names: undefined, match: { equals: 'x' } }), /needs an id/],
  ['no prices', withModel({ prices: [] }), /^models\.0\.prices: /],
  ['neither rates nor free', withPrice({}), /either rates or "free"/],
  [
    'both rates and free',
    withPrice({ free: true, rates: { input: '1' } }),
    /either rates or "free"/,
  ],
  ['a day that is none', withPrice({ from: '2026-13-01', rates: {} }), /is not a day/],
  [
    'a day that no month has',
    withPrice({ from: '2026-02-30', rates: {} }),
    /not a day of the calendar/,
  ],
  [
    'an hour that is none',
    withPrice({ hours: { start: '24:00', end: '1:00' }, rates: {} }),
    /is not a time/,
  ],
  ['a tier that is none', withPrice({ tier: 'Very Fast', rates: {} }), /is not a service tier/],
  ['a unit that is none', withPrice({ rates: { inptu: '1' } }), /unknown unit "inptu"/],
  [
    'a number for a rate',
    withPrice({ rates: { input: 2.5 } }),
    /^models\.0\.prices\.0\.rates\.input: /,
  ],
  ['a negative rate', withPrice({ rates: { input: '-1' } }), /not a decimal from 0/],
  [
    'an expression that never ends',
    withModel({ id: 'x', names: undefined, match: { regex: '(a+)+$' } }),
    /repeats groups/,
  ],
  [
    'an expression with many ends',
    withModel({ id: 'x', names: undefined, match: { regex: '.*.*.*x' } }),
    /too many open ends/,
  ],
  [
    'no expression',
    withModel({ id: 'x', names: undefined, match: { regex: '[' } }),
    /Invalid|expression/,
  ],
  ['a layer below the others', withModel({ layer: -1 }), /^models\.0\.layer: /],
  ['deep nesting', '['.repeat(30) + ']'.repeat(30), /nests deeper/],
  ['a list of nothing', [], /expected array to have >=1/],
  ['a list of other things', [{ id: 'openai' }], /^0\.models: /],
  ['providers that are unknown', [{ id: 'acme', models: [] }], /no prices of a known provider/],
  [
    'a negative price in the layout of genai-prices',
    [{ id: 'openai', models: [{ id: 'm', match: { equals: 'm' }, prices: { input_mtok: -1 } }] }],
    /^0\.models\.0\.prices/,
  ],
]

for (const [title, file, expected] of FAULTY) {
  test(`a file with ${title} is refused with a reason`, () => {
    assert.match(faultsOf(file).join('\n'), expected)
  })
}

test('a file beyond the limit is not even read', () => {
  assert.match(faultsOf(`"${'x'.repeat(FILE_BYTES_MAX)}"`).join(), /larger than 16 MiB/)
})

test('faults are told together, and no more of them than anybody reads', () => {
  const models = Array.from({ length: 30 }, () => ({ ...MODEL, provider: 'X' }))
  const faults = faultsOf({ ...FILE, models })
  assert.equal(faults.length, 21)
  assert.equal(faults.at(-1), 'and 10 more')
})

test('brackets and quotes inside of texts do not count as nesting', () => {
  const names = [`a${'['.repeat(30)}`, `b\\"${'{'.repeat(30)}`]
  assert.equal(parse(withModel({ names })).modelCount, 1)
})

/** What the bundle has from there alone, as it is published: with much else in it. */
function publish(provider: string, models: readonly GenaiModel[]): string {
  return JSON.stringify([{ id: provider, name: 'Someone', models: models.map(toPublished) }])
}

function isFromThere({ source, others, variants = [] }: GenaiModel): boolean {
  const sources = [source, ...variants.map((variant) => variant.source)]
  return others === undefined && sources.every((each) => each === undefined)
}

function toPublished({ id, match, prices, variants = [] }: GenaiModel): object {
  const price_variants = variants.map(({ tier, from, prices: own }) => ({
    when: tier === 'batch' ? { processing: tier } : { service_tier: tier },
    prices: own,
    ...(from === undefined ? {} : { constraint: { start_date: from } }),
  }))
  return { id, match, name: id.toUpperCase(), context_window: 1, prices, price_variants }
}

for (const provider of ['openai', 'groq', 'mistral']) {
  test(`the published data of genai-prices gives the prices of the bundle: ${provider}`, () => {
    const models = (BUNDLE.providers[provider] ?? []).filter(isFromThere)
    const parsed = parsePriceFile(publish(provider, models))
    assert.ok(parsed.kind === 'valid', JSON.stringify(parsed))
    assert.match(parsed.file.version, /^genai-prices@[0-9a-f]{12}$/)
    assert.deepEqual([parsed.file.publishedAt, parsed.file.ignoredFields], [null, []])
    const sources = toModelSources(new Map([[provider, models]]))
    const bundled = createPriceTables({ tables: [createListTable('bundle', sources)] })
    const priceTables = createPriceTables({ tables: createFileTables(parsed.file) })
    assert.ok(priceTables.listModels().length > 20)
    for (const at of ['2025-01-01T02:00:00Z', '2026-08-20T02:00:00Z', '2027-02-01T12:00:00Z']) {
      for (const listed of priceTables.listModels()) {
        const question = { ...listed, atMs: Date.parse(at) }
        const rates = (from: typeof priceTables) =>
          from.list(question).map(({ entry }) => entry.rates)
        assert.deepEqual(rates(priceTables), rates(bundled), listed.model)
      }
    }
  })
}

test('units that a newer genai-prices has are told, and not taken for others', () => {
  const prices = { input_mtok: 1, smell_hours: 3 }
  const file = parse([{ id: 'openai', models: [{ id: 'm', match: { equals: 'm' }, prices }] }])
  assert.deepEqual(file.ignoredUnits, [{ name: 'smell_hours', models: 1 }])
})
