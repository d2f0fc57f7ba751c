import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import {
  createEventStreamScanner,
  READ_MESSAGE_BYTES_MAX,
  STREAM_MESSAGE_BYTES_MAX,
} from './event-stream.ts'
import type { EventStreamMessage, EventStreamScanner } from './event-stream.ts'

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => new TextEncoder().encode(text),
)

function toBytes(headers: Record<string, string>, payload: string): Buffer {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    { type: 'string' as const, value },
  ])
  return Buffer.from(
    codec.encode({ headers: Object.fromEntries(entries), body: new TextEncoder().encode(payload) }),
  )
}

function event(name: string, payload: string): Buffer {
  return toBytes({ ':event-type': name, ':message-type': 'event' }, payload)
}

interface Seen {
  readonly messages: readonly EventStreamMessage[]
  readonly scanner: EventStreamScanner
}

function scan(pieces: readonly Uint8Array[], needles = /(?:)/): Seen {
  const messages: EventStreamMessage[] = []
  const scanner = createEventStreamScanner({ needles, onMessage: (each) => messages.push(each) })
  for (const piece of pieces) scanner.feed(piece)
  return { messages, scanner }
}

function payloads({ messages }: Seen): readonly string[] {
  return messages.map(({ payload }) => payload)
}

test('tells events, exceptions and errors apart and names them', () => {
  const bytes = Buffer.concat([
    event('metadata', '{"text":"Zürich"}'),
    toBytes({ ':message-type': 'exception', ':exception-type': 'throttlingException' }, '{}'),
    toBytes({ ':message-type': 'error', ':error-code': 'InternalFailure' }, ''),
    toBytes({}, ''),
  ])
  assert.deepEqual(scan([bytes]).messages, [
    { isEvent: true, name: 'metadata', payload: '{"text":"Zürich"}' },
    { isEvent: false, name: 'throttlingException', payload: '{}' },
    { isEvent: false, name: 'InternalFailure', payload: '' },
    { isEvent: false, name: '', payload: '' },
  ])
})

test('reads headers of every kind', () => {
  const headers = {
    ':message-type': { type: 'string' as const, value: 'event' },
    flag: { type: 'boolean' as const, value: true },
    small: { type: 'byte' as const, value: 7 },
    raw: { type: 'binary' as const, value: Uint8Array.of(1, 2, 3) },
    at: { type: 'timestamp' as const, value: new Date(1_788_000_000_000) },
    id: { type: 'uuid' as const, value: '00000000-0000-4000-8000-000000000000' },
    ':event-type': { type: 'string' as const, value: 'last' },
  }
  const bytes = codec.encode({ headers, body: Buffer.from('{}') })
  assert.deepEqual(scan([bytes]).messages, [{ isEvent: true, name: 'last', payload: '{}' }])
})

test('gives the same messages however the bytes are cut, and keeps none of them', () => {
  const texts = fc.array(fc.string({ maxLength: 60 }), { maxLength: 8 })
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(texts, cuts, (sent, lengths) => {
      const bytes = Buffer.concat(sent.map((text) => event('chunk', text)))
      const memory = Buffer.alloc(50)
      const messages: string[] = []
      const scanner = createEventStreamScanner({
        needles: /(?:)/,
        onMessage: ({ payload }) => messages.push(payload),
      })
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const length = Math.min(lengths[turn % lengths.length] as number, bytes.length - at)
        bytes.copy(memory, 0, at, at + length)
        scanner.feed(memory.subarray(0, length))
        memory.fill(0)
        at += length
      }
      assert.deepEqual(messages, sent)
      assert.deepEqual([scanner.isBroken, scanner.isOpen], [false, false])
    }),
  )
})

test('knows that the last message has not come whole', () => {
  const bytes = event('chunk', '{}')
  for (let length = 1; length < bytes.length; length += 1) {
    const { messages, scanner } = scan([bytes.subarray(0, length)])
    assert.deepEqual([messages.length, scanner.isOpen, scanner.isBroken], [0, true, false])
  }
})

test('passes over what no needle matches, in the headers too', () => {
  const bytes = Buffer.concat([event('chunk', 'a'), event('metadata', 'b'), event('chunk', 'c')])
  assert.deepEqual(payloads(scan([bytes], /metadata/)), ['b'])
  const scanner = scan([bytes], /none/).scanner
  assert.equal(scanner.isBroken, false)
})

test('shows the payload of every message, wanted or not', () => {
  const shown: string[] = []
  const scanner = createEventStreamScanner({
    needles: /metadata/,
    onPassing: (payload) => shown.push(payload),
    onMessage() {},
  })
  scanner.feed(Buffer.concat([event('chunk', 'a'), event('metadata', 'b'), event('chunk', '')]))
  assert.deepEqual(shown, ['a', 'b', ''])
})

test('passes over a message above the limit and reads the next', () => {
  const frame = event('chunk', '').length
  const fits = event('chunk', 'x'.repeat(READ_MESSAGE_BYTES_MAX - frame))
  const above = event('chunk', 'x'.repeat(READ_MESSAGE_BYTES_MAX - frame + 1))
  assert.equal(fits.length, READ_MESSAGE_BYTES_MAX)
  const bytes = Buffer.concat([fits, above, event('metadata', 'last')])
  for (const pieces of [[bytes], cutInto(bytes, 65_536), cutInto(bytes, 100_001)]) {
    const seen = scan(pieces)
    assert.deepEqual(
      payloads(seen).map((payload) => payload.length),
      [READ_MESSAGE_BYTES_MAX - frame, 4],
    )
    assert.equal(seen.scanner.skippedMessages, 1)
    assert.equal(seen.scanner.isBroken, false)
  }
})

function cutInto(bytes: Buffer, length: number): readonly Buffer[] {
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  )
}

function prelude(total: number, headers: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(total, 0)
  bytes.writeUInt32BE(headers, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  return bytes
}

function flip(bytes: Buffer, at: number): Buffer {
  const damaged = Buffer.from(bytes)
  damaged[at] = (damaged[at] as number) ^ 1
  return damaged
}

const GOOD = event('chunk', 'payload')

const DAMAGED: readonly (readonly [string, Buffer, boolean])[] = [
  ['a length below the smallest', prelude(15, 0), true],
  ['more headers than message', prelude(40, 25), true],
  ['a length above the largest', prelude(STREAM_MESSAGE_BYTES_MAX + 1, 0), true],
  ['the largest length', prelude(STREAM_MESSAGE_BYTES_MAX, 0), false],
  ['a wrong length', flip(GOOD, 3), true],
  ['a wrong checksum of the lengths', flip(GOOD, 9), true],
  ['a wrong byte in a header', flip(GOOD, 15), true],
  ['a wrong byte in the payload', flip(GOOD, GOOD.length - 6), true],
  ['a wrong checksum of the whole', flip(GOOD, GOOD.length - 1), true],
  ['text', Buffer.from('{"message":"no stream"}'), true],
]

for (const [name, bytes, isBroken] of DAMAGED) {
  test(`${isBroken ? 'reads no further behind' : 'goes on after'} ${name}`, () => {
    const { messages, scanner } = scan([GOOD, bytes, event('chunk', 'behind')])
    assert.equal(messages.length, 1)
    assert.equal(scanner.isBroken, isBroken)
  })
}
