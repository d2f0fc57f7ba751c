import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNames, json } from '../../../test/fakes/callers/names-request.ts'
import type { NamesCase } from '../../../test/fakes/callers/names-request.ts'

const HIDING = /hides the model/
const ALMOST = /spelled almost like/
const NO_NAME = /names no model/
const BAD_NAME = /empty, too long or not plain/
const TWICE = /twice/

/** The names, joined by blanks. */
const NAMED: readonly NamesCase<string>[] = [
  ['a model', json({ model: 'm' }), 'm'],
  ['a model behind the content', json({ messages: [{ content: 'x' }], model: 'm' }), 'm'],
  ['the same model once', json({ model: 'm', models: ['m', 'n'] }), 'm n'],
  ['fallbacks', json({ model: 'm', fallbacks: [{ model: 'n', max_tokens: 5 }, 'o'] }), 'm n o'],
  ['no fallbacks', json({ model: 'm', models: null, fallbacks: [] }), 'm'],
  ['fallbacks by model', json({ model: 'm', fallbacks: [{ m: ['n', { model: 'o' }] }] }), 'm o n'],
  [
    'a fallback with settings',
    json({ model: 'm', fallbacks: [{ model: 'n', user: 'x', stop: ['y'], n: 1, messages: [{}] }] }),
    'm n',
  ],
  ['fallbacks beside a name', json({ model: 'm', fallbacks: [{ m: ['n'], model: 'm' }] }), 'm n'],
  ['a table of fallbacks', json({ model: 'm', context_window_fallback_dict: { m: 'n' } }), 'm n'],
  ['an empty table', json({ model: 'm', context_window_fallback_dict: {} }), 'm'],
  ['an alias', json({ model: 'm', model_group_alias: { m: { model: 'n' } } }), 'm n'],
  ['an engine', json({ model: 'm', plugins: [{ id: 'f', pdf: { engine: 'n' } }] }), 'm n'],
  [
    'engines that are no models',
    json({ model: 'm', engine: 'x', plugins: [{ engine: 'exa' }, { pdf: { engine: 'native' } }] }),
    'm',
  ],
  [
    'a panel',
    json({ model: 'm', plugins: [{ id: 'fusion', analysis_models: ['n'], model: 'o' }] }),
    'm n o',
  ],
  ['an address of something else', json({ model: 'm', data: { endpoint: 'https://e' } }), 'm'],
  [
    'fallbacks of a gateway',
    json({ model: 'm', providerOptions: { gateway: { models: ['n'] } } }),
    'm n',
  ],
  [
    'conditional fallbacks',
    json({
      model: 'm',
      providerOptions: { gateway: { models: [{ model: 'n', when: [{ any: [] }] }] } },
    }),
    'm n',
  ],
  ['a model as an object', json({ model: { id: 'm', speed: 'fast' } }), 'm'],
  [
    'models by their part',
    json({
      model: 'm',
      compound_custom: { models: { answering_model: 'n', reasoning_model: null } },
    }),
    'm n',
  ],
  [
    'a model of a tool',
    json({ model: 'm', tools: [{ type: 'image_generation', model: 'n' }] }),
    'm n',
  ],
  [
    'a model deep in a tool',
    json({ model: 'm', tools: [{ type: 'image_generation', model: 'n', svg: { model: 'o' } }] }),
    'm n o',
  ],
  [
    'a model in the settings of a tool',
    json({ model: 'm', tools: [{ type: 'x:advisor', parameters: { model: 'n' } }] }),
    'm n',
  ],
  [
    'a model beside the headers of a tool of a server',
    json({ model: 'm', tools: [{ type: 'mcp', headers: { model: 'x' }, model: 'n' }] }),
    'm n',
  ],
  [
    'a model in the headers of another tool',
    json({ model: 'm', tools: [{ type: 'draw', headers: { model: 'n' } }] }),
    'm n',
  ],
  [
    'a model in the headers of a tool with two types',
    '{"model":"m","tools":[{"type":"mcp","type":"x:y","headers":{"model":"n"}}]}',
    'm n',
  ],
  ['a model in headers', json({ model: 'm', extra_headers: { 'X-Model': 'n' } }), 'm n'],
  [
    'a model beside a schema',
    json({ model: 'm', structured_outputs: { json: { model: 'x' }, model: 'n' } }),
    'm n',
  ],
  [
    'a model in a schema of something else',
    json({ model: 'm', plugins: [{ guided_json: { model: 'n' } }] }),
    'm n',
  ],
  ['a model in extra_body', json({ model: 'm', extra_body: { json: { model: 'n' } } }), 'm n'],
  [
    'a model in the settings of a tool, type last',
    json({ model: 'm', tools: [{ parameters: { model: 'n' }, type: 'x:advisor' }] }),
    'm n',
  ],
  [
    'a model of a tool with two types',
    '{"model":"m","tools":[{"type":"function","type":"x:y","parameters":{"model":"n"}}]}',
    'm n',
  ],
  [
    'models of plugins',
    json({
      model: 'm',
      plugins: [{ id: 'fusion', model: 'n', analysis_models: ['o'], allowed_models: ['p/*'] }],
    }),
    'm n o p/*',
  ],
  ['a model that moderates', json({ model: 'm', moderation: { model: 'n' } }), 'm n'],
  [
    'a model that transcribes',
    json({ session: { model: 'm', audio: { input: { transcription: { model: 'n' } } } } }),
    'm n',
    { options: { envelopes: ['session'] } },
  ],
  ['a model in an input that is an object', json({ model: 'm', input: { model: 'n' } }), 'm n'],
  [
    'a tool that an input adds',
    json({
      model: 'm',
      input: [{ type: 'additional_tools', tools: [{ type: 'image_generation', model: 'n' }] }],
    }),
    'm n',
  ],
  [
    'a tool that a message adds',
    json({
      model: 'm',
      messages: [
        {
          role: 'system',
          content: [
            {
              type: 'tool_addition',
              tool: { type: 'tool_definition', definition: { type: 'advisor_1', model: 'n' } },
            },
          ],
        },
      ],
    }),
    'm n',
  ],
  [
    'a batch',
    json({ requests: [{ params: { model: 'm' } }, { body: { model: 'n' } }, { modelId: 'o' }] }),
    'm n o',
    { options: { envelopes: ['requests'], naming: ['modelId'] } },
  ],
  ['an escaped key', '{"\\u006dodel":"m"}', 'm'],
  ['an escaped name', '{"model":"\\u006d\\/x"}', 'm/x'],
  ['a model behind a byte order mark', '\ufeff{"model":"m"}', 'm'],
  ['odd whitespace', ' \r\n\t{ "model"\n:\t"m" \r\n}\n ', 'm'],
  [
    'a settings member that is there twice',
    '{"model":"l","a":{"model":"m"},"a":{"model":"n"}}',
    'l m n',
  ],
  [
    'a name of a member of every object',
    '{"__proto__":{"model":"n"},"constructor":1,"model":"m"}',
    'n m',
  ],
  [
    'a word of content by which this call names one',
    json({ file: 'm' }),
    'm',
    { options: { naming: ['file'] } },
  ],
  [
    'a word that only this call names a model by',
    json({ from: 'm' }),
    'm',
    { options: { naming: ['from'] } },
  ],
]

