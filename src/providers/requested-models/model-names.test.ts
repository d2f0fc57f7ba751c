import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNames, form, FORM_TYPE, json } from '../../../test/fakes/callers/names-request.ts'
import type { NamesCase } from '../../../test/fakes/callers/names-request.ts'
import { hiddenNames, namesIn, namesInDocument, noNames } from './model-names.ts'
import type { NamesFound } from '../provider.ts'

/** The names, joined by blanks. */
const NAMED: readonly NamesCase<string>[] = [
  ['no content type', json({ model: 'm' }), 'm', { type: null }],
  ['a JSON type of its own', json({ model: 'm' }), 'm', { type: 'application/vnd.x+json' }],
  ['a charset', json({ model: 'm' }), 'm', { type: 'Application/JSON; charset="UTF-8"' }],
  ['a semicolon behind its type', json({ model: 'm' }), 'm', { type: 'application/json;' }],
  ['semicolons', json({ model: 'm' }), 'm', { type: 'application/json; ;; charset=utf-8 ; ' }],
  ['the older type', json({ model: 'm' }), 'm', { type: 'text/json' }],
  ['ASCII', json({ model: 'm' }), 'm', { type: 'application/json; charset=US-ASCII' }],
  ['ASCII by another name', json({ model: 'm' }), 'm', { type: 'text/json;charset=iso-8859-1' }],
  [
    'JSON where a form may be, too',
    json({ model: 'm' }),
    'm',
    { options: { body: 'json-or-form' } },
  ],
  [
    'a form where JSON may be, too',
    form(['model', 'm']),
    'm',
    { type: FORM_TYPE, options: { body: 'json-or-form' } },
  ],
]

for (const [name, body, names, asked] of NAMED) {
  test(`finds ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: names.split(' ') })
  })
}

const REFUSED: readonly NamesCase<RegExp>[] = [
  ['text', json({ model: 'm' }), /not JSON/, { type: 'text/plain' }],
  ['a text that is no JSON', json({ model: 'm' }), /not JSON/, { type: 'text/x+json' }],
  [
    'other characters than ASCII',
    json({ model: 'm', user: 'é' }),
    /charset of its content type/,
    { type: 'application/json; charset=us-ascii' },
  ],
  [
    'a blank for a parameter',
    json({ model: 'm' }),
    /cannot be read/,
    { type: 'application/json; x' },
  ],
  ['a form of the old kind', 'model=m', /not JSON/, { type: 'application/x-www-form-urlencoded' }],
  [
    'another charset',
    json({ model: 'm' }),
    /not in UTF-8/,
    { type: 'application/json; charset=utf-16' },
  ],
  [
    'two charsets',
    json({ model: 'm' }),
    /cannot be read/,
    { type: 'application/json; charset=utf-8; charset=utf-7' },
  ],
  [
    'two types',
    json({ model: 'm' }),
    /more than one content type/,
    { headers: [['content-type', 'application/json']] },
  ],
  ['a form where JSON is expected', form(['model', 'm']), /JSON is expected/, { type: FORM_TYPE }],
  [
    'JSON where a form is expected',
    json({ model: 'm' }),
    /not a form/,
    { options: { body: 'form' } },
  ],
  [
    'a form without a boundary',
    form(['model', 'm']),
    /boundary/,
    { type: 'multipart/form-data', options: { body: 'form' } },
  ],
]

for (const [name, body, reason, asked] of REFUSED) {
  test(`refuses ${name}`, () => {
    const found = findNames(body, asked)
    assert.match(found.kind === 'unreadable' ? found.reason : found.names.join(' '), reason)
    assert.equal(found.kind, 'unreadable')
  })
}

test('a head that cannot be read needs no body', () => {
  const request = { method: 'POST', path: '/', query: '', header: () => null, headers: () => [] }
  assert.equal(namesIn({ fromHead: () => null })(request).isBodyless, true)
  assert.equal(namesIn({ fromHead: () => ['m'] })(request).isBodyless, undefined)
})

test('one document names models, or none', () => {
  const createReader = namesInDocument()
  const read = (value: unknown): NamesFound => {
    const reader = createReader()
    reader.feed(Buffer.from(json(value)))
    return reader.end()
  }
  assert.deepEqual(read({ type: 'input' }), { kind: 'named', names: [] })
  assert.deepEqual(read({ type: 'x', session: { model: 'm' } }), { kind: 'named', names: ['m'] })
  assert.deepEqual(read({ setup: { model: 'm' } }), { kind: 'named', names: ['m'] })
  assert.equal(read({ response: { prompt: { id: 'p' } } }).kind, 'unreadable')
  assert.equal(read([]).kind, 'unreadable')
})

test('requests that run no model, and those whose models are out of sight, say so', () => {
  const request = { method: 'POST', path: '/', query: '', header: () => null, headers: () => [] }
  assert.deepEqual(noNames(request).end(), { kind: 'named', names: [] })
  const hidden = hiddenNames('a file hides the model')(request)
  assert.deepEqual(hidden.end(), { kind: 'unreadable', reason: 'a file hides the model' })
})
