import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJsonMembers } from './json-members.ts'
import type { JsonMembersOptions, JsonMembersResult } from './json-members.ts'

/** Cuts the text at the given places, through one buffer that is overwritten after every feed. */
function read(
  text: string,
  cuts: readonly number[],
  options: JsonMembersOptions,
): JsonMembersResult {
  const bytes = Buffer.from(text)
  const scratch = Buffer.alloc(bytes.length)
  const members = createJsonMembers(options)
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    const piece = bytes.subarray(from, cut)
    piece.copy(scratch)
    members.feed(scratch.subarray(0, piece.length))
    scratch.fill('"')
    from = cut
  }
  return members.end()
}

function everyCut(text: string): number[] {
  return Array.from({ length: Buffer.byteLength(text) }, (_, index) => index)
}

const SHAPE = {
  model: true,
  usage: true,
  response: { usage: true },
  choices: [{ message: { metadata: true } }],
  output: [{ type: true, items: [{}, 2] }, 3],
} as const

const BODIES: { name: string; text: string; kind: JsonMembersResult['kind']; value: unknown }[] = [
  {
    name: 'wanted members',
    text: '{"id":"x","model":"m","usage":{"a":[1]}}',
    kind: 'whole',
    value: { model: 'm', usage: { a: [1] } },
  },
  {
    name: 'blanks and a byte order mark',
    text: '\uFEFF\n\n { "model" : "m" , "n" : 1.5e3 }\r\n',
    kind: 'whole',
    value: { model: 'm' },
  },
  { name: 'an empty object', text: '{}', kind: 'whole', value: {} },
  { name: 'escapes in keys', text: '{"mod\\u0065l":"m"}', kind: 'whole', value: { model: 'm' } },
  {
    name: 'escapes in passed strings',
    text: '{"a":"\\"model\\":\\\\","model":"m\\n\\"","b":"\\\\\\\\"}',
    kind: 'whole',
    value: { model: 'm\n"' },
  },
  {
    name: 'names further inside only as values',
    text: '{"a":{"model":"no"},"b":["model"],"c":"model"}',
    kind: 'whole',
    value: {},
  },
  {
    name: 'the last of a name',
    text: '{"model":"a","model":"b","usage":{"x":1},"usage":null}',
    kind: 'whole',
    value: { model: 'b', usage: null },
  },
  {
    name: 'a shape inside objects',
    text: '{"response":{"id":1,"usage":{"n":2},"x":[{}]}}',
    kind: 'whole',
    value: { response: { usage: { n: 2 } } },
  },
  {
    name: 'the first element of an array',
    text: '{"choices":[{"i":0,"message":{"text":"[{","metadata":{"c":"1"}}},{"message":{"metadata":2}}],"model":"m"}',
    kind: 'whole',
    value: { choices: [{ message: { metadata: { c: '1' } } }], model: 'm' },
  },
  {
    name: 'as many elements of an array as are wanted',
    text: '{"output":[{"type":1},7,{"id":[{}]},{"type":4}],"model":"m"}',
    kind: 'whole',
    value: { output: [{ type: 1 }, {}], model: 'm' },
  },
  {
    name: 'arrays inside the elements of an array',
    text: '{"output":[{"items":[{"a":1},{"b":2},{"c":3}]},{"items":[],"type":2},{"items":{}}]}',
    kind: 'whole',
    value: { output: [{ items: [{}, {}] }, { items: [], type: 2 }, {}] },
  },
  {
    name: 'a comma too many behind one of several wanted elements',
    text: '{"output":[{"type":1},]}',
    kind: 'malformed',
    value: { output: [{ type: 1 }] },
  },
  {
    name: 'an empty array',
    text: '{"choices":[],"model":"m"}',
    kind: 'whole',
    value: { choices: [], model: 'm' },
  },
  {
    name: 'other kinds than the shape has',
    text: '{"choices":{"message":1},"response":[{"usage":1}],"model":"m"}',
    kind: 'whole',
    value: { model: 'm' },
  },
  {
    name: 'a body that breaks off',
    text: '{"model":"m","usage":{"a":1',
    kind: 'cut',
    value: { model: 'm' },
  },
  {
    name: 'a body that breaks off inside a shape',
    text: '{"choices":[{"message":{"metadata":7,',
    kind: 'cut',
    value: { choices: [{ message: { metadata: 7 } }] },
  },
  { name: 'nothing', text: ' \n', kind: 'cut', value: {} },
  { name: 'an array', text: '[{"model":"m"}]', kind: 'malformed', value: {} },
  { name: 'a page', text: '<html>', kind: 'malformed', value: {} },
  { name: 'a missing value', text: '{"model":}', kind: 'malformed', value: {} },
  {
    name: 'a missing comma',
    text: '{"model":"m" "usage":1}',
    kind: 'malformed',
    value: { model: 'm' },
  },
  { name: 'a comma too many', text: '{"model":"m",}', kind: 'malformed', value: { model: 'm' } },
  {
    name: 'a comma too many in an array',
    text: '{"choices":[{},]}',
    kind: 'malformed',
    value: { choices: [{}] },
  },
  { name: 'a wanted value that is not JSON', text: '{"model":01}', kind: 'malformed', value: {} },
  { name: 'more after the end', text: '{"model":"m"}{}', kind: 'malformed', value: { model: 'm' } },
]

