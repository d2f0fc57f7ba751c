import { embed, embedMany, generateText, streamText } from 'ai'
import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  AI_GATEWAY_PARTS_BEFORE_TEXT,
  aiGatewayEmbeddings,
  aiGatewayError,
  aiGatewayErrorPart,
  aiGatewayResult,
  aiGatewayStream,
} from '../fakes/upstreams/ai-gateway-answer.ts'
import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { compare } from './compare.ts'
import { visibleHeaders } from './describe-error.ts'
import { paritySuite } from './parity-suite.ts'
import { createAiGateway, toAiRequest } from './sdk-clients.ts'

/** Without what the SDK makes up itself: speeds, and headers that may differ. */
function toPlain(part: object): unknown {
  const { performance: _speed, response, ...rest } = part as Record<string, unknown>
  return response === undefined
    ? rest
    : {
        ...rest,
        response: { ...(response as object), headers: visibleHeaders(headersOf(response)) },
      }
}

function headersOf(response: unknown): unknown {
  return (response as { headers?: unknown }).headers
}

paritySuite({
  provider: 'gateway',
  call: async (side, options) => {
    const result = await generateText(toAiRequest(side, options))
    // The rest of the result the SDK makes up itself: ids, times, speeds.
    const { content, finishReason, usage, providerMetadata, warnings, response } = result
    const { body, headers } = response
    const shown = { content, finishReason, usage, providerMetadata, warnings, body }
    return { ...shown, headers: visibleHeaders(headers) }
  },
  stream: async function* (side, options) {
    const { fullStream } = streamText({ ...toAiRequest(side, options), onError: () => {} })
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error
      yield toPlain(part)
    }
  },
  isText: (item) => (item as { type: string }).type === 'text-delta',
  answer: aiGatewayResult,
  answerStream: aiGatewayStream,
  piecesBeforeText: AI_GATEWAY_PARTS_BEFORE_TEXT,
  errorPiece: aiGatewayErrorPart('As asked: an error'),
  error: aiGatewayError,
  retriedStatuses: [409, 429, 500, 502, 503, 529],
  obeysRetryHeader: false,
  attemptsOnTimeout: 1,
  isCutRetried: true,
  // The SDK puts advice about its own keys in place of any message.
  hiddenStatuses: [401],
})

test('values are embedded alike', async (t) => {
  const { attempts } = await compare(t, {
    provider: 'gateway',
    replies: [aiGatewayEmbeddings(1), aiGatewayEmbeddings(2)],
    attempts: 2,
    run: async (side) => {
      const model = createAiGateway(side).embeddingModel('acme/embedder')
      const one = await embed({ model, value: 'Fluß' })
      const many = await embedMany({ model, values: ['川', '🌊'] })
      return [one.embedding, one.usage, one.providerMetadata, many.embeddings, many.usage]
    },
  })
  assert.ok(attempts.every(({ url }) => url === '/v4/ai/embedding-model'))
  assert.ok(attempts.every(({ rawHeaders }) => rawHeaders.includes('acme/embedder')))
})

test('the list of models is read alike', async (t) => {
  const { attempts } = await compare(t, {
    provider: 'gateway',
    replies: [jsonReply({ models: [] })],
    attempts: 1,
    run: (side) => createAiGateway(side).getAvailableModels(),
  })
  assert.equal(attempts[0]?.url, '/v4/ai/config')
})
