import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFilter } from './scim-filter.ts'

const ADA = {
  id: 'user_1',
  externalId: '00uAda',
  userName: 'Ada@Example.com',
  displayName: 'Ada "Countess" Lovelace',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work' }],
  members: [{ value: 'user_7' }, { value: 'user_8' }],
}

test('a filter compares as directories ask', () => {
  for (const [text, isTrue] of [
    ['userName eq "ada@example.com"', true],
    ['username EQ "ADA@EXAMPLE.COM"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@example.com"', true],
    ['userName eq "ada"', false],
    ['externalId eq "00uAda"', true],
    ['externalId eq "00uada"', false],
    ['displayName eq "Ada \\"Countess\\" Lovelace"', true],
    ['active eq true', true],
    ['active eq "True"', true],
    ['active eq False', false],
    ['emails.value eq "ada@example.com"', true],
    ['emails eq "ada@example.com"', true],
    ['emails[type eq "work"].value eq "ada@example.com"', true],
    ['members.value eq "user_8"', true],
    ['members[value eq "user_8"] pr', true],
    ['members eq "user_9"', false],
    ['userName sw "ada" and displayName co "love" and emails.value ew ".com"', true],
    ['userName eq "x" or externalId pr', true],
    ['userName eq "x" or externalId pr and active eq false', false],
    ['nickName pr', false],
    ['nickName eq "x"', false],
    ['userName ne "x"', true],
  ] as const) {
    assert.equal(parseFilter(text).matches(ADA), isTrue, text)
  }
})

test('one equality can be looked up', () => {
  for (const [text, lookup] of [
    ['userName eq "Ada@x"', { name: 'userName', value: 'Ada@x' }],
    ['externalId eq "7"', { name: 'externalId', value: '7' }],
    ['userName ne "a"', null],
    ['active eq true', null],
    ['userName eq "a" or userName eq "b"', null],
  ] as const) {
    assert.deepEqual(parseFilter(text).lookup, lookup, text)
  }
})

test('what is no filter, or too long a one, is refused', () => {
  for (const text of [
    '',
    'userName',
    'userName eq',
    'userName eq ada',
    'userName eq "ada',
    'userName gt "a"',
    'not (userName eq "a")',
    'userName eq "a" userName eq "b"',
    'userName eq "a" and',
    'userName eq "\\x"',
    '__proto__ eq "a"',
    `userName eq "${'x'.repeat(1000)}"`,
    Array.from({ length: 21 }, () => 'a pr').join(' and '),
  ]) {
    assert.throws(() => parseFilter(text), { scimType: 'invalidFilter' }, text)
  }
})
