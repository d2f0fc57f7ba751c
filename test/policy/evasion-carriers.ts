// Requests whose JSON names a model that the key may not use, each in another place, or leaves the
// choice to something out of sight.

import { chat, gatewayChat, MESSAGES, post, postForm, postText } from './attempt.ts'
import type { Evasion } from './attempt.ts'

const RESPONSES = '/openai/v1/responses'

function messages(added: object): string {
  return post('/anthropic/v1/messages', { max_tokens: 9, messages: MESSAGES, ...added })
}

function openrouter(added: object): string {
  return post('/openrouter/api/v1/chat/completions', {
    model: 'acme/good',
    messages: MESSAGES,
    ...added,
  })
}

function gateway(options: object): string {
  return gatewayChat({ providerOptions: { gateway: options } })
}

const BODIES: readonly (readonly [string, string])[] = [
  ['as the model', chat({ model: 'bad' })],
  ['in a list of models', chat({ model: 'good', models: ['good', 'bad'] })],
  ['in a list of models and nowhere else', gatewayChat({ model: undefined, models: ['acme/bad'] })],
  ['as the model at the gateway', gatewayChat({ model: 'acme/bad' })],
  ['by another maker at the gateway', gatewayChat({ model: 'other/good' })],
  ['as a fallback', gatewayChat({ models: ['acme/good', 'acme/bad'] })],
  ["as a fallback in the gateway's options", gateway({ models: ['acme/bad'] })],
  ['as a fallback with a condition', gateway({ models: [{ model: 'acme/bad', when: 'error' }] })],
  [
    "in the gateway's options in other letters",
    gatewayChat({ provider_options: { gateway: { models: ['acme/bad'] } } }),
  ],
  [
    "in the gateway's options of a message",
    post('/gateway/v1/messages', {
      model: 'acme/good',
      messages: MESSAGES,
      providerOptions: { gateway: { models: ['acme/bad'] } },
    }),
  ],
  [
    "in the gateway's options of a response",
    post('/gateway/v1/responses', {
      model: 'acme/good',
      input: 'Hello',
      providerOptions: { gateway: { models: ['acme/bad'] } },
    }),
  ],
  [
    "in the gateway's options of an embedding",
    post('/gateway/v1/embeddings', {
      model: 'acme/good',
      input: 'Hello',
      providerOptions: { gateway: { models: ['acme/bad'] } },
    }),
  ],
  ['in `fallbacks`', messages({ model: 'good', fallbacks: [{ model: 'bad' }] })],
  ['in `fallbacks` as a text', messages({ model: 'good', fallbacks: ['bad'] })],
  ['behind the default fallbacks', messages({ model: 'good', fallbacks: 'default' })],
  [
    'as the model of a tool that draws',
    post(RESPONSES, {
      model: 'good',
      input: 'x',
      tools: [{ type: 'image_generation', model: 'bad' }],
    }),
  ],
  [
    'as the model of an adviser',
    messages({
      model: 'good',
      tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'bad' }],
    }),
  ],
  [
    'in the settings of a tool of the provider',
    openrouter({ tools: [{ type: 'openrouter:image', parameters: { model: 'acme/bad' } }] }),
  ],
  ['in a plugin', openrouter({ plugins: [{ id: 'web', model: 'acme/bad' }] })],
  [
    'in a plugin as one of several',
    openrouter({ plugins: [{ id: 'x', allowed_models: ['a/bad'] }] }),
  ],
  [
    'as the model of a moderation',
    post(RESPONSES, { model: 'good', moderation: { model: 'bad' } }),
  ],
  [
    'somewhere inside a request for an image, and nowhere else',
    post('/openai/v1/images/generations', { prompt: 'x', extra: { model: 'good' } }),
  ],
  [
    'inside what this call has no session for, and nowhere else',
    post('/cohere/v1/chat', { message: 'x', session: { model: 'good' } }),
  ],
  [
    'in one of many requests to a call that takes one, and nowhere else',
    post('/cohere/v1/chat', { message: 'x', requests: [{ model: 'good' }] }),
  ],
  [
    'by a word that this call does not know, and nowhere else',
    post('/openai/v1/images/generations', { prompt: 'x', deployment: 'good', base_model: 'good' }),
  ],
  [
    'in a list that this call does not know, and nowhere else',
    post('/cohere/v1/chat', { message: 'x', models: ['good'] }),
  ],
  [
    'as the deployment that makes embeddings for a search',
    post('/azure/openai/deployments/good/chat/completions', {
      messages: MESSAGES,
      data_sources: [
        {
          type: 'azure_search',
          parameters: {
            index_name: 'i',
            embedding_dependency: { type: 'deployment_name', deployment_name: 'bad' },
          },
        },
      ],
    }),
  ],
  [
    'by nobody, for a tool that draws',
    post(RESPONSES, { model: 'good', input: 'x', tools: [{ type: 'image_generation' }] }),
  ],
  [
    'by nobody, for a tool that draws at the gateway',
    post(
      '/gateway/v4/ai/language-model',
      { prompt: [], tools: [{ type: 'provider', id: 'openai.image_generation', args: {} }] },
      'ai-language-model-id: acme/good',
    ),
  ],
  ['as a way from a folder to another', chat({ model: 'cheap-1/../bad' })],
  ['in a session', post('/openai/v1/realtime/client_secrets', { session: { model: 'bad' } })],
  [
    'as the model that writes down what is said',
    post('/openai/v1/realtime/client_secrets', {
      session: { model: 'good', audio: { input: { transcription: { model: 'bad' } } } },
    }),
  ],
  ['for a moderation', post('/openai/v1/moderations', { model: 'bad', input: 'x' })],
  ['for an embedding', post('/openai/v1/embeddings', { model: 'bad', input: 'x' })],
  ['for an image', post('/openai/v1/images/generations', { model: 'bad', prompt: 'x' })],
  ['for an image without a model', post('/openai/v1/images/generations', { prompt: 'x' })],
  ['for a moderation without a model', post('/openai/v1/moderations', { input: 'x' })],
  ['for speech', post('/openai/v1/audio/speech', { model: 'bad', input: 'x', voice: 'y' })],
  ['for a reranking', post('/cohere/v2/rerank', { model: 'bad', query: 'x', documents: ['y'] })],
  ['at Ollama', post('/ollama/api/chat', { model: 'bad:8b', messages: MESSAGES })],
  ['at Ollama by another tag', post('/ollama/api/chat', { model: 'good:70b', messages: MESSAGES })],
  ['at Ollama to be generated', post('/ollama/api/generate', { model: 'bad:8b', prompt: 'x' })],
  [
    'in a batch',
    post('/anthropic/v1/messages/batches', {
      requests: [
        { custom_id: '1', params: { model: 'good', messages: MESSAGES } },
        { custom_id: '2', params: { model: 'bad', messages: MESSAGES } },
      ],
    }),
  ],
  [
    'in a batch, one of whose requests names none',
    post('/anthropic/v1/messages/batches', {
      requests: [{ params: { model: 'good', messages: MESSAGES } }, { params: { messages: [] } }],
    }),
  ],
  [
    'in a batch of embeddings',
    post('/google/v1beta/models/good:batchEmbedContents', {
      requests: [{ model: 'models/bad', content: { parts: [{ text: 'x' }] } }],
    }),
  ],
  [
    "in the gateway's batch",
    post(
      '/gateway/v4/ai/batch/start',
      { requests: [{ modelId: 'acme/bad' }] },
      'ai-model-id: acme/good',
    ),
  ],
]

