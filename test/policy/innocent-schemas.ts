// Requests whose settings hold the caller's own data: schemas with a property `model`, headers for
// a tool's server, names of tools. Each stands where its server expects it.

import { CHAT, MESSAGES, toJson } from './attempt.ts'
import type { Attempt } from './attempt.ts'
import { ANTHROPIC_SDK, BOTO3, CURL_HTTP2, FETCH, GENAI_SDK, GO, JAVA } from './innocent-client.ts'
import { OPENAI_SDK, REQUESTS, toClientRequest, toSpacedJson, URLLIB3 } from './innocent-client.ts'
import type { ClientHead } from './innocent-client.ts'

const OWN_CHAT = '/own/v1/chat/completions'
const RESPONSES = '/openai/v1/responses'

const SCHEMA = {
  type: 'object',
  properties: {
    model: { type: 'string', enum: ['bad', 'worse'] },
    models: { type: 'array', items: { $ref: '#/$defs/Model' } },
    base_model: { type: 'string', default: 'bad' },
    agent: { type: 'object', properties: { preset: { const: 'x' } } },
  },
  $defs: { Model: { type: 'string', title: 'Model', default: 'bad' } },
  required: ['model'],
}
const FUNCTION = { name: 'choose', description: 'Chooses a model.', parameters: SCHEMA }
const TOOL = { type: 'function', function: FUNCTION }
const HEADERS = { 'X-Model': 'bad', Model: 'bad', model: 'bad', 'X-Agent': 'shop' }
const MCP = { type: 'mcp', server_label: 'shop', server_url: 'https://mcp.example/sse' }

function python(path: string, value: object): string {
  return toClientRequest({ client: REQUESTS, path, body: toSpacedJson(value) })
}

function chat(added: object, path = CHAT): string {
  return python(path, { model: 'good', messages: MESSAGES, ...added })
}

function own(added: object): string {
  return chat(added, OWN_CHAT)
}

function sdk(client: ClientHead, path: string, value: object): string {
  return toClientRequest({ client, path, body: toJson(value) })
}

/** Servers that people run themselves. */
const OWN: readonly (readonly [string, string])[] = [
  ['guided_json of vLLM', own({ guided_json: SCHEMA })],
  ['guided_json of vLLM as a text', own({ guided_json: JSON.stringify(SCHEMA) })],
  [
    'guided_json by curl --http2',
    sdk(CURL_HTTP2, OWN_CHAT, { model: 'good', guided_json: SCHEMA }),
  ],
  ['guided_json by Java', sdk(JAVA, OWN_CHAT, { guided_json: SCHEMA, model: 'good' })],
  ['guided_json in extra_body', own({ extra_body: { guided_json: SCHEMA, top_k: 1 } })],
  ['structured_outputs of vLLM', own({ structured_outputs: { json: SCHEMA } })],
  [
    'structured_outputs of vLLM in extra_body',
    own({ extra_body: { structured_outputs: { json: SCHEMA } } }),
  ],
  ['guided_choice of vLLM', own({ guided_choice: ['model', 'agent'], guided_regex: 'model: .*' })],
  ['chat_template_kwargs of vLLM', own({ chat_template_kwargs: { model: 'x', agent: 'y' } })],
  [
    'a structural tag of vLLM',
    own({
      response_format: {
        type: 'structural_tag',
        structures: [{ begin: '<f>', schema: SCHEMA, end: '</f>' }],
        triggers: ['<f'],
      },
    }),
  ],
  ['guided_json of NIM', own({ nvext: { guided_json: SCHEMA } })],
  ['a grammar of TGI', own({ grammar: { type: 'json', value: SCHEMA } })],
  ['json_schema of llama.cpp', own({ json_schema: SCHEMA })],
  [
    'metadata and tags of LiteLLM',
    own({ metadata: { model: 'x', tags: ['model'], agent: 'y' }, tags: ['model:bad'] }),
  ],
  ['metadata in extra_body of LiteLLM', own({ extra_body: { metadata: { model: 'x' } } })],
  ['tools of MCP by LiteLLM', own({ tools: [{ ...MCP, headers: HEADERS }, TOOL] })],
]

const OPENAI: readonly (readonly [string, string])[] = [
  [
    'the OpenAI SDK, with a tool and a format',
    sdk(OPENAI_SDK, CHAT, {
      model: 'good',
      messages: MESSAGES,
      tools: [TOOL],
      response_format: { type: 'json_schema', json_schema: { name: 'pick', schema: SCHEMA } },
    }),
  ],
  [
    'the OpenAI SDK, with a tool of MCP and a format',
    sdk(OPENAI_SDK, RESPONSES, {
      model: 'good',
      input: 'Hello',
      tools: [{ ...MCP, headers: HEADERS, require_approval: 'never' }],
      text: { format: { type: 'json_schema', name: 'pick', schema: SCHEMA, strict: true } },
    }),
  ],
  [
    "a tool of MCP whose type stands behind, by Go's client",
    sdk(GO, RESPONSES, {
      input: 'Hello',
      tools: [{ headers: HEADERS, server_label: 'shop', type: 'mcp' }],
      model: 'good',
    }),
  ],
  [
    'a tool of MCP in a list of tools that was searched',
    sdk(OPENAI_SDK, RESPONSES, {
      model: 'good',
      input: [{ type: 'tool_search_output', tools: [{ ...MCP, headers: HEADERS }] }],
    }),
  ],
  ['functions of the old kind', chat({ functions: [FUNCTION], function_call: 'auto' })],
  [
    'a tool that says what it returns',
    chat({ tools: [{ ...TOOL, function: { ...FUNCTION, returns: SCHEMA } }] }),
  ],
  [
    'tools by urllib3',
    sdk(URLLIB3, CHAT, { model: 'good', messages: MESSAGES, tools: [TOOL], tool_choice: 'auto' }),
  ],
  [
    'a session with tools and metadata of its trace',
    python('/openai/v1/realtime/client_secrets', {
      session: {
        type: 'realtime',
        model: 'good',
        tools: [
          { type: 'function', ...FUNCTION },
          { ...MCP, headers: HEADERS },
        ],
        tracing: { workflow_name: 'shop', metadata: { model: 'x', agent: 'y' } },
      },
    }),
  ],
]

