// Requests that are written so that one reader sees a model which the key may use, and another one
// does not.

import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'

import {
  chat,
  CHAT,
  JSON_TYPE,
  MESSAGES,
  post,
  postText,
  toJson,
  toRequest,
  upgrade,
} from './attempt.ts'
import type { Evasion } from './attempt.ts'

const GOOD = toJson({ model: 'good', messages: MESSAGES })
const BAD = toJson({ model: 'bad', messages: MESSAGES })

const NAMES: readonly (readonly [string, unknown])[] = [
  ['with a blank in front', ' good'],
  ['with a blank behind', 'good '],
  ['with a tab', 'good\t'],
  ['with a line break', 'good\n'],
  ['with a zero byte', 'good\0'],
  ['with a blank that does not break', 'good\u00a0'],
  ['with a letter without width', 'go\u200bod'],
  ['in wide letters', 'ｇｏｏｄ'],
  ['with a Cyrillic letter', 'go\u043ed'],
  ['with half a character', 'good\ud800'],
  ['with a suffix', 'good:free'],
  ['with a faster suffix', 'good-fast'],
  ['with a date', 'good-2026-03-05'],
  ['with a maker', 'openai/good'],
  ['as a resource', 'models/good'],
  ['as a tuned one', 'ft:good:acme::1'],
  ['behind a folder', '../good'],
  ['as an empty text', ''],
  ['as null', null],
  ['as a number', 4],
  ['as true', true],
  ['as a list', ['bad']],
  ['as an object', { id: 'bad' }],
  ['as an object without a name', {}],
  ['of many letters', 'good'.repeat(1000)],
]

