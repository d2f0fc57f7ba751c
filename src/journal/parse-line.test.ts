import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import { lineRoom, toLineText, writeLine } from './format.ts'
import type { JournalEntry } from './journal.ts'
import { parseLine } from './parse-line.ts'

function toBytes(json: string): Buffer {
  const bytes = Buffer.alloc(lineRoom(json))
  return bytes.subarray(0, writeLine(json, bytes, 0) - 1)
}

const PLACE = { sequence: 17, forwarded: 6 }

const ENTRIES: readonly JournalEntry[] = [
  { kind: 'start' },
  { kind: 'open', opening: sampleOpening() },
  { kind: 'held', event: sampleEvent() },
  { kind: 'close', event: sampleEvent() },
  { kind: 'end' },
]

describe('reads back a line of kind', () => {
  for (const entry of ENTRIES) {
    test(entry.kind, () => {
      const line = toBytes(toLineText(PLACE, entry))
      assert.deepEqual(parseLine(line), { kind: 'entry', ...PLACE, entry })
    })
  }
})

test('reads a line of an older Weir, which counts no calls', () => {
  const line = toBytes('{"n":3,"k":"end"}')
  const expected = { kind: 'entry', sequence: 3, forwarded: null, entry: { kind: 'end' } }
  assert.deepEqual(parseLine(line), expected)
})

const EVENT = JSON.stringify({ ...sampleEvent(), tokens: null })

/** By what is odd about it: the JSON, its sequence, and what the reason says. */
const UNREAD: Readonly<Record<string, readonly [string, number | null, RegExp]>> = {
  'another kind': ['{"n":4,"f":2,"k":"pause"}', 4, /kind "pause" is unknown/],
  'no kind': ['{"n":4,"f":2}', 4, /kind undefined is unknown/],
  'no number': ['{"k":"start"}', null, /no sequence number/],
  'a number that is none': ['{"n":"4","k":"start"}', null, /no sequence number/],
  'a number below zero': ['{"n":-4,"k":"start"}', null, /no sequence number/],
  'no object': ['[]', null, /no sequence number/],
  null: ['null', null, /the line is no object/],
  'no JSON': ['{"n":4,', null, /JSON/],
  'an opening of another version': ['{"n":4,"k":"open","o":{"version":2}}', 4, /version 2/],
  'an opening without an id': ['{"n":4,"k":"open","o":{"version":1}}', 4, /not whole/],
  'no opening': ['{"n":4,"k":"open"}', 4, /its opening is no object/],
  'an event of another version': [
    `{"n":4,"k":"close","e":${EVENT.replace('"version":1', '"version":9')}}`,
    4,
    /version 9/,
  ],
  'an event without its end': [
    `{"n":4,"k":"close","e":${EVENT.replace('"endedAt"', '"endsAt"')}}`,
    4,
    /usage event is not whole/,
  ],
  'a cost that is no amount': [
    `{"n":4,"k":"close","e":${EVENT.replace('"billing":null', '"billing":{"cost":"much"}')}}`,
    4,
    /./,
  ],
  'a billing that is a number': [
    `{"n":4,"k":"close","e":${EVENT.replace('"billing":null', '"billing":7')}}`,
    4,
    /./,
  ],
}

describe('puts aside what has a good checksum and', () => {
  for (const [name, [json, sequence, reason]] of Object.entries(UNREAD)) {
    test(name, () => {
      const parsed = parseLine(toBytes(json))
      assert.ok(parsed.kind === 'unread')
      assert.deepEqual([parsed.sequence, parsed.text], [sequence, json])
      assert.match(parsed.reason, reason)
    })
  }
})

const GOOD = toBytes('{"n":3,"k":"end"}').toString()

const DAMAGED: Readonly<Record<string, string>> = {
  nothing: '',
  'a checksum alone': GOOD.slice(0, 9),
  'half a checksum': GOOD.slice(4),
  'capital digits': GOOD.slice(0, 8).toUpperCase() + GOOD.slice(8),
  'no blank': GOOD.replace(' ', '_'),
  'other characters for digits': `zzzzzzzz${GOOD.slice(8)}`,
  zeros: '\0'.repeat(100),
  'another checksum': `00000000${GOOD.slice(8)}`,
}

describe('calls damaged', () => {
  for (const [name, line] of Object.entries(DAMAGED)) {
    test(name, () => assert.deepEqual(parseLine(Buffer.from(line)), { kind: 'damaged' }))
  }
})
