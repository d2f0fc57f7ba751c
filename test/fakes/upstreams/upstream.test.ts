import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import OpenAI from 'openai'
import { parseSteering } from '../steering.ts'
import { openFakeUpstream } from './upstream.ts'
import type { FakeUpstream } from './upstream.ts'

let upstream: FakeUpstream
let gateway: OpenAI
let openai: OpenAI

before(async () => {
  upstream = await openFakeUpstream()
  const options = { apiKey: 'none-needed', maxRetries: 0 }
  gateway = new OpenAI({ ...options, baseURL: `${upstream.url}/gateway/v1` })
  openai = new OpenAI({ ...options, baseURL: `${upstream.url}/openai/v1` })
})
after(() => upstream.close())

const messages = [{ role: 'user' as const, content: 'Name a river.' }]
const figures = { prompt_tokens: '100', completion_tokens: '20' }

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/**
 * What comes of a body until its connection breaks; `fetch` would drop what it had not handed out.
 */
function readUntilCut(url: string, body: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const sent = request(url, { method: 'POST' }, (response) => {
    let text = ''
    response.on('data', (bytes: Buffer) => (text += bytes.toString()))
    response.on('end', () => reject(new Error('The body came to its end')))
    response.on('error', () => resolve(text))
  })
  sent.on('error', reject).end(JSON.stringify(body))
  return promise
}

async function lastCall(): Promise<FakeUpstream['calls'][number]> {
  await upstream.whenEnded(upstream.callCount)
  const call = upstream.calls.at(-1)
  assert.ok(call)
  return call
}

test('answers the SDK with one object, in the words of the gateway', async () => {
  const metadata = { ...figures, cost: '0.0123', market_cost: '0.02', served_model: 'birch/poet' }
  const answer = await gateway.chat.completions.create({ model: 'acme/writer', messages, metadata })
  const usage = answer.usage as unknown as Record<string, unknown>
  assert.match(answer.id, /^gen_/)
  assert.equal(answer.choices[0]?.message.content?.split(' ').length, 8)
  assert.equal(usage['prompt_tokens'], 100)
  assert.equal(usage['cost'], 0.0123)
  assert.equal(usage['market_cost'], 0.02)
  assert.match(JSON.stringify(answer), /"canonicalSlug":"birch\/poet","success":true/)
  const call = await lastCall()
  assert.equal(call.outcome, 'finished')
  assert.equal(call.charged, '0.0123')
  assert.equal(call.url, '/gateway/v1/chat/completions')
  assert.ok(call.rawHeaders.includes('Bearer none-needed'))
})

test('prices by its tokens when no cost is asked for, and charges nothing for own keys', async () => {
  await gateway.chat.completions.create({ model: 'a/b', messages, metadata: figures })
  assert.equal((await lastCall()).charged, '0.00018')
  const metadata = { ...figures, byok: 'true' }
  const answer = await gateway.chat.completions.create({ model: 'a/b', messages, metadata })
  assert.equal((await lastCall()).charged, '0')
  assert.match(JSON.stringify(answer.usage), /"cost":0,"market_cost":0.00018,.*"is_byok":true/)
})

test("streams to the SDK, with the gateway's usage on the last chunk unasked", async () => {
  const metadata = { ...figures, chunks: '3' }
  const stream = await gateway.chat.completions.create({
    model: 'acme/writer',
    messages,
    metadata,
    stream: true,
  })
  const chunks = await collect(stream)
  assert.equal(chunks.length, 4)
  assert.equal(chunks.at(-1)?.usage?.completion_tokens, 20)
  assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop')
})

test("streams OpenAI's usage only where it was asked for, on a chunk of its own", async () => {
  const ask = { model: 'sparrow-4', messages, metadata: { chunks: '2' }, stream: true } as const
  const without = await collect(await openai.chat.completions.create(ask))
  assert.equal(without.length, 3)
  assert.ok(without.every((chunk) => chunk.usage === undefined))
  const stream_options = { include_usage: true }
  const withUsage = await openai.chat.completions.create({ ...ask, stream_options })
  const chunks = await collect(withUsage)
  assert.deepEqual(
    chunks.slice(0, -1).map((chunk) => chunk.usage),
    [null, null, null],
  )
  assert.deepEqual(chunks.at(-1)?.choices, [])
  assert.equal(chunks.at(-1)?.usage?.completion_tokens, 2)
})

