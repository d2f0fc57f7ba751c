// The heads that real clients write before their bodies, line by line as they were captured: curl
// 7.88, Java 17, Go 1.26, Python 3.11, Node 26 and the SDKs for it.

import { toJson } from './attempt.ts'

/** `{type}` and `{length}` are the body's; a client without them writes neither. */
export type ClientHead = readonly string[]

const KEY = 'X-SVC-API-Key: {key}'

const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c']

export const CURL: ClientHead = [
  'Host: proxy',
  'User-Agent: curl/7.88.1',
  'Accept: */*',
  KEY,
  'Content-Type: {type}',
  'Content-Length: {length}',
]

/** `curl --http2` */
export const CURL_HTTP2: ClientHead = [
  'Host: proxy',
  'User-Agent: curl/7.88.1',
  'Accept: */*',
  ...H2C,
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  KEY,
  'Content-Type: {type}',
  'Content-Length: {length}',
]

/** `curl --http2 --json` */
export const CURL_HTTP2_JSON: ClientHead = [
  'Host: proxy',
  'User-Agent: curl/7.88.1',
  ...H2C,
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  KEY,
  'Content-Type: {type}',
  'Accept: application/json',
  'Content-Length: {length}',
]

/** `java.net.http.HttpClient` */
export const JAVA: ClientHead = [
  'Connection: Upgrade, HTTP2-Settings',
  'Content-Length: {length}',
  'Host: proxy',
  'HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
  'Upgrade: h2c',
  'User-Agent: Java-http-client/17.0.15',
  'Content-Type: {type}',
  KEY,
]

/** With `HTTP_1_1`. */
export const JAVA_HTTP1: ClientHead = [
  'Content-Length: {length}',
  'Host: proxy',
  'User-Agent: Java-http-client/17.0.15',
  'Content-Type: {type}',
  KEY,
]

/** `java.net.HttpURLConnection` */
export const JAVA_URL: ClientHead = [
  KEY,
  'Content-Type: {type}',
  'User-Agent: Java/17.0.15',
  'Host: proxy',
  'Accept: text/html, image/gif, image/jpeg, */*; q=0.2',
  'Connection: keep-alive',
  'Content-Length: {length}',
]

export const GO: ClientHead = [
  'Host: proxy',
  'User-Agent: Go-http-client/1.1',
  'Content-Length: {length}',
  'Content-Type: {type}',
  KEY,
  'Accept-Encoding: gzip',
]

/** Python's `requests`. */
export const REQUESTS: ClientHead = [
  'Host: proxy',
  'User-Agent: python-requests/2.34.2',
  'Accept-Encoding: gzip, deflate',
  'Accept: */*',
  'Connection: keep-alive',
  KEY,
  'Content-Length: {length}',
  'Content-Type: {type}',
]

/** `urllib.request` */
export const URLLIB: ClientHead = [
  'Accept-Encoding: identity',
  'Content-Length: {length}',
  'Host: proxy',
  'User-Agent: Python-urllib/3.11',
  KEY,
  'Content-Type: {type}',
  'Connection: close',
]

export const URLLIB3: ClientHead = [
  'Host: proxy',
  'Accept-Encoding: identity',
  'Content-Length: {length}',
  'User-Agent: python-urllib3/2.7.0',
  KEY,
  'Content-Type: {type}',
]

/** Node's `fetch`. */
export const FETCH: ClientHead = [
  'host: proxy',
  'connection: keep-alive',
  KEY,
  'content-type: {type}',
  'accept: */*',
  'accept-language: *',
  'sec-fetch-mode: cors',
  'user-agent: node',
  'accept-encoding: gzip, deflate',
  'content-length: {length}',
]

export const UNDICI: ClientHead = [
  'host: proxy',
  'connection: keep-alive',
  KEY,
  'content-type: {type}',
  'content-length: {length}',
]

export const FORM_DATA: ClientHead = [
  'content-type: {type}',
  'x-svc-api-key: {key}',
  'Host: proxy',
  'Content-Length: {length}',
  'Connection: keep-alive',
]