const HIDDEN: readonly (readonly [string, string])[] = [
  ['behind a virtual model', gatewayChat({ model: 'vmc/mine' })],
  ['behind a preset', openrouter({ model: '@preset/mine' })],
  ['behind a preset at an allowed model', openrouter({ model: 'acme/good@preset/mine' })],
  ['behind a preset as a member', openrouter({ preset: 'mine' })],
  ['behind a stored prompt', post(RESPONSES, { model: 'good', prompt: { id: 'pmpt_1' } })],
  [
    'behind an agent',
    post('/mistral/v1/agents/completions', { agent_id: 'ag_1', messages: MESSAGES }),
  ],
  [
    'behind an agent beside a model',
    post('/mistral/v1/conversations', { model: 'good', agent_id: 'a', inputs: 'x' }),
  ],
  [
    'behind a routing, in the letters of its definition',
    post('/vertex/v1/publishers/google/models/good:generateContent', {
      contents: [],
      generation_config: { routing_config: { auto_mode: {} } },
    }),
  ],
  ['behind an assistant', post('/openai/v1/threads/runs', { assistant_id: 'asst_1' })],
  ['in a new assistant', post('/openai/v1/assistants', { model: 'good' })],
  [
    'in a file for a batch',
    postForm('/openai/v1/files', [
      ['name="purpose"', 'batch'],
      ['name="file"; filename="b.jsonl"', '{"body":{"model":"bad"}}'],
    ]),
  ],
  [
    'in a batch of a file',
    post('/openai/v1/batches', { input_file_id: 'file-1', endpoint: '/v1/responses' }),
  ],
  ['in a batch at Mistral', post('/mistral/v1/batch/jobs', { model: 'good', input_files: ['f'] })],
  [
    'by a mapping of models',
    gateway({
      byok: {
        acme: [{ modelMappings: [{ gatewayModelSlug: 'acme/good', customModelId: 'bad' }] }],
      },
    }),
  ],
  [
    'by another address',
    gateway({ byok: { acme: [{ apiKey: 'x', baseURL: 'https://elsewhere.example' }] } }),
  ],
  [
    'by a model made of another',
    post('/ollama/api/copy', { source: 'bad:8b', destination: 'good:8b' }),
  ],
  ['in an agent of their own', post('/anthropic/v1/agents', { model: { id: 'good' }, name: 'x' })],
  ['at a path that nobody knows', postText('/openai/v1/surprise', '{"model":"good"}')],
]

export const CARRIER_EVASIONS: readonly Evasion[] = [...BODIES, ...HIDDEN].map(
  ([name, request]) => ({ name: `a model that is named ${name}`, request }),
)