for (const { name, text, kind, value } of BODIES) {
  test(`reads ${name}, whole and byte by byte`, () => {
    assert.deepEqual(read(text, [], { shape: SHAPE }), { kind, value })
    assert.deepEqual(read(text, everyCut(text), { shape: SHAPE }), { kind, value })
  })
}

// No key has a backslash: V8 14.6 takes the source `"\""` for the key of one backslash where an
// object parsed before had that key in the same place.
const anyKey = fc.string({ unit: 'binary' }).filter((name) => !name.includes('\\'))
const anyString = fc.oneof(fc.string(), fc.stringMatching(/^[\\"a{\]]{0,60}$/))
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyString,
    fc.constantFrom(null, true, false, 0, -1.5e-7, 1e21),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 4 }),
  ),
}))

test('agrees with JSON.parse on any object at any cuts', () => {
  const names = ['model', 'usage', '', '"', 'ü', 'a'] as const
  const key = fc.oneof(fc.constantFrom(...names, '__proto__'), anyKey)
  const object = fc.dictionary(key, anyValue, { maxKeys: 8 })
  const text = fc
    .tuple(object, fc.constantFrom('', ' ', '\t', '\n  '))
    .map(([value, indent]) => JSON.stringify(value, null, indent))
  const shape = Object.fromEntries(names.map((name) => [name, true as const]))
  fc.assert(
    fc.property(text, fc.array(fc.nat(400), { maxLength: 20 }), (json, places) => {
      const length = Buffer.byteLength(json)
      const cuts = places.map((place) => Math.min(place, length)).toSorted((a, b) => a - b)
      const parsed = Object.entries(JSON.parse(json) as Record<string, unknown>)
      const expected = parsed.filter(([name]) => Object.hasOwn(shape, name))
      for (const some of [[], cuts, everyCut(json)]) {
        const { kind, value } = read(json, some, { shape })
        assert.equal(kind, 'whole')
        assert.deepEqual(new Map(Object.entries(value)), new Map(expected))
      }
    }),
    { numRuns: 400 },
  )
})

test('never throws and agrees with itself on any bytes', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ':',
    ',',
    'model',
    '1',
    ' ',
    'null',
    '"model":',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = `{${pieces.join('')}`
      assert.deepEqual(
        read(text, everyCut(text), { shape: SHAPE }),
        read(text, [], { shape: SHAPE }),
      )
    }),
    { numRuns: 500 },
  )
})

test('leaves out a wanted value that is larger than the limit and reads on', () => {
  const fits = `"${'x'.repeat(8)}"`
  const text = `{"model":${fits},"usage":"y${fits.slice(1)},"response":{"usage":1}}`
  for (const cuts of [[], everyCut(text), [12, 15, 31]]) {
    const { kind, value } = read(text, cuts, { shape: SHAPE, valueBytesMax: 10 })
    assert.equal(kind, 'whole')
    assert.deepEqual(value, { model: 'x'.repeat(8), response: { usage: 1 } })
  }
})

test('forgets the earlier value when the last of its name is too large', () => {
  const text = '{"model":"short","model":"much longer"}'
  assert.deepEqual(read(text, [], { shape: SHAPE, valueBytesMax: 8 }).value, {})
})

test('passes over keys of any length', () => {
  const text = `{"${'k'.repeat(2000)}":1,"model":"m"}`
  assert.deepEqual(read(text, [700, 1400], { shape: SHAPE }).value, { model: 'm' })
  assert.deepEqual(read(text, [], { shape: SHAPE }).value, { model: 'm' })
})

test('stops at the first of a name when that is enough, at any cut', () => {
  const text = '{"n":1,"model":"first","model":"second"'
  for (const cuts of [[], everyCut(text)]) {
    const result = read(text, cuts, { shape: { model: true }, isFirstEnough: true })
    assert.deepEqual(result, { kind: 'whole', value: { model: 'first' } })
  }
})
