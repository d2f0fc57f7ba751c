import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNames, json } from '../../../test/fakes/callers/names-request.ts'
import type { NamesCase } from '../../../test/fakes/callers/names-request.ts'

const SCHEMA = {
  type: 'object',
  properties: { model: { type: 'string' }, agent: { type: 'object' } },
}

/** All of them name the model `m` and look as if they named another. */
const INNOCENT: readonly NamesCase<string>[] = [
  [
    'a schema of a tool with a property `model`',
    json({
      model: 'm',
      tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA } }],
    }),
    'm',
  ],
  [
    'a tool of the Responses kind',
    json({ model: 'm', tools: [{ type: 'function', name: 'f', parameters: SCHEMA }] }),
    'm',
  ],
  [
    'a tool of the Messages kind',
    json({
      model: 'm',
      tools: [
        { name: 'f', input_schema: SCHEMA },
        { type: 'custom', name: 'g', input_schema: SCHEMA },
      ],
    }),
    'm',
  ],
  [
    'tools in a namespace',
    json({
      model: 'm',
      tools: [{ type: 'namespace', tools: [{ type: 'function', parameters: SCHEMA }] }],
    }),
    'm',
  ],
  [
    'a function of the old kind',
    json({ model: 'm', functions: [{ name: 'f', parameters: SCHEMA }] }),
    'm',
  ],
  [
    'declared functions',
    json({
      model: 'm',
      tools: [
        {
          functionDeclarations: [
            { name: 'f', parameters: SCHEMA, response: SCHEMA, parametersJsonSchema: SCHEMA },
          ],
        },
      ],
    }),
    'm',
  ],
  [
    'a tool specification',
    json({
      model: 'm',
      toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: SCHEMA } } }] },
    }),
    'm',
  ],
  [
    'definitions of parameters',
    json({ model: 'm', tools: [{ name: 'f', parameter_definitions: { model: { type: 'str' } } }] }),
    'm',
  ],
  [
    'a schema of the answer',
    json({ model: 'm', response_format: { type: 'json_schema', json_schema: { schema: SCHEMA } } }),
    'm',
  ],
  [
    'a format of the text',
    json({ model: 'm', text: { format: { type: 'json_schema', schema: SCHEMA } } }),
    'm',
  ],
  [
    'a format of the output',
    json({ model: 'm', output_config: { format: { schema: SCHEMA } } }),
    'm',
  ],
  ['a response schema', json({ model: 'm', generationConfig: { responseSchema: SCHEMA } }), 'm'],
  ['a guided schema', json({ model: 'm', guided_json: SCHEMA }), 'm'],
  ['a structured output', json({ model: 'm', structured_outputs: { json: SCHEMA } }), 'm'],
  ['a guided schema of NIM', json({ model: 'm', nvext: { guided_json: SCHEMA } }), 'm'],
  ['a grammar', json({ model: 'm', grammar: { type: 'json', value: SCHEMA } }), 'm'],
  ['variables of a template', json({ model: 'm', chat_template_kwargs: { model: 'n' } }), 'm'],
  ['a guided schema in extra_body', json({ model: 'm', extra_body: { guided_json: SCHEMA } }), 'm'],
  ['metadata in extra_body', json({ model: 'm', extra_body: { metadata: { agent: 'x' } } }), 'm'],
  [
    'a guided schema of a batch',
    json({ requests: [{ params: { model: 'm', guided_json: SCHEMA } }] }),
    'm',
    { options: { envelopes: ['requests'] } },
  ],
  [
    'headers for the server of a tool',
    json({ model: 'm', tools: [{ headers: { 'X-Model': 'n', Agent: 'x' }, type: 'mcp' }] }),
    'm',
  ],
  [
    'headers for the server of a tool in other formats',
    json({
      model: 'm',
      tools: [
        { type: 'mcp_server', headers: { model: 'n' } },
        { type: 'provider', id: 'openai.mcp', args: { headers: { model: 'n' } } },
        { mcpServers: [{ streamableHttpTransport: { headers: { model: 'n' } } }] },
      ],
    }),
    'm',
  ],
  [
    'names of the tools of a server',
    json({ model: 'm', tools: [{ type: 'mcp_toolset', configs: { list_models: {}, model: {} } }] }),
    'm',
  ],
  [
    'metadata of a trace',
    json({ session: { model: 'm', tracing: { metadata: { model: 'n' } } } }),
    'm',
    { options: { envelopes: ['session'] } },
  ],
  [
    'a prompt that quotes JSON',
    json({ model: 'm', messages: [{ role: 'user', content: '{"model":"n","model":"o"}' }] }),
    'm',
  ],
  [
    'content with members of those names',
    json({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [{ type: 'tool_use', input: { model: 'n', Model: 1, agent: 'x' } }],
        },
      ],
    }),
    'm',
  ],
  [
    'items with members of those names',
    json({ model: 'm', input: [{ type: 'message', agent: { agent_name: 'a' }, model: 'n' }] }),
    'm',
  ],
  [
    'metadata with members of those names',
    json({ model: 'm', metadata: { model: 'n', agent: 'x', preset: 'y' } }),
    'm',
  ],
  [
    'metadata of a session',
    json({ session: { model: 'm', metadata: { model: 'n' } } }),
    'm',
    { options: { envelopes: ['session'] } },
  ],
  [
    'content of a batch',
    json({
      requests: [{ params: { model: 'm', messages: [{ model: 'n' }], metadata: { agent: 'x' } } }],
    }),
    'm',
    { options: { envelopes: ['requests'] } },
  ],
  [
    'examples of a tool',
    json({
      model: 'm',
      tools: [{ name: 'f', input_schema: {}, input_examples: [{ model: 'n' }] }],
    }),
    'm',
  ],
  [
    'examples of a tool in other letters',
    json({ model: 'm', tools: [{ type: 'function', inputExamples: [{ input: { model: 'n' } }] }] }),
    'm',
  ],
  ['a prompt that is a text', json({ model: 'm', prompt: 'an agent' }), 'm'],
  ['a prompt that is a list', json({ model: 'm', prompt: [{ role: 'user', model: 'n' }] }), 'm'],
  ['escapes in content', json({ model: 'm', messages: ['\u0000\n"\\ 😀 \ud800'] }), 'm'],
  ['content that is there twice', '{"model":"m","messages":[],"messages":[]}', 'm'],
  [
    'an earlier answer',
    json({ model: 'm', previous_response_id: 'resp_1', conversation: 'conv_1' }),
    'm',
  ],
  ['a cached content', json({ model: 'm', cachedContent: 'cachedContents/1' }), 'm'],
  ['members that are null', json({ model: 'm', agent: null, prompt: null, tools: null }), 'm'],
  [
    'other words of models',
    json({ model: 'm', model_kwargs: { x: 1 }, use_model: true, max_model: 3 }),
    'm',
  ],
  [
    'content that only this call has',
    json({ model: 'm', clip: { model: 'n' } }),
    'm',
    { options: { content: ['clip'] } },
  ],
  ['a token list', json({ model: 'm', input: [[1, 2, 3], [4]] }), 'm'],
]

for (const [name, body, names, asked] of INNOCENT) {
  test(`is not misled by ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: [names] })
  })
}

test('passes over a prompt of 2 MB in pieces of 16 KiB', () => {
  const body = json({
    messages: [{ role: 'user', content: 'a "word"\n'.repeat(230_000) }],
    model: 'm',
  })
  assert.ok(body.length > 2_000_000)
  assert.deepEqual(findNames(body, { cut: 16_384 }), { kind: 'named', names: ['m'] })
})

test('passes over a hundred thousand messages and as many tokens without keeping them', () => {
  const messages = Array.from({ length: 100_000 }, () => ({ role: 'user', content: 'x' }))
  assert.equal(findNames(json({ messages, model: 'm' }), { cut: 65_536 }).kind, 'named')
  const input = [Array.from({ length: 400_000 }, () => 1)]
  assert.equal(findNames(json({ input, model: 'm' }), { cut: 65_536 }).kind, 'named')
})
