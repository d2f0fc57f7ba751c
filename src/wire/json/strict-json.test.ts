import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { STRING_BYTES_MAX } from './json-string.ts'
import { LONG, NUMBER } from './json-tree.ts'
import type { JsonNode, JsonTreeOptions } from './json-tree.ts'
import { createStrictJson, DEPTH_MAX } from './strict-json.ts'
import type { StrictJsonResult } from './strict-json.ts'

type Text = string | Buffer

/** Cut at the given places, through one buffer that is overwritten after every feed. */
function read(text: Text, cuts: readonly number[], options?: JsonTreeOptions): StrictJsonResult {
  const bytes = Buffer.from(text as string)
  const scratch = Buffer.alloc(bytes.length)
  const json = createStrictJson(options)
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    const length = bytes.copy(scratch, 0, from, cut)
    json.feed(scratch.subarray(0, length))
    scratch.fill('#')
    from = cut
  }
  return json.end()
}

/** Whole, byte by byte, and cut in two at every place: all have to agree. */
function readEveryWay(text: Text, options?: JsonTreeOptions): StrictJsonResult {
  const length = Buffer.byteLength(text as string)
  const whole = read(text, [], options)
  const places = Array.from({ length }, (_, index) => index)
  assert.deepEqual(read(text, places, options), whole)
  for (const place of places.slice(0, 300)) assert.deepEqual(read(text, [place], options), whole)
  return whole
}

function listed(...items: JsonNode[]): JsonNode {
  return { kind: 'list', items }
}

function entries(...pairs: [key: string, value: JsonNode][]): JsonNode {
  return { kind: 'object', entries: pairs.map(([key, value]) => ({ key, value })) }
}

