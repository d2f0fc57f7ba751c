import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createListTable } from './list-table.ts'
import type { ModelSource } from './model-source.ts'
import { createPriceTables } from './price-tables.ts'
import { FREE_RATES } from './price-table.ts'
import type { PriceTable, Rates } from './price-table.ts'
import { fromRuleRates } from './rate-text.ts'
import { toAgainst } from './model-source.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

/** By start; a price of `free` costs nothing, one of null is unknown. */
type Prices = Readonly<Record<string, string | null>>

function toRates(input: string | null): Rates {
  if (input === 'free') return FREE_RATES
  return fromRuleRates(input === null ? {} : { input }) as Rates
}

function table(name: string, prices: Prices, dates: Pick<PriceTable, 'publishedAt'>): PriceTable
function table(name: string, prices: Prices, dates: { readonly against: string }): PriceTable
function table(
  name: string,
  prices: Prices,
  { publishedAt, against }: { readonly publishedAt?: number; readonly against?: string },
): PriceTable {
  const source: ModelSource = {
    id: 'big',
    match: { equals: 'big' },
    ...(against === undefined ? {} : { against: toAgainst(against) }),
    readVersions: () =>
      Object.entries(prices).map(([from, input]) => ({
        fromMs: from === 'always' ? -Infinity : Date.parse(from),
        hours: null,
        label: '',
        tiers: new Map([['standard', toRates(input)]]),
      })),
  }
  const list = createListTable(name, new Map([['acme', [source]]]))
  return publishedAt === undefined ? list : { ...list, publishedAt }
}

function findIn(tables: readonly PriceTable[], atMs = NOW): string | undefined {
  const priceTables = createPriceTables({ tables })
  const question = { provider: 'acme', model: 'big', serviceTier: null, atMs }
  return priceTables.find(question)?.version.split(' ')[0]
}

const on = (day: string) => ({ publishedAt: Date.parse(`${day}T00:00:00Z`) })
const BUNDLE = table('bundle', { always: '2' }, on('2026-09-23'))
const CORRECTION = table('correction', { always: '3' }, { against: '2026-09-23' })

const CASES: readonly [string, readonly PriceTable[], string][] = [
  ['a correction before the data that it corrects', [BUNDLE, CORRECTION], 'correction'],
  [
    'newer data before a correction',
    [CORRECTION, table('import', { always: '4' }, on('2026-11-01')), BUNDLE],
    'import',
  ],
  [
    'a correction before data of the same day, at any hour',
    [
      CORRECTION,
      table('import', { always: '4' }, { publishedAt: toAgainst('2026-09-23') }),
      BUNDLE,
    ],
    'correction',
  ],
  [
    'data of the next day before a correction',
    [CORRECTION, table('import', { always: '4' }, on('2026-09-24')), BUNDLE],
    'import',
  ],
  [
    'the bundle before older data',
    [table('import', { always: '4' }, on('2026-09-22')), BUNDLE],
    'bundle',
  ],
  [
    'imported data before the bundle of the same date',
    [table('import', { always: '4' }, on('2026-09-23')), BUNDLE],
    'import',
  ],
  [
    'a correction before newer data that still has what was corrected',
    [CORRECTION, table('import', { always: '2' }, on('2026-11-01')), BUNDLE],
    'correction',
  ],
  [
    'newer data that also has a new price to come before a correction',
    [CORRECTION, table('import', { always: '2', '2026-11-10': '2.5' }, on('2026-11-01')), BUNDLE],
    'import',
  ],
  [
    'newer data before a correction of what no list has',
    [CORRECTION, table('import', { always: '2' }, on('2026-11-01'))],
    'import',
  ],
  [
    'a bundle that is newer than a correction before it',
    [table('correction', { always: '3' }, { against: '2026-08-01' }), BUNDLE],
    'bundle',
  ],
  [
    'newer data before a correction that says free',
    [
      table('correction', { always: 'free' }, { against: '2026-09-23' }),
      table('import', { always: '4' }, on('2026-11-01')),
      BUNDLE,
    ],
    'import',
  ],
  [
    'a correction that says unknown before newer data that is as wrong as before',
    [
      table('correction', { always: null }, { against: '2026-09-23' }),
      table('import', { always: '2' }, on('2026-11-01')),
      BUNDLE,
    ],
    'correction',
  ],
  [
    'a table without a date last',
    [table('local', { always: '1' }, {}), CORRECTION, BUNDLE],
    'correction',
  ],
]

for (const [title, tables, expected] of CASES) {
  test(`puts ${title}`, () => assert.equal(findIn(tables), expected))
}

test('newer data decides from its first start on, and the correction before', () => {
  const imported = table('import', { '2026-10-07': '4' }, on('2026-11-01'))
  const tables = [CORRECTION, imported, BUNDLE]
  assert.equal(findIn(tables, Date.parse('2026-10-06T23:59:59Z')), 'correction')
  assert.equal(findIn(tables, Date.parse('2026-10-07T00:00:00Z')), 'import')
})

test('the order is decided once for a model', () => {
  let asked = 0
  const bundle: PriceTable = {
    ...BUNDLE,
    findVersions: (provider, model) => {
      asked += 1
      return BUNDLE.findVersions(provider, model)
    },
  }
  const priceTables = createPriceTables({ tables: [CORRECTION, bundle] })
  for (const atMs of [NOW, NOW + 1, 0]) {
    priceTables.find({ provider: 'acme', model: 'big', serviceTier: null, atMs })
  }
  assert.equal(asked, 1)
})

test('of any three lists, the newest that is no repetition of what was corrected decides', () => {
  const day = fc.integer({ min: 1, max: 9 }).map((count) => `2026-09-0${count}`)
  const price = fc.constantFrom('1', '2', '3')
  const rows = { corrected: day, imported: day, bundled: day, one: price, two: price, three: price }
  fc.assert(
    fc.property(fc.record(rows), ({ corrected, imported, bundled, one, two, three }) => {
      const found = findIn([
        table('correction', { always: one }, { against: corrected }),
        table('import', { always: two }, on(imported)),
        table('bundle', { always: three }, on(bundled)),
      ])
      // Days are compared as texts, and every case is spelled out.
      const isImportNewer = imported > corrected
      const isBundleNewer = bundled > corrected
      let expected = 'correction'
      if (isImportNewer && isBundleNewer) expected = imported >= bundled ? 'import' : 'bundle'
      else if (isImportNewer && two !== three) expected = 'import'
      else if (isBundleNewer && two !== three) expected = 'bundle'
      assert.equal(found, expected)
    }),
    { numRuns: 2000 },
  )
})
