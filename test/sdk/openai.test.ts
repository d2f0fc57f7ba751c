import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { toFile } from 'openai'
import type OpenAI from 'openai'

import {
  openaiChat,
  openaiError,
  openaiErrorEvent,
  openaiFile,
  openaiResponseStream,
  openaiStream,
  openaiToolStream,
} from '../fakes/upstreams/openai-answer.ts'
import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import type { Reply } from '../fakes/upstreams/replying-upstream.ts'
import { compare, runBoth } from './compare.ts'
import { visibleHeaders } from './describe-error.ts'
import { paritySuite } from './parity-suite.ts'
import { createOpenai, OPENAI_ASK } from './sdk-clients.ts'
import type { CallOptions } from './sdk-clients.ts'

function toRequestOptions({ signal }: CallOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

paritySuite({
  provider: 'openai',
  call: async (side, options) => {
    const { data, response, request_id } = await createOpenai(side, options)
      .chat.completions.create(OPENAI_ASK, toRequestOptions(options))
      .withResponse()
    return { data, request_id, status: response.status, headers: visibleHeaders(response.headers) }
  },
  stream: async function* (side, options) {
    const request = {
      ...OPENAI_ASK,
      stream: true as const,
      stream_options: { include_usage: true },
    }
    yield* await createOpenai(side, options).chat.completions.create(
      request,
      toRequestOptions(options),
    )
  },
  isText: (item) => typeof (item as Chunk).choices[0]?.delta?.content === 'string',
  answer: openaiChat,
  answerStream: openaiStream,
  piecesBeforeText: 0,
  errorPiece: openaiErrorEvent('As asked: an error'),
  error: openaiError,
  retriedStatuses: [409, 429, 500, 502, 503, 529],
  obeysRetryHeader: true,
  attemptsOnTimeout: 2,
  isCutRetried: true,
  hiddenStatuses: [],
})

interface Chunk {
  readonly choices: readonly { readonly delta?: { readonly content?: unknown } }[]
}

const compareOne = (t: TestContext, reply: Reply, run: (sdk: OpenAI) => Promise<unknown>) =>
  compare(t, {
    provider: 'openai',
    replies: [reply],
    attempts: 1,
    run: (side) => run(createOpenai(side)),
  })

test("a tool's arguments are put together alike by the SDK's own stream reader", async (t) => {
  const reply = openaiToolStream(['{"river":', '"Rhein', 'fall 🌊"', '}'])
  const { through } = await compareOne(t, reply, async (sdk) => {
    const runner = sdk.chat.completions.stream({ ...OPENAI_ASK, tools: [TOOL] })
    const seen: string[] = []
    runner.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => {
      seen.push(arguments_delta)
    })
    return { seen, completion: await runner.finalChatCompletion() }
  })
  assert.match(JSON.stringify(through), /Rheinfall 🌊/)
})

test('a response with named events is read alike', async (t) => {
  const { through } = await compareOne(t, openaiResponseStream(['Fluß', ' 川']), async (sdk) => {
    const items: unknown[] = []
    const stream = await sdk.responses.create({ model: 'sparrow-4', input: 'x', stream: true })
    for await (const item of stream) items.push(item)
    return items
  })
  assert.equal((through.value as unknown[]).length, 4)
})

test('a file is uploaded alike, byte for byte', async (t) => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256))
  const { attempts } = await compareOne(t, openaiFile('pegel.bin', content.length), async (sdk) =>
    sdk.files.create({ purpose: 'user_data', file: await toFile(content, 'pegel.bin') }),
  )
  assert.ok(attempts[0]?.body.includes(content))
})

test('a file is uploaded from a stream alike', async (t) => {
  const content = Readable.from([Buffer.alloc(70_000, 'a'), Buffer.alloc(70_000, 'b')])
  const bytes = Buffer.concat(await content.toArray())
  const { attempts } = await compareOne(t, openaiFile('pegel.bin', bytes.length), async (sdk) =>
    sdk.files.create({ purpose: 'batch', file: await toFile(Readable.from([bytes]), 'pegel.bin') }),
  )
  assert.ok(attempts[0]?.body.includes(bytes))
})

test('binary answers and lists are read alike', async (t) => {
  const audio = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251))
  await compareOne(
    t,
    { headers: { 'content-type': 'audio/mpeg' }, pieces: [audio] },
    async (sdk) => {
      const speech = await sdk.audio.speech.create({ model: 'm', voice: 'alloy', input: 'Fluß' })
      return Buffer.from(await speech.arrayBuffer()).toString('hex')
    },
  )
  await compareOne(t, jsonReply({ object: 'list', data: [{ id: 'a' }] }), async (sdk) => {
    const ids: string[] = []
    for await (const model of sdk.models.list()) ids.push(model.id)
    return ids
  })
})

test('a call that is never answered fails after the same attempts, as 502 rather than a broken connection', async (t) => {
  const { direct, through, events } = await runBoth(t, {
    provider: 'openai',
    replies: ['cut'],
    attempts: 2,
    run: (side) => createOpenai(side, { retries: 1 }).chat.completions.create(OPENAI_ASK),
  })
  assert.equal((direct.error as { class: string }).class, 'APIConnectionError')
  const error = through.error as { class: string; status: number; code: string }
  assert.deepEqual(
    [error.class, error.status, error.code],
    ['InternalServerError', 502, 'upstream_unreachable'],
  )
  assert.ok(events.every(({ status }) => status === 'cut'))
})

const TOOL = {
  type: 'function' as const,
  function: { name: 'gauge', parameters: { type: 'object', properties: { river: {} } } },
}
