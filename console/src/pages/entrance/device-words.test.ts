import assert from 'node:assert/strict'
import { test } from 'node:test'

import { toAskedWords } from './device-words.ts'

const ASKED = {
  agent: 'claude-code/2.1.326',
  address: '192.0.2.7',
  own_address: '192.0.2.7',
  asked_at: '2026-11-18T09:05:00.000Z',
  email: 'max@example.com',
  provider: 'acme',
  fault: null,
}

test('who asks, for what, when and from where', () => {
  assert.deepEqual(toAskedWords(ASKED), {
    what: '“claude-code/2.1.326” wants to call acme as max@example.com. Its calls are counted as yours, within your limits.',
    where: 'It asked at 09:05 UTC from 192.0.2.7.',
    warning: null,
  })
})

test('a device elsewhere is warned of, and one without a name has none', () => {
  const { what, warning } = toAskedWords({ ...ASKED, agent: null, own_address: '198.51.100.1' })
  assert.match(what, /^A program wants/)
  assert.match(warning ?? '', /You are at 198\.51\.100\.1/)
})
