import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  ANTHROPIC_EVENTS_BEFORE_TEXT,
  anthropicError,
  anthropicErrorEvent,
  anthropicMessage,
  anthropicStream,
} from '../fakes/upstreams/anthropic-answer.ts'
import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { compare } from './compare.ts'
import { visibleHeaders } from './describe-error.ts'
import { paritySuite } from './parity-suite.ts'
import { ANTHROPIC_ASK, createAnthropic } from './sdk-clients.ts'
import type { CallOptions } from './sdk-clients.ts'

function toRequestOptions({ signal }: CallOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

paritySuite({
  provider: 'anthropic',
  call: async (side, options) => {
    const { data, response, request_id } = await createAnthropic(side, options)
      .messages.create(ANTHROPIC_ASK, toRequestOptions(options))
      .withResponse()
    return { data, request_id, status: response.status, headers: visibleHeaders(response.headers) }
  },
  stream: async function* (side, options) {
    const request = { ...ANTHROPIC_ASK, stream: true as const }
    yield* await createAnthropic(side, options).messages.create(request, toRequestOptions(options))
  },
  isText: (item) => (item as { type: string }).type === 'content_block_delta',
  answer: anthropicMessage,
  answerStream: anthropicStream,
  piecesBeforeText: ANTHROPIC_EVENTS_BEFORE_TEXT,
  errorPiece: anthropicErrorEvent('As asked: an error'),
  error: anthropicError,
  retriedStatuses: [409, 429, 500, 502, 503, 529],
  obeysRetryHeader: true,
  attemptsOnTimeout: 2,
  isCutRetried: true,
  hiddenStatuses: [],
})

test('tokens are counted alike', async (t) => {
  const { model, messages } = ANTHROPIC_ASK
  const { through, attempts } = await compare(t, {
    provider: 'anthropic',
    replies: [jsonReply({ input_tokens: 14 })],
    attempts: 1,
    run: (side) => createAnthropic(side).messages.countTokens({ model, messages }),
  })
  assert.deepEqual(through.value, { input_tokens: 14 })
  assert.equal(attempts[0]?.url, '/v1/messages/count_tokens')
})

test("a beta call keeps its headers, and the SDK's own stream reader ends alike", async (t) => {
  const { attempts, through } = await compare(t, {
    provider: 'anthropic',
    replies: [anthropicStream(['Fluß', ' 川'])],
    attempts: 1,
    run: async (side) => {
      const texts: string[] = []
      const stream = createAnthropic(side).beta.messages.stream({
        ...ANTHROPIC_ASK,
        betas: ['rivers-2026-01-01'],
      })
      stream.on('text', (text) => texts.push(text))
      return { texts, message: await stream.finalMessage() }
    },
  })
  assert.deepEqual((through.value as { texts: string[] }).texts, ['Fluß', ' 川'])
  assert.ok(attempts[0]?.rawHeaders.includes('rivers-2026-01-01'))
})