export const OPENAI_SDK: ClientHead = [
  'host: proxy',
  'connection: keep-alive',
  'accept: application/json',
  'user-agent: OpenAI/JS 7.53.0',
  'x-stainless-retry-count: 0',
  'x-stainless-lang: js',
  'x-stainless-package-version: 7.53.0',
  'x-stainless-os: Linux',
  'x-stainless-arch: x64',
  'x-stainless-runtime: node',
  'x-stainless-runtime-version: v26.10.0',
  'authorization: Bearer sk-x',
  'content-type: {type}',
  'x-svc-api-key: {key}',
  'accept-language: *',
  'sec-fetch-mode: cors',
  'accept-encoding: gzip, deflate',
  'content-length: {length}',
]

export const ANTHROPIC_SDK: ClientHead = [
  'host: proxy',
  'connection: keep-alive',
  'Accept: application/json',
  'User-Agent: Anthropic/JS 1.8.0',
  'X-Stainless-Retry-Count: 0',
  'X-Stainless-Timeout: 600',
  'X-Stainless-Lang: js',
  'X-Stainless-Package-Version: 1.8.0',
  'X-Stainless-OS: Linux',
  'X-Stainless-Arch: x64',
  'X-Stainless-Runtime: node',
  'X-Stainless-Runtime-Version: v26.10.0',
  'anthropic-version: 2026-10-21',
  'authorization: Bearer x',
  'content-type: {type}',
  'anthropic-beta: mcp-client-2025-11-20',
  'x-svc-api-key: {key}',
  'accept-language: *',
  'sec-fetch-mode: cors',
  'accept-encoding: gzip, deflate',
  'content-length: {length}',
]

/** `@google/genai` */
export const GENAI_SDK: ClientHead = [
  'host: proxy',
  'connection: keep-alive',
  'User-Agent: google-genai-sdk/2.32.0 gl-node/v26.10.0',
  'x-goog-api-client: google-genai-sdk/2.32.0 gl-node/v26.10.0',
  'Content-Type: {type}',
  'X-SVC-API-Key: {key}',
  'x-goog-api-key: x',
  'accept: */*',
  'accept-language: *',
  'sec-fetch-mode: cors',
  'accept-encoding: gzip, deflate',
  'content-length: {length}',
]

export const BOTO3: ClientHead = [
  'Host: proxy',
  'Accept-Encoding: identity',
  'Content-Type: {type}',
  'User-Agent: Boto3/1.43.11 md/Botocore#1.43.11 ua/2.1 lang/python#3.11.7 m/N,b,Z,e,D',
  'X-SVC-API-Key: {key}',
  'Authorization: Bearer x',
  'amz-sdk-invocation-id: 7ae16dd9-631b-4a9c-b226-bab18c7dcc4a',
  'amz-sdk-request: attempt=1',
  'Content-Length: {length}',
]

export interface ClientRequest {
  readonly client: ClientHead
  /** Behind `/v1`. */
  readonly path: string
  /** As it is written, in Latin-1. */
  readonly body: string
  readonly type?: string
  /** Sent in one chunk, as where a client does not know its length. */
  readonly isChunked?: true
}

export function toClientRequest(request: ClientRequest): string {
  const { client, path, body, type = 'application/json', isChunked } = request
  const lines = client.map((line) =>
    isChunked && /^content-length:/i.test(line)
      ? 'Transfer-Encoding: chunked'
      : line.replace('{type}', type).replace('{length}', String(body.length)),
  )
  const sent = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return `POST /v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${sent}`
}

/** A look at something: the head alone. */
export function toClientLook(client: ClientHead, path: string): string {
  const lines = client.filter((line) => !line.includes('{type}') && !line.includes('{length}'))
  return `GET /v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** The way Python writes JSON: a blank behind each comma and colon. */
export function toSpacedJson(value: unknown): string {
  return toJson(value).replaceAll(/("[^"]*")|([,:])/g, (_all, text?: string) => text ?? `${_all} `)
}
