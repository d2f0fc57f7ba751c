// Every combination of metric, dimension and window: those of the catalogue are answered, all
// others refused.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { CATALOGUE } from './catalogue.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const METRICS = ['cost_usd', 'requests', 'tokens']
const DIMENSIONS = [undefined, 'provider', 'model', 'api_key', 'dim', 'dim_model', 'day']
const WINDOWS = [
  'month_to_date',
  'last_month',
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'month',
  'monthly_series',
]

let api: OpenApi
let authorization: string

before(async () => {
  api = await openApi(NOW)
  authorization = await api.authorize('read:usage', 'read:keys')
  const ends = ['2026-02-10T00:00:00.000Z', '2026-03-14T10:00:00.000Z', '2026-03-15T10:00:00.000Z']
  const records = ends.flatMap((end) => [
    createRecord({ endedAt: Date.parse(end), dims: { team: 'search' }, model: null }),
    createRecord({ endedAt: Date.parse(end), provider: 'south', dims: { team: 'ads' } }),
  ])
  await api.store.writeBatch(batchOf(...records))
})

after(() => api.close())

interface Combination {
  readonly metric: string
  readonly dimension: string | undefined
  readonly window: string
}

const ALL = METRICS.flatMap((metric) =>
  DIMENSIONS.flatMap((dimension) =>
    WINDOWS.map((window): Combination => ({ metric, dimension, window })),
  ),
)

const isServed = ({ metric, dimension, window }: Combination): boolean =>
  CATALOGUE.some(
    (row) => row.metric === metric && row.dimension === dimension && row.windows.includes(window),
  )

async function ask({ metric, dimension, window }: Combination): Promise<Response> {
  const search = new URLSearchParams({ metric, window })
  if (dimension !== undefined) search.set('dimension', dimension)
  if (dimension?.startsWith('dim')) search.set('dim_key', 'team')
  if (window === 'month') search.set('month', '2026-02')
  // A second for each: sixty a minute are let pass.
  api.clock.monotonicMs += 1000
  return api.get(`/v1/usage?${search.toString()}`, authorization)
}

const FIELDS = ['bucket', 'label', 'model', 'requests', 'tokens', 'value']

function checkRow(row: Record<string, unknown>, { metric, dimension, window }: Combination): void {
  assert.deepEqual(Object.keys(row).toSorted(), FIELDS)
  assert.equal(typeof row['label'], 'string')
  assert.equal(typeof row['value'], 'number')
  if (metric !== 'cost_usd') assert.ok(Number.isInteger(row['value']))
  if (window === 'monthly_series') assert.match(String(row['bucket']), /^\d{4}-\d{2}-01$/)
  else assert.equal(row['bucket'], null)
  if (dimension === 'dim_model') {
    assert.equal(typeof row['model'], 'string')
    assert.ok(Number.isInteger(row['requests']))
    assert.ok(Number.isInteger(row['tokens']))
  } else {
    assert.deepEqual([row['model'], row['requests'], row['tokens']], [null, null, null])
  }
  if (dimension === undefined) assert.equal(row['label'], 'total')
}

const nameOf = ({ metric, dimension, window }: Combination): string =>
  `${metric} ${dimension === undefined ? 'without dimension' : `by ${dimension}`} over ${window}`

test('there are 168 combinations, and 23 of them are served', () => {
  assert.equal(ALL.length, 168)
  assert.equal(ALL.filter(isServed).length, 23)
})

describe('answers', () => {
  for (const combination of ALL.filter(isServed)) {
    test(nameOf(combination), async () => {
      const response = await ask(combination)
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      const envelope = (await response.json()) as Record<string, unknown>
      assert.deepEqual(Object.keys(envelope), ['asOf', 'rows'])
      assert.equal(envelope['asOf'], new Date(NOW).toISOString())
      const rows = envelope['rows'] as Record<string, unknown>[]
      assert.ok(rows.length > 0)
      for (const row of rows) checkRow(row, combination)
      assert.ok(rows.some((row) => Number(row['value']) > 0))
    })
  }
})

describe('refuses and names what there is', () => {
  const served = CATALOGUE.map(({ windows, ...row }) =>
    nameOf({ ...row, window: windows.join(', ') }),
  )
  for (const combination of ALL.filter((each) => !isServed(each))) {
    test(nameOf(combination), async () => {
      const response = await ask(combination)
      assert.equal(response.status, 400)
      const { error, code, ...rest } = (await response.json()) as Record<string, string>
      assert.equal(code, 'unknown_catalog_tuple')
      assert.deepEqual(rest, {})
      for (const each of served) assert.ok(error?.includes(each), each)
    })
  }
})
