import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byForm, isLongForm } from '../long-form.ts'
import { runTorture } from './torture.ts'

// `node scripts/torture.ts` goes on for sixty kills. Callers pause: there are always calls under
// way, and processor time is left to start processes.
const LOAD = { seed: 20_261_115, kills: byForm(3, 7), callers: 8, pauseMs: 10 }

for (const recordsFirst of byForm([true], [false, true])) {
  const name = recordsFirst ? ', to the very last answer where the record comes first' : ''
  test(`keeps the record whole while its processes are killed under load${name}`, async (t) => {
    const verdict = await runTorture({ ...LOAD, recordsFirst })
    t.diagnostic(JSON.stringify(verdict))
    assert.deepEqual(verdict.faults.slice(0, 20), [])
    assert.ok(verdict.received > 100)
    if (isLongForm) assert.ok((verdict.byStatus['interrupted'] ?? 0) > 0)
    if (recordsFirst) assert.equal(verdict.overtaken, 0)
  })
}
