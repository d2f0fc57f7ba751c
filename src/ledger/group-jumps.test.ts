import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { SharedSpend } from '../store/usage/day-spend.ts'
import { groupJumps } from './group-jumps.ts'
import type { SpenderJump } from './group-jumps.ts'

/** `key A 100`: it spent 100 more than usual, which is nothing. */
function toJump(text: string): SpenderJump {
  const [kind = '', name = '', spent = '0'] = text.split(' ')
  const spender = { kind: kind === 'key' ? 'api_key' : kind, name } as SpenderJump['spender']
  return { spender, spent: BigInt(spent), usual: 0n, largest: 0n, days: 28 }
}

const ROWS: readonly (readonly [
  title: string,
  jumps: readonly string[],
  shares: readonly (readonly [spenders: readonly number[], spent: bigint])[],
  groups: readonly string[],
])[] = [
  [
    'one key with one model and one team',
    ['model m 100', 'dim team=a 100', 'key A 100'],
    [[[0, 1, 2], 100n]],
    ['A: team=a m'],
  ],
  [
    'two keys with a model of their own each',
    ['key A 50', 'key B 60', 'model m 50', 'model n 60'],
    [
      [[0, 2], 50n],
      [[1, 3], 60n],
    ],
    ['B: n', 'A: m'],
  ],
  [
    'two keys with one model: it is named with both',
    ['key A 50', 'key B 60', 'model m 110'],
    [
      [[0, 2], 50n],
      [[1, 2], 60n],
    ],
    ['B: m', 'A: m'],
  ],
  [
    'exactly half of a jump is enough, less is not',
    ['key A 50', 'model m 100', 'model n 102'],
    [
      [[0, 1], 50n],
      [[0, 2], 50n],
      [[1], 50n],
      [[2], 52n],
    ],
    ['n: ', 'A: m'],
  ],
  [
    'a model that jumps because of others is not hidden behind a small key',
    ['key A 20', 'model m 9000'],
    [
      [[0, 1], 20n],
      [[1], 8980n],
    ],
    ['m: ', 'A: '],
  ],
  [
    'without a key that jumps, the dimension leads',
    ['model m 100', 'dim team=a 90'],
    [
      [[0, 1], 90n],
      [[0], 10n],
    ],
    ['team=a: m'],
  ],
  [
    'what is a small part of each is named with the one it shares most with',
    ['key A 100', 'key B 100', 'key C 100', 'model m 110'],
    [
      [[0, 3], 30n],
      [[1, 3], 40n],
      [[2, 3], 40n],
      [[0], 70n],
      [[1], 60n],
      [[2], 60n],
    ],
    ['A: ', 'B: m', 'C: '],
  ],
  [
    'a call of two incidents counts once',
    ['key A 40', 'dim team=a 100', 'model m 100'],
    [
      [[0, 1, 2], 40n],
      [[1], 60n],
      [[2], 60n],
    ],
    ['team=a: ', 'm: ', 'A: '],
  ],
]

for (const [title, jumps, shares, expected] of ROWS) {
  test(title, () => {
    const shared = shares.map(([spenders, spent]): SharedSpend => ({ spenders, spent }))
    const groups = groupJumps(jumps.map(toJump), shared).map(({ lead, others }) => {
      return `${lead.spender.name}: ${others.map(({ spender }) => spender.name).join(' ')}`
    })
    assert.deepEqual(groups, expected)
  })
}
