import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  batchOf,
  close,
  EARLIER,
  END,
  uncounted,
  NOW,
  open,
  opening,
  outline,
  START,
  toName,
} from '../../test/fakes/ledger/ledger-script.ts'
import type { Script } from '../../test/fakes/ledger/ledger-script.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import { toInterruptedEvent } from '../core/usage-event.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { createPriceTables } from '../pricing/tables/price-tables.ts'

/** One that the bundled prices know. */
const MODEL = 'claude-sonnet-4-5'

const CASES: readonly [string, Script, readonly (readonly string[])[]][] = [
  ['nothing gives nothing', [], [[], [], []]],
  [
    'an open and its close are a record',
    [
      ['w1', open('a')],
      ['w1', close('a')],
    ],
    [['a delivered'], [], []],
  ],
  ['an open alone stays open', [['w1', open('a')]], [[], ['a'], []]],
  ['a close settles an earlier open', [['w1', close('old1')]], [['old1 delivered'], [], ['old1']]],
  [
    'a close without an open is recorded',
    [['w1', close('x', { status: 'denied' })]],
    [['x denied'], [], []],
  ],
  [
    'a start interrupts what its worker had open',
    [['w1', START]],
    [['old1 interrupted'], [], ['old1']],
  ],
  ['an end does likewise', [['w2', END]], [['old2 interrupted'], [], ['old2']]],
  [
    'a start interrupts calls opened just before it',
    [
      ['w3', open('a')],
      ['w3', START],
      ['w3', open('b')],
    ],
    [['a interrupted'], ['b'], []],
  ],
  [
    'a start leaves closed calls alone',
    [
      ['w1', close('old1')],
      ['w1', START],
    ],
    [['old1 delivered'], [], ['old1']],
  ],
  [
    'a call that is held stays open, with what is known of it',
    [
      ['w3', open('a')],
      ['w3', uncounted('a')],
      ['w1', uncounted('old1')],
      ['w3', uncounted('b')],
    ],
    [[], ['a held', 'old1 held', 'b held'], []],
  ],
  [
    'a close settles a held call',
    [
      ['w1', uncounted('old1')],
      ['w1', close('old1', { status: 'aborted' })],
    ],
    [['old1 aborted'], [], ['old1']],
  ],
  [
    'a start settles a held call as it was held, once',
    [
      ['w1', uncounted('old1')],
      ['w3', uncounted('a')],
      ['w1', START],
      ['w3', END],
    ],
    [['old1 delivered', 'a delivered'], [], ['old1']],
  ],
  ['a start leaves other workers alone', [['w3', START]], [[], [], []]],
  [
    'two starts interrupt once',
    [
      ['w1', START],
      ['w1', START],
    ],
    [['old1 interrupted'], [], ['old1']],
  ],
]

for (const [title, script, expected] of CASES) {
  test(title, () => assert.deepEqual(outline(batchOf(script, { earlier: EARLIER })), expected))
}

test('an interrupted call ends when it was found, with a gap for a cost', () => {
  const [record] = batchOf([['w1', START]], { earlier: EARLIER }).usage.records
  assert.deepEqual(record?.event, toInterruptedEvent(opening('old1'), NOW))
  assert.equal(record?.cost.amount, null)
})

test('every call is a record or still open, whatever the order of lines', () => {
  const worker = fc.constantFrom('w1', 'w2')
  const step = fc.tuple(
    worker,
    fc.constantFrom('open', 'close', 'start', 'end'),
    fc.nat({ max: 6 }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const begun = new Set<string>()
      const ended = new Set<string>()
      const script: [string, JournalEntry][] = []
      for (const [name, kind, number] of steps) {
        const id = `${name}-${number}`
        if (kind === 'open' && !begun.has(id)) {
          begun.add(id)
          script.push([name, open(id)])
        } else if (kind === 'close' && begun.has(id) && !ended.has(id)) {
          ended.add(id)
          script.push([name, close(id)])
        } else if (kind === 'start') {
          for (const known of begun) if (known.startsWith(name)) ended.add(known)
          script.push([name, START])
        }
      }
      const { usage } = batchOf(script)
      const recorded = usage.records.map(({ event }) => toName(event.id))
      assert.deepEqual(recorded.toSorted(), [...ended].toSorted())
      const stillOpen = usage.opened.map((call) => toName(call.opening.id))
      assert.deepEqual(stillOpen.toSorted(), [...begun].filter((id) => !ended.has(id)).toSorted())
    }),
  )
})

test('a call that was uncounted in an earlier batch is settled with what was known of it', () => {
  const event = toInterruptedEvent(opening('a'), NOW - 2000)
  const earlier = [
    { worker: 'w1', opening: opening('a'), uncounted: { ...event, status: 'cut' as const } },
  ]
  const [record] = batchOf([['w1', START]], { earlier }).usage.records
  assert.deepEqual(record?.event, earlier[0]?.uncounted)
})

test('hands each price on once, and none that the store has', () => {
  const tokens = createTokenCounts({ input: 1, output: 1 })
  const use = { model: 'm', tokens, usage: 'reported' as const }
  const prices = createPriceTables()
  const script: Script = ['a', 'b'].map((name) => {
    const event = close(name, use) as JournalEntry & { kind: 'close' }
    return ['w1', { kind: 'close', event: { ...event.event, provider: 'anthropic', model: MODEL } }]
  })
  const [price, ...others] = batchOf(script, { prices }).usage.prices
  assert.ok(price !== undefined && price.sheet.length > 0)
  assert.deepEqual(others, [])
  const pricesStored = new Set([price.version])
  assert.deepEqual(batchOf(script, { prices, pricesStored }).usage.prices, [])
})
