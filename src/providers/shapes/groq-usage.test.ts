import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BREAKDOWN_MODELS_MAX, groqUsage, TOOLS_MAX } from './groq-usage.ts'

function countShares(models: readonly unknown[]): number | undefined {
  const reader = groqUsage.createReader()
  reader.read({ usage_breakdown: { models } })
  return reader.end().shares?.length
}

function list(count: number): readonly unknown[] {
  const usage = { prompt_tokens: 1, completion_tokens: 1 }
  return Array.from({ length: count }, (_, at) => ({ model: `model-${at}`, usage }))
}

test('tells what each model used, up to the limit', () => {
  assert.equal(countShares(list(1)), 1)
  assert.equal(countShares(list(BREAKDOWN_MODELS_MAX)), BREAKDOWN_MODELS_MAX)
})

test('leaves a longer list, or one with gaps, to the figures of the whole', () => {
  assert.equal(countShares(list(BREAKDOWN_MODELS_MAX + 1)), undefined)
  assert.equal(countShares([...list(1), { model: 'other' }]), undefined)
  assert.equal(countShares([]), undefined)
})

test('counts a tool once, however often it is shown, and no more than the limit', () => {
  const reader = groqUsage.createReader()
  const show = (index: number): void =>
    reader.read({ choices: [{ delta: { executed_tools: [{ index, type: 'search' }] } }] })
  for (let index = 0; index < TOOLS_MAX; index++) {
    show(index)
    show(index)
  }
  assert.deepEqual(reader.end().toolCalls, { search: TOOLS_MAX })
  show(TOOLS_MAX)
  assert.deepEqual(reader.end().toolCalls, { search: TOOLS_MAX })
})
