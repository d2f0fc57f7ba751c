// A form with a file and a model, each as another client writes it: captured from curl, Go,
// requests, Node's fetch, form-data and the OpenAI SDK; the others as those clients are known to
// write.

import type { Attempt } from './attempt.ts'
import { CURL, CURL_HTTP2, FETCH, FORM_DATA, GO, JAVA, OPENAI_SDK } from './innocent-client.ts'
import { REQUESTS, toClientRequest } from './innocent-client.ts'
import type { ClientHead } from './innocent-client.ts'

const SOUND = 'RIFF\x00\xff\r\nsound'
const FILE = 'form-data; name="file"; filename="a.wav"'

interface Form {
  readonly client: ClientHead
  readonly boundary: string
  /** Each part's head, and its content. */
  readonly parts: readonly (readonly [head: string, content: string])[]
  /** What stands before the first boundary, and behind the last. */
  readonly before?: string
  readonly behind?: string
  readonly type?: string
}

function toFormRequest({ client, boundary, parts, before = '', behind, type }: Form): string {
  const texts = parts.map(([head, content]) => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`)
  return toClientRequest({
    client,
    path: '/openai/v1/audio/transcriptions',
    type: type ?? `multipart/form-data; boundary=${boundary}`,
    body: `${before}${texts.join('')}--${boundary}--${behind ?? '\r\n'}`,
  })
}

const CURL_EDGE = '------------------------0c37036e4666a7f6'
const HEX_EDGE = '6eabb3d9c327795119c3da83149af998'
const UNDICI_EDGE = '----formdata-undici-030614147259'
const MODEL = 'Content-Disposition: form-data; name="model"'

function plain(client: ClientHead, boundary: string, type: string): Form {
  const file = `Content-Disposition: ${FILE}\r\nContent-Type: ${type}`
  return {
    client,
    boundary,
    parts: [
      [MODEL, 'good'],
      [file, SOUND],
    ],
  }
}

const RUBY: Form = {
  client: CURL,
  boundary: '-----------RubyMultipartPost-1f2e3d4c5b6a79880706',
  parts: [
    [MODEL, 'good'],
    [
      `Content-Disposition: ${FILE}\r\nContent-Length: 13\r\nContent-Type: audio/wav\r\nContent-Transfer-Encoding: binary`,
      SOUND,
    ],
  ],
}

const DOTNET: Form = {
  client: REQUESTS,
  boundary: '3b5e1c0a-7f4e-4d0f-9a53-0f2c5d3b7a11',
  type: 'multipart/form-data; boundary="3b5e1c0a-7f4e-4d0f-9a53-0f2c5d3b7a11"',
  parts: [
    [
      'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=model',
      'good',
    ],
    ["Content-Disposition: form-data; name=file; filename=a.wav; filename*=utf-8''a.wav", SOUND],
  ],
}

const APACHE: Form = {
  client: JAVA,
  boundary: 'k9JhG7fD5sA3pO1iU8yT6rE4wQ2zX0cV',
  parts: [
    [
      `${MODEL}\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit`,
      'good',
    ],
    [
      `Content-Disposition: ${FILE}\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary`,
      SOUND,
    ],
  ],
}

const SPRING: Form = {
  client: JAVA,
  boundary: 'mX3pQ9vLr2TzYc8WbN5sKd7GfHj',
  type: 'multipart/form-data;boundary=mX3pQ9vLr2TzYc8WbN5sKd7GfHj;charset=UTF-8',
  parts: [
    [`${MODEL}\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: 4`, 'good'],
    [`Content-Disposition: ${FILE}\r\nContent-Type: audio/wav\r\nContent-Length: 13`, SOUND],
  ],
}

const AIOHTTP: Form = {
  client: REQUESTS,
  boundary: HEX_EDGE,
  parts: [
    [`Content-Type: text/plain; charset=utf-8\r\n${MODEL}`, 'good'],
    [
      'Content-Type: audio/wav\r\nContent-Disposition: form-data; name="file"; filename="gr%C3%B6%C3%9Fe.wav"; filename*=utf-8\'\'gr%C3%B6%C3%9Fe.wav',
      SOUND,
    ],
  ],
}

const OKHTTP: Form = {
  client: JAVA,
  boundary: '8c6f5d2e-1b7a-4c3d-9e8f-0a1b2c3d4e5f',
  parts: [
    [`${MODEL}\r\nContent-Length: 4`, 'good'],
    [`Content-Disposition: ${FILE}\r\nContent-Type: audio/wav\r\nContent-Length: 13`, SOUND],
  ],
}

const GO_FORM: Form = {
  client: GO,
  boundary: '79a9ee310e8fe307c788fdf6487f958ec397f58ada40ab3d1e3e24639093',
  parts: [
    [`Content-Disposition: ${FILE}\r\nContent-Type: application/octet-stream`, SOUND],
    [MODEL, 'good'],
  ],
}

const REQUESTS_UTF8: Form = {
  client: REQUESTS,
  boundary: 'cb9f88effee6b305586ac05f96ca4dfc',
  parts: [
    [MODEL, 'good'],
    ['Content-Disposition: form-data; name="file"; filename="gr\xc3\xb6\xc3\x9fe.wav"', SOUND],
  ],
}

const CURL_FORM = plain(CURL, CURL_EDGE, 'application/octet-stream')

const FORMS: readonly (readonly [string, Form])[] = [
  ['curl', CURL_FORM],
  ['curl --http2', plain(CURL_HTTP2, CURL_EDGE, 'application/octet-stream')],
  ['requests', plain(REQUESTS, HEX_EDGE, 'audio/wav')],
  ['requests, with a file of another name', REQUESTS_UTF8],
  ['aiohttp', AIOHTTP],
  ["Node's fetch", plain(FETCH, UNDICI_EDGE, 'audio/wav')],
  [
    'form-data',
    plain(FORM_DATA, '--------------------------2fbe6eee299c9a62074836fd', 'audio/wav'),
  ],
  ['the OpenAI SDK', plain(OPENAI_SDK, UNDICI_EDGE, 'application/octet-stream')],
  ["Go's client", GO_FORM],
  ["Ruby's multipart-post", RUBY],
  ["Ruby's multipart-post, whose end has one line more", { ...RUBY, behind: '\r\n\r\n' }],
  ['.NET', DOTNET],
  ["Apache's client", APACHE],
  ['Spring', SPRING],
  ['OkHttp', OKHTTP],
  ['a client that writes no line end', { ...CURL_FORM, behind: '' }],
  ['a client that begins with a line', { ...CURL_FORM, before: '\r\n' }],
  ['a client that begins with two lines', { ...CURL_FORM, before: '\r\n\r\n' }],
  [
    'a client that closes its type with a semicolon',
    { ...CURL_FORM, type: `multipart/form-data; boundary=${CURL_EDGE};` },
  ],
]

export const FORM_INNOCENTS: readonly Attempt[] = FORMS.map(([name, form]) => ({
  name: `a form by ${name}`,
  request: toFormRequest(form),
}))
