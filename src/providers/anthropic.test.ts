import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anthropic } from './anthropic.ts'
import type { NamesFound, Operation, RequestView } from './provider.ts'

function request(method: string, path: string): RequestView {
  return { method, path, query: '', header: () => null, headers: () => [] }
}

function find(method: string, path: string): readonly Operation[] {
  return anthropic.operations.filter((operation) => operation.matches(request(method, path)))
}

const CALLS: readonly (readonly [string, string, string | null, boolean])[] = [
  // method, path, operation, free
  ['POST', '/v1/messages', 'anthropic-messages', false],
  ['POST', '/v1/messages/count_tokens', 'anthropic-count-tokens', true],
  ['POST', '/v1/messages/batches', 'anthropic-batches', true],
  ['POST', '/v1/messages/batches/msgbatch_1/cancel', 'anthropic-batch-cancel', true],
  ['GET', '/v1/messages/batches/msgbatch_1/results', 'anthropic-batch-results', false],
  ['POST', '/v1/chat/completions', 'openai-chat', false],
  ['POST', '/v1/complete', 'anthropic-complete', false],
  ['POST', '/v1/files', 'anthropic-storage', true],
  ['POST', '/v1/skills/skill_1/versions', 'anthropic-storage', true],
  ['POST', '/v1/agents', 'anthropic-agents', false],
  ['POST', '/v1/sessions/session_1/events', 'anthropic-agents', false],
  ['GET', '/v1/messages', null, false],
  ['POST', '/v1/messages/', null, false],
  ['POST', '/v1/Messages', null, false],
  ['POST', '/v1/filesystem', null, false],
  ['GET', '/v1/models', null, false],
]

for (const [method, path, name, isFree] of CALLS) {
  test(`takes ${method} ${path} for ${name ?? 'nothing it knows'}`, () => {
    const found = find(method, path)
    assert.deepEqual(
      found.map((operation) => operation.name),
      name === null ? [] : [name],
    )
    assert.equal(found[0]?.isFree === true, isFree)
  })
}

function namesOf(path: string, body: object): NamesFound {
  const reader = find('POST', path)[0]?.createNamesReader(request('POST', path))
  assert.ok(reader)
  reader.feed(Buffer.from(JSON.stringify(body)))
  return reader.end()
}

test('names every model that a message can run on', () => {
  const body = {
    model: 'heron',
    messages: [{ role: 'user', content: [{ type: 'text', text: '{"model":"no"}' }] }],
    fallbacks: [{ model: 'plover' }],
    tools: [
      { type: 'advisor_20260301', name: 'advisor', model: 'wren' },
      { name: 'look', input_schema: { type: 'object', properties: { model: { type: 'string' } } } },
    ],
  }
  const found = namesOf('/v1/messages', body)
  assert.deepEqual(found, { kind: 'named', names: ['heron', 'plover', 'wren'] })
  const batch = { requests: [{ custom_id: 'a', params: body }] }
  assert.deepEqual(namesOf('/v1/messages/batches', batch), found)
})

test('says of what runs out of sight that it cannot be known', () => {
  const hidden = { model: 'heron', messages: [], fallbacks: 'default' }
  assert.equal(namesOf('/v1/messages', hidden).kind, 'unreadable')
  assert.equal(namesOf('/v1/sessions', { agent: 'agent_1' }).kind, 'unreadable')
  assert.deepEqual(namesOf('/v1/files', {}), { kind: 'named', names: [] })
})
