// Models that a key may not use, on the routes by which a cloud serves other makers' dialects.

import { MESSAGES, post, postText } from './attempt.ts'
import type { Evasion } from './attempt.ts'

const FOUNDRY = '/azure/anthropic/v1/messages'
const INFERENCE = '/azure/models/chat/completions'
const MANTLE = '/bedrock/v1/chat/completions'
const IMAGES = '/google/v1beta/openai/images/generations'
const OPENAPI = '/vertex/v1/projects/p/locations/l/endpoints/openapi/chat/completions'
const PROFILE = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc'

const REQUESTS: readonly (readonly [string, string])[] = [
  ['Claude on Foundry', post(FOUNDRY, { model: 'bad', messages: MESSAGES })],
  ['Claude on Foundry without a model', post(FOUNDRY, { messages: MESSAGES })],
  [
    'Claude on Foundry that falls back',
    post(FOUNDRY, { model: 'good', fallbacks: [{ model: 'bad' }], messages: MESSAGES }),
  ],
  [
    'Claude on Foundry with an adviser',
    post(FOUNDRY, {
      model: 'good',
      tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'bad' }],
      messages: MESSAGES,
    }),
  ],
  [
    'Claude on Foundry, named twice',
    postText(FOUNDRY, '{"model":"good","model":"bad","messages":[]}'),
  ],
  ['a count of tokens on Foundry', post(`${FOUNDRY}/count_tokens`, { model: 'bad', messages: [] })],
  ['an agent on Foundry', post('/azure/anthropic/v1/agents', { model: 'good' })],
  ["Azure's inference", post(INFERENCE, { model: 'bad', messages: MESSAGES })],
  ["Azure's inference without a model", post(INFERENCE, { messages: MESSAGES })],
  [
    "Azure's inference by another deployment",
    post(INFERENCE, { model: 'good', messages: MESSAGES }, 'azureml-model-deployment: bad'),
  ],
  [
    "embeddings of Azure's inference",
    post('/azure/models/embeddings', { model: 'bad', input: [] }),
  ],
  [
    "embeddings of images of Azure's inference",
    post('/azure/models/images/embeddings', { model: 'bad', input: [] }),
  ],
  ["Bedrock's newer host", post(MANTLE, { model: 'acme.bad', messages: MESSAGES })],
  ["Bedrock's newer host with a profile", post(MANTLE, { model: PROFILE, messages: MESSAGES })],
  ["responses of Bedrock's newer host", post('/bedrock/v1/responses', { model: 'acme.bad' })],
  ["Nova's own schema", post('/bedrock/model/acme.bad/invoke', { messages: [] })],
  ["images in OpenAI's shape at Google", post(IMAGES, { model: 'models/bad', prompt: 'x' })],
  ["chat in OpenAI's shape at Vertex", post(OPENAPI, { model: 'google/bad', messages: MESSAGES })],
]

export const CLOUD_EVASIONS: readonly Evasion[] = REQUESTS.map(([name, request]) => ({
  name: `another model by ${name}`,
  request,
}))
