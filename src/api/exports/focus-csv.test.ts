import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFocusFaults } from '../../../test/exports/check-focus.ts'
import { FOCUS_MANDATORY } from '../../../test/exports/focus-specification.ts'
import { INSIDE, isCharged, MONTH } from '../../../test/exports/month-scene.ts'
import { parseCsv } from '../../../test/exports/parse-csv.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { Cost } from '../../core/usage-record.ts'
import { createRecord } from '../../../test/contracts/usage-scene.ts'
import { toCsvHead, toCsvLine } from './csv.ts'
import { FOCUS_COLUMNS } from './focus-columns.ts'
import { toFocusRow } from './focus-csv.ts'
import type { FocusRow } from './focus-csv.ts'
import { toMonthRange } from './month-records.ts'
import { KEY_CODEC, OPEN_KEY } from '../../resources/codecs.ts'

const KEY = 'svc_k_aaaaaaaaaaaaaaaa'
const TEAM = 'team_0123456789abcdef'
const OCTOBER = {
  month: toMonthRange(MONTH),
  keys: new Map([[KEY, KEY_CODEC.toAnswer({ name: 'Nightly jobs', ...OPEN_KEY })]]),
  names: new Map([[TEAM, 'Search']]),
}

function rowOf(event: Partial<UsageEvent>, cost: Partial<Cost> = {}): FocusRow {
  const row = toFocusRow(createRecord(event, cost), OCTOBER)
  assert.ok(row !== null)
  return row
}

function toText(rows: readonly FocusRow[]): string {
  return toCsvHead(FOCUS_COLUMNS) + rows.map((row) => toCsvLine(FOCUS_COLUMNS, row)).join('')
}

function pick(row: FocusRow, names: readonly (keyof FocusRow)[]): readonly unknown[] {
  return names.map((name) => row[name])
}

test('has the mandatory columns, and both groups of columns by name', () => {
  const names: readonly string[] = FOCUS_COLUMNS.map(({ name }) => name)
  assert.deepEqual(
    FOCUS_MANDATORY.filter((name) => !names.includes(name)),
    [],
  )
  const isOwn = (name: string): boolean => name.startsWith('x_')
  const official = names.filter((name) => !isOwn(name))
  assert.deepEqual(names, [...official.toSorted(), ...names.filter(isOwn).toSorted()])
})

const MARKET = { cost: null, marketCost: 2_500_000n, isByok: true, generationId: null }
const COSTS = ['BilledCost', 'EffectiveCost', 'ContractedCost', 'ListCost', 'x_CostSource'] as const

const PRICED: readonly (readonly [
  name: string,
  event: Partial<UsageEvent>,
  cost: Partial<Cost>,
  row: readonly string[],
])[] = [
  [
    'list price',
    {},
    { amount: 42n },
    ['0.000000000042', '0.000000000042', '0.000000000042', '0.000000000042', 'price-book'],
  ],
  [
    'own provider key',
    { billing: MARKET },
    { amount: 0n, source: 'byok-zero' },
    ['0', '0', '0', '0.0000025', 'byok-zero'],
  ],
  [
    'own key, value not stated',
    {},
    { amount: 0n, source: 'byok-zero' },
    ['0', '0', '0', '0', 'byok-zero'],
  ],
  [
    'gateway',
    { billing: MARKET },
    { amount: 2_000_000n, source: 'gateway' },
    ['0.000002', '0.000002', '0.000002', '0.0000025', 'gateway'],
  ],
  ['not known', {}, { amount: null, source: 'unpriced' }, ['0', '0', '0', '0', 'unpriced']],
]

describe('costs', () => {
  for (const [name, event, cost, expected] of PRICED) {
    test(name, () => assert.deepEqual(pick(rowOf(event, cost), COSTS), expected))
  }
})

test('tags what the call was booked to apart from what its caller wrote', () => {
  const dims = { '@team': TEAM, '@person': 'user_gone', team: 'mine' }
  const tags = { team: 'mine', 'weir:team': 'Search', 'weir:person': 'user_gone' }
  assert.deepEqual(rowOf({ dims }).Tags, tags)
  assert.equal(rowOf({}).Tags, null)
})

