import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPostgresPlaces, withUsage } from '../../../../../test/fakes/postgres/usage-place.ts'
import { listPieces } from './span-pieces.ts'

const createPlace = createPostgresPlaces(after)
const DAY_MS = 86_400_000
const MONDAY = Date.parse('2026-10-12T00:00:00Z')
const WEEK = { startMs: MONDAY, endMs: MONDAY + 7 * DAY_MS }

/** With that many calls on each day, from Monday on: the lengths of the pieces, in days. */
const CASES: readonly (readonly [calls: readonly number[], lengths: readonly number[]])[] = [
  [[], [7]],
  [[3, 3, 3], [7]],
  [
    [6, 4, 1, 9],
    [2, 5],
  ],
  [
    [0, 0, 11, 0, 2],
    [2, 0.5, 0.5, 4],
  ],
  [
    [10, 20, 1],
    [1, 0.5, 0.5, 5],
  ],
]

test('a span is cut where it has more calls than one statement should read', async () => {
  const { url } = await createPlace()
  for (const [calls, lengths] of CASES) {
    const pieces = await withUsage(url, async (sql) => {
      await sql.run('DELETE FROM total_rollup')
      for (const [day, requests] of calls.entries()) {
        await sql.run(`INSERT INTO total_rollup VALUES (?, 0, 0, 0, 0, ?, 0, 0, 0, 0)`, [
          20261012 + day,
          requests,
        ])
      }
      return listPieces(sql, WEEK, 10)
    })
    assert.deepEqual(
      pieces.map(({ startMs, endMs }) => (endMs - startMs) / DAY_MS),
      lengths,
      calls.join(),
    )
    assert.equal(pieces[0]?.startMs, WEEK.startMs)
    assert.equal(pieces.at(-1)?.endMs, WEEK.endMs)
    assert.ok(pieces.every(({ startMs }, at) => at === 0 || pieces[at - 1]?.endMs === startMs))
  }
})
