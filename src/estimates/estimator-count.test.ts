import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import {
  COUNTED_CHARACTERS_MAX,
  countTexts,
  findEncoding,
  unescapeText,
} from './estimator-count.ts'

const MODELS: [model: string | null, encoding: string][] = [
  ['gpt-4', 'cl100k_base'],
  ['gpt-4-0613', 'cl100k_base'],
  ['openai/gpt-4-turbo', 'cl100k_base'],
  ['gpt-3.5-turbo', 'cl100k_base'],
  ['ft:gpt-3.5-turbo-0125:maker::id', 'cl100k_base'],
  ['gpt-35-turbo', 'cl100k_base'],
  ['gpt-4o', 'o200k_base'],
  ['gpt-4.1-mini', 'o200k_base'],
  ['gpt-4.5-preview', 'o200k_base'],
  ['gpt-5', 'o200k_base'],
  ['o3', 'o200k_base'],
  ['some-other-model', 'o200k_base'],
  [null, 'o200k_base'],
]

for (const [model, encoding] of MODELS) {
  test(`counts the tokens of ${model ?? 'an unknown model'} by ${encoding}`, () => {
    assert.equal(findEncoding(model), encoding)
  })
}

test('counts exactly what the tokenizer counts of one ordinary text', () => {
  const text = 'Water finds its level; so do prices, sooner or later. Ümläute, 日本語, emoji 🌊.\n'
  assert.equal(countTexts([text], countTokens), countTokens(text))
  assert.equal(countTexts(['Hello', ' world'], countTokens), 2)
  assert.equal(countTexts([], countTokens), 0)
  // Cut between words, a long text has as many tokens as before, give or take one a cut.
  const long = text.repeat(200)
  const cuts = Math.ceil(long.length / 4096)
  const difference = Math.abs(countTexts([long], countTokens) - countTokens(long))
  assert.ok(difference <= cuts, `${difference} in ${cuts} cuts`)
})

test('takes no word for longer than a bounded length', () => {
  const seen: number[] = []
  const text = `${'a'.repeat(1000)} ${'\n'.repeat(300)}b`
  countTexts([text], (piece) => seen.push(piece.length))
  assert.ok(Math.max(...seen) <= 2 * 128 + 2)
  const pieces: string[] = []
  countTexts([text], (piece) => pieces.push(piece))
  assert.equal(pieces.join(''), text)
})

test('lets the beginning of a very long text stand for the rest', () => {
  const seen: string[] = []
  const count = (piece: string): number => {
    seen.push(piece)
    return piece.length / 4
  }
  const texts = [
    'word '.repeat(COUNTED_CHARACTERS_MAX / 5),
    'more '.repeat(COUNTED_CHARACTERS_MAX / 5),
  ]
  assert.equal(countTexts(texts, count), Math.round(texts.join('').length / 4))
  assert.equal(seen.join('').length, COUNTED_CHARACTERS_MAX)
})

test('undoes the escapes of a text, if they are any', () => {
  assert.equal(unescapeText('plain "text"'), 'plain "text"')
  assert.equal(unescapeText('a\\n\\u00e4\\ud83c\\udf0a'), 'a\nä🌊')
  assert.equal(unescapeText('broken \\x'), 'broken \\x')
})
