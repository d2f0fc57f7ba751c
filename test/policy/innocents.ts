// Requests that only look as if they were up to something. Each goes on as it came.

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
  gatewayChat,
  JSON_TYPE,
  MESSAGES,
  post,
  postForm,
  postText,
  toJson,
  toRequest,
  upgrade,
} from './attempt.ts'
import type { Attempt } from './attempt.ts'
import { NEIGHBOURS } from './innocent-neighbours.ts'

const GOOD = toJson({ model: 'good', messages: MESSAGES })
const QUOTED = 'Explain {"model":"bad","models":["worse"]} and \\u006dodel, please.'

function saying(content: unknown): string {
  return chat({ model: 'good', messages: [{ role: 'user', content }] })
}

function coded(coding: string, bytes: Uint8Array): string {
  return postText(CHAT, Buffer.from(bytes).toString('latin1'), `Content-Encoding: ${coding}`)
}

function get(path: string, ...headers: readonly string[]): string {
  return toRequest({ method: 'GET', path, headers })
}

const SCHEMA = {
  type: 'object',
  properties: { model: { type: 'string', enum: ['bad'] }, agent_id: { type: 'string' } },
  required: ['model'],
}

/**
 * As coding agents write them: tools of their own that choose models, and tools of the provider.
 */
const AGENT_MESSAGES = {
  model: 'good',
  max_tokens: 9,
  stream: true,
  system: [{ type: 'text', text: QUOTED, cache_control: { type: 'ephemeral', ttl: '1h' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: QUOTED }] },
    { role: 'assistant', content: [{ type: 'tool_use', name: 'Task', input: { model: 'bad' } }] },
    { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'x' }] }] },
  ],
  tools: [
    { name: 'Task', input_schema: SCHEMA, input_examples: [{ model: 'bad', agent_id: 'x' }] },
    { type: 'custom', name: 'choose', input_schema: SCHEMA, defer_loading: true },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  ],
  thinking: { type: 'enabled', budget_tokens: 1024 },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high', format: { type: 'json_schema', schema: SCHEMA } },
  metadata: { user_id: 'user_1' },
}

const AGENT_RESPONSE = {
  model: 'good',
  instructions: QUOTED,
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: QUOTED }] },
    { type: 'function_call', name: 'spawn_agent', arguments: '{"model":"bad"}', call_id: '1' },
    { type: 'tool_search_output', tools: [{ type: 'function', name: 'f', parameters: SCHEMA }] },
    { type: 'reasoning', summary: [], encrypted_content: 'x' },
  ],
  tools: [
    { type: 'function', name: 'spawn_agent', strict: false, parameters: SCHEMA },
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark' } },
    { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'g', parameters: SCHEMA }] },
    { type: 'web_search', external_web_access: true },
    { type: 'local_shell' },
  ],
  tool_choice: 'auto',
  reasoning: { effort: 'high', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'x',
  text: { verbosity: 'low', format: { type: 'json_schema', schema: SCHEMA } },
  client_metadata: { origin: 'cli' },
}

const CHATS: readonly (readonly [string, string])[] = [
  ['a plain call', chat({ model: 'good' })],
  ['a name in capitals', chat({ model: 'GOOD' })],
  ['a name that a star covers', chat({ model: 'cheap-2026' })],
  ['a name with an escape', postText(CHAT, '{"messages":[],"model":"g\\u006fod"}')],
  ['a member with an escape', postText(CHAT, '{"messages":[],"\\u006dodel":"good"}')],
  ['the model behind everything else', chat({ messages: MESSAGES, stream: true, model: 'good' })],
  ['a prompt that quotes a request', saying(QUOTED)],
  ['a prompt in parts that quotes one', saying([{ type: 'text', text: QUOTED }])],
  ['a prompt that is a whole request', saying(GOOD)],
  ['letters of all kinds', saying('Grüße, 你好, 🙂, \u0000, \u2028')],
  ['two megabytes of prompt', saying('A long story. '.repeat(150_000))],
  [
    'a tool that takes a model',
    chat({
      model: 'good',
      tools: [{ type: 'function', function: { name: 'choose', parameters: SCHEMA } }],
    }),
  ],
  [
    'an answer that is to hold a model',
    chat({
      model: 'good',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA } },
    }),
  ],
  [
    'a tool that was called with a model',
    chat({
      model: 'good',
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ type: 'function', function: { name: 'f', arguments: '{"model":"bad"}' } }],
        },
      ],
    }),
  ],
  ['metadata that names a model', chat({ model: 'good', metadata: { model: 'bad' } })],
  ['blanks everywhere', postText(CHAT, ' \r\n\t{ "model"\n:\t"good" ,"messages" : [ ] }\r\n ')],
  ['a setting twice', postText(CHAT, '{"model":"good","n":1,"n":2,"messages":[]}')],
  ['a null where a list could be', chat({ model: 'good', models: null, tools: null })],
  ['no content type', toRequest({ path: CHAT, body: GOOD })],
  [
    'a content type in odd letters',
    toRequest({
      path: CHAT,
      headers: ['content-TYPE:  Application/JSON ;charset="UTF-8"'],
      body: GOOD,
    }),
  ],
  [
    'a content type of their own',
    toRequest({ path: CHAT, headers: ['Content-Type: application/vnd.acme+json'], body: GOOD }),
  ],
  ['a query that names no model', post(`${CHAT}?beta=true&a=%20`, { model: 'good', messages: [] })],
  ['a header that tells where it came from', chat({ model: 'good' }, 'X-Forwarded-For: 10.0.0.1')],
  ['a connection that is kept', chat({ model: 'good' }, 'Connection: keep-alive', 'Keep-Alive: x')],
]

