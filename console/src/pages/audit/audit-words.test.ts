import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRow } from '../../../../src/api/contract.ts'
import { toChangeWords, toSubjectPage, toValueWords } from './audit-words.ts'

test('values are shown in words', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['name', 'Search', 'Search'],
    ['expires_at', null, 'none'],
    ['expires_at', '2026-03-01T10:00:00.000Z', '1 Mar 2026, 10:00:00 UTC'],
    ['blocking', true, 'yes'],
    ['blocking', false, 'no'],
    ['allowed_models', [], 'none'],
    ['allowed_models', ['openai/*', 'google/*'], 'openai/*, google/*'],
    ['default_dims', { team: 'search', env: 'prod' }, 'team=search, env=prod'],
    ['locked_dims', {}, 'none'],
    ['limit_usd', '40', '$40.00'],
    ['thresholds', [50, 80], '50 %, 80 %'],
    ['rate_limit_rpm', 60, '60'],
    ['targets', [{ id: 't', kind: 'slack', address: 'https://x/…' }], 'slack https://x/…'],
    ['rates', { input: '1.2', output: [{ above: 5 }] }, 'input=1.2, output=[{"above":5}]'],
  ]
  for (const [id, value, words] of cases) assert.equal(toValueWords(id, value), words)
})

test('a change has two sides, something new only one', () => {
  const changes = { max_parallel: { before: null, after: 4 }, some_thing: { after: 'x' } }
  assert.deepEqual(toChangeWords(changes), [
    { id: 'max_parallel', name: 'Parallel calls', before: 'none', after: '4' },
    { id: 'some_thing', name: 'Some thing', before: null, after: 'x' },
  ])
})

test('a line leads to the page of what it is about', () => {
  const toPage = (action: string, id: string | null) =>
    toSubjectPage({ action, subject: { id, name: null } } as AuditRow)
  assert.equal(toPage('key.update', 'svc_k_1'), '/keys/svc_k_1')
  assert.equal(toPage('budget.update', 'bud_1'), '/budgets#bud_1')
  assert.equal(toPage('target.create', 'tgt_1'), '/budgets?tab=targets')
  assert.equal(toPage('session.begin', 'session_1'), null)
  assert.equal(toPage('price.import', null), null)
})