for (const [name, body, names, asked] of NAMED) {
  test(`finds ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: names.split(' ') })
  })
}

const REFUSED: readonly NamesCase<RegExp>[] = [
  ['no model', json({ messages: [] }), NO_NAME],
  ['a model that is null', json({ model: null }), NO_NAME],
  ['a model somewhere inside only', json({ prompt: 'x', extra: { model: 'm' } }), NO_NAME],
  ['a model of a session only', json({ prompt: 'x', session: { model: 'm' } }), NO_NAME],
  ['a model of a request only', json({ prompt: 'x', requests: [{ model: 'm' }] }), NO_NAME],
  ['fallbacks only', json({ prompt: 'x', models: ['m'], fallbacks: ['m'] }), NO_NAME],
  ['other words only', json({ prompt: 'x', modelId: 'm', deployment: 'm' }), NO_NAME],
  [
    'a tool that draws, with a model of its choice',
    json({ model: 'm', tools: [{ type: 'image_generation' }] }),
    /does not name/,
  ],
  ['a way through folders', json({ model: 'm/../n' }), /way through folders/],
  ['a model of a tool only', json({ tools: [{ type: 'draw', model: 'm' }] }), NO_NAME],
  ['an empty list beside a tool', json({ models: [], tools: [{ model: 'm' }] }), NO_NAME],
  ['an empty body', '', NO_NAME],
  ['a list', json([{ model: 'm' }]), /not a JSON object/],
  ['JSON in JSON', json(json({ model: 'm' })), /not a JSON object/],
  ['two documents', '{"model":"m"}{"model":"n"}', /not valid JSON/],
  ['lines of JSON', '{"model":"m"}\n{"model":"n"}\n', /not valid JSON/],
  ['two byte order marks', '\ufeff\ufeff{"model":"m"}', /not valid JSON/],
  ['a comment', '{"model":"m"/**/}', /not valid JSON/],
  ['a body that ends early', '{"model":"m"', /not valid JSON/],
  ['broken UTF-8', Buffer.from('{"model":"m","messages":["\xff"]}', 'latin1'), /not valid UTF-8/],
  ['UTF-16', Buffer.from('{"model":"m"}', 'utf16le'), /not valid JSON/],
  [
    'nesting without end',
    `{"model":"m","messages":${'['.repeat(300)}${']'.repeat(300)}}`,
    /too deeply/,
  ],
  [
    'settings without end',
    json({ model: 'm', a: Array.from({ length: 100_001 }, () => ({ model: 'm' })) }),
    /too many members/,
    { cut: 65_536 },
  ],
  ['two models under one name', '{"model":"m","model":"n"}', TWICE],
  ['two models, one escaped', '{"model":"m","mode\\u006c":"n"}', TWICE],
  ['tools twice', '{"model":"m","tools":[],"tools":[]}', TWICE],
  ['a model in other letters', json({ model: 'm', Model: 'n' }), ALMOST],
  ['a model in capitals', json({ MODEL: 'm' }), ALMOST],
  ['models in letters that fold', json({ model: 'm', 'model\u017f': ['n'] }), ALMOST],
  ['options in other letters', json({ model: 'm', provideroptions: { x: 1 } }), ALMOST],
  ['tools in other letters', json({ model: 'm', Tools: [] }), ALMOST],
  [
    'a tool in other letters, in an input',
    json({ model: 'm', input: [{ Tools: [{ model: 'n' }] }] }),
    ALMOST,
  ],
  ['a number', json({ model: 5 }), /is no text/],
  ['a boolean', json({ model: true }), /is no text/],
  ['a list in a list', json({ model: 'm', models: [['n']] }), /is no text/],
  ['nothing in a list', json({ model: 'm', models: [null] }), /is no text/],
  ['an object without a name', json({ model: 'm', models: [{ when: 1 }] }), NO_NAME],
  ['an id that is a number', json({ model: { id: 5 } }), /no plain text/],
  ['an id in other letters', json({ model: { id: 'm', ID: 'n' } }), /no plain text/],
  ['two ids', '{"model":{"id":"m","id":"n"}}', TWICE],
  ['an empty name', json({ model: '' }), BAD_NAME],
  ['a name with a blank', json({ model: ' m' }), BAD_NAME],
  ['a name with a line end', json({ model: 'm\n' }), BAD_NAME],
  ['a name in full width', json({ model: 'ｍ' }), BAD_NAME],
  ['a name with half a character', '{"model":"m\\ud800"}', BAD_NAME],
  ['a name with a null', json({ model: 'm\0' }), BAD_NAME],
  ['a name of 257 letters', json({ model: 'm'.repeat(257) }), BAD_NAME],
  ['a name of 2000 letters', json({ model: 'm'.repeat(2000) }), /too long/],
  ['a name with a preset', json({ model: 'm/n@preset/x' }), HIDING],
  [
    'too many names',
    json({ model: 'm', models: Array.from({ length: 257 }, (_, index) => `m-${index}`) }),
    /too many models/,
  ],
  ['a name that is a list', json({ model: 'm,n' }), /several models/],
  ['a name with an arrow', json({ model: 'm->n' }), /several models/],
  ['a table without names', json({ model: 'm', model_group_alias: { m: 5 } }), NO_NAME],
  ['a list in a table', json({ model: 'm', fallbacks: [{ m: [['n']] }] }), /is no text/],
  ['a router of their own', json({ model: 'm', user_config: {} }), HIDING],
  [
    'an address for embeddings',
    json({ model: 'm', x: [{ embedding_dependency: { endpoint: 'https://e' } }] }),
    HIDING,
  ],
  ['an engine in other letters', json({ model: 'm', plugins: [{ Engine: 'native' }] }), HIDING],
  [
    'a panel without models',
    json({ model: 'm', plugins: [{ id: 'fusion' }] }),
    /does not name in `analysis_models`/,
  ],
  [
    'a panel of nobody',
    json({ model: 'm', tools: [{ type: 'fusion', parameters: { analysis_models: [] } }] }),
    /does not name in `analysis_models`/,
  ],
  [
    'a tool that draws by a model of its own, beside one that is named',
    json({ model: 'm', tools: [{ type: 'image_generation', svg: { model: 'n' } }] }),
    /does not name in its `model`/,
  ],
  [
    'a tool with its model elsewhere than it is read',
    json({ model: 'm', tools: [{ type: 'openrouter:advisor', model: 'n' }] }),
    /does not name in its `model`/,
  ],
  [
    'a panel with models elsewhere than they are read',
    json({ model: 'm', plugins: [{ id: 'fusion', x: { analysis_models: ['n'] } }] }),
    /does not name in `analysis_models`/,
  ],
  ['default fallbacks', json({ model: 'm', fallbacks: 'default' }), HIDING],
  ['default fallbacks in a list', json({ model: 'm', fallbacks: ['Default'] }), HIDING],
  ['an agent', json({ model: 'm', agent: 'a' }), HIDING],
  ['an agent by id', json({ agent_id: 'a' }), HIDING],
  ['an assistant', json({ model: 'm', assistant_id: 'a' }), HIDING],
  ['a preset', json({ model: 'm', preset: 'p' }), HIDING],
  ['a preset of a plugin', json({ model: 'm', plugins: [{ id: 'x', preset: 'p' }] }), HIDING],
  ['a workflow', json({ workflow: { id: 'w' } }), HIDING],
  ['a stored prompt', json({ model: 'm', prompt: { id: 'p' } }), /stored prompt/],
  [
    'a stored prompt of a session',
    json({ session: { model: 'm', prompt: { id: 'p' } } }),
    /stored prompt/,
  ],
  [
    'mapped models',
    json({ model: 'm', providerOptions: { gateway: { byok: { x: [{ modelMappings: [] }] } } } }),
    HIDING,
  ],
  [
    'another address',
    json({ model: 'm', providerOptions: { gateway: { byok: { x: [{ baseURL: 'https://e' }] } } } }),
    HIDING,
  ],
  ['a file of requests', json({ model: 'm', input_file_id: 'f' }), HIDING],
  [
    'what only this call hides',
    json({ model: 'm', file_id: 'f' }),
    HIDING,
    { options: { hiding: ['file_id'] } },
  ],
  [
    'a request of a batch without a model',
    json({ requests: [{ params: { model: 'm' } }, { params: {} }] }),
    /one of its requests/,
  ],
  [
    'a batch with a hidden model',
    json({ requests: [{ params: { model: 'm', fallbacks: 'default' } }] }),
    HIDING,
  ],
]

for (const [name, body, reason, asked] of REFUSED) {
  test(`refuses ${name}`, () => {
    const found = findNames(body, asked)
    assert.match(found.kind === 'unreadable' ? found.reason : found.names.join(' '), reason)
    assert.equal(found.kind, 'unreadable')
  })
}
