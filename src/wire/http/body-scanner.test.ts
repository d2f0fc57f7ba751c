import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { BodyScanner } from './body-scanner.ts'

interface Seen {
  readonly consumed: number
  readonly payload: string
  readonly isDone: boolean
  readonly fault: string | null
}

function scan(scanner: BodyScanner, pieces: readonly string[]): Seen {
  let consumed = 0
  let payload = ''
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1')
    consumed += scanner.scan(bytes, 0)
    for (let at = 0; at < scanner.payload.length; at += 2) {
      payload += bytes.toString('latin1', scanner.payload[at], scanner.payload[at + 1])
    }
  }
  return { consumed, payload, isDone: scanner.isDone, fault: scanner.fault }
}

const chunked = (): BodyScanner => new BodyScanner({ kind: 'chunked' })

const GOOD: [name: string, body: string, payload: string][] = [
  ['one chunk', '5\r\nhello\r\n0\r\n\r\n', 'hello'],
  ['several chunks', '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n', 'hello'],
  ['upper-case and padded sizes', '00A\r\n0123456789\r\n0\r\n\r\n', '0123456789'],
  [
    'sizes of sixteen digits',
    `${'5'.padStart(16, '0')}\r\nhello\r\n${'0'.repeat(16)}\r\n\r\n`,
    'hello',
  ],
  ['an extension', '5;a="b"\r\nhello\r\n0;x\r\n\r\n', 'hello'],
  ['trailers', '1\r\nx\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n', 'x'],
  ['line ends in the data', '4\r\n\r\n\r\n\r\n0\r\n\r\n', '\r\n\r\n'],
  ['nothing', '0\r\n\r\n', ''],
]

for (const [name, body, payload] of GOOD) {
  test(`reads a chunked body of ${name}, whole and byte by byte, and stops at its end`, () => {
    const whole = scan(chunked(), [`${body}GET /next`])
    assert.deepEqual(whole, { consumed: body.length, payload, isDone: true, fault: null })
    assert.deepEqual(scan(chunked(), Array.from(`${body}G`)), whole)
  })
}

const BAD: [name: string, body: string][] = [
  ['no size', '\r\nhello'],
  ['a sign', '+5\r\nhello\r\n'],
  ['a blank behind the size', '5 \r\nhello\r\n'],
  ['a 0x', '0x5\r\nhello\r\n'],
  ['a bare line feed behind the size', '5\nhello\r\n'],
  ['a bare line feed behind the data', '5\r\nhello\n'],
  ['a size too small', '4\r\nhello\r\n'],
  ['a size too large', 'fffffffffffffff\r\n'],
  ['a size of 2^53', '0020000000000000\r\n'],
  ['a size of seventeen digits', `${'5'.padStart(17, '0')}\r\nhello\r\n`],
  ['a control character in an extension', '5;a=\x01\r\nhello'],
  ['a bare line feed in an extension', '5;a\nb\r\nhello'],
  ['a blank behind an extension', '5;a=b \r\nhello'],
  ['an extension without a name', '5;=b\r\nhello'],
  ['an open quote in an extension', '5;a="b\r\nhello'],
  ['an extension without end', `5;${'a'.repeat(2000)}`],
  ['a trailer without a colon', '0\r\nX\r\n\r\n'],
  ['a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'],
  ['a length in the trailers', '0\r\nContent-Length: 5\r\n\r\n'],
  ['a coding in the trailers', '0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['trailers without end', `0\r\n${'X: y\r\n'.repeat(4000)}`],
]

for (const [name, body] of BAD) {
  test(`refuses a chunked body with ${name}, however it is cut`, () => {
    const whole = scan(chunked(), [body])
    assert.notEqual(whole.fault, null)
    assert.equal(whole.isDone, false)
    assert.equal(scan(chunked(), Array.from(body)).fault, whole.fault)
  })
}

test('refuses trailers that belong in the head, where that was asked for', () => {
  const isHeadOnly = (name: string): boolean => name === 'x-model'
  const create = (): BodyScanner => new BodyScanner({ kind: 'chunked' }, isHeadOnly)
  const body = '1\r\nx\r\n0\r\nX-A: 1\r\nX-Model: b\r\n\r\n'
  for (const pieces of [[body], Array.from(body)]) {
    assert.match(scan(create(), pieces).fault ?? '', /^x-model behind it: send that in the head/)
    assert.equal(scan(chunked(), pieces).fault, null)
  }
  assert.equal(scan(create(), [body.replace('X-Model', 'X-Models')]).isDone, true)
})

test('finds the same end and payload for any chunks and any cuts', () => {
  const chunk = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 })
  const property = fc.property(
    fc.array(chunk, { maxLength: 8 }),
    fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 20 }),
    (chunks, cuts) => {
      const body = chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('')
      const message = `${body}0\r\n\r\n`
      const pieces: string[] = []
      for (let at = 0, turn = 0; at < message.length; turn++) {
        const length = (cuts[turn % cuts.length] as number) + 1
        pieces.push(message.slice(at, at + length))
        at += length
      }
      assert.deepEqual(scan(chunked(), pieces), {
        consumed: message.length,
        payload: chunks.join(''),
        isDone: true,
        fault: null,
      })
    },
  )
  fc.assert(property)
})

test('counts a sized body and leaves what follows', () => {
  const seen = scan(new BodyScanner({ kind: 'length', length: 5 }), ['hel', 'lo', 'next'])
  assert.deepEqual(seen, { consumed: 5, payload: 'hello', isDone: true, fault: null })
})

test('takes a body without a length until the connection ends', () => {
  const scanner = new BodyScanner({ kind: 'until-close' })
  assert.deepEqual(scan(scanner, ['a', 'b']), {
    consumed: 2,
    payload: 'ab',
    isDone: false,
    fault: null,
  })
  scanner.endOfConnection()
  assert.equal(scanner.isDone, true)
})

test('is done at once where there is no body', () => {
  assert.equal(new BodyScanner({ kind: 'none' }).isDone, true)
  assert.equal(new BodyScanner({ kind: 'length', length: 0 }).isDone, true)
})