const OTHERS: readonly (readonly [string, string])[] = [
  [
    'the Anthropic SDK, with a tool',
    sdk(ANTHROPIC_SDK, '/anthropic/v1/messages', {
      model: 'good',
      max_tokens: 9,
      messages: MESSAGES,
      tools: [{ name: 'choose', input_schema: SCHEMA }],
    }),
  ],
  [
    'the Anthropic SDK, with tools of MCP and a format',
    sdk(ANTHROPIC_SDK, '/anthropic/v1/messages', {
      model: 'good',
      max_tokens: 9,
      messages: MESSAGES,
      mcp_servers: [{ type: 'url', url: 'https://mcp.example/sse', name: 'shop' }],
      tools: [
        {
          type: 'mcp_toolset',
          mcp_server_name: 'shop',
          default_config: { enabled: false },
          configs: { list_models: { enabled: true }, model: { defer_loading: true } },
        },
      ],
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    }),
  ],
  [
    "Anthropic's output_format",
    sdk(ANTHROPIC_SDK, '/anthropic/v1/messages', {
      model: 'good',
      max_tokens: 9,
      messages: MESSAGES,
      output_format: { type: 'json_schema', schema: SCHEMA },
    }),
  ],
  [
    'the Google SDK, with a function and a schema',
    sdk(GENAI_SDK, '/google/v1beta/models/good:generateContent', {
      contents: [{ parts: [{ text: 'Hello' }], role: 'user' }],
      tools: [{ functionDeclarations: [{ ...FUNCTION, response: SCHEMA }] }],
      generationConfig: { responseMimeType: 'application/json', responseSchema: SCHEMA },
    }),
  ],
  [
    'the Google SDK, with a JSON schema',
    sdk(GENAI_SDK, '/google/v1beta/models/good:generateContent', {
      contents: [{ parts: [{ text: 'Hello' }], role: 'user' }],
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA },
    }),
  ],
  [
    'the Google SDK, with a server of MCP',
    sdk(GENAI_SDK, '/google/v1beta/models/good:generateContent', {
      contents: [{ parts: [{ text: 'Hello' }], role: 'user' }],
      tools: [
        {
          mcpServers: [
            {
              name: 'shop',
              streamableHttpTransport: { url: 'https://mcp.example', headers: HEADERS },
            },
          ],
        },
      ],
    }),
  ],
  [
    "Google's interactions with a server of MCP",
    sdk(GENAI_SDK, '/google/v1beta/interactions', {
      model: 'good',
      input: 'Hello',
      tools: [{ type: 'mcp_server', name: 'shop', url: 'https://mcp.example', headers: HEADERS }],
      response_format: SCHEMA,
    }),
  ],
  [
    'boto3, with a tool',
    toClientRequest({
      client: BOTO3,
      path: '/bedrock/model/acme.good-v1%3A0/converse',
      body: toSpacedJson({
        messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
        toolConfig: { tools: [{ toolSpec: { name: 'choose', inputSchema: { json: SCHEMA } } }] },
      }),
    }),
  ],
  [
    'the AI SDK, with a tool of MCP and metadata',
    toClientRequest({
      client: [...FETCH, 'ai-language-model-id: acme/good'],
      path: '/gateway/v4/ai/language-model',
      body: toJson({
        prompt: [],
        tools: [
          { type: 'function', name: 'choose', inputSchema: SCHEMA },
          { type: 'provider', id: 'openai.mcp', name: 'mcp', args: { headers: HEADERS } },
        ],
        providerOptions: { openai: { metadata: { model: 'x' } } },
      }),
    }),
  ],
  [
    'a format of Ollama',
    python('/ollama/api/chat', { model: 'good:8b', messages: MESSAGES, format: SCHEMA }),
  ],
  [
    "Mistral's conversations",
    python('/mistral/v1/conversations', {
      model: 'good',
      inputs: 'Hello',
      tools: [TOOL],
      completion_args: {
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA } },
      },
    }),
  ],
  [
    "Cohere's format",
    python('/cohere/v2/chat', {
      model: 'good',
      messages: MESSAGES,
      response_format: { type: 'json_object', json_schema: SCHEMA },
      tools: [TOOL],
    }),
  ],
  [
    "OpenRouter's trace",
    python('/openrouter/api/v1/chat/completions', {
      model: 'acme/good',
      messages: MESSAGES,
      trace: { trace_id: 't', model: 'x', agent: 'y' },
    }),
  ],
]

export const SCHEMA_INNOCENTS: readonly Attempt[] = [...OWN, ...OPENAI, ...OTHERS].map(
  ([name, request]) => ({ name: `the caller's own data: ${name}`, request }),
)
