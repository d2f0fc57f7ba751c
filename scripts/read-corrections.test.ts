import assert from 'node:assert/strict'
import { test } from 'node:test'

import { BUNDLE } from '../src/pricing/data/bundle.ts'
import { parseCorrections, readCorrections } from './prices/read-corrections.ts'

test('the bundle carries exactly what the files of corrections say', () => {
  const advice = 'run node scripts/build-prices.ts'
  assert.deepEqual(BUNDLE.corrections.providers, readCorrections(), advice)
})

test('no correction is of data newer than the bundle', () => {
  for (const { models = [] } of Object.values(BUNDLE.corrections.providers)) {
    for (const { id, against } of models) assert.ok(against <= BUNDLE.publishedAt, id)
  }
})

const HEAD = 'source: acme.test/pricing\nagainst: 2026-11-17\n'

function read(text: string) {
  return parseCorrections('acme.yaml', HEAD + text)
}

test('a model is known by its id, its names or a rule, and dated by its file or itself', () => {
  const { models = [] } = read(`models:
  - { id: a, why: w, prices: { input_mtok: 1 } }
  - { id: b, why: w, names: [b-1, b-2], against: 2026-01-01, prices: null }
  - { id: c, why: w, match: { starts_with: c- }, perUnit: { image: 0.04 } }
`)
  assert.deepEqual(models, [
    {
      id: 'a',
      match: { equals: 'a' },
      against: '2026-11-17',
      prices: [{ prices: { input_mtok: 1 } }],
    },
    {
      id: 'b',
      match: { or: [{ equals: 'b-1' }, { equals: 'b-2' }] },
      against: '2026-01-01',
      prices: null,
    },
    {
      id: 'c',
      match: { starts_with: 'c-' },
      against: '2026-11-17',
      prices: [{ prices: {}, perUnit: { image: 0.04 } }],
    },
  ])
})

// 14 November 2026 is a Saturday.
test('peak hours of working days become prices with days of their own', () => {
  const { models = [] } = read(`peaks:
  hours: [{ start: '01:00', end: '04:00' }]
  plannedUntil: 2026-11-19
  doubtfulDays: 2026-11-17
models:
  - id: a
    why: w
    prices:
      - { from: 2026-11-13, isWeekly: true, prices: { input_mtok: 1 }, peak: { input_mtok: 2 } }
`)
  const listed = models[0]?.prices?.map(({ from, hours, prices }) => {
    return [from, hours?.start ?? null, prices['input_mtok'] ?? null]
  })
  assert.deepEqual(listed, [
    ['2026-11-13', null, 1],
    ['2026-11-13', '01:00', 2],
    ['2026-11-14', null, 1],
    ['2026-11-16', null, 1],
    ['2026-11-16', '01:00', 2],
    ['2026-11-17', null, 1],
    ['2026-11-17', '01:00', null],
    ['2026-11-18', null, 1],
    ['2026-11-18', '01:00', 2],
    ['2026-11-19', null, 1],
    ['2026-11-19', '01:00', null],
  ])
})

const FAULTY: readonly (readonly [string, string, RegExp])[] = [
  ['no reason', 'models: [{ id: a, prices: {} }]', /models\.0\.why/],
  ['a unit that is none', 'models: [{ id: a, why: w, prices: { inptu: 1 } }]', /models\.0\.prices/],
  ['a price below nothing', 'models: [{ id: a, why: w, prices: { input_mtok: -1 } }]', /models\.0/],
  ['no price', 'models: [{ id: a, why: w }]', /has no one price/],
  [
    'names and a rule',
    'models: [{ id: a, why: w, names: [b], match: { equals: c }, prices: {} }]',
    /names and a match/,
  ],
  ['a member of another name', 'prices: {}', /prices/],
  [
    'two of a model',
    'models: [{ id: a, why: w, prices: {} }, { id: a, why: w, prices: {} }]',
    /two of a/,
  ],
  [
    'a peak without hours',
    'models: [{ id: a, why: w, prices: [{ from: 2026-11-17, prices: {}, peak: {} }] }]',
    /no hours/,
  ],
]

for (const [name, text, message] of FAULTY) {
  test(`a file with ${name} is refused`, () => {
    assert.throws(() => read(text), message)
  })
}

test('a file without the day or the page of its figures is refused', () => {
  assert.throws(() => parseCorrections('acme.yaml', 'tiers: { batch: 50 }'), /source[^]*against/)
})