test('takes its steering from the name of the model too', async () => {
  const model = 'sparrow-4?chunks=2&completion_tokens=7'
  const answer = await openai.chat.completions.create({ model, messages })
  assert.equal(answer.model, 'sparrow-4')
  assert.equal(answer.usage?.completion_tokens, 7)
})

test('answers with the status that was asked for, and says what is wrong with its steering', async () => {
  const ask = (metadata: Record<string, string>): Promise<unknown> =>
    openai.chat.completions.create({ model: 'sparrow-4', messages, metadata })
  await assert.rejects(ask({ fail: 'status-503' }), { status: 503, code: 'fake_503' })
  await assert.rejects(ask({ fail: 'slowly' }), { status: 400, message: /fail is not known/ })
  await assert.rejects(ask({ chunks: 'many' }), { status: 400, message: /chunks must be a whole/ })
})

test('cuts the connection before the head, inside a stream and inside an object', async () => {
  const ask = { model: 'a/b', messages }
  const beforeHead = { ...ask, metadata: { fail: 'cut-before-head' } }
  await assert.rejects(gateway.chat.completions.create(beforeHead), /Connection error/)
  assert.equal((await lastCall()).outcome, 'cut')

  const inObject = { ...ask, metadata: { fail: 'cut-after-1' } }
  await assert.rejects(gateway.chat.completions.create(inObject))
  assert.equal((await lastCall()).outcome, 'cut')

  const metadata = { fail: 'cut-after-3', chunks: '9' }
  const url = `${upstream.url}/gateway/v1/chat/completions`
  const text = await readUntilCut(url, { ...ask, metadata, stream: true })
  assert.equal(text.match(/^data: /gm)?.length, 3)
  const call = await lastCall()
  assert.equal(call.outcome, 'cut')
  assert.equal(call.charged, null)
})

test('sends an error inside a stream', async () => {
  const metadata = { fail: 'error-after-2' }
  const stream = await openai.chat.completions.create({
    model: 'sparrow-4',
    messages,
    metadata,
    stream: true,
  })
  await assert.rejects(collect(stream), /As asked: an error/)
  assert.equal((await lastCall()).outcome, 'finished')
})

test('sees a caller that leaves while it is silent', async () => {
  for (const stream of [false, true]) {
    const leaving = new AbortController()
    const metadata = stream ? { fail: 'hang-after-1' } : { fail: 'hang' }
    const pending = gateway.chat.completions.create(
      { model: 'a/b', messages, metadata, stream },
      { signal: leaving.signal },
    )
    if (stream) {
      for await (const _ of (await pending) as AsyncIterable<unknown>) leaving.abort()
    } else {
      const seen = upstream.callCount
      while (upstream.callCount === seen) await new Promise(setImmediate)
      leaving.abort()
      await assert.rejects(pending)
    }
    assert.equal((await lastCall()).outcome, 'aborted')
  }
})

test('forgets its oldest calls at the limit and goes on counting', async () => {
  const small = await openFakeUpstream({ dialect: 'openai', callsMax: 2 })
  for (let index = 0; index < 3; index += 1) {
    const answer = await fetch(`${small.url}/v1/models`)
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
  }
  assert.equal(small.callCount, 3)
  assert.deepEqual(
    small.calls.map((call) => call.number),
    [2, 3],
  )
  assert.equal((await fetch(`${small.url}/nowhere`)).status, 404)
  await small.close()
})

test('reads every word of the steering', () => {
  const steering = parseSteering('m?delay_ms=5&fail=hang-after-2', { byok: 'true', other: 'x' })
  assert.equal(steering.model, 'm')
  assert.equal(steering.delayMs, 5)
  assert.deepEqual(steering.fault, { kind: 'hang-after', chunks: 2 })
  assert.equal(steering.isByok, true)
})
