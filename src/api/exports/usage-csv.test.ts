import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createRecord } from '../../../test/contracts/usage-scene.ts'
import { requestRowSchema } from '../contract.ts'
import { FOCUS_COLUMNS } from './focus-columns.ts'
import { toUsageRow, USAGE_COLUMNS } from './usage-csv.ts'
import { KEY_CODEC, OPEN_KEY } from '../../resources/codecs.ts'

const KEY = 'svc_k_aaaaaaaaaaaaaaaa'
/** Columns that came after those of a key. */
const LATER = ['provider_error', 'team_id', 'team', 'person_id', 'person', 'tool', 'tool_version']
LATER.push('session', 'agent', 'parent_agent', 'device', 'account', 'repository', 'retry')
const TEAM = 'team_0123456789abcdef'
const NAMES = {
  keys: new Map([[KEY, KEY_CODEC.toAnswer({ name: 'Nightly jobs', ...OPEN_KEY })]]),
  names: new Map([[TEAM, 'Search']]),
}

test("the columns are the members of a row of the request log, in their order, but for Weir's own share, the key's name and cost center, and what came later", () => {
  assert.deepEqual(
    USAGE_COLUMNS.map(({ name }) => name),
    [
      ...Object.keys(requestRowSchema.shape).filter(
        (name) => name !== 'own_ms' && !LATER.includes(name),
      ),
      'api_key_name',
      'api_key_cost_center',
      ...LATER,
    ],
  )
})

test('a denied call has no cost, any other has the one on record', () => {
  const cost = { amount: 0n, source: 'free' } as const
  assert.equal(toUsageRow(createRecord({ status: 'denied' }, cost), NAMES).cost_usd, null)
  assert.equal(toUsageRow(createRecord({ status: 'refused' }, cost), NAMES).cost_usd, '0')
})

test('the region is empty where none is known', () => {
  assert.equal(toUsageRow(createRecord({ region: 'eu' }), NAMES).region, 'eu')
  assert.equal(toUsageRow(createRecord(), NAMES).region, null)
})

test('a call has its team and person, who may not be known go by their id', () => {
  const person = 'user_0123456789abcdef'
  const record = createRecord({ dims: { '@team': TEAM, '@person': person, env: 'prod' } })
  const row = toUsageRow(record, NAMES)
  assert.deepEqual(
    [row.team_id, row.team, row.person_id, row.person],
    [TEAM, 'Search', person, person],
  )
  assert.deepEqual(row.dims, { env: 'prod' })
})

test("the provider's error has a column", () => {
  assert.equal(toUsageRow(createRecord({ providerError: 'x_1' }), NAMES).provider_error, 'x_1')
})

test("the key's name and cost center have columns, and are empty where they are not known", () => {
  const booked = new Map([
    [KEY, { ...KEY_CODEC.toAnswer({ name: 'x', ...OPEN_KEY }), cost_center: 'CC-4711' }],
  ])
  const row = toUsageRow(createRecord({ keyId: KEY }), { ...NAMES, keys: booked })
  assert.equal(row.api_key_cost_center, 'CC-4711')
  assert.equal(toUsageRow(createRecord({ keyId: KEY }), NAMES).api_key_cost_center, null)
  assert.equal(toUsageRow(createRecord({ keyId: KEY }), NAMES).api_key_name, 'Nightly jobs')
  assert.equal(toUsageRow(createRecord({ keyId: 'svc_k_gone' }), NAMES).api_key_name, null)
  assert.equal(toUsageRow(createRecord({ keyId: null }), NAMES).api_key_name, null)
})

test('docs/exports.md describes every column of both files', () => {
  const docs = readFileSync(path.join(import.meta.dirname, '../../../docs/exports.md'), 'utf8')
  const described = new Set(
    [...docs.matchAll(/^\| (`.+?`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    ),
  )
  const names = [...USAGE_COLUMNS, ...FOCUS_COLUMNS].map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => !described.has(name)),
    [],
  )
})
