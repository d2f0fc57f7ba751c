import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { constants, createDeflateRaw, deflateRawSync } from 'node:zlib'
import type { DeflateRaw } from 'node:zlib'
import fc from 'fast-check'

import {
  CALLER_MASK as MASK,
  CLOSE,
  CONTINUATION,
  PING,
  TEXT,
  writeFrame as frame,
} from '../../../test/fakes/upstreams/websocket-frame.ts'
import { ByteBudget } from '../byte-budget.ts'
import { parseMessageCoding, WebSocketMessages } from './websocket-messages.ts'
import type { MessageCoding } from './websocket-messages.ts'

interface Read {
  readonly messages: string[]
  readonly reader: WebSocketMessages
}

interface ReadOptions {
  readonly coding?: MessageCoding
  readonly isMasked?: boolean
  readonly messageBytesMax?: number
  readonly cut?: number
  readonly budget?: ByteBudget
}

/** Every piece goes through the same memory, as in the relay. */
async function read(bytes: Buffer, options: ReadOptions = {}): Promise<Read> {
  const messages: string[] = []
  const { cut = bytes.length || 1, coding = 'plain', isMasked = false } = options
  const reader = new WebSocketMessages({
    isMasked,
    coding,
    messageBytesMax: options.messageBytesMax ?? 1_048_576,
    ...(options.budget === undefined ? {} : { budget: options.budget }),
    onMessage: (message) => messages.push(message.toString()),
  })
  const memory = Buffer.alloc(cut)
  for (let at = 0; at < bytes.length; at += cut) {
    const length = bytes.copy(memory, 0, at, at + cut)
    reader.feed(memory.subarray(0, length))
    memory.fill(0x7b)
  }
  await new Promise<void>((resolve) => reader.end(resolve))
  return { messages, reader }
}

/** One compressor for a whole direction, as a peer that keeps its window has. */
async function deflateAll(texts: readonly string[]): Promise<Buffer[]> {
  const stream = createDeflateRaw()
  const messages: Buffer[] = []
  for (const text of texts) messages.push(await deflateNext(stream, text))
  stream.destroy()
  return messages
}

async function deflateNext(stream: DeflateRaw, text: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  const take = (piece: Buffer): number => pieces.push(piece)
  stream.on('data', take)
  stream.write(text)
  await new Promise<void>((resolve) => stream.flush(constants.Z_SYNC_FLUSH, () => resolve()))
  stream.off('data', take)
  return Buffer.concat(pieces).subarray(0, -4)
}

describe('whole messages', () => {
  const large = 'ü'.repeat(70_000)
  const cases: readonly (readonly [name: string, bytes: Buffer, expected: readonly string[]])[] = [
    [
      'a text and a binary message',
      Buffer.concat([frame('a'), frame('b', { opcode: 2 })]),
      ['a', 'b'],
    ],
    ['an empty message', frame(''), ['']],
    [
      'lengths of 125, 126, 65,535 and 65,536 bytes',
      Buffer.concat([125, 126, 65_535, 65_536].map((length) => frame('x'.repeat(length)))),
      [125, 126, 65_535, 65_536].map((length) => 'x'.repeat(length)),
    ],
    ['a long message', frame(large), [large]],
    [
      'fragments with control frames between them',
      Buffer.concat([
        frame('one ', { isFinal: false }),
        frame('here?', { opcode: PING }),
        frame('', { opcode: CONTINUATION, isFinal: false }),
        frame('two', { opcode: CONTINUATION }),
        frame('next'),
      ]),
      ['one two', 'next'],
    ],
    [
      'what came before the close',
      Buffer.concat([frame('a'), frame('\u0003\u00e8bye', { opcode: CLOSE })]),
      ['a'],
    ],
  ]
  for (const [name, bytes, expected] of cases) {
    for (const cut of [bytes.length, 1, 7]) {
      if (cut === 1 && bytes.length > 100_000) continue
      test(`${name}, in pieces of ${cut}`, async () => {
        const { messages, reader } = await read(bytes, { cut })
        assert.deepEqual(messages, expected)
        assert.notEqual(reader.state, 'broken')
        assert.equal(reader.settledBytes, bytes.length)
      })
    }
  }
})

test('unmasks what callers send, and leaves their bytes as they were', async () => {
  const bytes = Buffer.concat([
    frame('Fluß', { mask: MASK }),
    frame('y'.repeat(300), { mask: MASK }),
    frame('', { mask: MASK }),
  ])
  const before = Buffer.from(bytes)
  for (const cut of [bytes.length, 1, 3]) {
    const { messages } = await read(bytes, { isMasked: true, cut })
    assert.deepEqual(messages, ['Fluß', 'y'.repeat(300), ''])
  }
  assert.deepEqual(bytes, before)
})

test('tells how far whole messages go', async () => {
  const whole = Buffer.concat([frame('a'), frame('', { opcode: PING })])
  const part = Buffer.concat([frame('b', { isFinal: false }), frame('', { opcode: PING })])
  const { reader } = await read(Buffer.concat([whole, part]))
  assert.equal(reader.settledBytes, whole.length)
})

