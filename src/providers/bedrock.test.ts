import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bedrock } from './bedrock.ts'
import type { NamesFound, Operation, RequestView } from './provider.ts'

function post(path: string): RequestView {
  return { method: 'POST', path, query: '', header: () => null, headers: () => [] }
}

function find(path: string): readonly Operation[] {
  return bedrock.operations.filter((operation) => operation.matches(post(path)))
}

const CALLS: readonly (readonly [string, string | null, boolean])[] = [
  // path, operation, free
  ['/model/acme.heron-v1%3A0/converse', 'bedrock-converse', false],
  ['/model/acme.heron-v1%3A0/converse-stream', 'bedrock-converse-stream', false],
  ['/model/acme.heron-v1:0/invoke', 'bedrock-invoke', false],
  ['/model/acme.heron/invoke-with-response-stream', 'bedrock-invoke-stream', false],
  ['/model/acme.heron/count-tokens', 'bedrock-count-tokens', true],
  ['/anthropic/v1/messages', 'anthropic-messages', false],
  ['/anthropic/v1/messages/count_tokens', 'bedrock-mantle-count-tokens', true],
  ['/openai/v1/chat/completions', 'openai-chat', false],
  ['/v1/chat/completions', 'openai-chat', false],
  ['/openai/v1/responses', 'openai-responses', false],
  ['/v1/responses', 'openai-responses', false],
  ['/v1/responses/resp_1/cancel', 'openai-stored-response', false],
  ['/v1/messages', null, false],
  ['/async-invoke', 'bedrock-async-invoke', false],
  ['/guardrail/g1/version/DRAFT/apply', 'bedrock-guardrail', false],
  ['/guardrail-checks/invoke', 'bedrock-guardrail', false],
  ['/model/acme.heron/invoke-with-bidirectional-stream', null, false],
  ['/model/acme.heron/converse/', null, false],
  ['/model/a/b/converse', null, false],
]

for (const [path, name, isFree] of CALLS) {
  test(`takes POST ${path} for ${name ?? 'nothing it knows'}`, () => {
    const found = find(path)
    assert.deepEqual(
      found.map((operation) => operation.name),
      name === null ? [] : [name],
    )
    assert.equal(found[0]?.isFree === true, isFree)
  })
}

function namesOf(path: string, body: object): NamesFound {
  const reader = find(path)[0]?.createNamesReader(post(path))
  assert.ok(reader)
  reader.feed(Buffer.from(JSON.stringify(body)))
  return reader.end()
}

const ARN = 'arn:aws:bedrock:us-east-1:123456789012'

test('names the model of the path, decoded once', () => {
  const body = {
    messages: [{ role: 'user', content: [{ text: 'Name a river.' }] }],
    toolConfig: { tools: [{ toolSpec: { inputSchema: { json: { properties: { model: {} } } } } }] },
    requestMetadata: { model: 'a label' },
  }
  const named = { kind: 'named', names: ['us.acme.heron-v1:0'] }
  assert.deepEqual(namesOf('/model/us.acme.heron-v1%3A0/converse', body), named)
  const profile = encodeURIComponent(`${ARN}:inference-profile/us.acme.heron-v1:0`)
  assert.deepEqual(namesOf(`/model/${profile}/invoke`, { prompt: 'Name a river.' }), named)
  for (const id of [
    `${ARN}:prompt/ABC`,
    `${ARN}:application-inference-profile/a`,
    'acme%2Eheron',
  ]) {
    assert.equal(namesOf(`/model/${encodeURIComponent(id)}/converse`, body).kind, 'unreadable')
  }
})

test('names the model of a call whose result goes to storage', () => {
  const body = { modelId: 'acme.wren', modelInput: { model: 'no' }, outputDataConfig: {} }
  assert.deepEqual(namesOf('/async-invoke', body), { kind: 'named', names: ['acme.wren'] })
  for (const kind of ['application-inference-profile', 'custom-model', 'prompt']) {
    const hidden = { ...body, modelId: `${ARN}:${kind}/acme.wren` }
    assert.equal(namesOf('/async-invoke', hidden).kind, 'unreadable')
    const chat = { model: hidden.modelId, messages: [] }
    assert.equal(namesOf('/openai/v1/chat/completions', chat).kind, 'unreadable')
  }
  const arn = { ...body, modelId: `${ARN}:foundation-model/acme.wren` }
  assert.deepEqual(namesOf('/async-invoke', arn), { kind: 'named', names: ['acme.wren'] })
})
