import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAgentName } from './account.ts'
import { DEED_NAMES, toDeeds, toDeedWords } from './users.ts'
import type { UserDeed } from './users.ts'

test('only what would change something is offered', () => {
  const cases = [
    [{ role: 'admin', is_disabled: false }, ['make-viewer', 'link', 'disable', 'remove']],
    [{ role: 'viewer', is_disabled: true }, ['make-admin', 'link', 'enable', 'remove']],
  ] as const
  for (const [user, deeds] of cases) assert.deepEqual(toDeeds(user), deeds)
})

test('every deed names whom it is about before it is done', () => {
  for (const deed of Object.keys(DEED_NAMES) as UserDeed[]) {
    const words = toDeedWords(deed, 'vic@acme.example')
    assert.match(words.title, /vic@acme\.example/)
    assert.ok(words.done === null || words.done.includes('vic@acme.example'), deed)
  }
})

test('a browser is named by what it calls itself', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36'
  const cases = [
    [chrome, 'Chrome on Linux'],
    [`${chrome} Edg/149.0`, 'Edge on Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Version/18 Safari/605', 'Safari on macOS'],
    ['curl/8.0', 'curl/8.0'],
    [null, 'An unknown browser'],
  ] as const
  for (const [agent, name] of cases) assert.equal(toAgentName(agent), name)
})