describe('bytes that break the protocol end the reading', () => {
  const cases: Readonly<Record<string, Buffer>> = {
    'an unknown opcode': frame('x', { opcode: 3 }),
    'an unknown control opcode': frame('x', { opcode: 11 }),
    'a reserved bit': frame('x', { bits: 0x20 }),
    'compression that was not agreed': frame('x', { isCompressed: true }),
    'a mask on the wrong side': frame('x', { mask: MASK }),
    'a long control frame': frame('x'.repeat(126), { opcode: PING }),
    'a control frame in fragments': frame('x', { opcode: PING, isFinal: false }),
    'a continuation of nothing': frame('x', { opcode: CONTINUATION }),
    'a message inside another': Buffer.concat([frame('x', { isFinal: false }), frame('y')]),
    'a length in more bytes than it needs': Buffer.from([0x81, 126, 0, 1, 0x78]),
    'a long length in more bytes than it needs': Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 1, 0]),
    'a length that nobody can count': Buffer.from([0x81, 127, 0xff, 0, 0, 0, 0, 0, 0, 0]),
    'half a close code': frame('x', { opcode: CLOSE }),
    'a message behind the close': Buffer.concat([frame('', { opcode: CLOSE }), frame('x')]),
    'an answer in HTTP': Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    test(name, async () => {
      const good = frame('good')
      const { messages, reader } = await read(Buffer.concat([good, bytes, frame('later')]))
      assert.deepEqual(messages, ['good'])
      assert.equal(reader.state, 'broken')
    })
  }
})

describe('a message over the limit is skipped and counted, and the next one read', () => {
  const limit = { messageBytesMax: 1000 }
  const fits = 'x'.repeat(1000)

  test('in one frame', async () => {
    const bytes = Buffer.concat([frame(fits), frame(`${fits}x`), frame('next')])
    const { messages, reader } = await read(bytes, limit)
    assert.deepEqual([messages, reader.skipped], [[fits, 'next'], 1])
  })

  test('each by itself, however many come', async () => {
    const bytes = Buffer.concat(Array.from({ length: 5 }, () => frame(fits)))
    const { messages, reader } = await read(bytes, limit)
    assert.deepEqual([messages.length, reader.skipped], [5, 0])
  })

  test('in fragments', async () => {
    const rest = frame('x', { opcode: CONTINUATION, isFinal: false })
    const last = frame('', { opcode: CONTINUATION })
    const bytes = Buffer.concat([frame(fits, { isFinal: false }), rest, rest, last, frame('next')])
    const { messages, reader } = await read(bytes, { ...limit, cut: 11 })
    assert.deepEqual([messages, reader.skipped], [['next'], 1])
  })

  test('when it is inflated, and the window goes on behind it', async () => {
    const texts = ['a'.repeat(1000), 'b'.repeat(1001), 'b'.repeat(999)]
    const deflated = await deflateAll(texts)
    const bytes = Buffer.concat(deflated.map((part) => frame(part, { isCompressed: true })))
    const { messages, reader } = await read(bytes, { ...limit, coding: 'deflate' })
    assert.deepEqual([messages, reader.skipped], [[texts[0], texts[2]], 1])
  })

  test('but a message that grows without end breaks the reading', async () => {
    const bomb = deflateRawSync(Buffer.alloc(80_000_000), { finishFlush: constants.Z_SYNC_FLUSH })
    const bytes = Buffer.concat([frame(bomb, { isCompressed: true }), frame('next')])
    const { messages, reader } = await read(bytes, { ...limit, coding: 'deflate' })
    assert.deepEqual([messages, reader.state], [[], 'broken'])
  })
})

describe('compressed messages', () => {
  const texts = ['{"type":"a","n":1}', '{"type":"a","n":2}', 'z'.repeat(100_000), '']

  test('with a window that is kept, in any cut', async () => {
    const deflated = await deflateAll(texts)
    const bytes = Buffer.concat(deflated.map((part) => frame(part, { isCompressed: true })))
    for (const cut of [bytes.length, 1, 5]) {
      const { messages, reader } = await read(bytes, { coding: 'deflate', cut })
      assert.deepEqual([messages, reader.state], [texts, 'open'])
    }
  })

  test('with a window that is forgotten after each', async () => {
    const deflated = texts.map((text) =>
      deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4),
    )
    const bytes = Buffer.concat(deflated.map((part) => frame(part, { isCompressed: true })))
    assert.deepEqual((await read(bytes, { coding: 'deflate' })).messages, texts)
  })

  test('in fragments, among messages that are not compressed, in their order', async () => {
    const [one = Buffer.alloc(0), two = Buffer.alloc(0)] = await deflateAll(texts)
    const bytes = Buffer.concat([
      frame(one.subarray(0, 3), { isFinal: false, isCompressed: true }),
      frame('', { opcode: PING }),
      frame(one.subarray(3), { opcode: CONTINUATION }),
      frame('plain'),
      frame(two, { isCompressed: true }),
      frame('last'),
    ])
    const { messages } = await read(bytes, { coding: 'deflate' })
    assert.deepEqual(messages, [texts[0], 'plain', texts[1], 'last'])
  })

  test('one that closes its stream, as RFC 7692 §7.2.3.4 shows', async () => {
    const closed = Buffer.from([0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00])
    const { messages } = await read(frame(closed, { isCompressed: true }), { coding: 'deflate' })
    assert.deepEqual(messages, ['Hello'])
  })

  test('rubbish breaks the reading and is still waited for', async () => {
    const bytes = Buffer.concat([frame('\xff\xff\xff', { isCompressed: true }), frame('x')])
    const { messages, reader } = await read(bytes, { coding: 'deflate' })
    assert.deepEqual([messages, reader.state], [[], 'broken'])
  })
})

