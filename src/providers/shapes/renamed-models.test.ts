import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UsageReader } from '../provider.ts'
import { openaiChat } from './openai/openai-chat.ts'
import { renamedModels } from './renamed-models.ts'

const chat = renamedModels(openaiChat('/chat'), (name) => name.replace('models/', ''))
const REQUEST = { method: 'POST', path: '/chat', query: '', header: () => null, headers: () => [] }
const EVENT = 'data: {"model":"models/heron","choices":[{"delta":{"content":"The Ister."}}]}\n\n'

function createReader(): UsageReader {
  return chat.createUsageReader(REQUEST, { status: 200, header: () => 'text/event-stream' })
}

test('keeps the text that nobody tells the tokens of, for an estimate', () => {
  const reader = createReader()
  assert.equal(reader.keptTextBytes, 0)
  reader.feed(Buffer.from(EVENT))
  assert.equal(reader.keptTextBytes, 'The Ister.'.length)
  const { model, text } = reader.end(true)
  assert.deepEqual([model, text], ['heron', 'The Ister.'])
})

test('keeps no text once it is told so', () => {
  const reader = createReader()
  reader.feed(Buffer.from(EVENT))
  reader.dropText?.()
  assert.equal(reader.keptTextBytes, 0)
  assert.equal(reader.end(true).text, undefined)
})
