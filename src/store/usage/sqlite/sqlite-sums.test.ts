import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { sampleCall, storeCalls } from '../../../../test/fakes/stored-calls.ts'
import { openUsageStore } from '../../open-store.ts'
import { systemClock } from '../../../core/clock.ts'
import type { UsageEvent } from '../../../core/usage-event.ts'
import type { UsageGrouping } from '../usage-store.ts'

const ENDED_AT = Date.parse('2026-10-15T12:00:00Z')
const ROWS = 640
const PERIOD = { grain: 'month', from: '2026-10', to: '2026-10' } as const

const MANY: readonly [string, (index: number) => Partial<UsageEvent>, UsageGrouping][] = [
  ['values', (index) => ({ dims: { user: `user-${index}` } }), { by: 'dim', dimKey: 'user' }],
  ['values', (index) => ({ dims: { user: `user-${index}` } }), { by: 'dim_model', dimKey: 'user' }],
  [
    'models of one value',
    (index) => ({ dims: { team: 'search' }, model: `model-${index}` }),
    { by: 'dim_model', dimKey: 'team' },
  ],
  ['keys', (index) => ({ keyId: `svc_k_${index}` }), { by: 'api_key' }],
]

for (const [what, change, grouping] of MANY) {
  test(`a statement by ${grouping.by} over many ${what} rests in the middle and sums all rows`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'weir-sums-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    const calls = Array.from({ length: ROWS }, (_, index) =>
      sampleCall({ endedAt: ENDED_AT, ...change(index) }),
    )
    await storeCalls(dataDir, calls)
    let rests = 0
    const store = await openUsageStore({ dataDir, clock: systemClock, breathe: () => (rests += 1) })
    t.after(() => store.close())
    const rows = await store.sum({ grouping, period: PERIOD, keyId: null })
    assert.equal(rows.length, ROWS)
    const requests = rows.reduce((sum, row) => sum + row.requests, 0)
    assert.equal(requests, ROWS)
    // Before and behind it, and for one row in 64.
    assert.ok(rests >= 2 + ROWS / 64 - 1, `${rests} rests`)
  })
}
