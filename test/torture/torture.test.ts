import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runTorture } from './torture.ts'

// The short form; `node scripts/torture.ts` is the long one.
test('keeps the record whole while its processes are killed under load', async (t) => {
  const verdict = await runTorture({ seed: 20_261_115, kills: 10, callers: 8 })
  t.diagnostic(JSON.stringify(verdict))
  assert.deepEqual(verdict.faults.slice(0, 20), [])
  assert.ok(verdict.received > 100)
  assert.ok((verdict.byStatus['interrupted'] ?? 0) > 0)
})
