import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NamesOptions } from './model-names.ts'
import { findNames, json, PATH } from '../../../test/fakes/callers/names-request.ts'
import type { NamesCase } from '../../../test/fakes/callers/names-request.ts'

const HIDING = /hides the model/
const BAD_NAME = /empty, too long or not plain/
const NO_NAME = /names no model/

/** For calls that have their model in a header. */
const NATIVE: NamesOptions = { fromHead: (request) => request.headers('ai-model-id') }

/** The names, joined by blanks. */
const NAMED: readonly NamesCase<string>[] = [
  ['a header', json({ prompt: [] }), 'm', { headers: [['ai-model-id', 'm']], options: NATIVE }],
  [
    'a header, and fallbacks',
    json({ providerOptions: { gateway: { models: ['n'] } } }),
    'm n',
    { headers: [['ai-model-id', 'm']], options: NATIVE },
  ],
  ['a header of a gateway', json({ model: 'm' }), 'n m', { headers: [['x-litellm-model', 'n']] }],
  ['a header without a body', '', 'm', { headers: [['ai-model-id', 'm']] }],
  ['a query', json({ model: 'n' }), 'm/x n', { query: 'a=1&%6dodel=m%2Fx' }],
  ['a query with two', '', 'm n', { query: 'model=m&deployment=n' }],
  ['a path', json({ contents: [] }), 'm-path', PATH],
  [
    'a path, and another model in the body',
    json({ requests: [{ model: 'models/n', content: {} }] }),
    'm-path n',
    { options: { fromHead: () => ['m-path'], normalise: (name) => name.replace(/^models\//, '') } },
  ],
]

for (const [name, body, names, asked] of NAMED) {
  test(`finds ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: names.split(' ') })
  })
}

/** All of them name the model `m` and look as if they named another. */
const INNOCENT: readonly NamesCase<string>[] = [
  ['documents', json({ model: 'm', documents: [{ model: 'n' }], query: 'x' }), 'm'],
  ['other parameters', json({ model: 'm' }), 'm', { query: 'key=%zz&alt=sse;x' }],
]

for (const [name, body, names, asked] of INNOCENT) {
  test(`is not misled by ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: [names] })
  })
}

const REFUSED: readonly NamesCase<RegExp>[] = [
  [
    'a header where the body has to name the model',
    json({ prompt: 'x' }),
    NO_NAME,
    { headers: [['ai-model-id', 'm']] },
  ],
  ['a query where the body has to', json({ prompt: 'x' }), NO_NAME, { query: 'model=m' }],
  ['a blank body', ' ', /not valid JSON/, PATH],
  [
    'a request of a batch without a model, though the path has one',
    json({ requests: [{ content: {} }] }),
    /one of its requests/,
    PATH,
  ],
  [
    'a model header twice',
    '{}',
    /more than one model/,
    {
      headers: [
        ['ai-model-id', 'm'],
        ['ai-model-id', 'm'],
      ],
    },
  ],
  [
    'a list in a model header',
    '{}',
    /more than one model/,
    { headers: [['ai-language-model-id', 'm,n']] },
  ],
  [
    'a header with a stored choice',
    json({ model: 'm' }),
    /x-portkey-config hides the model, so leave it out/,
    { headers: [['x-portkey-config', 'pc-1']] },
  ],
  ['an empty model header', json({ model: 'm' }), BAD_NAME, { headers: [['ai-model-id', '']] }],
  ['a query in other letters', json({ model: 'm' }), /almost like/, { query: 'Model=n' }],
  ['a query with a list', json({ model: 'm' }), /almost like/, { query: 'model[]=n' }],
  ['a query with a semicolon', json({ model: 'm' }), /almost like/, { query: 'a=1;model=n' }],
  ['a model in a query with a semicolon', '', /almost like/, { query: 'model=m;model=n' }],
  ['a query that does not decode', '', /with certainty/, { query: 'model=%zz' }],
  ['an id in the path', json({ model: 'm' }), HIDING, { options: { fromHead: () => null } }],
]

for (const [name, body, reason, asked] of REFUSED) {
  test(`refuses ${name}`, () => {
    const found = findNames(body, asked)
    assert.match(found.kind === 'unreadable' ? found.reason : found.names.join(' '), reason)
    assert.equal(found.kind, 'unreadable')
  })
}
