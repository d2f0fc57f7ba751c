import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quoteWord, toPrintable } from './printable.ts'

const WORDS: readonly (readonly [string, string])[] = [
  ['gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
  ['acme/big:8b@x', 'acme/big:8b@x'],
  ['big-*', "'big-*'"],
  ['a b', "'a b'"],
  ["it's; rm -rf", String.raw`'it'\''s; rm -rf'`],
  ['$(x)', "'$(x)'"],
  ['--apply', "'--apply'"],
  ['', "''"],
  ['a\nb', "'a�b'"],
]

describe('a word of a shell', () => {
  for (const [word, expected] of WORDS) {
    test(JSON.stringify(word), () => assert.equal(quoteWord(word), expected))
  }
})

test('control characters and marks of direction do not reach a terminal', () => {
  assert.equal(toPrintable('a\u001b[2Jb\u202ec\r\n'), 'a�[2Jb�c��')
  assert.equal(toPrintable('Zürich 😀'), 'Zürich 😀')
})
