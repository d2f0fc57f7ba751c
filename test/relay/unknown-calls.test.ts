// Calls that no operation is declared for, through the relay: what their answer reports of usage
// and cost is recorded, on every provider and in every shape, and nothing is counted twice.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { formatMoney } from '../../src/core/money.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import { PROVIDERS } from '../../src/providers/registry.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'

const PATH = '/v7/finch/things'
const ASKED = '{"model":"finch-1","input":"x"}'

interface Asked {
  readonly provider?: string
  readonly method?: string
  readonly path?: string
  readonly answer: string
  readonly contentType?: string
}

async function call(t: TestContext, asked: Asked): Promise<UsageEvent> {
  const { provider = 'openai', method = 'POST', path = PATH, answer } = asked
  const { contentType = 'application/json' } = asked
  const length = `Content-Length: ${Buffer.byteLength(answer)}\r\n`
  const response = `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\n${length}\r\n${answer}`
  const upstream = await openScriptedUpstream(
    ({ socket, received }) => void (received.endsWith(ASKED) && socket.write(response)),
  )
  t.after(() => upstream.close())
  const proxy = await openTestProxy({
    upstreams: { [provider]: upstream.url },
    providers: PROVIDERS,
  })
  t.after(() => proxy.close())
  const client = await openRawClient(proxy.port)
  t.after(() => client.socket.destroy())
  const head = `${method} /v1/${provider}${path} HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${proxy.credential}`
  const body = `Content-Type: application/json\r\nContent-Length: ${ASKED.length}\r\n\r\n${ASKED}`
  client.send(`${head}\r\n${body}`)
  const [event] = await proxy.events(1)
  assert.ok(event !== undefined)
  return event
}

function tokensOf({ tokens }: UsageEvent): unknown {
  return tokens === null ? null : [tokens.input, tokens.output, tokens.cacheRead]
}

const OPENAI = '{"model":"finch-1-0905","usage":{"prompt_tokens":7,"completion_tokens":3}}'

for (const { id } of PROVIDERS) {
  test(`records the usage of an unknown call at ${id}`, async (t) => {
    const event = await call(t, { provider: id, answer: OPENAI })
    assert.deepEqual(tokensOf(event), [7, 3, 0])
    assert.deepEqual(
      [event.operation, event.usage, event.chargeable, event.model, event.requestedModel],
      [null, 'reported', true, 'finch-1-0905', 'finch-1'],
    )
  })
}

/** What is answered, and the input with what was cached, the output, and the cached. */
const SHAPES: Readonly<Record<string, readonly [answer: string, tokens: unknown]>> = {
  'a total alone, of a model': ['{"model":"m","usage":{"total_tokens":9}}', [9, 0, 0]],
  'a total alone, of nothing that is named': ['{"usage":{"total_tokens":9}}', null],
  'the Responses': ['{"response":{"usage":{"input_tokens":7,"output_tokens":3}}}', [7, 3, 0]],
  'Messages, whose input leaves out what was cached': [
    '{"usage":{"input_tokens":7,"output_tokens":3,"cache_read_input_tokens":20}}',
    [27, 3, 20],
  ],
  Gemini: ['{"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}}', [7, 3, 0]],
  'Gemini with line breaks': ['{\n"usageMetadata":{\n"promptTokenCount":7\n}\n}\n', [7, 0, 0]],
  Cohere: ['{"meta":{"billed_units":{"input_tokens":7,"output_tokens":3}}}', [7, 3, 0]],
  Bedrock: ['{"usage":{"inputTokens":7,"outputTokens":3,"totalTokens":10}}', [7, 3, 0]],
  'the AI SDK': ['{"usage":{"inputTokens":{"total":7,"cacheRead":5},"outputTokens":3}}', [7, 3, 5]],
  'a large object': [`{"data":"${'x'.repeat(200_000)}",${OPENAI.slice(1)}`, [7, 3, 0]],
  'counts that do not add up': [
    '{"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":5}}',
    null,
  ],
  'no usage': ['{"id":"a","meta":{"tokens":5}}', null],
}

for (const [shape, [answer, tokens]] of Object.entries(SHAPES)) {
  test(`reads the answer of an unknown call in the shape of ${shape}`, async (t) => {
    assert.deepEqual(tokensOf(await call(t, { answer })), tokens)
  })
}

test('reads the stream of an unknown call, whose last figures count', async (t) => {
  const usages = [`{"response":{"usage":{"input_tokens":0,"output_tokens":0}}}`, OPENAI]
  const answer = `${usages.map((usage) => `data: ${usage}\n\n`).join('')}data: [DONE]\n\n`
  const event = await call(t, { answer, contentType: 'text/event-stream' })
  assert.deepEqual(tokensOf(event), [7, 3, 0])
})

/** By provider: what its answers state in a member of its own. */
const COSTS: Readonly<Record<string, string>> = {
  xai: '{"usage":{"cost_in_usd_ticks":1230000000}}',
  openrouter: '{"usage":{"cost":0.123}}',
  perplexity: '{"usage":{"cost":{"total_cost":0.123}}}',
  gateway: '{"providerMetadata":{"gateway":{"cost":"0.123"}}}',
}

for (const [provider, answer] of Object.entries(COSTS)) {
  test(`records the cost that ${provider} states for an unknown call`, async (t) => {
    const { billing } = await call(t, { provider, answer })
    assert.equal(formatMoney(billing?.cost ?? 0n), '0.123')
  })
}

test('takes no cost from a provider that is not known to state any', async (t) => {
  const { billing } = await call(t, { answer: COSTS['openrouter'] as string })
  assert.equal(billing, null)
})

const UNCOUNTED: Readonly<Record<string, Omit<Asked, 'answer'>>> = {
  'a look at a stored object': { method: 'GET' },
  'its cancelling': { path: `${PATH}/1/cancel` },
  'what is no text': { contentType: 'audio/mpeg' },
}

for (const [what, asked] of Object.entries(UNCOUNTED)) {
  test(`counts nothing of ${what}`, async (t) => {
    const event = await call(t, { ...asked, answer: OPENAI })
    assert.deepEqual([event.tokens, event.usage], [null, 'none'])
  })
}
