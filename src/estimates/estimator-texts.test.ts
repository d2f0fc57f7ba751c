import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequestTexts } from './estimator-texts.ts'

const CASES: [name: string, body: unknown, texts: readonly string[], extraTokens: number][] = [
  ['no object', null, [], 0],
  ['a list', [1], [], 0],
  ['a request without texts', { model: 'm', temperature: 1 }, [], 0],
  [
    'chat messages',
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    ['system', 'Be brief.', 'user', 'Hi'],
    // Three a message and three for the reply.
    9,
  ],
  [
    'a name',
    { messages: [{ role: 'user', name: 'ada', content: 'Hi' }] },
    ['user', 'ada', 'Hi'],
    7,
  ],
  [
    'parts, of which only texts count',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
      ],
    },
    ['user', 'What is this?'],
    6,
  ],
  [
    'calls of tools and their results',
    {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', function: { name: 'find', arguments: '{"q":1}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'none' },
      ],
    },
    ['assistant', 'find', '{"q":1}', 'tool', 'none'],
    9,
  ],
  [
    'schemas, as they are written',
    { prompt: 'x', tools: [{ type: 'function' }], response_format: { type: 'json_object' } },
    ['x', '[{"type":"function"}]', '{"type":"json_object"}'],
    0,
  ],
  ['a prompt', { prompt: 'Once upon' }, ['Once upon'], 0],
  ['several prompts', { prompt: ['a', 'b'] }, ['a', 'b'], 0],
  ['a prompt of token numbers', { prompt: [1, 2, 3] }, [], 3],
  ['several prompts of token numbers', { prompt: [[1, 2], [3]] }, [], 3],
  ['an input of text', { input: 'Hi', instructions: 'Be brief.' }, ['Hi', 'Be brief.'], 9],
  [
    'an input of items',
    {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'function_call', name: 'find', arguments: '{}' },
        { type: 'function_call_output', output: 'none' },
        { type: 'item_reference', id: 'x' },
      ],
    },
    ['user', 'Hi', 'find', '{}', 'none'],
    13,
  ],
]

for (const [name, body, texts, extraTokens] of CASES) {
  test(`reads of ${name} what a model is given to read`, () => {
    const found = readRequestTexts(body)
    assert.deepEqual([found.texts, found.extraTokens], [texts, extraTokens])
  })
}

const asking = (part: object): object => ({ messages: [{ role: 'user', content: [part] }] })
const PARTIAL: [name: string, body: object, isPartial: boolean][] = [
  ['text alone', asking({ type: 'text', text: 'What is this image?' }), false],
  ['a picture in a chat', asking({ type: 'image_url', image_url: { url: 'x' } }), true],
  ['sound in a chat', asking({ type: 'input_audio', input_audio: { data: 'x' } }), true],
  ['a document', asking({ type: 'document', source: {} }), true],
  ['a picture on Bedrock', asking({ image: { format: 'png', source: {} } }), true],
  ['no sound', { messages: [{ role: 'assistant', content: 'x', audio: null }] }, false],
  ['a picture of Ollama', { messages: [{ role: 'user', content: 'x', images: ['x'] }] }, true],
  ['a picture in a response', { input: [{ content: [{ type: 'input_image' }] }] }, true],
  ['a file in a response', { input: [{ type: 'input_file', file_id: 'x' }] }, true],
  ['reasoning in a chat', { messages: [], reasoning_effort: 'high' }, true],
  ['reasoning in a response', { input: 'x', reasoning: { effort: 'low' } }, true],
  ['no reasoning', { input: 'x', reasoning: { effort: 'none' } }, false],
]

for (const [name, body, isPartial] of PARTIAL) {
  test(`${isPartial ? 'notices' : 'needs no mark for'} ${name}`, () => {
    assert.equal(readRequestTexts(body).isPartial, isPartial)
  })
}
