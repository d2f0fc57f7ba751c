// Chunked request bodies whose framing is wrong from some byte on. What came before may be under
// way to the upstream by then, but it must never have become a whole request there.

export interface MalformedBody {
  readonly name: string
  readonly body: string
}

const SMUGGLED = 'GET /v1/some/smuggled HTTP/1.1\r\nHost: p\r\n\r\n'

const BARE = SMUGGLED.replaceAll('\r', '')

const ROWS: readonly [name: string, body: string][] = [
  ['no size', '\r\nhello\r\n0\r\n\r\n'],
  ['an empty size behind a chunk', '5\r\nhello\r\n\r\n0\r\n\r\n'],
  ['a size with 0x', '0x5\r\nhello\r\n0\r\n\r\n'],
  ['a negative size', '-1\r\nhello\r\n0\r\n\r\n'],
  ['a size with a plus', '+5\r\nhello\r\n0\r\n\r\n'],
  ['a blank behind the size', '5 \r\nhello\r\n0\r\n\r\n'],
  ['a blank in front of the size', ' 5\r\nhello\r\n0\r\n\r\n'],
  ['a tab behind the size', '5\t\r\nhello\r\n0\r\n\r\n'],
  ['a size that is no number', 'g\r\nhello\r\n0\r\n\r\n'],
  ['a size with an underscore', '1_0\r\nhello\r\n0\r\n\r\n'],
  ['a size beyond 2^53', `fffffffffffffffe\r\nhello\r\n0\r\n\r\n`],
  ['a size beyond 2^64', `10000000000000005\r\nhello\r\n0\r\n\r\n`],
  ['a size of zeros without end', `${'0'.repeat(100)}5\r\nhello\r\n0\r\n\r\n`],
  ['LF behind the size', '5\nhello\r\n0\r\n\r\n'],
  ['CR alone behind the size', '5\rhello\r\n0\r\n\r\n'],
  ['two CR behind the size', '5\r\r\nhello\r\n0\r\n\r\n'],
  ['LF in an extension', '5;a\nb\r\nhello\r\n0\r\n\r\n'],
  ['CR in an extension', '5;a\rb\r\nhello\r\n0\r\n\r\n'],
  ['a control character in an extension', '5;a=\x01\r\nhello\r\n0\r\n\r\n'],
  ['a blank in front of an extension', '5 ;a\r\nhello\r\n0\r\n\r\n'],
  ['an extension without a name', '5;\r\nhello\r\n0\r\n\r\n'],
  ['an open quote in an extension', '5;a="b\r\nhello\r\n0\r\n\r\n'],
  ['an extension too long', `5;${'a'.repeat(2000)}\r\nhello\r\n0\r\n\r\n`],
  ['data longer than its size', '4\r\nhello\r\n0\r\n\r\n'],
  ['data shorter than its size', '6\r\nhello\r\n0\r\n\r\n'],
  ['nothing behind the data', `5\r\nhello0\r\n\r\n`],
  ['LF behind the data', '5\r\nhello\n0\r\n\r\n'],
  ['CR alone behind the data', '5\r\nhello\r0\r\n\r\n'],
  ['LF behind the last size', '5\r\nhello\r\n0\n\r\n'],
  ['LF in place of the last line', '5\r\nhello\r\n0\r\n\n'],
  // Readers that take LF for a line end would find a whole second request in these two.
  ['a request behind LF in place of the last line', `5\r\nhello\r\n0\r\n\n${BARE}\r\n`],
  ['a request behind LF in the last extension', `5\r\nhello\r\n0;a\n\n${BARE}\r\n`],
  ['a request behind the last size', `5\r\nhello\r\n0\r\n${SMUGGLED}`],
  ['a length in the trailers', '0\r\nContent-Length: 5\r\n\r\n'],
  ['a coding in the trailers', '0\r\nX: 1\r\nTRANSFER-encoding: chunked\r\n\r\n'],
  ['a Host in the trailers', '0\r\nHost: q\r\n\r\n'],
  ['a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'],
  ['a trailer without a colon', '0\r\nX\r\n\r\n'],
  ['a blank before the colon of a trailer', '0\r\nX : a\r\n\r\n'],
  ['a NUL in a trailer', '0\r\nX: a\0\r\n\r\n'],
  ['LF behind a trailer', '0\r\nX: a\n\r\n'],
  ['CR in a trailer', '0\r\nX: a\rb\r\n\r\n'],
  ['trailers too long', `0\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
]

export const MALFORMED_BODIES: readonly MalformedBody[] = ROWS.map(([name, body]) => ({
  name,
  body,
}))
