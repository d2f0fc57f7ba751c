// What a batch puts aside, and that the rest of it is not touched by that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  batchOf,
  close,
  EARLIER,
  NOW,
  open,
  opening,
  outline,
  START,
  toId,
  toName,
} from '../../test/fakes/ledger/ledger-script.ts'
import type { Script } from '../../test/fakes/ledger/ledger-script.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import { toInterruptedEvent } from '../core/usage-event.ts'
import type { UnreadLine } from '../journal/journal.ts'
import type { PriceTables } from '../pricing/tables/price-tables.ts'
import type { LedgerBatch } from './batch.ts'
import { describeLine } from './dead-letters.ts'

/** The ids of dead letters with their reasons, then how many calls count as dead. */
function deadOf({ usage, deadLetters }: LedgerBatch) {
  const letters = deadLetters.map(({ reason, sequence, text }) => {
    const described = describeLine(text)
    return [sequence, described.kind === 'unknown' ? null : toName(described.id), reason]
  })
  return { letters, dead: usage.dead }
}

test('an event that breaks the pricing is put aside, and the others are recorded', () => {
  const prices: PriceTables = {
    find: ({ model }) => {
      if (model === 'poison') throw new Error('no such rate')
      return null
    },
  }
  const tokens = createTokenCounts({ input: 1, output: 1 })
  const use = (model: string) => ({ model, tokens, usage: 'reported' as const, countedAs: 'r:1' })
  const batch = batchOf(
    [
      ['w1', close('old1', use('poison'))],
      ['w1', close('b', use('fine'))],
    ],
    { earlier: EARLIER, prices },
  )
  assert.deepEqual(outline(batch), [['b delivered'], [], ['old1']])
  assert.deepEqual(deadOf(batch), { letters: [[10, 'old1', 'no such rate']], dead: 1 })
  // The object that it was counted as is left to the next that tells of it.
  assert.deepEqual(
    batch.usage.counted.map(({ eventId }) => toName(eventId)),
    ['b'],
  )
})

test('what the store refused is put aside, also when it is only interrupted', () => {
  const unstorable = new Map([
    [toId('a'), 'too large'],
    [toId('old1'), 'too odd'],
  ])
  const script: Script = [
    ['w3', open('a')],
    ['w3', close('a', { status: 'denied' })],
    ['w1', START],
  ]
  const batch = batchOf(script, { earlier: EARLIER, unstorable })
  assert.deepEqual(outline(batch), [[], [], ['old1']])
  const letters = [
    [20, 'a', 'too large'],
    [30, 'old1', 'too odd'],
  ]
  assert.deepEqual(deadOf(batch), { letters, dead: 1 })
})

test('ids that are none are put aside without troubling the store', () => {
  const odd = { ...opening('x'), id: 'x' }
  const event = { ...toInterruptedEvent(odd, NOW), billing: null }
  const batch = batchOf([
    ['w1', { kind: 'open', opening: odd }],
    ['w1', { kind: 'close', event }],
    ['w1', { kind: 'held', event }],
  ])
  assert.deepEqual(outline(batch), [[], [], []])
  assert.equal(batch.deadLetters.length, 3)
  assert.equal(batch.usage.dead, 0)
})

test('what is known of an uncounted call and would not come back from the store is put aside, the call stays open', () => {
  const event = toInterruptedEvent(opening('a'), NOW)
  const tokens = { ...createTokenCounts({ input: 1, output: 1 }), reasoning: undefined as never }
  const script: Script = [
    ['w1', open('a')],
    ['w1', { kind: 'held', event: { ...event, status: 'delivered', tokens } }],
  ]
  const running = batchOf(script)
  assert.deepEqual(outline(running), [[], ['a'], []])
  assert.deepEqual([running.usage.dead, running.deadLetters.length], [0, 1])
  assert.equal(describeLine(running.deadLetters[0]?.text ?? '').kind, 'held')
  assert.deepEqual(outline(batchOf([...script, ['w1', close('a')]])), [['a delivered'], [], []])
})

function unread(worker: string, sequence: number, text: string): UnreadLine {
  return { worker, sequence, text, reason: 'of a newer Weir' }
}

const newer = (kind: string, name: string): string =>
  `{"k":"${kind}","e":{"version":9,"id":"${toId(name)}","status":"delivered"}}`

test('an unread line counts at the place where it stood', () => {
  const script: Script = [
    ['w1', open('a')],
    ['w1', START],
  ]
  const before = batchOf(script, { unreadLines: [unread('w1', 15, newer('close', 'a'))] })
  assert.deepEqual(outline(before), [[], [], []])
  assert.deepEqual(deadOf(before), { letters: [[15, 'a', 'of a newer Weir']], dead: 1 })
  const elsewhere = batchOf(script, { unreadLines: [unread('w2', 15, '{"k":"?"}')] })
  assert.deepEqual(outline(elsewhere), [['a interrupted'], [], []])
  assert.equal(elsewhere.usage.dead, 0)
})

test('an unread open line still opens its call, and an unread held line leaves it open', () => {
  const { version: _, ...rest } = opening('a')
  const line = `{"k":"open","o":${JSON.stringify({ version: 9, ...rest })}}`
  const unreadLines = [unread('w1', 1, line), unread('w1', 2, newer('held', 'a'))]
  const running = batchOf([], { unreadLines })
  assert.deepEqual(outline(running), [[], ['a'], []])
  const over = batchOf([['w1', close('a')]], { unreadLines })
  assert.deepEqual(outline(over), [['a delivered'], [], []])
  assert.deepEqual([over.usage.dead, over.deadLetters.length], [0, 2])
})
