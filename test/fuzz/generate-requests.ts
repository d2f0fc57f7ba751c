// Makes byte sequences that look like HTTP/1.1 requests and are often a little wrong: where two
// parsers could come to different ideas of where a body ends. The same seed makes the same
// sequences.

/**
 * A small generator of good enough numbers (mulberry32): tests must be able to repeat themselves.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type Random = () => number

/** So that most sequences have a fault or none, and few so many that the first hides the others. */
const USUAL_SHARE = 0.95

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item
}

/** Mostly the first, sometimes one of the others. */
export function mostly<Item>(random: Random, usual: Item, others: readonly Item[]): Item {
  return random() < USUAL_SHARE ? usual : pick(random, others)
}

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'get', 'PO ST', 'P\0ST', '']
const TARGETS = ['/v1/x?y=%20', '*', 'http://h/', 'h:443', '/a b', '/\x80', '/\t', '']
const VERSIONS = [
  'HTTP/1.0',
  'HTTP/1.1 ',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/11',
  'http/1.1',
  'HTTP/1.',
  '',
]
export const LINE_ENDS = ['\n', '\r', '\r\r\n', '\n\r', ' \r\n', '']
const NAMES = [
  'Content-Length',
  'content-length',
  'Content-length ',
  'Content_Length',
  'Content-Length\t',
]
const CODING_NAMES = [
  'Transfer-Encoding',
  'transfer-encoding',
  'Transfer-Encoding ',
  '\tTransfer-Encoding',
]
const CODINGS = [
  'chunked',
  'Chunked',
  'chunked ',
  '\tchunked',
  'chunked, chunked',
  'gzip, chunked',
  'chunked, gzip',
]
const ODD_CODINGS = [
  'identity',
  'xchunked',
  'chunked;a=b',
  '"chunked"',
  'chunk\0ed',
  '',
  'chunked,',
  ',chunked',
]
export const ODD_HEADERS = [
  'X-Fold: a\r\n b',
  'X-Fold: a\r\n\tb',
  ' X: leading',
  'X : before colon',
  'X',
  ': nameless',
  'X: a\0b',
  'X: a\rb',
  'X: \x7f',
  'X: \xe4',
  'X(y): z',
  'Host: second',
  'Connection: close',
  'Connection: content-length',
  'Connection: keep-alive, transfer-encoding',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Trailer: X-T',
]

/** In front of a message. */
export const BLANKS = ['\r\n', '\r\n\r\n', '\n', '\r', ' \r\n', '\r\n'.repeat(5)]

const TRAILERS = ['X-T: 1\r\n', 'Content-Length: 5\r\n', 'X: a\r\n b\r\n', 'X\r\n', 'X: 1\n']

/** A length as people and attackers write it. */
function length(random: Random, bytes: number): string {
  const odd = [
    `+${bytes}`,
    `-${bytes}`,
    `0${bytes}`,
    `${bytes} `,
    `${bytes}, ${bytes}`,
    `${bytes},${bytes + 1}`,
  ]
  const stranger = [
    `0x${bytes.toString(16)}`,
    `${bytes}.0`,
    '',
    `${bytes}\x0b`,
    '99999999999999999999',
    `${bytes}a`,
  ]
  return mostly(random, String(bytes), [...odd, ...stranger])
}

function chunkedBody(random: Random): string {
  let body = ''
  const chunks = Math.floor(random() * 3)
  for (let count = 0; count < chunks; count++) {
    const data = 'abcdefghij\r\n0\r\n\r\n'.slice(0, 1 + Math.floor(random() * 17))
    const size = data.length.toString(16)
    const odd = [
      size.toUpperCase(),
      `0${size}`,
      size.padStart(16, '0'),
      size.padStart(17, '0'),
      `${size};a=b`,
      `${size} ;a`,
      `+${size}`,
      `0x${size}`,
      `${size} `,
      '',
      `${size};\n`,
    ]
    const tooFar = [
      (data.length + 1).toString(16),
      (data.length - 1).toString(16),
      'fffffffffffffffff',
    ]
    const line = mostly(random, size, [...odd, ...tooFar])
    body += line + mostly(random, '\r\n', LINE_ENDS) + data + mostly(random, '\r\n', LINE_ENDS)
  }
  const last = mostly(random, '0\r\n', ['00\r\n', '0;x\r\n', '0\n', '-0\r\n', '\r\n'])
  const trailers = mostly(random, '', TRAILERS)
  return body + last + trailers + mostly(random, '\r\n', LINE_ENDS)
}

export interface FramedBody {
  readonly headers: readonly string[]
  readonly body: string
}

/** Sized, chunked, both or neither. A sized body is a part of `payload`. */
export function framedBody(random: Random, payload: string): FramedBody {
  const headers: string[] = []
  let body = ''
  const kind = random()
  if (kind < 0.4) {
    body = payload.slice(0, Math.floor(random() * 40))
    headers.push(`${mostly(random, 'Content-Length', NAMES)}: ${length(random, body.length)}`)
  }
  if (kind > 0.3 && kind < 0.75) {
    const coding = mostly(random, pick(random, CODINGS.slice(0, 2)), [...CODINGS, ...ODD_CODINGS])
    headers.push(`${mostly(random, 'Transfer-Encoding', CODING_NAMES)}: ${coding}`)
    body = chunkedBody(random)
  }
  return { headers, body }
}

function request(random: Random): string {
  const lines = [
    [
      mostly(random, 'POST', METHODS),
      mostly(random, '/v1/x', TARGETS),
      mostly(random, 'HTTP/1.1', VERSIONS),
    ].join(mostly(random, ' ', ['  ', '\t', ''])),
  ]
  const headers: string[] = []
  if (random() < 0.95) headers.push('Host: h')
  if (random() < 0.4) headers.push('X-Plain: value')
  const framed = framedBody(random, 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n')
  headers.push(...framed.headers)
  if (random() < 0.3) headers.push(pick(random, ODD_HEADERS))
  headers.sort(() => random() - 0.5)
  const end = mostly(random, '\r\n', LINE_ENDS)
  return [...lines, ...headers].join('\r\n') + end + mostly(random, '\r\n', LINE_ENDS) + framed.body
}

/** Sometimes a byte is flipped, lost or doubled. */
export function damage(random: Random, text: string): string {
  if (random() >= 0.2 || text.length === 0) return text
  const at = Math.floor(random() * text.length)
  const change = pick(random, ['', '\r', '\n', ' ', '\0', ':', '0', text.charAt(at).repeat(2)])
  return text.slice(0, at) + change + text.slice(at + 1)
}

/** One to three requests behind each other. */
export function generateRequests(random: Random): string {
  let text = ''
  const count = 1 + Math.floor(random() * 3)
  for (let at = 0; at < count; at++) text += mostly(random, '', BLANKS) + request(random)
  return damage(random, text)
}
