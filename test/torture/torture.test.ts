import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTorture } from './torture.ts'

// The short form; `node scripts/torture.ts` is the long one. Callers pause: there are always calls
// under way, and processor time is left to start processes.
const LOAD = { seed: 20_261_115, kills: 7, callers: 8, pauseMs: 10 }

for (const recordsFirst of [false, true]) {
  const name = recordsFirst ? ', to the very last answer where the record comes first' : ''
  test(`keeps the record whole while its processes are killed under load${name}`, async (t) => {
    const verdict = await runTorture({ ...LOAD, recordsFirst })
    t.diagnostic(JSON.stringify(verdict))
    assert.deepEqual(verdict.faults.slice(0, 20), [])
    assert.ok(verdict.received > 100)
    assert.ok((verdict.byStatus['interrupted'] ?? 0) > 0)
    if (recordsFirst) assert.equal(verdict.overtaken, 0)
  })
}
