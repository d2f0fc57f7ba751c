import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CountedBatches } from '../../ledger/call-batches.ts'
import { toConditionSince } from './batch-condition.ts'

const at = (last: number, ...hidden: readonly (number | readonly [number, number])[]) => ({
  last,
  hidden: hidden.map((one) =>
    typeof one === 'number' ? { from: one, to: one } : { from: one[0], to: one[1] },
  ),
})

const CASES: readonly (readonly [
  title: string,
  before: CountedBatches,
  now: CountedBatches,
  since: string | null,
])[] = [
  ['nothing', at(5, 5), at(5, 5), null],
  ['numbers that were only reserved', at(5, 5), at(7, 5, 6, 7), null],
  ['a range that was given up', at(5, 5), at(9, 5, [6, 9]), null],
  ['a batch that was being written', at(5, 4, 5), at(6, 5, 6), 'batch IN (4)'],
  ['a batch that was begun and ended', at(5, 5), at(7, 5, 7), 'batch > 5'],
  ['both', at(5, 4, 5), at(8, 5, 8), 'batch > 5 OR batch IN (4)'],
]

for (const [title, before, now, since] of CASES) {
  test(`what counts since a moment: ${title}`, () => {
    const moment = toConditionSince(before, now)
    if (since === null) assert.equal(moment, null)
    else assert.ok(moment?.endsWith(` AND (${since})`), String(moment))
  })
}
