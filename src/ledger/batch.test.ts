import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toInterruptedEvent } from '../core/usage-event.ts'
import type { CallOpening, UsageEvent } from '../core/usage-event.ts'
import type { JournalEntry, JournalLine } from '../journal/journal.ts'
import { createPriceBook } from '../pricing/price-book.ts'
import type { OpenCall, UsageBatch } from '../store/usage/usage-store.ts'
import { createUsageBatch } from './batch.ts'

const NOW = Date.parse('2026-10-15T12:00:00Z')
const book = createPriceBook({ tables: [] })

function opening(name: string): CallOpening {
  return {
    version: 1,
    id: name,
    keyId: 'svc_k_aaaaaaaaaaaaaaaa',
    provider: 'north',
    operation: null,
    dims: {},
    startedAt: NOW - 5000,
  }
}

const open = (name: string): JournalEntry => ({ kind: 'open', opening: opening(name) })
const close = (name: string, changes: Partial<UsageEvent> = {}): JournalEntry => {
  const event = toInterruptedEvent(opening(name), NOW - 1000)
  return { kind: 'close', event: { ...event, status: 'delivered', ...changes } }
}
const START: JournalEntry = { kind: 'start' }
const END: JournalEntry = { kind: 'end' }

type Script = readonly (readonly [worker: string, entry: JournalEntry])[]

function batchOf(script: Script, earlier: readonly OpenCall[] = []): UsageBatch {
  const lines: JournalLine[] = script.map(([worker, entry], index) => {
    return { worker, sequence: index + 1, entry }
  })
  const openCalls = new Map(earlier.map((call) => [call.opening.id, call]))
  return createUsageBatch({ lines, cursors: [] }, { openCalls, book, nowMs: NOW })
}

/** Records as `id status`, then the ids that stay open, then those settled from earlier. */
function outline(batch: UsageBatch): readonly (readonly string[])[] {
  return [
    batch.records.map(({ event }) => `${event.id} ${event.status}`),
    batch.opened.map((call) => call.opening.id),
    batch.settledIds,
  ]
}

const EARLIER: readonly OpenCall[] = [
  { worker: 'w1', opening: opening('old1') },
  { worker: 'w2', opening: opening('old2') },
]

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
  test(title, () => assert.deepEqual(outline(batchOf(script, EARLIER)), expected))
}

test('an interrupted call ends when it was found, with a gap for a cost', () => {
  const [record] = batchOf([['w1', START]], EARLIER).records
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
      const batch = batchOf(script)
      const recorded = batch.records.map(({ event }) => event.id)
      assert.deepEqual(recorded.toSorted(), [...ended].toSorted())
      const stillOpen = batch.opened.map((call) => call.opening.id)
      assert.deepEqual(stillOpen.toSorted(), [...begun].filter((id) => !ended.has(id)).toSorted())
    }),
  )
})
