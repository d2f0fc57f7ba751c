// Requests that lead elsewhere than they say: by headers that some servers obey, by escapes in the
// path that some undo once more, by headers behind the body.

import { chat, CHAT, JSON_TYPE, MESSAGES, post, toJson, toRequest } from './attempt.ts'
import type { Evasion } from './attempt.ts'

const GOOD = toJson({ model: 'good', messages: MESSAGES })
const NATIVE = '/gateway/v4/ai/language-model'
const GENERATE = '/models/good:generateContent'
const IN_PROJECT = 'publishers/google/models/bad:generateContent'

/** A header that sends a request elsewhere, and where to. */
const ROUTING_HEADERS: readonly string[] = [
  'X-Envoy-Original-Path: /v1/responses',
  'X-Original-URL: /v1/responses',
  'X-Original-URI: /v1/responses',
  'X-Original-Path: /v1/responses',
  'X-Rewrite-URL: /v1/responses',
  'X-Rewrite-URI: /v1/responses',
  'X-Rewrite-Path: /v1/responses',
  'X-Override-URL: /v1/responses',
  'X-Forwarded-Path: /v1/responses',
  'X-Forwarded-Uri: /v1/responses',
  'X-HTTP-Path-Override: /v1/responses',
  'X-HTTP-Method-Override: PATCH',
  'X-HTTP-Method: PATCH',
  'X-Method-Override: PATCH',
  'X-Original-Method: PATCH',
  'X-Forwarded-Method: PATCH',
  'X-Envoy-Original-Method: PATCH',
  'X-Gateway-Destination-Endpoint: 10.0.0.9:8000',
  'X-Portkey-Config: pc-mine',
  'X-Portkey-Custom-Host: https://elsewhere.example',
  'Helicone-Fallbacks: [{"target-url":"https://elsewhere.example"}]',
  'Helicone-Target-URL: https://elsewhere.example',
]

const MODEL_HEADERS: readonly string[] = [
  'X-Gateway-Model-Name: bad',
  'X-Gateway-Model-Name-Rewrite: bad',
  'azureml-model-deployment: bad',
  'X-Amzn-SageMaker-Target-Model: bad',
  'X-Amzn-SageMaker-Inference-Component: bad',
  'X-LiteLLM-Model: bad',
  'X-Model: bad',
  'X-Model-Id: bad',
  'X-Model-Name: bad',
]

function twice(header: string, value: string): string {
  return chat({ model: 'good' }, `${header}: POST`, `${header}: ${value}`)
}

const HEADERS: readonly (readonly [string, string])[] = [
  ...[...ROUTING_HEADERS, ...MODEL_HEADERS].map(
    (header) => [`the header ${header}`, chat({ model: 'good' }, header)] as const,
  ),
  ['two methods, one of them its own', twice('X-HTTP-Method-Override', 'PATCH')],
  [
    'a method for a look',
    toRequest({ method: 'GET', path: CHAT, headers: ['X-Original-Method: POST'], body: GOOD }),
  ],
  [
    'a path for a look',
    toRequest({
      method: 'GET',
      path: '/openai/v1/models',
      headers: ['X-Envoy-Original-Path: /v1/chat/completions'],
    }),
  ],
]

