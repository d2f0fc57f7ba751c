import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNames, form, FORM, json } from '../../../test/fakes/callers/names-request.ts'
import type { NamesCase } from '../../../test/fakes/callers/names-request.ts'

const CODED = { ...FORM, headers: [['content-encoding', 'gzip']] as const }
const HIDING = /hides the model/
const NO_NAME = /names no model/
const BAD_NAME = /empty, too long or not plain/
const TWICE = /twice/

/** The names, joined by blanks. */
const NAMED: readonly NamesCase<string>[] = [
  ['a field of a form', form(['model', 'm'], ['file', 'x']), 'm', FORM],
  [
    'a field with a type',
    form([
      'Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=utf-8',
      'm',
    ]),
    'm',
    FORM,
  ],
  [
    'a field in a set of characters with ASCII',
    form([
      'Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=ISO-8859-1',
      'm',
    ]),
    'm',
    FORM,
  ],
  [
    'JSON in a form',
    form(['session', json({ model: 'm', tools: [{ type: 'x', model: 'n' }] })], ['sdp', 'v=0']),
    'm n',
    { ...FORM, options: { ...FORM.options, envelopes: ['session'] } },
  ],
  [
    'JSON in a form, by its type',
    form([
      'Content-Disposition: form-data; name="config"\r\nContent-Type: application/json',
      json({ model: 'm' }),
    ]),
    'm',
    FORM,
  ],
  ['a field by a word of its own', form(['model', 'm'], ['chat_model', 'n']), 'm n', FORM],
  [
    'options in a form',
    form(['model', 'm'], ['providerOptions', json({ gateway: { models: ['n'] } })]),
    'm n',
    FORM,
  ],
]

for (const [name, body, names, asked] of NAMED) {
  test(`finds ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: names.split(' ') })
  })
}

/** All of them name the model `m` and look as if they named another. */
const INNOCENT: readonly NamesCase<string>[] = [
  [
    'a file that is JSON',
    form(
      ['model', 'm'],
      [
        'Content-Disposition: form-data; name="file"; filename="a.json"\r\nContent-Type: application/json',
        json({ model: 'n' }),
      ],
    ),
    'm',
    FORM,
  ],
  [
    'a prompt of a form',
    form(['model', 'm'], ['prompt', '{"model":"n"}'], ['image[]', 'x'], ['metadata[model]', 'n']),
    'm',
    FORM,
  ],
]

for (const [name, body, names, asked] of INNOCENT) {
  test(`is not misled by ${name}`, () => {
    assert.deepEqual(findNames(body, asked), { kind: 'named', names: [names] })
  })
}

const REFUSED: readonly NamesCase<RegExp>[] = [
  ['no model in a form', form(['file', 'x']), NO_NAME, FORM],
  ['a model by another word alone', form(['deployment', 'm']), NO_NAME, FORM],
  ['a form in a coding', form(['model', 'm']), /content coding/, CODED],
  ['a field twice', form(['model', 'm'], ['model', 'n']), TWICE, FORM],
  ['a field in other letters', form(['model', 'm'], ['Model', 'n']), /almost like/, FORM],
  ['a field with a list', form(['model', 'm'], ['model[]', 'n']), /almost like/, FORM],
  ['an escaped field', form(['model', 'm'], ['mode%6c', 'n']), /almost like/, FORM],
  ['a field in a field', form(['model', 'm'], ['session[model]', 'n']), /almost like/, FORM],
  [
    'a model as a file',
    form(['Content-Disposition: form-data; name="model"; filename="m"', 'm']),
    /not plain text/,
    FORM,
  ],
  [
    'a model of another type',
    form(['Content-Disposition: form-data; name="model"\r\nContent-Type: application/json', '"m"']),
    /not plain text/,
    FORM,
  ],
  [
    'a model in another charset',
    form([
      'Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=utf-7',
      'm',
    ]),
    /not plain text/,
    FORM,
  ],
  [
    'JSON with other characters than its type says',
    form(
      ['model', 'm'],
      [
        'Content-Disposition: form-data; name="session"\r\nContent-Type: application/json; charset=us-ascii',
        json({ voice: 'é' }),
      ],
    ),
    /not plain text/,
    FORM,
  ],
  ['a charset for all fields', form(['model', 'm'], ['_charset_', 'utf-16']), /almost like/, FORM],
  ['a list in a field', form(['model', 'm'], ['models', '["n"]']), /not one model/, FORM],
  ['a long field', form(['model', 'm'.repeat(300)]), BAD_NAME, FORM],
  ['JSON in a form that is broken', form(['model', 'm'], ['session', '{']), /not valid JSON/, FORM],
  ['a preset in a form', form(['model', 'm'], ['preset', 'p']), HIDING, FORM],
]

for (const [name, body, reason, asked] of REFUSED) {
  test(`refuses ${name}`, () => {
    const found = findNames(body, asked)
    assert.match(found.kind === 'unreadable' ? found.reason : found.names.join(' '), reason)
    assert.equal(found.kind, 'unreadable')
  })
}