const VALID: [text: Text, value: JsonNode][] = [
  ['{}', entries()],
  ['[]', listed()],
  [' \t\r\n{ } \n', entries()],
  ['null', null],
  ['true', true],
  ['false', false],
  ['"a"', 'a'],
  ['""', ''],
  ['0', NUMBER],
  ['-0', NUMBER],
  ['-1.5e+10', NUMBER],
  ['1E5', NUMBER],
  ['0.0', NUMBER],
  ['1e-0', NUMBER],
  ['12345678901234567890123456789', NUMBER],
  ['[1,2]', listed(NUMBER, NUMBER)],
  ['[[],[[]]]', listed(listed(), listed(listed()))],
  ['[null , true,\tfalse]', listed(null, true, false)],
  ['{"a":1,"b":[{"c":"d"}]}', entries(['a', NUMBER], ['b', listed(entries(['c', 'd']))])],
  ['{"a":1,"a":2}', entries(['a', NUMBER], ['a', NUMBER])],
  ['{"":""}', entries(['', ''])],
  ['{"__proto__":{"constructor":1}}', entries(['__proto__', entries(['constructor', NUMBER])])],
  ['{"\\u006dodel":"x"}', entries(['model', 'x'])],
  ['{"a\\\\b":"x"}', entries(['a\\b', 'x'])],
  [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
  [String.raw`"\u00E9\u4e2d\ud83d\ude00"`, 'é中😀'],
  [String.raw`"\ud800"`, '\ud800'],
  [String.raw`"\\u0041"`, '\\u0041'],
  ['"é中😀"', 'é中😀'],
  ['"\u007f\u0080\u2028\ufeff"', '\u007f\u0080\u2028\ufeff'],
  [Buffer.from('22f48fbfbf22', 'hex'), '\u{10ffff}'],
]

for (const [text, value] of VALID) {
  test(`accepts ${JSON.stringify(text.toString())}`, () => {
    assert.deepEqual(readEveryWay(text), { kind: 'whole', value })
    assert.doesNotThrow(() => void JSON.parse(text.toString()))
  })
}

const INVALID: Text[] = [
  '',
  ' ',
  '{',
  '}',
  '[',
  ']',
  '[}',
  '{]',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '[1:2]',
  '["a":1]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{"a":1 "b":2}',
  '{"a" 1}',
  '{"a"::1}',
  '{,"a":1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '{null:1}',
  '{"a":1}}',
  '{"a":1}]',
  '{"a":1}{"a":2}',
  '{"a":1}\n{"a":2}',
  '{"a":1},',
  '{"a":1}#',
  '{"a":1}\0',
  '1 2',
  '"a""b"',
  '// a\n{}',
  '{}//',
  '{/**/}',
  'tru',
  'truex',
  'True',
  'TRUE',
  'nul',
  'nil',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '-',
  '+1',
  '01',
  '-01',
  '00',
  '1.',
  '.5',
  '-.5',
  '1.e5',
  '1e',
  '1e+',
  '1e5.5',
  '1.2.3',
  '1-2',
  '0x10',
  '1_000',
  '1n',
  '--1',
  '[-]',
  '[1e]',
  '"a',
  '"',
  'a"',
  '"\\',
  '"\\"',
  '"\\x41"',
  '"\\u12"',
  '"\\u12g4"',
  '"\\U0041"',
  '"\\u{41}"',
  '"\\0"',
  "'a'",
  '"a\nb"',
  '"a\tb"',
  '"a\0b"',
  '"\u001f"',
  '["\\uD83D\n"]',
  '\ufeff',
  '\ufeff\ufeff{}',
  ' \ufeff{}',
  '{}\ufeff',
  Buffer.from('efbb7b7d', 'hex'),
  Buffer.from('efbb', 'hex'),
  '\u00a0{}',
  '\u2028{}',
  '\f{}',
  '\v[]',
  '{}\f',
  '{"a":1}\u0000',
  Buffer.from('feff007b007d', 'hex'),
  Buffer.from('7b007d00', 'hex'),
]

for (const text of INVALID) {
  test(`refuses ${JSON.stringify(text.toString())}`, () => {
    assert.equal(readEveryWay(text).kind, 'refused')
    assert.throws(() => void JSON.parse(text.toString()))
  })
}

const NOT_UTF8 = [
  '80',
  'bf',
  'c080',
  'c1bf',
  'e08080',
  'eda080',
  'f0808080',
  'f4908080',
  'f8',
  'ff',
]
const CUT_UTF8 = ['c3', 'e4b8', 'f09f98']

for (const hex of [...NOT_UTF8, ...CUT_UTF8]) {
  for (const name of ['kept', 'passed']) {
    test(`refuses the bytes ${hex} in a ${name} string, which are not UTF-8`, () => {
      const text = Buffer.concat([
        Buffer.from('{"a":"x'),
        Buffer.from(hex, 'hex'),
        Buffer.from('"}'),
      ])
      const result = readEveryWay(text, { isKept: () => name === 'kept' })
      assert.deepEqual(result, { kind: 'refused', fault: 'invalid UTF-8' })
    })
  }
}

test('refuses a text that ends inside a character', () => {
  assert.equal(readEveryWay(Buffer.from('22c3', 'hex')).kind, 'refused')
})

test('accepts nesting up to its limit, kept or not, and refuses more', () => {
  for (const isKept of [() => true, () => false]) {
    const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    assert.equal(read(nest(DEPTH_MAX), [], { isKept }).kind, 'whole')
    const refused = read(nest(DEPTH_MAX + 1), [], { isKept })
    assert.deepEqual(refused, { kind: 'refused', fault: 'too deep' })
  }
})

test('keeps a string up to its limit, and a mark of a longer one, however it is cut', () => {
  const text = (length: number): string => `["${'x'.repeat(length)}"]`
  const kept = { kind: 'whole', value: listed('x'.repeat(STRING_BYTES_MAX)) }
  for (const cuts of [[], [500], [2, 3, 1000]]) {
    assert.deepEqual(read(text(STRING_BYTES_MAX), cuts), kept)
    const long = read(text(STRING_BYTES_MAX + 1), cuts)
    assert.deepEqual(long, { kind: 'whole', value: listed(LONG) })
  }
})

test('a key that is too long has an empty name, and its value is kept', () => {
  const result = readEveryWay(`{"${'k'.repeat(STRING_BYTES_MAX + 1)}":{"a":1}}`)
  assert.deepEqual(result, { kind: 'whole', value: entries(['', entries(['a', NUMBER])]) })
})

test('refuses more nodes, or more text, than it may keep', () => {
  const list = (count: number): string => `[${Array.from({ length: count }, () => '"ab"').join()}]`
  assert.equal(read(list(9), [], { nodesMax: 10 }).kind, 'whole')
  assert.deepEqual(read(list(10), [], { nodesMax: 10 }), { kind: 'refused', fault: 'too large' })
  assert.equal(read(list(10), [], { keptBytesMax: 20 }).kind, 'whole')
  assert.deepEqual(read(list(11), [], { keptBytesMax: 20 }), {
    kind: 'refused',
    fault: 'too large',
  })
  assert.equal(read(list(1000), [], { nodesMax: 10, isKept: () => false }).kind, 'whole')
})

test('what is not kept leaves no trace, and is checked all the same', () => {
  const isKept = (key: string | null): boolean => key !== 'messages'
  const text = (messages: string): string => `{"a":1,"messages":${messages},"b":[2]}`
  const rest = { kind: 'whole', value: entries(['a', NUMBER], ['b', listed(NUMBER)]) }
  for (const messages of ['"x"', '1', 'null', '[]', '{}', '[{"model":"x"},[1,"\\n"],-0.5]']) {
    assert.deepEqual(readEveryWay(text(messages), { isKept }), rest)
  }
  for (const messages of ['', '01', '[1,]', '{"a"}', '"\n"', '[{"a":1}}', '{"a":[1}]', 'nul']) {
    assert.equal(readEveryWay(text(messages), { isKept }).kind, 'refused')
  }
})

test('asks for each member and element, with the way to it', () => {
  const asked: string[] = []
  const isKept: JsonTreeOptions['isKept'] = (key, path, kind) => {
    asked.push(`${[...path, key].map((step) => step ?? '[]').join('.')} ${kind}`)
    return key !== 'd'
  }
  read('{"a":[{"b":"x"},[1]],"c":{"d":{"e":1}},"f":null}', [], { isKept })
  assert.deepEqual(asked, [
    'a list',
    'a.[] object',
    'a.[].b string',
    'a.[] list',
    'a.[].[] scalar',
    'c object',
    'c.d object',
    'f scalar',
  ])
})

/** What JSON.parse makes of the same text, in our form; strings that are too long apart. */
function toNode(value: unknown): JsonNode {
  if (typeof value === 'number') return NUMBER
  if (typeof value === 'string') {
    return Buffer.byteLength(JSON.stringify(value)) - 2 > STRING_BYTES_MAX ? LONG : value
  }
  if (Array.isArray(value)) return listed(...value.map(toNode))
  if (typeof value !== 'object' || value === null) return value as boolean | null
  return entries(
    ...Object.entries(value).map(([key, each]): [string, JsonNode] => [key, toNode(each)]),
  )
}

test('agrees with JSON.parse on whatever JSON.stringify writes', () => {
  // Names with a backslash are left out: this engine's own parser misreads some of them.
  const key = fc.string({ unit: 'binary' }).filter((name) => !JSON.stringify(name).includes('\\'))
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }))
  const cuts = fc.array(fc.nat(400), { maxLength: 4 })
  const property = fc.property(value, fc.constantFrom(0, 1, '\t'), cuts, (each, space, places) => {
    const text = JSON.stringify(each, null, space)
    const length = Buffer.byteLength(text)
    const sorted = places.filter((place) => place < length).toSorted((one, two) => one - two)
    assert.deepEqual(read(text, sorted), { kind: 'whole', value: toNode(JSON.parse(text)) })
  })
  fc.assert(property, { numRuns: 300 })
})

test('passes over one byte order mark in front', () => {
  assert.deepEqual(readEveryWay('\ufeff{}'), { kind: 'whole', value: entries() })
  assert.deepEqual(readEveryWay('\ufeff\n["\ufeff"]'), { kind: 'whole', value: listed('\ufeff') })
})

test('accepts nothing that JSON.parse refuses, but for a byte order mark', () => {
  const marks = Array.from('{}[],:"\\u01-.e+ \n')
  const tokens = ['true', 'null', '"a"', '"a":', '\\u0041', '\\n', 'é', '\ufeff', '\0', '1.5', '[]']
  const piece = fc.constantFrom(...marks, ...tokens)
  const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const text = pieces.join('')
    const result = read(text, [])
    const unmarked = text.replace(/^\ufeff/, '')
    if (result.kind === 'whole') assert.doesNotThrow(() => void JSON.parse(unmarked))
    else assert.throws(() => void JSON.parse(unmarked))
  })
  fc.assert(property, { numRuns: 3000 })
})