test('says where a cost is not known', () => {
  const row = rowOf({}, { amount: null, source: 'unpriced' })
  assert.equal(row.ChargeDescription, 'model-1, chat, 15 tokens, cost not known')
  assert.equal(row.PricingCategory, 'Other')
})

test('counts tokens, or the request where none are known', () => {
  const names = ['ConsumedQuantity', 'ConsumedUnit'] as const
  assert.deepEqual(pick(rowOf({}), names), [15, 'Tokens'])
  assert.deepEqual(pick(rowOf({ tokens: null }), names), [1, 'Requests'])
  assert.deepEqual(pick(rowOf({ tokens: createTokenCounts({}) }), names), [1, 'Requests'])
})

test('the charge period is whole seconds around the call, its end exclusive', () => {
  const startedAt = Date.parse('2026-10-31T23:59:58.900Z')
  const row = rowOf({ startedAt, endedAt: Date.parse('2026-10-31T23:59:59.999Z') })
  assert.deepEqual(pick(row, ['ChargePeriodStart', 'ChargePeriodEnd', 'BillingPeriodEnd']), [
    '2026-10-31T23:59:58Z',
    '2026-11-01T00:00:00Z',
    '2026-11-01T00:00:00Z',
  ])
})

test('has the region by its id and its name, or neither', () => {
  const names = ['RegionId', 'RegionName'] as const
  assert.deepEqual(pick(rowOf({ region: 'us-east5' }), names), ['us-east5', 'us-east5'])
  assert.deepEqual(pick(rowOf({}), names), [null, null])
})

test('a key has its name as the name of the sub-account, its id where that is not known', () => {
  const names = ['SubAccountId', 'SubAccountName', 'SubAccountType'] as const
  assert.deepEqual(pick(rowOf({ keyId: KEY }), names), [KEY, 'Nightly jobs', 'API Key'])
  assert.deepEqual(pick(rowOf({ keyId: 'svc_k_gone' }), names), [
    'svc_k_gone',
    'svc_k_gone',
    'API Key',
  ])
  assert.deepEqual(pick(rowOf({ keyId: null }), names), [null, null, null])
})

test('leaves denied calls out', () => {
  assert.equal(toFocusRow(createRecord({ status: 'denied' }), OCTOBER), null)
})

describe('the check of a file', () => {
  const rows = INSIDE.filter(isCharged).map((record) => toFocusRow(record, OCTOBER) as FocusRow)

  test('finds nothing in ours', () => {
    assert.deepEqual(findFocusFaults(parseCsv(toText(rows))), [])
  })

  const SPOILED: readonly (readonly [change: Partial<FocusRow>, fault: RegExp])[] = [
    [{ BilledCost: null }, /BilledCost must not be null/],
    [{ BilledCost: '1e-9' }, /BilledCost is not a decimal/],
    [{ ListCost: '9' }, /quantity × list price/],
    [{ ContractedUnitPrice: '9' }, /quantity × price/],
    [{ ChargePeriodStart: '2026-10-14T10:00:00.000Z' }, /ChargePeriodStart is not a time/],
    [{ ChargePeriodEnd: '2026-11-01T00:00:01Z' }, /outside the billing period/],
    [{ ChargeCategory: 'Use' }, /ChargeCategory may not be Use/],
    [{ Tags: { a: { b: 1 } } }, /Tags is no object of plain values/],
    [{ SubAccountName: null, SubAccountId: 'k' }, /null together/],
    [{ RegionId: 'eu', RegionName: null }, /null together/],
    [{ ConsumedQuantity: 0 }, /above 0/],
    [{ SkuPriceId: 'p', SkuId: 'other' }, /belongs to/],
  ]

  for (const [change, fault] of SPOILED) {
    test(`finds ${JSON.stringify(change)}`, () => {
      const spoiled = rows.map((row) => ({ ...row, SkuPriceId: 'p', SkuId: 's', SkuMeter: 'm' }))
      assert.deepEqual(findFocusFaults(parseCsv(toText(spoiled))), [])
      const first = { ...(spoiled[4] as FocusRow), ...change }
      assert.match(findFocusFaults(parseCsv(toText([...spoiled, first]))).join('\n'), fault)
    })
  }
})
