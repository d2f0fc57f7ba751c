import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DIM_KEY, DIM_PAIRS_MAX, dimValueFault, parseDims, parseDimPlaces } from './dims.ts'

/** As a header with these UTF-8 bytes arrives. */
function toHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

const GOOD: readonly (readonly [string, string, Record<string, string>])[] = [
  ['one pair', 'team=search', { team: 'search' }],
  ['several pairs', 'team=search,app=web,env=prod', { team: 'search', app: 'web', env: 'prod' }],
  [
    'blanks around keys and values',
    ' team = search ,\tapp\t=\tweb ',
    { team: 'search', app: 'web' },
  ],
  ['blanks within a value', 'team=search and ads', { team: 'search and ads' }],
  ['a blank that is escaped stays', 'team=%20a%20', { team: ' a ' }],
  ['an equals sign in a value', 'query=a=b', { query: 'a=b' }],
  ['an escaped comma', 'team=a%2Cb', { team: 'a,b' }],
  ['an escaped percent sign', 'rate=100%25', { rate: '100%' }],
  ['lower-case hex', 'team=a%2cb', { team: 'a,b' }],
  ['a percent sign without hex digits', 'rate=100%', { rate: '100%' }],
  ['a percent sign with one hex digit', 'rate=%2', { rate: '%2' }],
  ['a percent sign with a wrong digit', 'rate=%zz%2g', { rate: '%zz%2g' }],
  ['a value decoded once only', 'rate=%2525', { rate: '%25' }],
  ['escaped UTF-8', 'city=Z%C3%BCrich', { city: 'Zürich' }],
  ['raw UTF-8', toHeader('city=Zürich'), { city: 'Zürich' }],
  ['a character half escaped and half raw', 'city=Z%C3\xbcrich', { city: 'Zürich' }],
  ['a byte order mark is a character', 'team=%EF%BB%BFa', { team: '\ufeffa' }],
  ['keys that differ in case', 'Team=a,team=b', { Team: 'a', team: 'b' }],
  ['names that every object has', 'constructor=a,toString=b', { constructor: 'a', toString: 'b' }],
  ['all characters of a key', 'aZ09_.-=x', { 'aZ09_.-': 'x' }],
  ['the longest key', `${'k'.repeat(64)}=x`, { ['k'.repeat(64)]: 'x' }],
  ['the longest value', `team=${'v'.repeat(256)}`, { team: 'v'.repeat(256) }],
  ['256 characters of four bytes', `a=${toHeader('😀'.repeat(256))}`, { a: '😀'.repeat(256) }],
  ['a blank header', ' \t ', {}],
  ['an empty header', '', {}],
]

describe('parseDims reads', () => {
  for (const [name, header, dims] of GOOD) {
    test(name, () => assert.deepEqual(parseDims(header), { dims, faults: [] }))
  }

  test('as many pairs as a call may carry', () => {
    const pairs = Array.from({ length: DIM_PAIRS_MAX }, (_, index) => `k${index}=v`)
    const { dims, faults } = parseDims(pairs.join(','))
    assert.equal(Object.keys(dims).length, DIM_PAIRS_MAX)
    assert.deepEqual(faults, [])
  })
})

const BAD: readonly (readonly [string, string, string, RegExp])[] = [
  ['a pair without an equals sign', 'team', 'team', /no "="/],
  ['a comma at the end', 'a=1,', '', /no "="/],
  ['two commas in a row', 'a=1,,b=2', '', /no "="/],
  ['an empty key', '=search', '=search', /key is empty/],
  ['a blank key', ' =search', '=search', /key is empty/],
  ['an empty value', 'team=', 'team=', /value is empty/],
  ['a blank value', 'team=  ,a=1', 'team=', /value is empty/],
  ['a key that begins with a digit', '1team=x', '1team=x', /begin with a letter/],
  ['a key with an escape', 'te%61m=x', 'te%61m=x', /begin with a letter/],
  ['a key with a blank inside', 'my team=x', 'my team=x', /begin with a letter/],
  ['a key that would be a prototype', '__proto__=x', '__proto__=x', /begin with a letter/],
  ['a key of 65 characters', `${'k'.repeat(65)}=x`, `${'k'.repeat(65)}=x`, /at most 64/],
  ['a key twice', 'team=a,team=b', 'team=b', /twice/],
  ['an escaped control character', 'team=a%0Ab', 'team=a%0Ab', /control character/],
  ['an escaped zero byte', 'team=%00', 'team=%00', /control character/],
  ['a raw tab within a value', 'team=a\tb', 'team=a\tb', /control character/],
  ['a C1 control character', 'team=%C2%85', 'team=%C2%85', /control character/],
  ['escapes that are not UTF-8', 'team=%FF', 'team=%FF', /UTF-8/],
  ['half a character', 'team=%C3', 'team=%C3', /UTF-8/],
  ['an overlong form', 'team=%C0%AF', 'team=%C0%AF', /UTF-8/],
  ['an escaped surrogate', 'team=%ED%A0%80', 'team=%ED%A0%80', /UTF-8/],
  ['raw latin1', 'city=Z\xfcrich', 'city=Z\ufffdrich', /UTF-8/],
  ['a value of 257 characters', `a=${'v'.repeat(257)}`, `a=${'v'.repeat(78)}…`, /256 characters/],
]

