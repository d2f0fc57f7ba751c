// Requests that bring another model in by a member that only one provider reads, or only the
// gateways that people run themselves.

import { MESSAGES, post, postForm } from './attempt.ts'
import type { Evasion } from './attempt.ts'

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

/** With data of the customer's own, which Azure searches by embeddings. */
function searching(dependency: object, more: object = {}): string {
  const parameters = { endpoint: 'https://s.example', embedding_dependency: dependency, ...more }
  return post('/azure/openai/deployments/good/chat/completions', {
    messages: MESSAGES,
    data_sources: [{ type: 'azure_search', parameters }],
  })
}

function asyncInvoke(modelId: string): string {
  return post('/bedrock/async-invoke', { modelId, modelInput: {}, outputDataConfig: {} })
}

const ELSEWHERE = 'https://elsewhere.example/openai/deployments/bad/embeddings'
const ARN = 'arn:aws:bedrock:us-east-1:1'

const AZURE: readonly (readonly [string, string])[] = [
  ['as the address that makes embeddings', searching({ type: 'endpoint', endpoint: ELSEWHERE })],
  ['as such an address without its kind', searching({ endpoint: ELSEWHERE })],
  ['as such an address in other letters', searching({ type: 'endpoint', Endpoint: ELSEWHERE })],
  ['as such an address in a list', searching([{ type: 'endpoint', endpoint: ELSEWHERE }])],
  ['as the deployment for embeddings', searching({ type: 'x', deployment_name: 'bad' })],
  ['as the model for embeddings', searching({ type: 'model_id', model_id: 'bad' })],
  ['as the address of older versions', searching({}, { embeddingEndpoint: ELSEWHERE })],
  ['as that address, written with a line', searching({}, { embedding_endpoint: ELSEWHERE })],
  ['as the deployment of older versions', searching({}, { embeddingDeploymentName: 'bad' })],
]

const OWN: readonly (readonly [string, string])[] = [
  ['as a fallback', own({ fallbacks: ['bad'] })],
  ['as a fallback of an allowed one', own({ fallbacks: [{ good: ['bad'] }] })],
  ['as a fallback, before a name', own({ fallbacks: [{ good: ['bad'], model: 'good' }] })],
  ['as a fallback with settings', own({ fallbacks: [{ model: 'bad', messages: MESSAGES }] })],
  ['for long prompts', own({ context_window_fallbacks: [{ good: ['bad'] }] })],
  ['for long prompts as a list', own({ context_window_fallbacks: ['bad'] })],
  ['for long prompts in a table', own({ context_window_fallback_dict: { good: 'bad' } })],
  ['for refused prompts', own({ content_policy_fallbacks: [{ good: ['bad'] }] })],
  ['for every failure', own({ default_fallbacks: ['bad'] })],
  ['among fallback models', own({ fallback_models: ['bad'] })],
  ['by an alias', own({ model_group_alias: { good: 'bad' } })],
  ['by an alias with settings', own({ model_group_alias: { good: { model: 'bad' } } })],
  ['by an alias map', own({ model_alias_map: { good: 'bad' } })],
  ['in a list of models', own({ model_list: [{ litellm_params: { model: 'bad' } }] })],
  ['by a router of their own', own({ user_config: { model_list: [] } })],
  ['by settings of the router', own({ router_settings_override: { num_retries: 1 } })],
  ['by another address', own({ aws_bedrock_runtime_endpoint: 'https://elsewhere.example' })],
  ['by another maker', own({ custom_llm_provider: 'elsewhere' })],
  ['behind a stored prompt', own({ prompt_id: 'mine' })],
  ['behind a variant', own({ 'tensorzero::variant_name': 'mine' })],
  ['in a name with a comma', own({ model: 'cheap-1,bad' })],
  ['in a name with an arrow', own({ model: 'cheap-1->bad' })],
  ['in a name with a bar', own({ model: 'cheap-1|bad' })],
  ['by a fallback that is asked for', own({ mock_testing_fallbacks: true })],
  ['as an adapter', own({ lora_path: 'bad' })],
  ['as another adapter', own({ adapter_id: 'bad' })],
  ['in a body in the body', own({ extra_body: { context_window_fallbacks: [{ good: ['bad'] }] } })],
  [
    'as a fallback of an embedding',
    post('/own/v1/embeddings', {
      model: 'good',
      input: 'x',
      context_window_fallbacks: [{ good: ['bad'] }],
    }),
  ],
  [
    'as a fallback in a form',
    postForm('/own/v1/audio/transcriptions', [
      ['name="model"', 'good'],
      ['name="context_window_fallbacks"', '[{"good":["bad"]}]'],
    ]),
  ],
]

