import assert from 'node:assert/strict'
import { test } from 'node:test'

import { byForm } from '../long-form.ts'
import { runSoak } from './soak.ts'

// It judges the record and the answers; `node scripts/soak.ts` goes on for an hour, and judges
// memory and waiting too.
test('keeps answers and record whole while a tenth of the calls is hostile', async (t) => {
  const seconds = byForm(
    { calmSeconds: 1, mixedSeconds: 3, sampleSeconds: 1 },
    { calmSeconds: 2, mixedSeconds: 10, sampleSeconds: 2 },
  )
  const verdict = await runSoak({ ...seconds, perSecond: 60, say: (line) => t.diagnostic(line) })
  assert.deepEqual(verdict.faults, [])
  assert.equal(verdict.restarts, 0)
  assert.ok(Object.keys(verdict.hostile).length > 10)
})
