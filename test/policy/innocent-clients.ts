// Plain calls, each as another client sends it.

import { CHAT, MESSAGES, toJson } from './attempt.ts'
import type { Attempt } from './attempt.ts'
import * as clients from './innocent-client.ts'
import type { ClientHead, ClientRequest } from './innocent-client.ts'

const { toClientLook, toClientRequest, toSpacedJson } = clients
const VALUE = { model: 'good', messages: MESSAGES }
const BODY = toJson(VALUE)
const SPACED = toSpacedJson(VALUE)
const MODELS = '/openai/v1/models'
const BYTE_ORDER_MARK = '\xef\xbb\xbf'

function chat(client: ClientHead, more: Partial<ClientRequest> = {}): string {
  return toClientRequest({ client, path: CHAT, body: BODY, ...more })
}

const PLAIN: readonly (readonly [string, string])[] = [
  ['curl', chat(clients.CURL)],
  ['curl in chunks', chat(clients.CURL, { isChunked: true })],
  ['curl --http2', chat(clients.CURL_HTTP2)],
  ['curl --http2 --json', chat(clients.CURL_HTTP2_JSON)],
  ['curl --http2 in chunks', chat(clients.CURL_HTTP2, { isChunked: true })],
  ['curl --http2 that looks at the models', toClientLook(clients.CURL_HTTP2, MODELS)],
  ["Java's HttpClient", chat(clients.JAVA)],
  ["Java's HttpClient that streams", chat(clients.JAVA, { isChunked: true })],
  [
    "Java's HttpClient that looks at the models",
    toClientLook(clients.JAVA.with(1, 'Content-Length: 0'), MODELS),
  ],
  ["Java's HttpClient of HTTP/1.1", chat(clients.JAVA_HTTP1)],
  ["Java's HttpURLConnection", chat(clients.JAVA_URL)],
  ["Go's client", chat(clients.GO)],
  ["Go's client that streams", chat(clients.GO, { isChunked: true })],
  ['requests', chat(clients.REQUESTS, { body: SPACED })],
  ['requests that streams', chat(clients.REQUESTS, { body: SPACED, isChunked: true })],
  ['urllib', chat(clients.URLLIB, { body: SPACED })],
  ['urllib3', chat(clients.URLLIB3)],
  ["Node's fetch", chat(clients.FETCH)],
  ['undici', chat(clients.UNDICI)],
]

/** As frameworks write them around these clients. */
const TYPED: readonly (readonly [string, string])[] = [
  ['a type with a semicolon behind it', chat(clients.CURL, { type: 'application/json;' })],
  [
    'a type with a semicolon behind its charset',
    chat(clients.JAVA_HTTP1, { type: 'application/json; charset=utf-8;' }),
  ],
  ['a type with two semicolons', chat(clients.GO, { type: 'application/json;; charset=utf-8' })],
  ['the older type of JSON', chat(clients.CURL, { type: 'text/json' })],
  ['the older type with a charset', chat(clients.FETCH, { type: 'text/json; charset=UTF-8' })],
  ['plain ASCII', chat(clients.JAVA_URL, { type: 'application/json; charset=US-ASCII' })],
  [
    'plain ASCII in quotes',
    chat(clients.REQUESTS, { type: 'application/json;charset="us-ascii"' }),
  ],
  ['ASCII by another name', chat(clients.JAVA, { type: 'application/json; charset=ISO-8859-1' })],
  [
    'ASCII with escapes',
    chat(clients.REQUESTS, {
      type: 'application/json; charset=us-ascii',
      body: SPACED.replace('Hello', 'Gr\\u00fc\\u00dfe'),
    }),
  ],
  ['a byte order mark', chat(clients.CURL, { body: BYTE_ORDER_MARK + BODY })],
  [
    'a byte order mark in chunks',
    chat(clients.JAVA, { body: `${BYTE_ORDER_MARK}\r\n${BODY}\r\n`, isChunked: true }),
  ],
]

export const CLIENT_INNOCENTS: readonly Attempt[] = [
  ...PLAIN.map(([name, request]) => ({ name: `a call by ${name}`, request })),
  ...TYPED.map(([name, request]) => ({ name: `a call in ${name}`, request })),
]
