// Wire cases about what providers send as bodies: event streams in all their shapes, compressed
// bytes, audio, and much of it. None of it is looked at on the way through.

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

import { ALL_BYTES, answer, BLANK_LINE, CHUNKED, exchange, exchangeAndEnd } from './wire-case.ts'
import { GET, sized } from './wire-case.ts'
import type { WireCase } from './wire-case.ts'

const SSE = 'Content-Type: text/event-stream; charset=utf-8'
const REQUEST = sized('POST /v1/chat/completions HTTP/1.1', '{"stream":true}')
const EVENTS: readonly [name: string, text: string][] = [
  ['with line feeds', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
  ['with CRLF', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n'],
  ['with CR alone', 'data: 1\r\rdata: 2\r\r'],
  ['with mixed line ends', 'data: 1\r\n\ndata: 2\n\r\ndata: 3\r\n\r'],
  ['with a byte order mark', '\xef\xbb\xbfdata: 1\n\n'],
  ['with comments and fields of no meaning', ': ping\n\n:\nretry: 5\nid\nfoo: bar\ndata\n\n'],
  ['cut within a character and within a line', 'data: \xe2\x82\xac\xf0\x9f\x98\x80\n\ndata: un'],
  ['with a usage that is no JSON', 'data: {"usage":{"prompt_tokens":\n\n'],
]

function toChunks(text: string, length: number): string {
  let body = ''
  for (let at = 0; at < text.length; at += length) {
    const piece = text.slice(at, at + length)
    body += `${piece.length.toString(16)}\r\n${piece}\r\n`
  }
  return `${body}0\r\n\r\n`
}

const JSON_BODY = Buffer.from(`{"id":"a","text":"${'lorem ipsum '.repeat(40)}"}`)
const CODED: readonly [coding: string, bytes: Buffer][] = [
  ['gzip', gzipSync(JSON_BODY)],
  ['br', brotliCompressSync(JSON_BODY)],
  ['zstd', zstdCompressSync(JSON_BODY)],
  ['deflate', deflateSync(JSON_BODY)],
  ['gzip, gzip', gzipSync(gzipSync(JSON_BODY))],
  ['unknown', JSON_BODY],
]

function coded(coding: string, bytes: Buffer): string {
  const headers = [`Content-Encoding: ${coding}`, `Content-Length: ${bytes.length}`]
  return answer('HTTP/1.1 200 OK', ...headers, 'Vary: Accept-Encoding') + bytes.toString('latin1')
}

const MEGABYTES = ALL_BYTES.repeat(16_384)
const CHUNK_HEAD = answer('HTTP/1.1 200 OK', SSE, CHUNKED)
const LIED = answer('HTTP/1.1 200 OK', 'Content-Encoding: gzip', 'Content-Length: 9')

export const STREAM_CASES: readonly WireCase[] = [
  ...EVENTS.map(([name, text]) =>
    exchange(`an event stream ${name}, in odd chunks`, REQUEST, CHUNK_HEAD + toChunks(text, 5)),
  ),
  ...EVENTS.slice(0, 3).map(([name, text]) =>
    exchangeAndEnd(
      `an event stream ${name}, until the end`,
      REQUEST,
      answer('HTTP/1.1 200 OK', SSE) + text,
    ),
  ),
  {
    name: 'an event stream whose every event waits for the last to arrive',
    caller: [
      { kind: 'request', text: REQUEST },
      { kind: 'await', text: 'data: 1\n\n\r\n' },
      { kind: 'await', text: 'data: 2\n\n\r\n' },
    ],
    upstream: [
      { after: BLANK_LINE, write: CHUNK_HEAD },
      { after: '{"stream":true}', write: '9\r\ndata: 1\n\n\r\n' },
      { after: '', write: '9\r\ndata: 2\n\n\r\n' },
      { after: '', write: '0\r\nX-Cost: 1\r\n\r\n' },
    ],
  },
  ...CODED.map(([coding, bytes]) =>
    exchange(`a body in the coding ${coding}`, GET, coded(coding, bytes)),
  ),
  exchange('a body that is not in the coding it claims', GET, `${LIED}not gzip!`),
  exchange(
    'an event stream in gzip, in odd chunks',
    REQUEST,
    answer('HTTP/1.1 200 OK', SSE, 'Content-Encoding: gzip', CHUNKED) +
      toChunks(gzipSync('data: 1\n\ndata: [DONE]\n\n').toString('latin1'), 7),
  ),
  exchange(
    'audio',
    sized('POST /v1/audio/speech HTTP/1.1', '{"input":"a"}'),
    `${answer('HTTP/1.1 200 OK', 'Content-Type: audio/mpeg', CHUNKED)}${toChunks(`ID3\x04${ALL_BYTES}`, 100)}`,
  ),
  exchange(
    'four megabytes of sized answer',
    GET,
    answer('HTTP/1.1 200 OK', `Content-Length: ${MEGABYTES.length}`) + MEGABYTES,
  ),
  exchange(
    'four megabytes of chunked answer',
    GET,
    answer('HTTP/1.1 200 OK', CHUNKED) + toChunks(MEGABYTES, 99_991),
  ),
  exchange(
    'four megabytes both ways',
    sized('POST /v1/files HTTP/1.1', MEGABYTES),
    answer('HTTP/1.1 200 OK', `Content-Length: ${MEGABYTES.length}`) + MEGABYTES,
  ),
]
