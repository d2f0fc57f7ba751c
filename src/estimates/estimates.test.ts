import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

import { openRawClient, rawCall } from '../../test/fakes/callers/raw-client.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { createEstimator } from './estimator.ts'
import { createMeter } from '../app/meter.ts'
import { systemClock } from '../core/clock.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import { createProvider } from '../providers/registry.ts'
import { Estimates, REQUEST_BYTES_MAX } from './estimates.ts'
import type { Estimate } from './estimates.ts'

const provider = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })

const QUESTION = 'Which river flows through Vienna, and why is it called beautiful and blue?'
const ANSWER = ['The', ' Danube', ', in "Wien"', '.\n', ' Ä 🌊']
const chatBody = (changes: object = {}): string =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: QUESTION }], ...changes })

// Three tokens for the message, one for its role, three for the reply.
const TOKENS = createTokenCounts({
  input: countTokens(QUESTION) + 7,
  output: countTokens(ANSWER.join('')),
})

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
const chunkOf = (content: string): string =>
  `data: ${JSON.stringify({ model: 'm-1', choices: [{ index: 0, delta: { content } }] })}\n\n`
const STREAM = ANSWER.map(chunkOf).join('')
const DONE = 'data: [DONE]\n\n'

const answeringWith =
  (body: string, head = HEAD): Script =>
  ({ received, socket }) => {
    if (received.includes(QUESTION)) socket.end(head + body)
  }

async function openScene(t: TestContext, script: Script, estimate?: Estimate): Promise<RelayScene> {
  const estimator = createEstimator({ clock: systemClock, meter: createMeter() })
  t.after(() => estimator.close())
  const providers = provider === null ? [] : [provider]
  return openRelayScene(t, script, { providers, estimate: estimate ?? estimator.estimate })
}

function requestOf({ headers }: RelayScene, path = 'chat/completions', body = chatBody()): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `POST /v1/some/v1/${path} HTTP/1.1\r\n${headers}Connection: close\r\n${length}\r\n${body}`
}

test('a stream that reports no tokens is recorded with those of its texts', async (t) => {
  const scene = await openScene(t, answeringWith(STREAM + DONE))
  assert.ok((await rawCall(scene.proxy.port, requestOf(scene))).endsWith(DONE))
  const [event] = await scene.proxy.events(1)
  assert.deepEqual(
    [event?.status, event?.usage, event?.model, event?.tokens, event?.billing],
    ['delivered', 'estimated', 'm-1', TOKENS, null],
  )
})