const PATHS: readonly (readonly [string, string])[] = [
  [
    'a way back, escaped twice',
    post('/openai/v1/threads/%252e%252e/chat/completions', { model: 'bad' }),
  ],
  [
    'a way back in an id, escaped twice',
    post(`${CHAT}/%252e%252e%252fcompletions`, { model: 'bad', messages: MESSAGES }),
  ],
  [
    'a way back from the files, escaped twice',
    post('/openai/v1/files/%252e%252e/chat/completions', { model: 'bad' }),
  ],
  [
    'a look below the files, escaped twice',
    toRequest({ method: 'GET', path: '/openai/v1/files/%252e%252e/chat/completions', body: GOOD }),
  ],
  [
    "a way back from the files of Anthropic's, escaped twice",
    post('/anthropic/v1/files/%252e%252e%252fmessages', { model: 'bad' }),
  ],
  ['a way back in a thread, escaped thrice', post('/openai/v1/threads/%25252e%25252e', {})],
  ['a question mark in an id', post('/openai/v1/threads/x%3Fmodel=bad', {})],
  ['a number sign in an id', post('/openai/v1/threads/x%23', {})],
  [
    'a deployment escaped twice',
    post('/azure/openai/deployments/cheap-1%252f%252e%252e%252fbad/chat/completions', {
      messages: MESSAGES,
    }),
  ],
  [
    'a deployment with a slash',
    post('/azure/openai/deployments/cheap-1%2Fbad/chat/completions', { messages: MESSAGES }),
  ],
  [
    'a deployment with a question mark',
    post('/azure/openai/deployments/cheap-1%3Fx/chat/completions', { messages: MESSAGES }),
  ],
  [
    'slashes in a project',
    post(
      `/vertex/v1/projects/p%2Flocations%2Fl%2F${encodeURIComponent(IN_PROJECT)}/locations/l/publishers/google${GENERATE}`,
      { contents: [] },
    ),
  ],
  [
    'a question mark in a project',
    post(`/vertex/v1/projects/p%3F/locations/l/publishers/google${GENERATE}`, { contents: [] }),
  ],
  [
    'a number sign in a location',
    post(`/vertex/v1/projects/p/locations/l%23/publishers/google${GENERATE}`, { contents: [] }),
  ],
  [
    'slashes in a location',
    post(
      `/vertex/v1/projects/p/locations/l%2F${encodeURIComponent(IN_PROJECT)}/publishers/google${GENERATE}`,
      { contents: [] },
    ),
  ],
  [
    'slashes in a publisher',
    post('/vertex/v1/publishers/google%2Fmodels%2Fbad:rawPredict/models/good:rawPredict', {}),
  ],
  [
    'slashes in the project of a chat',
    post('/vertex/v1/projects/p%2Fx/locations/l/endpoints/openapi/chat/completions', {
      model: 'google/good',
      messages: MESSAGES,
    }),
  ],
  [
    'a semicolon in a location',
    post(`/vertex/v1/projects/p/locations/l;x/publishers/google${GENERATE}`, { contents: [] }),
  ],
]

/** A body in chunks, and what comes behind it. */
export function trailing(
  path: string,
  trailers: readonly string[],
  more: Partial<Trailing> = {},
): string {
  const { body = GOOD, headers = [] } = more
  const head = toRequest({
    path,
    headers: [JSON_TYPE, 'Transfer-Encoding: chunked', ...headers],
  })
  const lines = trailers.map((line) => `${line}\r\n`).join('')
  return `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n${lines}\r\n`
}

interface Trailing {
  readonly body: string
  readonly headers: readonly string[]
}

const TRAILERS: readonly (readonly [string, string])[] = [
  ...[
    'ai-model-id: bad',
    'AI-Language-Model-Id: bad',
    'x-ms-oai-image-generation-deployment: bad',
    'X-Model: bad',
    'X-HTTP-Method-Override: PATCH',
    'X-Original-URL: /v1/responses',
    'X-Envoy-Original-Path: /v1/responses',
    'Content-Type: text/plain',
    'Content-Encoding: gzip',
  ].map((line) => [`${line} behind the body`, trailing(CHAT, ['X-Sum: 1', line])] as const),
  [
    'another model behind the body than in the head',
    trailing(NATIVE, ['ai-language-model-id: acme/bad'], {
      body: '{"prompt":[]}',
      headers: ['ai-language-model-id: acme/good'],
    }),
  ],
]

export const ROUTE_EVASIONS: readonly Evasion[] = [
  ...HEADERS.map(([name, request]) => ({ name: `a head with ${name}`, request })),
  ...PATHS.map(([name, request]) => ({ name: `a path with ${name}`, request })),
  ...TRAILERS.map(([name, request]) => ({ name, request, status: 400, code: 'bad_request' })),
]
