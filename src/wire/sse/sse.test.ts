import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSseScanner } from './sse.ts'

type Seen = { events: [string, string | null][]; skipped: number }

/** Cuts the text at the given places, through one buffer that is overwritten after every feed. */
function scan(text: string | Buffer, cuts: readonly number[], eventBytesMax?: number): Seen {
  const bytes = Buffer.from(text as string)
  const scratch = Buffer.alloc(bytes.length)
  const events: Seen['events'] = []
  const scanner = createSseScanner({
    needles: /(?:)/,
    ...(eventBytesMax === undefined ? {} : { eventBytesMax }),
    onEvent: (data, event) => events.push([data, event]),
  })
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    const piece = bytes.subarray(from, cut)
    piece.copy(scratch)
    scanner.feed(scratch.subarray(0, piece.length))
    scratch.fill('#')
    from = cut
  }
  scanner.end()
  return { events, skipped: scanner.skippedEvents }
}

function everyCut(text: string | Buffer): number[] {
  return Array.from({ length: Buffer.from(text as string).length }, (_, index) => index)
}

const STREAMS: { name: string; text: string; events: [string, string | null][] }[] = [
  { name: 'an event closed by a blank line', text: 'data: a\n\n', events: [['a', null]] },
  {
    name: 'CR as line end',
    text: 'data: a\r\rdata: b\r\r',
    events: [
      ['a', null],
      ['b', null],
    ],
  },
  {
    name: 'CRLF as line end',
    text: 'data: a\r\n\r\ndata: b\r\n\r\n',
    events: [
      ['a', null],
      ['b', null],
    ],
  },
  {
    name: 'mixed line ends',
    text: 'data: a\r\n\ndata: b\n\r\ndata: c\r\n\rdata: d\n\n',
    events: [
      ['a', null],
      ['b', null],
      ['c', null],
      ['d', null],
    ],
  },
  { name: 'a byte order mark once', text: '\uFEFFdata: a\n\n', events: [['a', null]] },
  { name: 'no byte order mark later', text: 'data: a\n\n\uFEFFdata: b\n\n', events: [['a', null]] },
  {
    name: 'comments',
    text: ': hello\n\n:\ndata: a\n: inside\ndata: b\n\n',
    events: [['a\nb', null]],
  },
  {
    name: 'several data lines',
    text: 'data: a\ndata:b\ndata\ndata:  c\n\n',
    events: [['a\nb\n\n c', null]],
  },
  {
    name: 'names',
    text: 'event: error\ndata: d\n\nevent:x\ndata:d\n\nevent:\ndata: d\n\n',
    events: [
      ['d', 'error'],
      ['d', 'x'],
      ['d', null],
    ],
  },
  { name: 'an event without data', text: 'event: dead\nid: 4\n\nretry: 3d\n\n', events: [] },
  {
    name: 'an empty data line',
    text: 'data:\n\ndata\n\n',
    events: [
      ['', null],
      ['', null],
    ],
  },
  {
    name: 'no final blank line',
    text: 'data: a\n\ndata: b\n',
    events: [
      ['a', null],
      ['b', null],
    ],
  },
  {
    name: 'no final line end',
    text: 'data: a\n\ndata: b',
    events: [
      ['a', null],
      ['b', null],
    ],
  },
  {
    name: 'blank lines in a row',
    text: '\n\n\r\n\rdata: a\n\n\n\n\ndata: b\n\n',
    events: [
      ['a', null],
      ['b', null],
    ],
  },
  {
    name: 'characters of several bytes',
    text: 'data: grüße 🌍 d\n\n',
    events: [['grüße 🌍 d', null]],
  },
  {
    name: 'fields it does not know',
    text: 'datax: a\n data: b\nid: 1\ndata: c\n\n',
    events: [['c', null]],
  },
  {
    name: 'a bare JSON object between events',
    text: 'data: a\n\n{\n  "error": 1\n}\n\ndata: {"b": 2}\n\n{"error": 2}',
    events: [
      ['a', null],
      ['{\n  "error": 1\n}', null],
      ['{"b": 2}', null],
      ['{"error": 2}', null],
    ],
  },
  { name: 'nothing', text: '', events: [] },
]

for (const { name, text, events } of STREAMS) {
  test(`reads ${name}, whole and byte by byte`, () => {
    assert.deepEqual(scan(text, []).events, events)
    assert.deepEqual(scan(text, everyCut(text)).events, events)
  })
}

/** What the standard's parser makes of it, and of an event that no blank line has closed. */
function readByTheStandard(text: string, dataBytesMax: number): Seen {
  const seen: Seen = { events: [], skipped: 0 }
  let data: string | null = null
  let event: string | null = null
  for (const line of [...text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/), '']) {
    const [, field, value = ''] = /^([^:]*)(?:: ?)?([^]*)$/.exec(line) ?? []
    if (line === '') {
      if (data !== null && Buffer.byteLength(data) > dataBytesMax) seen.skipped += 1
      else if (data !== null) seen.events.push([data, event])
      data = event = null
    } else if (field === 'data') data = data === null ? value : `${data}\n${value}`
    else if (field === 'event') event = value === '' ? null : value
  }
  return seen
}

