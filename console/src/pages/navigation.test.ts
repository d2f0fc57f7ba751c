import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionAnswer } from '../../../src/api/contract.ts'
import { toNavigation } from './navigation.ts'

const PAGES = ['/', '/my-keys', '/teams', '/tokens', '/prices', '/audit', '/settings']

function listHrefs(role: string, scopes: readonly string[]): readonly string[] {
  const session = { user: { role }, scopes } as unknown as SessionAnswer
  const groups = [{ items: PAGES.map((href) => ({ href })) }]
  return toNavigation(groups, session).flatMap(({ items }) => items.map(({ href }) => href))
}

test('who has only teams is shown the pages that answer them', () => {
  assert.deepEqual(listHrefs('none', []), ['/my-keys', '/settings'])
  const member = ['read:usage', 'read:keys', 'read:requests', 'write:keys']
  assert.deepEqual(listHrefs('none', member), ['/my-keys', '/teams', '/settings'])
  const lead = [...member, 'write:budgets']
  assert.deepEqual(listHrefs('none', lead), ['/', '/my-keys', '/teams', '/settings'])
})

test('who sees the company is shown every page of it', () => {
  const company = PAGES.filter((href) => href !== '/my-keys')
  for (const role of ['admin', 'finance', 'viewer']) {
    assert.deepEqual(listHrefs(role, ['read:usage']), company)
  }
})
