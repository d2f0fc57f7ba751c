import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalReport, KnownNode } from './node-store.ts'
import { judgeNodes } from './judge-nodes.ts'

const AT = 1_800_000_000_000
const JOURNAL: JournalReport = {
  forwarded: 1,
  recorded: 1,
  pending: 0,
  dead: 0,
  lost: 0,
  lagBytes: 0,
  unread: 0,
  caughtUpAt: AT,
  measuredAt: null,
  refusal: null,
  waiting: 0,
}
const NODE: KnownNode = {
  id: 'a',
  host: 'one.example',
  role: 'proxy',
  state: 'running',
  version: '1.0.0',
  configHash: 'abc',
  clockOffsetMs: 12,
  journal: JOURNAL,
  fault: null,
  ledgerSilentSince: null,
  startedAt: AT - 60_000,
  seenAt: AT - 900,
}
const UNSTORED = { ...JOURNAL, lagBytes: 2048 }

const CASES: readonly (readonly [
  name: string,
  change: Partial<KnownNode>,
  expected: readonly string[],
])[] = [
  ['like the others', {}, []],
  ['behind', { journal: UNSTORED }, []],
  ['silent for five seconds', { seenAt: AT - 5000 }, []],
  ['silent for longer', { seenAt: AT - 5600 }, ['silent for 6 s']],
  [
    'silent with calls to store',
    { seenAt: AT - 60_000, journal: UNSTORED },
    ['silent for 60 s', '2.0 KiB of its journal are not stored'],
  ],
  [
    'in trouble',
    { fault: 'The ledger process has not answered for 10 s.' },
    ['The ledger process has not answered for 10 s'],
  ],
  [
    'on a full disk',
    { journal: { ...JOURNAL, refusal: { since: AT - 9000, reason: 'ENOSPC' } } },
    ['its disk has not taken the journal for 9 s (ENOSPC)'],
  ],
  ['a second off', { clockOffsetMs: -1000 }, []],
  ['further off', { clockOffsetMs: -1001 }, ['its clock is -1001 ms off']],
  ['of another version', { version: '0.9.0' }, ['its version is not 1.0.0']],
  ['of another configuration', { configHash: 'xyz' }, ['its configuration differs']],
  ['gone', { state: 'left', seenAt: AT - 60_000, version: '0.9.0' }, []],
  [
    'gone with calls to store',
    { state: 'left', journal: UNSTORED },
    ['2.0 KiB of its journal are not stored'],
  ],
]

for (const [name, change, expected] of CASES) {
  test(`of a node that is ${name}, an operator is told ${expected.length} things`, () => {
    const others = [
      { ...NODE, id: 'b' },
      { ...NODE, id: 'c' },
    ]
    const judged = judgeNodes({ at: AT, nodes: [{ ...NODE, ...change }, ...others] })
    assert.deepEqual(
      judged.map(({ warnings }) => warnings),
      [expected, [], []],
    )
  })
}
