// Neighbours of the evasions by a gateway's own members and by headers: the same with nothing in it
// that the key may not use.

import { chat, CHAT, MESSAGES, post, toRequest } from './attempt.ts'
import type { Attempt } from './attempt.ts'

function own(added: object): string {
  return post('/own/v1/chat/completions', { model: 'good', messages: MESSAGES, ...added })
}

function openrouter(added: object): string {
  return post('/openrouter/api/v1/chat/completions', {
    model: 'acme/good',
    messages: MESSAGES,
    ...added,
  })
}

const REQUESTS: readonly (readonly [string, string])[] = [
  ['allowed fallbacks', own({ fallbacks: ['cheap-1'] })],
  ['allowed fallbacks by model', own({ fallbacks: [{ good: ['cheap-1', 'cheap-2'] }] })],
  [
    'an allowed fallback with settings',
    own({
      fallbacks: [
        { model: 'cheap-1', messages: MESSAGES, stop: ['END'], reasoning_effort: 'low', n: 1 },
      ],
    }),
  ],
  [
    'allowed fallbacks for long and for refused prompts',
    own({
      context_window_fallbacks: [{ good: ['cheap-1'] }],
      content_policy_fallbacks: [{ good: ['cheap-1'] }],
      context_window_fallback_dict: { good: 'cheap-1' },
    }),
  ],
  [
    'no fallbacks at all',
    own({ fallbacks: [], context_window_fallbacks: null, context_window_fallback_dict: {} }),
  ],
  ['settings of a gateway that name no model', own({ num_retries: 2, metadata: { tags: ['a'] } })],
  ['a prompt about fallbacks', own({ messages: [{ role: 'user', content: 'fallbacks: bad' }] })],
  [
    'a plugin that searches',
    openrouter({ plugins: [{ id: 'web', engine: 'exa', max_results: 3 }] }),
  ],
  [
    'plugins that name nothing',
    openrouter({ plugins: [{ id: 'web' }, { id: 'response-healing' }] }),
  ],
  [
    'a plugin that reads files as the model does',
    openrouter({ plugins: [{ id: 'file-parser', pdf: { engine: 'native' } }] }),
  ],
  [
    'a plugin that reads files without a model',
    openrouter({ plugins: [{ id: 'file-parser', pdf: { engine: 'cloudflare-ai' } }] }),
  ],
  [
    'a panel of allowed models',
    openrouter({ plugins: [{ id: 'fusion', analysis_models: ['acme/good'], model: 'acme/good' }] }),
  ],
  [
    'a tool that searches',
    openrouter({ tools: [{ type: 'openrouter:web_search', parameters: { engine: 'exa' } }] }),
  ],
  [
    'a search in data of their own, by an allowed deployment',
    post('/azure/openai/deployments/good/chat/completions', {
      messages: MESSAGES,
      data_sources: [
        {
          type: 'azure_search',
          parameters: {
            endpoint: 'https://s.example',
            index_name: 'i',
            embedding_dependency: { type: 'deployment_name', deployment_name: 'cheap-embedding' },
          },
        },
      ],
    }),
  ],
  [
    'a search in data of their own, without embeddings',
    post('/azure/openai/deployments/good/chat/completions', {
      messages: MESSAGES,
      data_sources: [{ type: 'azure_search', parameters: { endpoint: 'https://s.example' } }],
    }),
  ],
  [
    'an ARN that names the model',
    post('/bedrock/async-invoke', {
      modelId: 'arn:aws:bedrock:us-east-1::foundation-model/acme.good-v1:0',
      modelInput: { model: 'bad' },
    }),
  ],
  [
    'Claude on Foundry',
    post('/azure/anthropic/v1/messages', { model: 'good', messages: MESSAGES }),
  ],
  [
    'a count of tokens on Foundry',
    post('/azure/anthropic/v1/messages/count_tokens', { model: 'good', messages: MESSAGES }),
  ],
  [
    "Azure's inference",
    post('/azure/models/chat/completions?api-version=1', { model: 'good', messages: MESSAGES }),
  ],
  [
    "embeddings of Azure's inference",
    post('/azure/models/embeddings', { model: 'good', input: ['{"model":"bad"}'] }),
  ],
  [
    "embeddings of images of Azure's inference",
    post('/azure/models/images/embeddings', { model: 'good', input: [{ image: 'x', text: 'y' }] }),
  ],
  [
    "chat on Bedrock's newer host",
    post('/bedrock/v1/chat/completions', { model: 'acme.good-v1:0', messages: MESSAGES }),
  ],
  [
    "responses on Bedrock's newer host",
    post('/bedrock/v1/responses', { model: 'us.acme.good-v1:0', input: 'x' }),
  ],
  [
    "images in OpenAI's shape at Google",
    post('/google/v1beta/openai/images/generations', { model: 'models/good', prompt: 'x' }),
  ],
  ['a header that names its model again', chat({ model: 'good' }, 'X-Model: good')],
  ['a header that repeats its method', chat({ model: 'good' }, 'X-HTTP-Method-Override: POST')],
  [
    'what a proxy in front says of its path',
    chat({ model: 'good' }, `X-Envoy-Original-Path: /weir/v1${CHAT}`, `X-Original-URI: /v1${CHAT}`),
  ],
  [
    'a project with a domain',
    post(
      '/vertex/v1/projects/acme.example%3Ap/locations/l/publishers/google/models/good:generateContent',
      {
        contents: [],
      },
    ),
  ],
  [
    'a look at a model with a folder',
    toRequest({ method: 'GET', path: '/openai/v1/models/acme%2Fbad' }),
  ],
]

export const NEIGHBOURS: readonly Attempt[] = REQUESTS.map(([name, request]) => ({ name, request }))
