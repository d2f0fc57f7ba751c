import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runFullDisk } from './disk-full.ts'

// The short form; `node scripts/torture.ts --disk-full` is the long one. Three fills: without a
// kill, with one worker killed, and with everything killed. Callers pause: the test waits for a
// disk, not for calls, and the processor is left to others.
const NAMES = {
  'go-on': 'counts every call that a full disk costs, at every moment and across kills',
  refuse: 'loses no call to a full disk where calls are refused, across kills',
} as const

for (const onFull of ['go-on', 'refuse'] as const) {
  test(NAMES[onFull], async (t) => {
    const verdict = await runFullDisk({ fills: 3, callers: 6, pauseMs: 10, onFull })
    t.diagnostic(JSON.stringify(verdict))
    assert.deepEqual(verdict.faults.slice(0, 20), [])
    assert.ok(verdict.received > 100)
    assert.ok(verdict.moments > 30)
    assert.ok(verdict.kills > 1)
  })
}
