import assert from 'node:assert/strict'
import { test } from 'node:test'

import { percentOf, severityOf, surpassed } from './standing.ts'

const ROWS = [
  [0n, 0, null, 'normal'],
  [-1n, 0, null, 'normal'],
  [750n, 75, null, 'normal'],
  [760n, 76, '0.75', 'warning'],
  [959n, 95, '0.75', 'warning'],
  [960n, 96, '0.95', 'critical'],
  [999n, 99, '0.95', 'critical'],
  [1000n, 100, '0.95', 'critical'],
  [5000n, 100, '0.95', 'critical'],
] as const

for (const [used, percent, step, severity] of ROWS) {
  test(`${used} of 1000 is ${percent} %`, () => {
    assert.equal(percentOf(used, 1000n), percent)
    assert.equal(surpassed(percent), step)
    assert.equal(severityOf(percent), severity)
  })
}

test('nothing of a limit of nothing is left', () => assert.equal(percentOf(0n, 0n), 100))
