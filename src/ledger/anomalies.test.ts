import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ANOMALY_DAYS, judgeDay, KNOWN_DAYS_MIN } from './anomalies.ts'
import type { Anomaly } from './anomalies.ts'

const USD = 10n ** 12n

/** The oldest day first; the given days are the last ones before today. */
function toPast(days: readonly number[]): bigint[] {
  const missing = Array.from({ length: ANOMALY_DAYS - days.length }, () => 0)
  return [...missing, ...days].map((usd) => BigInt(Math.round(usd * 100)) * (USD / 100n))
}

const steady = Array.from({ length: 28 }, () => 20)
const rising = Array.from({ length: 28 }, (_, day) => 10 + day)
/** 2026-10-19 is a Monday, so the 28 days begin with one. */
const weekdays = Array.from({ length: 28 }, (_, day) => (day % 7 < 5 ? 100 : 5))
const mondays = Array.from({ length: 28 }, (_, day) => (day % 7 === 0 ? 50 : 0))
const noisy = Array.from({ length: 28 }, (_, day) => 20 + ((day * 7) % 11) * 4)
const dear = (days: number[], at: number, usd: number): number[] => days.with(at, usd)

interface Row {
  readonly what: string
  readonly past: readonly number[]
  readonly today: number
  /** Usual, largest and days; null for a day like others. */
  readonly expected: readonly [usual: number, largest: number, days: number] | null
}

const ROWS: readonly Row[] = [
  { what: 'a steady spender as ever', past: steady, today: 20, expected: null },
  { what: 'a steady spender at three times', past: steady, today: 60, expected: null },
  { what: 'a steady spender above it', past: steady, today: 60.01, expected: [20, 20, 28] },
  { what: 'one that rises day by day', past: rising, today: 38, expected: null },
  { what: 'a weekday after weekends', past: weekdays, today: 110, expected: null },
  { what: 'a weekend like a weekday', past: weekdays, today: 100, expected: null },
  { what: 'a weekday of ten times', past: weekdays, today: 1000, expected: [100, 100, 28] },
  { what: 'a weekly job that grew a little', past: mondays, today: 51, expected: null },
  { what: 'a weekly job that ran wild', past: mondays, today: 151, expected: [50, 50, 4] },
  { what: 'noise at its upper end', past: noisy, today: 60, expected: null },
  // Days spread by 12 around 40: 146.7472 is the edge, above three times the median.
  { what: 'just inside of the noise', past: noisy, today: 146.74, expected: null },
  { what: 'just outside of it', past: noisy, today: 146.75, expected: [40, 60, 28] },
  { what: 'what happened before', past: dear(steady, 3, 500), today: 500, expected: null },
  { what: 'more than ever', past: dear(steady, 3, 500), today: 501, expected: [20, 500, 28] },
  { what: 'a new spender', past: [], today: 5000, expected: null },
  { what: 'one known for too few days', past: steady.slice(0, 13), today: 5000, expected: null },
  {
    what: 'one known for just enough',
    past: steady.slice(0, 14),
    today: 5000,
    expected: [20, 20, 14],
  },
  { what: 'cents below the floor', past: steady.map(() => 0.01), today: 9.99, expected: null },
  {
    what: 'cents that reach the floor',
    past: steady.map(() => 0.01),
    today: 10,
    expected: [0.01, 0.01, 28],
  },
]

const toUsd = (amount: bigint): number => Number(amount / (USD / 100n)) / 100

for (const { what, past, today, expected } of ROWS) {
  test(`${expected === null ? 'passes over' : 'finds'} ${what}`, () => {
    const found = judgeDay({
      today: BigInt(Math.round(today * 100)) * (USD / 100n),
      past: toPast(past),
      floor: 10n * USD,
    })
    const figures = found && [toUsd(found.usual), toUsd(found.largest), found.days]
    assert.deepEqual(figures, expected)
    if (found !== null) assert.equal(toUsd(found.spent), today)
  })
}

/** Numbers below a bound, the same for the same seed (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

test('keeps what it promises for any history', (t) => {
  const seed = 20_261_116
  t.diagnostic(`seed ${seed}`)
  const random = createRandom(seed)
  let found = 0
  for (let turn = 0; turn < 5000; turn += 1) {
    const scale = 10 ** (1 + random(6))
    const isSparse = random(3) === 0
    const past = Array.from({ length: ANOMALY_DAYS }, () =>
      BigInt(isSparse && random(4) > 0 ? 0 : random(scale)),
    )
    const today = BigInt(random(scale * 6))
    const floor = BigInt(random(scale))
    const anomaly = judgeDay({ today, past, floor })
    const ever = past.reduce((most, spent) => (spent > most ? spent : most), 0n)
    const constant = past.map(() => today)
    assert.equal(judgeDay({ today, past: constant, floor }), null, 'a constant spender')
    // By four, so that no median is rounded.
    const [inCents, inMills] = [4n, 28n].map((unit) =>
      judgeDay({ today: today * unit, past: past.map((spent) => spent * unit), floor: 0n }),
    )
    assert.equal(inCents === null, inMills === null, 'the unit does not matter')
    if (anomaly === null) continue
    found += 1
    checkAnomaly(anomaly, { today, floor, ever })
    assert.notEqual(judgeDay({ today: today + 1n, past, floor }), null, 'more is no less')
    const since = past.slice(past.findIndex((spent) => spent > 0n))
    assert.ok(since.length >= KNOWN_DAYS_MIN)
  }
  assert.ok(found > 500, `only ${found} were found`)
})

function checkAnomaly(
  { spent, usual, largest }: Anomaly,
  { today, floor, ever }: { today: bigint; floor: bigint; ever: bigint },
): void {
  assert.equal(spent, today)
  assert.equal(largest, ever)
  assert.ok(today >= floor && today > ever && today > usual * 3n)
}