describe('parseDims names', () => {
  for (const [name, header, pair, reason] of BAD) {
    test(name, () => {
      const { faults } = parseDims(header)
      assert.deepEqual(
        faults.map((fault) => fault.pair),
        [pair],
      )
      assert.match(faults[0]?.reason ?? '', reason)
    })
  }

  test('every fault at once, and keeps the good pairs', () => {
    const { dims, faults } = parseDims('a=1,b,c=,d=4,=5')
    assert.deepEqual(dims, { a: '1', d: '4' })
    assert.deepEqual(
      faults.map((fault) => fault.pair),
      ['b', 'c=', '=5'],
    )
  })

  test('each pair beyond the limit', () => {
    const pairs = Array.from({ length: DIM_PAIRS_MAX + 2 }, (_, index) => `k${index}=v`)
    const { dims, faults } = parseDims(pairs.join(','))
    assert.equal(Object.keys(dims).length, DIM_PAIRS_MAX)
    assert.deepEqual(
      faults.map((fault) => fault.pair),
      ['k16=v', 'k17=v'],
    )
  })
})

test('what was escaped by encodeURIComponent comes back, whatever it is', () => {
  const values = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  const keys = fc.stringMatching(DIM_KEY)
  const pairs = fc.dictionary(keys, values, { maxKeys: DIM_PAIRS_MAX, noNullPrototype: true })
  fc.assert(
    fc.property(pairs, (dims) => {
      fc.pre(Object.values(dims).every((value) => dimValueFault(value) === null))
      const header = Object.entries(dims).map(
        ([key, value]) => `${key}=${encodeURIComponent(value)}`,
      )
      assert.deepEqual(parseDims(header.join(',')), { dims, faults: [] })
    }),
  )
})

test('any bytes are read without an exception, and what is kept obeys the grammar', () => {
  const bytes = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)) })
  const text = fc.string({
    unit: fc.constantFrom('a', '=', ',', '%', '2', 'C', ' ', '\xc3', '\xbc'),
  })
  fc.assert(
    fc.property(fc.oneof(bytes, text), (header) => {
      for (const [key, value] of Object.entries(parseDims(header).dims)) {
        assert.match(key, DIM_KEY)
        assert.equal(dimValueFault(value), null)
      }
    }),
  )
})

test('reads members and members of members, with blanks around them', () => {
  assert.deepEqual(parseDimPlaces('user=user, metadata.user_id = user,a.b.c.d=deep'), [
    { path: ['user'], dim: 'user' },
    { path: ['metadata', 'user_id'], dim: 'user' },
    { path: ['a', 'b', 'c', 'd'], dim: 'deep' },
  ])
})

const NONE: readonly (readonly [text: string, why: string])[] = [
  ['', 'nothing'],
  ['user', 'no dimension'],
  ['user=', 'an empty dimension'],
  ['=user', 'no member'],
  ['user=a=b', 'two signs'],
  ['user=user,', 'a comma at the end'],
  ['user=9lives', 'a dimension that begins with a digit'],
  ['meta..team=team', 'an empty member'],
  ['__proto__.x=team', 'a member that begins with a line'],
  ['a.b.c.d.e=deep', 'five members deep'],
  ['metadata=all,metadata.team=team', 'a member within another'],
  ['metadata.team=team,metadata=all', 'the same in the other order'],
  ['user=a,user=b', 'a member twice'],
  [Array.from({ length: 17 }, (_, at) => `m${at}=d${at}`).join(','), 'seventeen'],
]

for (const [text, why] of NONE) {
  test(`takes none from a text with ${why}`, () => assert.equal(parseDimPlaces(text), null))
}
