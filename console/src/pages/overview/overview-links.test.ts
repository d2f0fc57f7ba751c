import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnalysisGroupMember } from '../../../../src/api/contract.ts'
import { toDayHref, toGroupHref, toMoverHref } from './overview-links.ts'

const AS_OF = '2026-03-15T10:00:00.000Z'
const CHANGES = '/explore?range=this_month&compare=previous&order_by=change'

const is = (field: string, value: string): AnalysisGroupMember => {
  return { field, kind: 'value', value, name: null }
}
const none = (field: string): AnalysisGroupMember => ({
  field,
  kind: 'none',
  value: null,
  name: null,
})

for (const [member, mover, calls] of [
  [
    is('provider', 'some'),
    '&group_by=model&filter=provider%3Dsome',
    '/requests?from=2026-03-01&provider=some',
  ],
  [
    is('model', 'a/b c'),
    '&group_by=api_key&filter=model%3Da%2Fb+c',
    '/requests?from=2026-03-01&model=a%2Fb+c',
  ],
  [is('api_key', 'svc_k_1'), '&group_by=model&filter=api_key%3Dsvc_k_1', '/keys/svc_k_1'],
  [
    is('dim:team', '=1&x'),
    '&group_by=model&filter=dim%3Ateam%3D%3D1%26x',
    '/requests?from=2026-03-01&dim_key=team&dim_value=%3D1%26x',
  ],
  [
    none('dim:team'),
    '&group_by=model&filter=dim%3Ateam%3D',
    '/explore?range=this_month&group_by=model&filter=dim%3Ateam%3D',
  ],
] as const) {
  test(`${member.field} ${member.value ?? member.kind} leads to its change and to its calls`, () => {
    assert.equal(toMoverHref(member, true), `${CHANGES}${mover}`)
    assert.equal(toGroupHref(member, AS_OF), calls)
  })
}

test('what is not kept apart leads nowhere, and nobody to keys who may not see them', () => {
  const other: AnalysisGroupMember = { field: 'model', kind: 'other', value: null, name: null }
  assert.deepEqual([toMoverHref(other, true), toGroupHref(other, AS_OF)], [undefined, undefined])
  assert.equal(
    toMoverHref(is('model', 'm'), false),
    `${CHANGES}&group_by=provider&filter=model%3Dm`,
  )
  assert.equal(
    toDayHref('2026-03-31', false),
    '/explore?from=2026-03-31&to=2026-04-01&group_by=model',
  )
})
