import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import { NO_READING } from '../../provider.ts'
import type { Operation, Reading, RequestView } from '../../provider.ts'
import { openaiChat } from '../openai/openai-chat.ts'
import { namedInBody } from './bedrock-named.ts'

const REQUEST: RequestView = {
  method: 'POST',
  path: '/',
  query: '',
  header: () => null,
  headers: () => [],
}

function recorded(reading: Reading): Reading {
  const createUsageReader: Operation['createUsageReader'] = () => ({
    feed() {},
    end: () => reading,
  })
  const operation = namedInBody({ ...openaiChat('/'), createUsageReader })
  return operation.createUsageReader(REQUEST, { status: 200, header: () => null }).end(true)
}

/** Names in an answer; those of the second list are the makers' own. */
const KEPT = ['openai.wren-oss-120b-1:0', 'us.anthropic.heron-4-5', 'us-gov.ai21.wren', 'wren.v3.1']
const DROPPED = ['heron-4-5-20251001', 'wren-5.5', 'wren-k2.5', 'wren3.5-72b', 'openai/wren-oss']

for (const model of KEPT) {
  test(`records ${model} as the answer names it`, () => {
    assert.equal(recorded({ ...NO_READING, model }).model, model)
  })
}

for (const model of DROPPED) {
  test(`leaves ${model} to the name that was asked for`, () => {
    assert.equal(recorded({ ...NO_READING, model }).model, null)
  })
}

test('keeps the names of several models, which the request does not have', () => {
  const tokens = createTokenCounts({ input: 1 })
  const shares = [
    { model: 'heron-4-5', tokens },
    { model: 'heron-5', tokens },
  ]
  const reading = { ...NO_READING, model: 'heron-5', shares }
  assert.deepEqual(recorded(reading), reading)
})

function requested(model: string): string | null | undefined {
  const reader = namedInBody(openaiChat('/')).createModelReader(REQUEST)
  reader?.feed(Buffer.from(JSON.stringify({ messages: [], model })))
  return reader?.end()
}

test('takes the name out of an ARN that tells it', () => {
  const arn = 'arn:aws:bedrock:us-east-1:123456789012'
  assert.equal(requested('openai.wren-5.5'), 'openai.wren-5.5')
  assert.equal(requested(`${arn}:inference-profile/us.openai.wren`), 'us.openai.wren')
  const hidden = `${arn}:application-inference-profile/abc`
  assert.equal(requested(hidden), hidden)
})