const CODINGS: readonly (readonly [string, string])[] = [
  ['gzip', coded('gzip', gzipSync(GOOD))],
  ['deflate', coded('deflate', deflateSync(GOOD))],
  ['bare deflate', coded('deflate', deflateRawSync(GOOD))],
  ['brotli', coded('br', brotliCompressSync(GOOD))],
  ['zstd', coded('zstd', zstdCompressSync(GOOD))],
  ['two codings', coded('GZIP, zstd', zstdCompressSync(gzipSync(GOOD)))],
  ['no coding, which is said', coded('identity', Buffer.from(GOOD))],
  [
    'several members',
    coded('gzip', Buffer.concat([gzipSync(GOOD.slice(0, 9)), gzipSync(GOOD.slice(9))])),
  ],
  [
    'several frames',
    coded(
      'zstd',
      Buffer.concat([zstdCompressSync(GOOD.slice(0, 9)), zstdCompressSync(GOOD.slice(9))]),
    ),
  ],
  [
    'chunks',
    `${toRequest({ path: CHAT, headers: [JSON_TYPE, 'Transfer-Encoding: chunked', 'Trailer: X-Sum'] })}` +
      `3;x=y\r\n${GOOD.slice(0, 3)}\r\n${(GOOD.length - 3).toString(16)}\r\n${GOOD.slice(3)}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  ],
]

const OTHERS: readonly (readonly [string, string])[] = [
  ['fallbacks that are all allowed', gatewayChat({ models: ['acme/cheap-1', 'acme/good'] })],
  [
    "the gateway's options without a model",
    gatewayChat({ providerOptions: { gateway: { order: ['acme', 'other'], only: ['acme'] } } }),
  ],
  [
    "the AI SDK's own protocol",
    post(
      '/gateway/v4/ai/language-model',
      { prompt: [{ role: 'user', content: [{ type: 'text', text: QUOTED }] }] },
      'ai-language-model-id: acme/good',
      'ai-language-model-streaming: true',
    ),
  ],
  [
    'a message with a tool that takes a model',
    post('/anthropic/v1/messages', {
      model: 'good',
      max_tokens: 9,
      system: QUOTED,
      messages: MESSAGES,
      tools: [{ name: 'choose', input_schema: SCHEMA }],
    }),
  ],
  [
    'a batch of allowed requests',
    post('/anthropic/v1/messages/batches', {
      requests: [{ custom_id: '1', params: { model: 'good', messages: MESSAGES } }],
    }),
  ],
  [
    'a response whose input names a model',
    post('/openai/v1/responses', { model: 'good', input: [{ role: 'user', content: QUOTED }] }),
  ],
  [
    'a list of models alone, where that is enough',
    post('/openrouter/api/v1/chat/completions', { models: ['acme/good'], messages: MESSAGES }),
  ],
  [
    'a turn of a coding agent in messages',
    post('/anthropic/v1/messages?beta=true', AGENT_MESSAGES),
  ],
  ['a turn of a coding agent in responses', post('/openai/v1/responses', AGENT_RESPONSE)],
  [
    'a tool that draws with an allowed model',
    post('/openai/v1/responses', {
      model: 'good',
      input: 'x',
      tools: [{ type: 'image_generation', model: 'cheap-image', output_format: 'png' }],
    }),
  ],
  [
    "the AI SDK's own protocol with tools",
    post(
      '/gateway/v4/ai/language-model',
      {
        prompt: [
          { role: 'assistant', content: [{ type: 'tool-call', input: { model: 'bad' } }] },
          { role: 'tool', content: [{ type: 'tool-result', output: { value: { model: 'bad' } } }] },
        ],
        tools: [
          {
            type: 'function',
            name: 'choose',
            inputSchema: SCHEMA,
            inputExamples: [{ input: { model: 'bad', agent_id: 'x' } }],
          },
        ],
        responseFormat: { type: 'json', schema: SCHEMA },
        toolChoice: { type: 'tool', toolName: 'choose' },
      },
      'ai-language-model-id: acme/good',
    ),
  ],
  [
    'tools of Bedrock',
    post('/bedrock/model/acme.good-v1:0/converse-stream', {
      system: [{ text: QUOTED }, { cachePoint: { type: 'default' } }],
      messages: [
        { role: 'assistant', content: [{ toolUse: { toolUseId: '1', input: { model: 'bad' } } }] },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'choose', inputSchema: { json: SCHEMA } } }] },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    }),
  ],
  [
    'what Gemini thinks, calls and is to answer',
    post('/google/v1beta/models/good:streamGenerateContent?alt=sse', {
      contents: [{ parts: [{ functionCall: { name: 'f', args: { model: 'bad' } } }] }],
      systemInstruction: { parts: [{ text: QUOTED }] },
      tools: [{ googleSearch: {} }, { functionDeclarations: [{ parametersJsonSchema: SCHEMA }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: { responseJsonSchema: SCHEMA, thinkingConfig: { thinkingBudget: 1 } },
    }),
  ],
  ['a thread with an escape in its id', post('/openai/v1/threads/thread_1%20', {})],
  ['embeddings', post('/openai/v1/embeddings', { model: 'good', input: ['{"model":"bad"}'] })],
  [
    'a model in the path',
    post('/google/v1beta/models/good:generateContent?key=x', {
      contents: [{ parts: [{ text: QUOTED }] }],
      tools: [{ functionDeclarations: [{ name: 'f', parameters: SCHEMA }] }],
    }),
  ],
  [
    'a deployment',
    post('/azure/openai/deployments/good/chat/completions?api-version=1', { messages: MESSAGES }),
  ],
  [
    'a deployment, and in the body a model that is ignored there',
    post('/azure/openai/deployments/good/chat/completions?api-version=1', {
      model: 'gpt-whatever',
      messages: MESSAGES,
    }),
  ],
  [
    'a form to a deployment, with a model that is ignored there',
    postForm('/azure/openai/deployments/good/audio/transcriptions?api-version=1', [
      ['name="model"', 'whisper-whatever'],
    ]),
  ],
  [
    'a moderation by a model for that',
    post('/openai/v1/moderations', { model: 'omni-moderation-latest', input: QUOTED }),
  ],
  [
    'an answer that a model for that judges',
    post('/openai/v1/responses', {
      model: 'good',
      input: 'x',
      moderation: { model: 'omni-moderation-latest' },
    }),
  ],
  [
    'a batch with its requests inside',
    post('/google/v1beta/models/good:batchGenerateContent', {
      batch: {
        display_name: 'x',
        input_config: {
          requests: {
            requests: [
              { request: { contents: [{ parts: [{ text: QUOTED }] }] }, metadata: { key: 'a' } },
              { request: { model: 'models/good', contents: [] }, metadata: { key: 'b' } },
            ],
          },
        },
      },
    }),
  ],
  [
    'an escaped colon in the path of Bedrock',
    post('/bedrock/model/acme.good-v1%3A0/converse', {
      messages: [{ role: 'user', content: [{ text: QUOTED }] }],
    }),
  ],
  [
    'a form whose file names a model',
    postForm('/openai/v1/audio/transcriptions', [
      ['name="file"; filename="model.mp3"', '\xff\xfbmodel: bad\r\n--edg\r\n'],
      ['name="model"', 'good'],
      ['name="language"', 'en'],
    ]),
  ],
  ['a tag', post('/ollama/api/chat', { model: 'good:8b', messages: MESSAGES, stream: false })],
  [
    'a folder in a name',
    post('/fireworks/inference/v1/chat/completions', {
      model: 'accounts/fireworks/models/good',
      messages: MESSAGES,
    }),
  ],
  ['a look at the models', get('/openai/v1/models/bad')],
  ['a look with a query', get('/openai/v1/models?model=bad')],
  [
    'a look with a body',
    toRequest({ method: 'GET', path: '/openai/v1/files', body: '{"model":"bad"}' }),
  ],
  ['a look at a stored response', get('/openai/v1/responses/resp_1')],
  [
    'the end of a stored response',
    toRequest({ method: 'DELETE', path: '/openai/v1/responses/resp_1' }),
  ],
  ['a question what is allowed', toRequest({ method: 'OPTIONS', path: CHAT })],
  ['the end of a batch', toRequest({ path: '/openai/v1/batches/batch_1/cancel', body: '' })],
  [
    'a count of tokens',
    post('/anthropic/v1/messages/count_tokens', { model: 'good', messages: MESSAGES }),
  ],
  ['a look at a path at the top', get('/credits')],
  [
    'a whole address for a path',
    post(CHAT, { model: 'good', messages: MESSAGES }).replace('POST /v1', 'POST http://proxy/v1'),
  ],
  ['a WebSocket for an allowed model', upgrade('/openai/v1/realtime?model=good')],
  [
    'a look that offers another protocol',
    get(
      '/openai/v1/models',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
  ],
]

export const INNOCENTS: readonly Attempt[] = [
  ...CHATS.map(([name, request]) => ({ name, request })),
  ...CODINGS.map(([name, request]) => ({ name: `a body in ${name}`, request })),
  ...NEIGHBOURS,
  ...OTHERS.map(([name, request]) => ({ name, request })),
]