describe('compressed messages that come faster than they are inflated', () => {
  /** One message that is stored as it is, so that all of it waits. */
  const large = frame(randomBytes(9_000_000), { isCompressed: true })
  const stored = (bytes: Buffer): Buffer =>
    deflateRawSync(bytes, { level: 0, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)
  const next = frame(stored(Buffer.from('next')), { isCompressed: true })

  test('wait within the budget, which they give back', async () => {
    const budget = new ByteBudget(2_000_000)
    const noise = frame(stored(randomBytes(9_000_000)), { isCompressed: true })
    const bytes = Buffer.concat([noise, next])
    const { messages, reader } = await read(bytes, { coding: 'deflate', budget })
    assert.deepEqual([messages, reader.skipped, reader.state], [['next'], 1, 'open'])
    assert.ok(budget.take(2_000_000))
  })

  test('end the reading beyond it, which is called an overflow', async () => {
    const budget = new ByteBudget(500_000)
    const bytes = Buffer.concat([large, next])
    const { messages, reader } = await read(bytes, { coding: 'deflate', budget })
    assert.deepEqual([messages, reader.state, reader.hasOverflowed], [[], 'broken', true])
    assert.ok(budget.take(500_000))
  })

  test('are counted with what each takes, however small', async () => {
    const empties = (count: number): Buffer =>
      Buffer.concat(Array.from({ length: count }, () => frame('', { isCompressed: true })))
    const few = await read(empties(30_000), { coding: 'deflate' })
    assert.deepEqual([few.messages.length, few.reader.state], [30_000, 'open'])
    const many = await read(empties(40_000), { coding: 'deflate' })
    assert.deepEqual([many.reader.state, many.reader.hasOverflowed], ['broken', true])
  })

  test('are not waited for once reading is cancelled', async () => {
    const reader = new WebSocketMessages({
      isMasked: false,
      coding: 'deflate',
      messageBytesMax: 1000,
      onMessage: () => assert.fail('a message'),
    })
    reader.feed(next)
    const ended = new Promise<void>((resolve) => reader.end(resolve))
    reader.cancel()
    await ended
    assert.deepEqual([reader.state, reader.hasOverflowed], ['broken', false])
  })
})

test('generated messages are read as they were sent, in any fragments and cuts', async () => {
  const message = fc.record({
    pieces: fc.array(fc.string({ maxLength: 300 }), { minLength: 1, maxLength: 4 }),
    pings: fc.nat({ max: 2 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(message), fc.integer({ min: 1, max: 50 }), async (sent, cut) => {
      const frames = sent.flatMap(({ pieces, pings }) =>
        pieces.flatMap((piece, index) => [
          frame(piece, {
            opcode: index === 0 ? TEXT : CONTINUATION,
            isFinal: index === pieces.length - 1,
            mask: MASK,
          }),
          ...Array.from({ length: pings }, () => frame('p', { opcode: PING, mask: MASK })),
        ]),
      )
      const { messages } = await read(Buffer.concat(frames), { isMasked: true, cut })
      assert.deepEqual(
        messages,
        sent.map(({ pieces }) => pieces.join('')),
      )
    }),
  )
})

describe('what the 101 answer agreed upon', () => {
  const cases: readonly (readonly [extensions: readonly string[], coding: MessageCoding | null])[] =
    [
      [[], 'plain'],
      [[''], 'plain'],
      [['permessage-deflate'], 'deflate'],
      [['Permessage-Deflate; server_no_context_takeover; client_max_window_bits=15'], 'deflate'],
      [['permessage-deflate; x="a,b"'], 'deflate'],
      [['permessage-deflate', ''], 'deflate'],
      [['permessage-deflate, permessage-deflate'], null],
      [['permessage-deflate', 'x-other'], null],
      [['x-webkit-deflate-frame'], null],
    ]
  for (const [extensions, coding] of cases) {
    test(JSON.stringify(extensions), () => assert.equal(parseMessageCoding(extensions), coding))
  }
})

test('ends in the middle of a compressed message without it', async () => {
  const [one = Buffer.alloc(0)] = await deflateAll(['never whole'])
  const part = frame(one, { isCompressed: true, isFinal: false })
  const { messages, reader } = await read(part, { coding: 'deflate' })
  assert.deepEqual([messages, reader.state], [[], 'open'])
})
