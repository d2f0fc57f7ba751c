import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openClockWatch } from './clock-watch.ts'
import { createMeter } from './meter.ts'

interface Step {
  readonly wallMs: number
  readonly steadyMs: number
}

/** What a watch says to a clock that moves by these steps, one look after each. */
function watch(steps: readonly Step[]): { jumps: number; warned: readonly number[] } {
  const at = { now: 1_000_000, monotonic: 500 }
  const meter = createMeter()
  const warned: number[] = []
  const clock = { now: () => at.now, monotonic: () => at.monotonic }
  const warn = (fields: object): void => void warned.push((fields as { jumpMs: number }).jumpMs)
  const { look, close } = openClockWatch({ clock, meter, warn })
  for (const { wallMs, steadyMs } of steps) {
    at.now += wallMs
    at.monotonic += steadyMs
    look()
  }
  close()
  const sample = meter.samples().find(({ metric }) => metric === 'clockJumps')
  return { jumps: sample?.value ?? 0, warned }
}

const HOUR_MS = 3_600_000

const CASES: readonly (readonly [title: string, steps: readonly Step[], warned: number[]])[] = [
  ['a clock that goes on is no jump', [{ wallMs: 1000, steadyMs: 1000 }], []],
  ['a process that slept is no jump', [{ wallMs: 90_000, steadyMs: 90_000 }], []],
  ['a correction below a second is none', [{ wallMs: 1999, steadyMs: 1000 }], []],
  ['a second forward is one', [{ wallMs: 2000, steadyMs: 1000 }], [1000]],
  ['an hour back is one', [{ wallMs: 1000 - HOUR_MS, steadyMs: 1000 }], [-HOUR_MS]],
  [
    'there and back again are two, and what follows is none',
    [
      { wallMs: 1000 + HOUR_MS, steadyMs: 1000 },
      { wallMs: 1000 - HOUR_MS, steadyMs: 1000 },
      { wallMs: 1000, steadyMs: 1000 },
    ],
    [HOUR_MS, -HOUR_MS],
  ],
  [
    'a drift that is corrected bit by bit is none',
    Array.from({ length: 100 }, () => ({ wallMs: 1100, steadyMs: 1000 })),
    [],
  ],
]

for (const [title, steps, warned] of CASES) {
  test(title, () => assert.deepEqual(watch(steps), { jumps: warned.length, warned }))
}
