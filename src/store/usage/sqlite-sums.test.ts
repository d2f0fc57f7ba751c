import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { sampleCall, storeCalls } from '../../../test/fakes/stored-calls.ts'
import { openUsageStore } from '../../app/backends.ts'
import { systemClock } from '../../core/clock.ts'

const ENDED_AT = Date.parse('2026-10-15T12:00:00Z')
const VALUES = 640

test('a statement over many rows rests in the middle, and its sums are those of all rows', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-sums-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const calls = Array.from({ length: VALUES }, (_, index) =>
    sampleCall({ endedAt: ENDED_AT, dims: { user: `user-${index}` } }),
  )
  await storeCalls(dataDir, calls)
  let rests = 0
  const store = await openUsageStore({ dataDir, clock: systemClock, breathe: () => (rests += 1) })
  t.after(() => store.close())
  const period = { grain: 'month', from: '2026-10', to: '2026-10' } as const
  const sum = async (by: 'dim' | 'dim_model'): Promise<number> => {
    rests = 0
    const grouping = { by, dimKey: 'user' }
    const rows = await store.sum({ grouping, period, keyId: null })
    assert.equal(new Set(rows.map(({ label }) => label)).size, VALUES)
    assert.equal(
      rows.reduce((requests, row) => requests + row.requests, 0),
      VALUES,
    )
    return rests
  }
  // Before and behind it, and for one value in 64.
  assert.ok((await sum('dim')) >= 2 + VALUES / 64 - 1)
  assert.ok((await sum('dim_model')) >= 2 + VALUES / 64 - 1)
})
