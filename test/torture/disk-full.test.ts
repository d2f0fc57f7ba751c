import assert from 'node:assert/strict'
import { test } from 'node:test'

import { byForm } from '../long-form.ts'
import { FULL_DISK_KILLS, runFullDisk } from './disk-full.ts'
import type { FullDiskKill } from './disk-full.ts'

// `node scripts/torture.ts --disk-full` goes on for longer. Callers pause: the test waits for a
// disk, not for calls, and the processor is left to others.
const SCENES = {
  'go-on': {
    name: 'counts every call that a full disk costs, at every moment and across kills',
    short: 'all',
  },
  refuse: {
    name: 'loses no call to a full disk where calls are refused, across kills',
    short: 'worker',
  },
} as const

for (const onFull of ['go-on', 'refuse'] as const) {
  const { name, short } = SCENES[onFull]
  test(name, async (t) => {
    const fills = byForm<readonly FullDiskKill[]>([short], FULL_DISK_KILLS)
    const verdict = await runFullDisk({ fills, callers: 6, pauseMs: 10, onFull })
    t.diagnostic(JSON.stringify(verdict))
    assert.deepEqual(verdict.faults.slice(0, 20), [])
    assert.ok(verdict.received > 100)
    assert.ok(verdict.moments > 10 * fills.length)
    assert.ok(verdict.kills > 0)
  })
}