test('so is a stream of the Responses API that breaks off', async (t) => {
  const deltas = ANSWER.map((delta, index) => {
    const type = 'response.output_text.delta'
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: index, delta })}\n\n`
  })
  const head = HEAD.replace('connection: close', 'content-length: 100000')
  const scene = await openScene(t, answeringWith(deltas.join(''), head))
  const body = JSON.stringify({ model: 'm', input: QUESTION })
  await rawCall(scene.proxy.port, requestOf(scene, 'responses', body))
  const [event] = await scene.proxy.events(1)
  // The input is one message without a role that is written out.
  const input = TOKENS.input - 1
  assert.deepEqual(
    [event?.status, event?.usage, event?.tokens],
    ['cut', 'estimated', { ...TOKENS, input }],
  )
})

test('so is a stream that its caller leaves, as far as it had come', async (t) => {
  const scene = await openScene(t, ({ received, socket }) => {
    if (received.includes(QUESTION)) socket.write(HEAD + STREAM)
  })
  const client = await openRawClient(scene.proxy.port)
  client.socket.write(requestOf(scene))
  await client.until((text) => text.endsWith('}\n\n'))
  client.socket.destroy()
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.status, event?.usage], ['aborted', 'estimated'])
  assert.deepEqual(event?.tokens, TOKENS)
})

test('so is an answer in one piece', async (t) => {
  const content = ANSWER.join('')
  const body = JSON.stringify({ model: 'm-1', choices: [{ message: { content } }] })
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  const scene = await openScene(t, answeringWith(body, head))
  await rawCall(scene.proxy.port, requestOf(scene))
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.usage, event?.tokens], ['estimated', TOKENS])
})

const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
for (const [name, changes] of [
  [
    'pictures',
    { messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }, PICTURE] }] },
  ],
  ['reasoning that is not shown', { reasoning_effort: 'high' }],
] as const) {
  test(`an estimate of a call with ${name} is marked as a part of what was used`, async (t) => {
    const scene = await openScene(t, answeringWith(STREAM + DONE))
    await rawCall(scene.proxy.port, requestOf(scene, 'chat/completions', chatBody(changes)))
    const [event] = await scene.proxy.events(1)
    assert.deepEqual([event?.usage, event?.tokens], ['partial', TOKENS])
  })
}

const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'
const UNASKED: [name: string, body: string, head: string, usage: string][] = [
  ['reported its tokens', STREAM + USAGE + DONE, HEAD, 'reported'],
  ['was refused', STREAM, HEAD.replace('200 OK', '429 Slow'), 'none'],
  ['produced no text', DONE, HEAD, 'none'],
  ['was answered with a page', '<p>', HEAD, 'none'],
]

for (const [name, body, head, usage] of UNASKED) {
  test(`no estimate is made of a call that ${name}`, async (t) => {
    let asked = 0
    const estimate: Estimate = (_, done) => {
      asked += 1
      done({ input: 1, output: 1 })
    }
    const scene = await openScene(t, answeringWith(body, head), estimate)
    await rawCall(scene.proxy.port, requestOf(scene))
    const [event] = await scene.proxy.events(1)
    assert.deepEqual([event?.usage, asked], [usage, 0])
  })
}

test('a call of which no estimate could be made is recorded without one', async (t) => {
  const scene = await openScene(t, answeringWith(STREAM), (_, done) => done(null))
  await rawCall(scene.proxy.port, requestOf(scene))
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.usage, event?.tokens], ['none', null])
})

test('no word of a call that was estimated is in the journal or the log', async (t) => {
  const scene = await openScene(t, answeringWith(STREAM + DONE))
  await rawCall(scene.proxy.port, requestOf(scene))
  await scene.proxy.events(1)
  const { dir, logged } = scene.proxy
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const journal = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
  for (const text of [journal.join(), JSON.stringify(logged)]) {
    assert.ok(text.includes('delivered'))
    assert.doesNotMatch(text, /river|Vienna|Danube|Wien|🌊/)
  }
})

test('a drain waits for what is being counted', async (t) => {
  const asked = Promise.withResolvers<() => void>()
  const scene = await openScene(t, answeringWith(STREAM + DONE), (_, done) => {
    asked.resolve(() => done({ input: 5, output: 6 }))
  })
  await rawCall(scene.proxy.port, requestOf(scene))
  const answer = await asked.promise
  let isDrained = false
  const drained = scene.proxy.drain({ timeoutMs: 0, idleMs: 0 }).then(() => (isDrained = true))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isDrained, false)
  answer()
  await drained
  const [event] = await scene.proxy.events(1)
  assert.deepEqual(event?.tokens, createTokenCounts({ input: 5, output: 6 }))
})

test('keeps nothing of a call beyond its limits, and all of it again when others are gone', () => {
  const meter = createMeter()
  const hits = (): number =>
    meter
      .samples()
      .find(({ metric, labels }) => metric === 'limitsHit' && labels[0] === 'estimate_bytes')
      ?.value ?? 0
  const estimates = new Estimates({ estimate: () => {}, meter, bytesMax: REQUEST_BYTES_MAX + 10 })
  const large = estimates.keep('svc_k_one')
  large.addRequest(Buffer.alloc(REQUEST_BYTES_MAX))
  large.setTextBytes(10)
  assert.equal(large.request?.length, 1)
  large.addRequest(Buffer.alloc(1))
  assert.deepEqual([large.request, hits()], [null, 1])

  const [first, second] = [estimates.keep('svc_k_one'), estimates.keep('svc_k_one')]
  first.addRequest(Buffer.alloc(REQUEST_BYTES_MAX - 512))
  first.setTextBytes(5)
  first.setTextBytes(0)
  // A piece takes more room than its bytes: hence one more does not fit.
  second.addRequest(Buffer.alloc(1))
  second.addRequest(Buffer.alloc(1))
  assert.deepEqual([second.request, hits()], [null, 2])
  first.drop()
  const third = estimates.keep('svc_k_one')
  third.addRequest(Buffer.alloc(REQUEST_BYTES_MAX))
  third.setTextBytes(11)
  assert.deepEqual([third.request, hits()], [null, 3])
})

test('one key keeps no more than its share, and others keep theirs', () => {
  const estimates = new Estimates({ estimate: () => {}, meter: createMeter() })
  const large = Buffer.alloc(REQUEST_BYTES_MAX)
  const all = Array.from({ length: 100 }, () => estimates.keep('svc_k_greedy'))
  for (const kept of all) kept.addRequest(large)
  assert.equal(all.filter(({ request }) => request !== null).length, 16)
  const other = estimates.keep('svc_k_other')
  other.addRequest(large)
  assert.notEqual(other.request, null)
  for (const kept of all) kept.drop()
  const again = estimates.keep('svc_k_greedy')
  again.addRequest(large)
  assert.notEqual(again.request, null)
})
