import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAgentName } from './account.ts'
import { USER_ACTION_NAMES, toUserActions, toUserActionWords } from './users.ts'
import type { UserAction } from './users.ts'

test('only what would change something is offered', () => {
  const cases = [
    [{ is_disabled: false }, ['link', 'disable', 'remove']],
    [{ is_disabled: true }, ['link', 'enable', 'remove']],
  ] as const
  for (const [user, actions] of cases) assert.deepEqual(toUserActions(user), actions)
})

test('every action names whom it is about before it is done', () => {
  for (const action of Object.keys(USER_ACTION_NAMES) as UserAction[]) {
    const words = toUserActionWords(action, 'vic@acme.example')
    assert.match(words.title, /vic@acme\.example/)
    assert.ok(words.done === null || words.done.includes('vic@acme.example'), action)
  }
})

test('a browser is named by what it calls itself', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36'
  const cases = [
    [chrome, 'Chrome on Linux'],
    [`${chrome} Edg/149.0`, 'Edge on Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Version/18 Safari/605', 'Safari on macOS'],
    ['curl/8.0', 'curl/8.0'],
    [null, 'Unknown browser'],
  ] as const
  for (const [agent, name] of cases) assert.equal(toAgentName(agent), name)
})
