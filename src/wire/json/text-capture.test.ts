import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextCapture, toTextPattern } from './text-capture.ts'

const PATTERN = toTextPattern(['content', 'text', 'name', 'arguments'])

function capture(events: readonly string[], bytesMax = 1000): TextCapture {
  const capture = new TextCapture(PATTERN, bytesMax)
  for (const event of events) capture.take(Buffer.from(event).toString('latin1'))
  return capture
}

const chunk = (text: string): string =>
  `data: {"id":"a","delta":{"content":${JSON.stringify(text)}}}`

const CASES: [name: string, events: readonly string[], text: string][] = [
  ['nothing', [], ''],
  ['text at one place', [chunk('Hel'), chunk('lo'), chunk(' there')], 'Hello there'],
  ['characters of several bytes', [chunk('Ä'), chunk('日本'), chunk('🌊')], 'Ä日本🌊'],
  ['escapes as they stand', [chunk('a"b'), chunk('\\'), chunk('\n')], 'a\\"b\\\\\\n'],
  [
    'text at another place',
    [chunk('a'), 'data: {"id":"longer","delta":{"content":"b"}}', chunk('c')],
    'abc',
  ],
  ['blanks around the colon', ['data: {"content": "a"}', 'data: {"content" : "b"}'], 'ab'],
  ['the first name of several', ['data: {"text":"a","content":"b"}'], 'a'],
  ['a name behind an empty one', ['data: {"content":"","text":"b"}'], 'b'],
  [
    'names by turns',
    ['data: {"content":"a"}', 'data: {"content":"","text":"b"}', 'data: {"content":"c"}'],
    'abc',
  ],
  [
    'what a chunk adds, not what it repeats',
    [
      'data: {"message":{"content":"a"},"delta":{"content":"a"}}',
      'data: {"message":{"content":"ab"},"delta":{"content":"b"}}',
    ],
    'ab',
  ],
  ['a tool call in one event', ['data: {"name":"find","arguments":"{}"}'], 'find{}'],
  ['no other members', ['data: {"role":"assistant","content":null,"texts":"b"}'], ''],
  ['no text that only looks like a member', [chunk('"content":"x"')], '\\"content\\":\\"x\\"'],
  ['no text that was cut', ['data: {"content":"abc', 'data: {"content":"abc\\'], ''],
]

for (const [name, events, text] of CASES) {
  test(`takes ${name}`, () => assert.equal(capture(events).text(), text))
}

test('takes long texts as whole as short ones', () => {
  const texts = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(index)}`)
  assert.equal(capture(texts.map(chunk), 1_000_000).text(), texts.join(''))
})

test('leaves out what would go beyond its limit', () => {
  const kept = capture([chunk('abc'), chunk('defg'), chunk('de')], 5)
  assert.equal(kept.bytes, 5)
  assert.equal(kept.text(), 'abcde')
})

test('keeps nothing once it was told to drop all', () => {
  const kept = capture([chunk('abc')])
  kept.drop()
  kept.take(chunk('d'))
  assert.deepEqual([kept.bytes, kept.text()], [0, ''])
})
