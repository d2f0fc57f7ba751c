import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  googleContent,
  googleEmbeddings,
  googleError,
  googleErrorPiece,
  googleStream,
} from '../fakes/upstreams/google-answer.ts'
import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import type { Reply } from '../fakes/upstreams/replying-upstream.ts'
import { compare, openThrough } from './compare.ts'
import { visibleHeaders } from './describe-error.ts'
import { paritySuite } from './parity-suite.ts'
import { createGoogle, GOOGLE_ASK } from './sdk-clients.ts'
import type { CallOptions } from './sdk-clients.ts'

function toConfig({ signal }: CallOptions): { config?: { abortSignal: AbortSignal } } {
  return signal === undefined ? {} : { config: { abortSignal: signal } }
}

/** What was answered, without the headers that may differ. */
function toPlain(response: object): unknown {
  const { sdkHttpResponse, ...rest } = response as { sdkHttpResponse?: { headers?: object } }
  return { ...rest, headers: visibleHeaders(sdkHttpResponse?.headers) }
}

paritySuite({
  provider: 'google',
  call: async (side, options) => {
    const models = createGoogle(side, options).models
    return toPlain(await models.generateContent({ ...GOOGLE_ASK, ...toConfig(options) }))
  },
  stream: async function* (side, options) {
    const models = createGoogle(side, options).models
    const stream = await models.generateContentStream({ ...GOOGLE_ASK, ...toConfig(options) })
    for await (const item of stream) yield toPlain(item)
  },
  isText: (item) => JSON.stringify(item).includes('"text"'),
  answer: googleContent,
  answerStream: googleStream,
  piecesBeforeText: 0,
  errorPiece: googleErrorPiece(500, 'As asked: an error'),
  error: googleError,
  retriedStatuses: [429, 500, 502, 503],
  obeysRetryHeader: false,
  attemptsOnTimeout: 2,
  // It knows no failed fetch of Node's among the errors that are worth another try.
  isCutRetried: false,
  hiddenStatuses: [],
})

test('content is embedded alike', async (t) => {
  const { through, attempts } = await compare(t, {
    provider: 'google',
    replies: [googleEmbeddings(2)],
    attempts: 1,
    run: async (side) => {
      const models = createGoogle(side).models
      return toPlain(await models.embedContent({ model: 'embedder', contents: ['Fluß', '川'] }))
    },
  })
  assert.equal((through.value as { embeddings: unknown[] }).embeddings.length, 2)
  assert.equal(attempts[0]?.url, '/v1beta/models/embedder:batchEmbedContents')
})

test('tokens are counted alike', async (t) => {
  const { attempts } = await compare(t, {
    provider: 'google',
    replies: [jsonReply({ totalTokens: 4 })],
    attempts: 1,
    run: async (side) => toPlain(await createGoogle(side).models.countTokens(GOOGLE_ASK)),
  })
  assert.equal(attempts[0]?.url, '/v1beta/models/gemini-fake:countTokens')
})

test('without options for it a failed call is not tried again', async (t) => {
  await compare(t, {
    provider: 'google',
    replies: [googleError(503)],
    attempts: 1,
    run: (side) => createGoogle(side).models.generateContent(GOOGLE_ASK),
  })
})

// Directly the SDK gives up at a cut connection, whatever its options; a 502 is among its retried
// statuses.
test('with options for it a call that was cut is tried again through Weir', async (t) => {
  const replies: Reply[] = ['cut', googleContent('at last')]
  const side = await openThrough(t, { provider: 'google', replies })
  const { text } = await createGoogle(side, { retries: 1 }).models.generateContent(GOOGLE_ASK)
  assert.equal(text, 'at last')
  assert.equal(side.upstream.attempts.length, 2)
})
