import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SQLITE } from '../sqlite/dialect.ts'
import { listBuckets, PERIOD_BUCKETS_MAX } from './periods.ts'
import { toSumQuery } from './question.ts'
import type { SummedGrouping } from './question.ts'
import type { Period } from '../usage-store.ts'

const DAY: Period = { grain: 'day', from: '2026-10-31', to: '2026-11-01' }
const MONTH: Period = { grain: 'month', from: '2026-10', to: '2026-10' }

// How the figures are put together may change; which rows are read, and what they are told apart
// by, may not.
const QUERIES: readonly [SummedGrouping, Period, string | null, string, (string | number)[]][] = [
  [
    { by: 'total' },
    DAY,
    null,
    'FROM total_rollup WHERE period IN (SELECT value FROM json_each(?)) AND key_id = 0 HAVING COUNT(*) > 0)',
    ['[20261031,20261101]'],
  ],
  [
    { by: 'bucket_provider' },
    MONTH,
    'svc_k_one',
    'FROM total_rollup WHERE period = ? AND key_id = (SELECT id FROM names WHERE name = ?) GROUP BY provider, period)',
    [202610, 'svc_k_one'],
  ],
  [
    { by: 'api_key' },
    DAY,
    null,
    'FROM total_rollup WHERE period IN (SELECT value FROM json_each(?)) AND key_id > 0 GROUP BY key_id)',
    ['[20261031,20261101]'],
  ],
  [
    { by: 'dim_model', dimKey: 'team' },
    MONTH,
    null,
    'FROM dim_rollup WHERE period = ? AND key_id = 0 AND dim_key = (SELECT id FROM names WHERE name = ?)',
    [202610, 'team'],
  ],
]

for (const [grouping, period, keyId, source, parameters] of QUERIES) {
  test(`asks by ${grouping.by} and ${period.grain} for ${keyId ?? 'all keys'}`, () => {
    const asked = { grouping, period, keyId }
    const all = toSumQuery(asked, { dialect: SQLITE })
    const largest = toSumQuery({ ...asked, largest: 7 }, { dialect: SQLITE })
    const tied = toSumQuery(
      { ...asked, largest: 7, isCostOnly: true },
      { dialect: SQLITE, hasTies: true },
    )
    assert.deepEqual(all.parameters, parameters)
    assert.deepEqual(largest.parameters, [...parameters, 8])
    assert.deepEqual(tied.parameters, [...parameters, 7])
    for (const { sql } of [all, largest, tied]) {
      assert.ok(sql.includes(source), sql)
      assert.equal(sql.match(/FROM \w+_rollup/g)?.length, 1)
      assert.doesNotMatch(sql, /FROM records/)
    }
  })
}

const PERIODS: readonly [Period, readonly string[]][] = [
  [
    { grain: 'day', from: '2024-02-28', to: '2024-03-01' },
    ['2024-02-28', '2024-02-29', '2024-03-01'],
  ],
  [
    { grain: 'month', from: '2025-11', to: '2026-02' },
    ['2025-11', '2025-12', '2026-01', '2026-02'],
  ],
  [{ grain: 'month', from: '2026-02', to: '2026-01' }, []],
]

for (const [period, buckets] of PERIODS) {
  test(`lists ${period.from} to ${period.to}`, () => assert.deepEqual(listBuckets(period), buckets))
}

test('refuses a period that is none, and one that is too long', () => {
  const bad: readonly Period[] = [
    { grain: 'day', from: '2026-10', to: '2026-11' },
    { grain: 'month', from: '2026-10', to: '2026-10-01' },
    { grain: 'day', from: '2000-01-01', to: '2026-01-01' },
  ]
  for (const period of bad) {
    assert.throws(() => listBuckets(period), { code: 'invalid_parameter' })
  }
  const longest: Period = { grain: 'day', from: '2024-01-01', to: '2026-09-26' }
  assert.equal(listBuckets(longest).length, PERIOD_BUCKETS_MAX)
})