const OPENROUTER: readonly (readonly [string, string])[] = [
  [
    'as the reader of files',
    openrouter({ plugins: [{ id: 'file-parser', pdf: { engine: 'mistral-ocr' } }] }),
  ],
  [
    'as the reader of files in other letters',
    openrouter({ plugins: [{ id: 'file-parser', pdf: { Engine: 'mistral-ocr' } }] }),
  ],
  [
    'as the reader of files, after a free one',
    openrouter({
      plugins: [
        { id: 'file-parser', pdf: { engine: 'native' } },
        { id: 'file-parser', pdf: { engine: 'mistral-ocr' } },
      ],
    }),
  ],
  ['as the engine of a plugin', openrouter({ plugins: [{ id: 'web', engine: 'acme/bad' }] })],
  ['as one of a plugin', openrouter({ plugins: [{ id: 'x', models: ['acme/bad'] }] })],
  ['by nobody, for a panel', openrouter({ plugins: [{ id: 'fusion' }] })],
  [
    'by nobody, for a panel and its judge',
    openrouter({ plugins: [{ id: 'fusion', model: 'acme/good' }] }),
  ],
  ['by nobody, for a panel as a tool', openrouter({ tools: [{ type: 'openrouter:fusion' }] })],
  ['by nobody, for a tool that advises', openrouter({ tools: [{ type: 'openrouter:advisor' }] })],
  ['by nobody, for a tool that works', openrouter({ tools: [{ type: 'openrouter:subagent' }] })],
  ['as a member of a panel', openrouter({ plugins: [{ id: 'fusion', analysis_models: ['a/b'] }] })],
]

const DRAWING: readonly (readonly [string, string])[] = [
  [
    'for the lines of a picture alone',
    post('/openai/v1/responses', {
      model: 'good',
      input: 'x',
      tools: [{ type: 'image_generation', svg: { model: 'good' } }],
    }),
  ],
  [
    'in a place that nobody reads',
    post('/openai/v1/responses', {
      model: 'good',
      input: 'x',
      tools: [{ type: 'image_generation', parameters: { model: 'good' } }],
    }),
  ],
]

const BEDROCK: readonly (readonly [string, string])[] = [
  ['behind a model of their own', asyncInvoke(`${ARN}:custom-model/acme.good-v1:0`)],
  ['behind a profile', asyncInvoke(`${ARN}:application-inference-profile/acme.good-v1:0`)],
  ['behind capacity that was bought', asyncInvoke(`${ARN}:provisioned-model/acme.good-v1:0`)],
  ['behind an ARN with another', asyncInvoke(`${ARN}:foundation-model/arn:acme.good-v1:0`)],
  [
    'behind a profile, in the body of a chat',
    post('/bedrock/openai/v1/chat/completions', {
      model: `${ARN}:application-inference-profile/acme.good-v1:0`,
      messages: MESSAGES,
    }),
  ],
  [
    'behind a profile, in the body of a message',
    post('/bedrock/anthropic/v1/messages', {
      model: `${ARN}:custom-model/acme.good-v1:0`,
      messages: MESSAGES,
    }),
  ],
]

export const GATEWAY_EVASIONS: readonly Evasion[] = [
  ...AZURE.map(([name, request]) => ({ name: `at Azure, a model that is named ${name}`, request })),
  ...OWN.map(([name, request]) => ({
    name: `at a provider of their own, a model that is named ${name}`,
    request,
  })),
  ...OPENROUTER.map(([name, request]) => ({
    name: `at OpenRouter, a model that is named ${name}`,
    request,
  })),
  ...DRAWING.map(([name, request]) => ({ name: `drawing by a model named ${name}`, request })),
  ...BEDROCK.map(([name, request]) => ({ name: `at Bedrock, a model that runs ${name}`, request })),
]
