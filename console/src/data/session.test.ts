import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionAnswer } from '../../../src/api/contract.ts'
import { canDo } from './session.ts'

const withScopes = (...scopes: string[]): SessionAnswer => ({ scopes }) as unknown as SessionAnswer

test('an administrator may do everything, a viewer what the role lists, a stranger nothing', () => {
  assert.ok(canDo(withScopes('admin'), 'write:keys'))
  assert.ok(canDo(withScopes('read:keys'), 'read:keys'))
  assert.ok(!canDo(withScopes('read:usage', 'read:keys'), 'write:keys'))
  assert.ok(!canDo(null, 'read:usage'))
})
