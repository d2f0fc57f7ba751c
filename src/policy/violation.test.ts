import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createModelPolicy } from '../core/model-policy.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import { defineProvider } from '../providers/provider.ts'
import type { Provider, Reading } from '../providers/provider.ts'
import { findViolation } from './violation.ts'

const acme = defineProvider({ id: 'acme', upstream: null, operations: [] })
const hub = defineProvider({ id: 'hub', upstream: null, operations: [], hasMakersInNames: true })
const own = defineProvider({ id: 'own', upstream: null, operations: [], hasOwnLabels: true })

interface Case {
  readonly provider?: Provider
  readonly patterns: readonly string[]
  readonly asked: readonly string[]
  readonly served: string | null
  readonly shares?: readonly (string | null)[]
}

function find({ provider = acme, patterns, asked, served, shares }: Case): string | null {
  const models = createModelPolicy(patterns)
  const policy = { keyId: 'svc_k_test', provider, models, blocked: [], names: new Set(asked) }
  const reading: Reading = {
    kind: 'reported',
    model: served,
    tokens: null,
    toolCalls: {},
    serviceTier: null,
    billing: null,
    hasError: false,
  }
  const tokens = createTokenCounts({})
  const parts = shares?.map((model) => ({ model, tokens }))
  return findViolation(policy, parts === undefined ? reading : { ...reading, shares: parts })
}

const DATES = ['', '-2024-08-06', '-20250514', '-001', '-0613', '-2407', '@20250514', '@001']
const WORDS = ['@default', '-latest', ':latest', '-preview', '-preview-05-20', '-1106-preview']
const VERSIONS = ['-exp-0827', ':0', '-v1:0', '-20241022-v2:0', '-v0.3', '-v2']
const TAILS = [...DATES, ...WORDS, ...VERSIONS]

describe('is no violation:', () => {
  for (const tail of TAILS) {
    test(`big served as big${tail}, and the reverse`, () => {
      assert.equal(find({ patterns: ['acme/big'], asked: ['big'], served: `big${tail}` }), null)
      const asked = [`big${tail}`]
      assert.equal(find({ patterns: [`acme/big${tail}`], asked, served: 'big' }), null)
    })
  }

  const FINE: readonly (readonly [string, Case])[] = [
    ['an answer that names none', { patterns: ['acme/big'], asked: ['big'], served: null }],
    ['other letters', { patterns: ['acme/big'], asked: ['big'], served: 'BIG-001' }],
    ['a model that a pattern allows', { patterns: ['acme/*'], asked: ['big'], served: 'small' }],
    [
      'the date behind the newest',
      { patterns: ['acme/big-latest'], asked: ['big-latest'], served: 'big-20250514' },
    ],
    [
      'the name without service and maker',
      {
        patterns: ['acme/us.maker.big-20250514-v1:0'],
        asked: ['us.maker.big-20250514-v1:0'],
        served: 'big-20250514',
      },
    ],
    [
      'the name without its folder',
      { patterns: ['acme/folder/big'], asked: ['folder/big'], served: 'big-001' },
    ],
    [
      "a maker's own name behind a hub",
      { provider: hub, patterns: ['maker/big'], asked: ['maker/big'], served: 'small' },
    ],
    [
      'a dated name behind a hub',
      { provider: hub, patterns: ['maker/big'], asked: ['maker/big'], served: 'maker/big-001' },
    ],
    [
      'whatever runs behind labels of their own',
      { provider: own, patterns: ['own/label'], asked: ['label'], served: 'small' },
    ],
    [
      'a share without a model',
      { patterns: ['acme/big'], asked: ['big'], served: 'big', shares: [null, 'big'] },
    ],
  ]
  for (const [name, row] of FINE) test(name, () => assert.equal(find(row), null))
})

const FOUND: readonly (readonly [string, Case, string?])[] = [
  ['another model', { patterns: ['acme/big'], asked: ['big'], served: 'small' }],
  ['a sibling', { patterns: ['acme/big-4'], asked: ['big-4'], served: 'big-4-5' }],
  ['a larger sibling', { patterns: ['acme/big'], asked: ['big'], served: 'big-pro' }],
  ['a name that only begins alike', { patterns: ['acme/big'], asked: ['big'], served: 'bigger' }],
  ['a model when none was named', { patterns: ['acme/big'], asked: [], served: 'small' }],
  [
    'a version of a name that was not asked for',
    { patterns: ['acme/big', 'acme/tiny'], asked: ['tiny'], served: 'big-pro-001' },
  ],
  [
    "another maker's model behind a hub",
    { provider: hub, patterns: ['maker/*'], asked: ['maker/big'], served: 'other/big' },
  ],
  [
    'a share that is not allowed',
    { patterns: ['acme/big'], asked: ['big'], served: 'big', shares: ['big', 'small'] },
    'small',
  ],
]

describe('is a violation:', () => {
  for (const [name, row, expected = row.served] of FOUND) {
    test(name, () => assert.equal(find(row), expected))
  }
})

test('a name made to take long takes no time', () => {
  const served = `big${'-1234-12-12'.repeat(5000)}x`
  assert.equal(find({ patterns: ['acme/big'], asked: ['big'], served }), served)
})