test('reads the same events at every cut of any text', () => {
  const piece = fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    'data',
    ':',
    ' ',
    'd',
    '\uFEFF',
    'event',
    'ü',
    ': d\n',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(120), { maxLength: 12 }),
      fc.constantFrom(4, 9, 1000),
      (pieces, places, eventBytesMax) => {
        const text = pieces.join('')
        const length = Buffer.byteLength(text)
        const cuts = places.map((place) => Math.min(place, length)).toSorted((a, b) => a - b)
        const whole = readByTheStandard(text, eventBytesMax)
        assert.deepEqual(scan(text, [], eventBytesMax), whole)
        assert.deepEqual(scan(text, cuts, eventBytesMax), whole)
        assert.deepEqual(scan(text, everyCut(text), eventBytesMax), whole)
      },
    ),
    { numRuns: 1000 },
  )
})

test('passes over an event that is larger than the limit, counts it and reads on', () => {
  const fits = `data: ${'d'.repeat(100)}\n`
  const stream = `${fits}\ndata: d${fits.slice(6)}\ndata: last\n\n`
  for (const cuts of [[], everyCut(stream), [7, 50, 130, 190]]) {
    const seen = scan(stream, cuts, 100)
    assert.deepEqual(seen.events, [
      ['d'.repeat(100), null],
      ['last', null],
    ])
    assert.equal(seen.skipped, 1)
  }
})

test('does not take keep-alive comments for one growing event', () => {
  const stream = `${': wait\n'.repeat(100)}data: a\n\n`
  assert.deepEqual(scan(stream, everyCut(stream), 20), { events: [['a', null]], skipped: 0 })
})

test('hands out only events that hold a needle, also one split between chunks', () => {
  const seen: string[] = []
  const scanner = createSseScanner({
    needles: /"usage"|stop/,
    onEvent: (data) => seen.push(data),
  })
  for (const part of [
    'data: 1\n\ndata: 2 "us',
    'age"\n\nda',
    'ta: 3\n\ndata: 4 stop\n\ndata: 5\n\n',
  ]) {
    scanner.feed(Buffer.from(part))
  }
  scanner.end()
  assert.deepEqual(seen, ['2 "usage"', '4 stop'])
})

test('looks for other needles once it was told to, within the same chunk', () => {
  const seen: string[] = []
  const scanner = createSseScanner({
    needles: /aa/,
    onEvent(data) {
      seen.push(data)
      scanner.setNeedles(/bb/)
    },
  })
  scanner.feed(Buffer.from('data: aa\n\ndata: aa\n\ndata: bb\n\ndata: aa\n\n'))
  assert.deepEqual(seen, ['aa', 'bb'])
})

test('has an event that is larger than the limit read by another as it comes, and reads on', () => {
  const long = 'x'.repeat(300)
  // What comes behind the data is none of it.
  const big = `event: big\r\ndata: ${long}\r\nid: 7\r\n: kept alive\r\n\r\n`
  const late = `id: ${long}\nevent: late\n: ${long}\ndata: ${long}\n: ${long}\ndata\ndata:  ${long}\n\n`
  const shrunk = `id: ${long}\n: ${long}\ndata: small\ndata:too\n\n`
  // The last has no data, and is no event.
  const stream = `${big}data: small\n\ndata:${long}\n\n${late}${shrunk}id: ${long}\n\n`
  const chunked = (size: number): string[] => stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  for (const pieces of [chunked(stream.length), chunked(1), chunked(7), chunked(150)]) {
    const seen: [string, string | null][] = []
    const scanner = createSseScanner({
      needles: /(?:)/,
      eventBytesMax: 100,
      onEvent: (data, event) => seen.push([data, event]),
      openLarge: () => {
        let text = ''
        return {
          feed: (bytes) => (text += Buffer.from(bytes).toString()),
          end: (event) => seen.push([text, event]) > 0,
        }
      },
    })
    for (const piece of pieces) scanner.feed(Buffer.from(piece))
    scanner.end()
    assert.deepEqual(seen, [
      [long, 'big'],
      ['small', null],
      [long, null],
      [`${long}\n\n ${long}`, 'late'],
      ['small\ntoo', null],
    ])
    assert.equal(scanner.skippedEvents, 0)
  }
})

test('shows every event that is not too large before it decides upon it', () => {
  const seen: string[] = []
  const scanner = createSseScanner({
    needles: /b/,
    eventBytesMax: 20,
    onEvent: () => {},
    onPassing: (event) => seen.push(event),
  })
  scanner.feed(Buffer.from(`data: ä\n\ndata: b\n\ndata: ${'c'.repeat(21)}\n\ndata: d`))
  scanner.end()
  assert.deepEqual(seen, ['data: Ã¤\n', 'data: b\n', 'data: d'])
})
