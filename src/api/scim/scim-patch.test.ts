import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPatch } from './scim-patch.ts'

const USER = { userName: 'ada@example.com', active: true }
const TEAM = { displayName: 'search', members: [{ value: 'u1' }, { value: 'u2' }] }
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('operations change what their path names', () => {
  for (const [resource, operation, change] of [
    // Entra: https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
    [USER, { op: 'Replace', path: 'active', value: 'False' }, { active: 'False' }],
    [USER, { op: 'Add', path: 'externalId', value: '7' }, { externalId: '7' }],
    [
      USER,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' },
      { emails: [{ type: 'work', value: 'new@example.com' }] },
    ],
    [
      {
        emails: [
          { type: 'home', value: 'h' },
          { type: 'work', value: 'w' },
        ],
      },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'new' },
      {
        emails: [
          { type: 'home', value: 'h' },
          { type: 'work', value: 'new' },
        ],
      },
    ],
    [
      USER,
      { op: 'Add', value: { 'name.givenName': 'Ada', 'name.familyName': 'L', USERNAME: 'a' } },
      { userName: 'a', name: { givenName: 'Ada', familyName: 'L' } },
    ],
    [USER, { op: 'Add', path: `${ENTERPRISE}:department`, value: 'R&D' }, {}],
    [USER, { op: 'Add', value: { [`${ENTERPRISE}:manager`]: '7' } }, {}],
    [
      TEAM,
      { op: 'Add', path: 'members', value: [{ $ref: null, value: 'u3' }, { value: 'u1' }] },
      { members: [{ value: 'u1' }, { value: 'u2' }, { $ref: null, value: 'u3' }] },
    ],
    [
      TEAM,
      { op: 'Remove', path: 'members', value: [{ value: 'u1' }] },
      { members: [{ value: 'u2' }] },
    ],
    // Okta: https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/
    [USER, { op: 'replace', value: { active: false } }, { active: false }],
    [
      TEAM,
      { op: 'replace', value: { id: 'group_1', displayName: 'ranking' } },
      { displayName: 'ranking' },
    ],
    [TEAM, { op: 'remove', path: 'members[value eq "u2"]' }, { members: [{ value: 'u1' }] }],
    [TEAM, { op: 'remove', path: 'members[value eq "u9"]' }, {}],
    [
      TEAM,
      { op: 'replace', path: 'members', value: [{ value: 'u9' }] },
      { members: [{ value: 'u9' }] },
    ],
    [TEAM, { op: 'add', path: 'members', value: { value: 'u1' } }, {}],
    [TEAM, { op: 'remove', path: 'members' }, { members: undefined }],
    // RFC 7644, section 3.5.2.
    [
      { name: { formatted: 'Ada', givenName: 'A' } },
      { op: 'remove', path: 'name.givenName' },
      { name: { formatted: 'Ada' } },
    ],
    [
      { name: { formatted: 'Ada' } },
      { op: 'add', path: 'name', value: { givenName: 'A' } },
      { name: { formatted: 'Ada', givenName: 'A' } },
    ],
    [
      USER,
      { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:userName', value: 'x' },
      { userName: 'x' },
    ],
  ] as const) {
    const patched = applyPatch(resource, { Operations: [operation] })
    const expected = { ...resource, ...change }
    assert.deepEqual(
      JSON.parse(JSON.stringify(patched)),
      JSON.parse(JSON.stringify(expected)),
      JSON.stringify(operation),
    )
  }
})

test('what is no operation is refused with its kind of fault', () => {
  for (const [operation, scimType] of [
    [undefined, 'invalidSyntax'],
    [{ op: 'move', path: 'a' }, 'invalidSyntax'],
    [{ path: 'a', value: 1 }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'a.b.c', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: '__proto__', value: {} }, 'invalidPath'],
    [{ op: 'replace', path: 'name.__proto__', value: {} }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value]' }, 'invalidFilter'],
    [{ op: 'remove', path: `members[${'x'.repeat(1000)}]` }, 'invalidPath'],
  ] as const) {
    const run = () => applyPatch(TEAM, { Operations: [operation] })
    assert.throws(run, { scimType }, JSON.stringify(operation))
  }
  const many = Array.from({ length: 1001 }, () => ({ op: 'remove', path: 'members' }))
  for (const Operations of [undefined, [], 'x', many]) {
    assert.throws(() => applyPatch(TEAM, { Operations }), { scimType: 'invalidSyntax' })
  }
})