const BODIES: readonly (readonly [string, string])[] = [
  ['a member that stands twice', '{"model":"good","model":"bad"}'],
  ['a member that stands twice, the other way round', '{"model":"bad","model":"good"}'],
  ['a member that stands twice, once with an escape', '{"model":"good","\\u006dodel":"bad"}'],
  [
    'a member that stands twice in an inner object',
    '{"model":"good","providerOptions":{"gateway":{"models":["good"],"models":["bad"]}}}',
  ],
  [
    'an object that stands twice',
    '{"model":"good","providerOptions":{},"providerOptions":{"gateway":{"models":["bad"]}}}',
  ],
  ['an escaped member', '{"\\u006d\\u006fdel":"bad"}'],
  ['an escaped name', '{"model":"\\u0062ad"}'],
  ['a member in other letters', '{"model":"good","Model":"bad"}'],
  ['a member in capitals', '{"MODEL":"good"}'],
  [
    'a member with a long s',
    Buffer.from('{"model":"good","model\u017f":["bad"]}').toString('latin1'),
  ],
  ['a byte order mark', `\xef\xbb\xbf${BAD}`],
  ['two byte order marks', `\xef\xbb\xbf\xef\xbb\xbf${GOOD}`],
  ['half a byte order mark', `\xef\xbb${GOOD}`],
  ['a byte order mark behind a blank', ` \xef\xbb\xbf${GOOD}`],
  ['UTF-16', Buffer.from(GOOD, 'utf16le').toString('latin1')],
  ['bytes that are not UTF-8', '{"model":"good","user":"\xff"}'],
  ['an overlong character', '{"model":"good","user":"\xc0\xaf"}'],
  ['a surrogate in UTF-8', '{"model":"good","user":"\xed\xa0\x80"}'],
  ['two documents', GOOD + BAD],
  ['two lines', `${GOOD}\n${BAD}\n`],
  ['something behind the document', `${GOOD}x`],
  ['a zero byte behind the document', `${GOOD}\0`],
  ['a list of requests', `[${GOOD}]`],
  ['JSON in JSON', JSON.stringify(GOOD)],
  ['nothing but blanks', '   '],
  ['no JSON', 'model=good'],
  ['a comment', '{"model":"good"/*,"model":"bad"*/}'],
  ['a comma at the end', '{"model":"good",}'],
  ['single quotes', "{'model':'bad'}"],
  ['a number that is none', '{"model":"good","temperature":NaN}'],
  ['a document without its end', GOOD.slice(0, -1)],
  ['a control character in a text', '{"model":"good","user":"\n"}'],
  ['a blank that JSON does not know', '{"model":"good"\xc2\xa0}'],
  ['nesting without end', `{"model":"good","x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['no model', toJson({ messages: MESSAGES })],
  ['a model in a prototype', '{"__proto__":{"model":"good"},"messages":[]}'],
]

function coded(coding: string, bytes: Uint8Array): string {
  return postText(CHAT, Buffer.from(bytes).toString('latin1'), `Content-Encoding: ${coding}`)
}

const junk = Buffer.from('junk')
const gzipped = gzipSync(GOOD)
const half = GOOD.length / 2

const CODINGS: readonly (readonly [string, string, ...Partial<Evasion>[]])[] = [
  ['gzip', coded('gzip', gzipSync(BAD))],
  ['gzip by its old name', coded('X-GZip', gzipSync(BAD))],
  ['deflate', coded('deflate', deflateSync(BAD))],
  ['bare deflate', coded('deflate', deflateRawSync(BAD))],
  ['brotli', coded('br', brotliCompressSync(BAD))],
  ['zstd', coded('zstd', zstdCompressSync(BAD))],
  ['two codings', coded('gzip, br', brotliCompressSync(gzipSync(BAD)))],
  [
    'two codings on two lines',
    postText(
      CHAT,
      brotliCompressSync(gzipSync(BAD)).toString('latin1'),
      'Content-Encoding: gzip',
      'Content-Encoding: br',
    ),
  ],
  ['a coding that it does not have', coded('gzip', Buffer.from(GOOD))],
  ['no word of a coding that it has', coded('identity', gzipped)],
  ['codings in the wrong order', coded('br, gzip', brotliCompressSync(gzipped))],
  ['a coding without its end', coded('gzip', gzipped.subarray(0, -4))],
  ['something behind its coding', coded('gzip', Buffer.concat([gzipped, junk]))],
  ['zeros behind its coding', coded('gzip', Buffer.concat([gzipped, Buffer.alloc(8)]))],
  ['something behind brotli', coded('br', Buffer.concat([brotliCompressSync(GOOD), junk]))],
  ['something behind zstd', coded('zstd', Buffer.concat([zstdCompressSync(GOOD), junk]))],
  ['a second member', coded('gzip', Buffer.concat([gzipped, gzipSync(BAD)]))],
  ['a second frame', coded('zstd', Buffer.concat([zstdCompressSync(GOOD), zstdCompressSync(BAD)]))],
  [
    'frames that are one request together',
    coded(
      'zstd',
      Buffer.concat([zstdCompressSync(BAD.slice(0, half)), zstdCompressSync(BAD.slice(half))]),
    ),
  ],
  [
    'an unknown coding',
    coded('compress', Buffer.from(GOOD)),
    { status: 415, code: 'unsupported_encoding' },
  ],
  [
    'an unknown coding among known ones',
    coded('gzip, dcb', gzipped),
    { status: 415, code: 'unsupported_encoding' },
  ],
  [
    'too many codings',
    coded('gzip,gzip,gzip,gzip,gzip', gzipped),
    { status: 415, code: 'unsupported_encoding' },
  ],
  ['much out of little', coded('gzip', gzipSync(`${' '.repeat(40_000_000)}${GOOD}`)), {}],
  [
    'a size beyond what can be held',
    `${toRequest({ path: CHAT, headers: [JSON_TYPE, 'Content-Length: 40000000'] })}${GOOD}`,
    { status: 413, code: 'body_too_large' },
  ],
]

function typed(type: string, body: string): string {
  return toRequest({ path: CHAT, headers: [`Content-Type: ${type}`], body })
}

const TYPES: readonly (readonly [string, string])[] = [
  ['the type of a text', typed('text/plain', GOOD)],
  ['the type of a form of letters', typed('application/x-www-form-urlencoded', 'model=good')],
  ['the type of a form', typed('multipart/form-data; boundary=edge', GOOD)],
  ['another set of characters', typed('application/json; charset=utf-16', GOOD)],
  ['a set of characters that uses ASCII', typed('application/json; charset=utf-7', GOOD)],
  [
    'other characters than its type says',
    typed('application/json; charset=us-ascii', GOOD.replace('Hello', 'Gr\xc3\xbc\xc3\x9fe')),
  ],
  [
    'a byte order mark in a type of ASCII',
    typed('application/json; charset=us-ascii', `\xef\xbb\xbf${GOOD}`),
  ],
  ['the older type of JSON', typed('text/json', BAD)],
  ['a type with a semicolon behind it', typed('application/json;', BAD)],
  ['a type with a charset twice', typed('application/json;;charset=utf-8;charset=utf-8', GOOD)],
  [
    'two types',
    toRequest({ path: CHAT, headers: [JSON_TYPE, 'Content-Type: text/plain'], body: GOOD }),
  ],
  ['no type, and a model that is not allowed', toRequest({ path: CHAT, body: BAD })],
]

const BAD_REQUEST = { status: 400, code: 'bad_request' }

const LINES: readonly (readonly [string, string, ...Partial<Evasion>[]])[] = [
  [
    'a GET that is to be a POST',
    toRequest({
      method: 'GET',
      path: CHAT,
      headers: [JSON_TYPE, 'X-HTTP-Method-Override: POST'],
      body: BAD,
    }),
  ],
  ['a POST that is to be a PUT', chat({ model: 'good' }, 'X-HTTP-Method: PUT')],
  [
    'a GET by a third header',
    toRequest({ method: 'GET', path: CHAT, headers: ['X-Method-Override: POST'] }),
  ],
  [
    'another path in a header',
    toRequest({
      method: 'GET',
      path: '/openai/v1/models',
      headers: ['X-Original-URL: /v1/chat/completions'],
    }),
  ],
  ['another path in another header', chat({ model: 'good' }, 'X-Rewrite-URL: /v1/responses')],
  ['another method', toRequest({ method: 'PUT', path: CHAT, headers: [JSON_TYPE], body: GOOD })],
  [
    'a method in small letters',
    toRequest({ method: 'post', path: CHAT, headers: [JSON_TYPE], body: GOOD }),
  ],
  ['a path in capitals', post('/openai/v1/Chat/completions', { model: 'bad' })],
  ['a slash at the end', post(`${CHAT}/`, { model: 'bad' })],
  ['two slashes', post('/openai/v1//chat/completions', { model: 'bad' })],
  ['an escaped letter in the path', post('/openai/v1/%63hat/completions', { model: 'bad' })],
  ['an escaped slash in the path', post('/openai/v1/chat%2Fcompletions', { model: 'bad' })],
  ['a parameter in the path', post('/openai/v1/chat/completions;x=1', { model: 'bad' })],
  [
    'a path that goes up',
    post('/openai/v1/models/../chat/completions', { model: 'good' }),
    BAD_REQUEST,
  ],
  [
    'a path that goes up by escapes',
    post('/openai/v1/models/%2e%2E/chat/completions', { model: 'good' }),
    BAD_REQUEST,
  ],
  [
    'a path that goes up behind an escaped slash',
    post('/openai/v1/threads/x%2F..%2F..%2fchat%2fcompletions', { model: 'bad' }),
    BAD_REQUEST,
  ],
  [
    'a path that goes up before an escaped slash',
    post('/anthropic/v1/files/..%2Fmessages', { model: 'bad' }),
    BAD_REQUEST,
  ],
  [
    'a path that goes up by an escaped backslash',
    post('/openai/v1/threads/x%5C..%5c..%5Cresponses', { model: 'bad' }),
    BAD_REQUEST,
  ],
  [
    'a path that goes up with a parameter',
    post('/anthropic/v1/files/..;a=b/messages', { model: 'bad' }),
    BAD_REQUEST,
  ],
  [
    'a model behind a slash',
    post('/google/v1beta/models/good%2F..%2Fbad:generateContent', {}),
    BAD_REQUEST,
  ],
  ['a stored object without a name', post(`${CHAT}/%2F`, { model: 'bad' })],
  ['a stored object that is a parameter', post(`${CHAT}/;x`, { model: 'bad' })],
  [
    'a GET that is to be a POST by its query',
    toRequest({
      method: 'GET',
      path: '/google/v1beta/models/bad:generateContent?$httpMethod=POST',
      headers: [JSON_TYPE],
      body: '{}',
    }),
  ],
  [
    'headers in its query',
    toRequest({
      method: 'GET',
      path: '/google/v1beta/models?%24httpHeaders=X-HTTP-Method-Override:POST',
    }),
  ],
  [
    'another method in the query of a call that runs nothing',
    post('/openai/v1/threads?_method=PUT', {}),
  ],
  ['a path with a dot', post('/openai/v1/./chat/completions', { model: 'good' }), BAD_REQUEST],
  ['a path with a backslash', post('/openai/v1\\chat/completions', { model: 'good' }), BAD_REQUEST],
  ['a path with a fragment', post(`${CHAT}#x`, { model: 'good' }), BAD_REQUEST],
  [
    'a whole address of another host for a path',
    chat({ model: 'good' }).replace('POST /v1', 'POST http://other/v1'),
    BAD_REQUEST,
  ],
  [
    'a whole address for a path',
    chat({ model: 'bad' }).replace('POST /v1', 'POST http://proxy/v1'),
  ],
  ['a blank line in front', `\r\n${chat({ model: 'bad' })}`],
  ['two lengths', chat({ model: 'good' }, 'Content-Length: 1'), BAD_REQUEST],
  ['a length and chunks', chat({ model: 'good' }, 'Transfer-Encoding: chunked'), BAD_REQUEST],
  ['a folded header', chat({ model: 'good' }, 'X-A: b\r\n c'), BAD_REQUEST],
  [
    'a model in chunks',
    `${toRequest({ path: CHAT, headers: [JSON_TYPE, 'Transfer-Encoding: chunked'] })}${toChunks(BAD)}`,
  ],
  [
    'a type that is taken off on the way',
    chat({ model: 'good' }, 'Connection: close, content-type'),
  ],
  ['a coding that is taken off on the way', coded('gzip\r\nConnection: content-encoding', gzipped)],
  [
    'an upgrade of a plain call',
    chat({ model: 'good' }, 'Connection: Upgrade', 'Upgrade: websocket'),
  ],
  [
    'an offer of another protocol',
    chat(
      { model: 'bad' },
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
  ],
  [
    'an offer that takes its type off on the way',
    chat({ model: 'good' }, 'Connection: Upgrade, Content-Type', 'Upgrade: h2c'),
  ],
  ['an upgrade at a path that nobody knows', upgrade('/openai/v1/surprise?model=good')],
]

function toChunks(text: string): string {
  const chunks = text.match(/[^]{1,3}/g) ?? []
  return `${chunks.map((chunk) => `${chunk.length}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
}

export const ENCODING_EVASIONS: readonly Evasion[] = [
  ...NAMES.map(([name, model]) => ({ name: `a name ${name}`, request: chat({ model }) })),
  ...BODIES.map(([name, body]) => ({ name: `a body with ${name}`, request: postText(CHAT, body) })),
  ...CODINGS.map(([name, request, expected]) => ({
    name: `a body with ${name}`,
    request,
    ...expected,
  })),
  ...TYPES.map(([name, request]) => ({ name: `a body with ${name}`, request })),
  ...LINES.map(([name, request, expected]) => ({
    name: `a request with ${name}`,
    request,
    ...expected,
  })),
]
