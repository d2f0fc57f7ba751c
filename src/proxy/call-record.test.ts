import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { rawCall } from '../../test/fakes/callers/raw-client.ts'
import { openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { createProvider } from '../providers/registry.ts'
import type { Estimate, EstimatedTokens } from '../estimates/estimates.ts'

const provider = createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' })

const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Which river?' }] })
const ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n' +
  `data: ${JSON.stringify({ model: 'm-1', choices: [{ index: 0, delta: { content: 'Danube' } }] })}\n\n` +
  'data: [DONE]\n\n'

async function call(t: TestContext, estimate: Estimate): Promise<RelayScene> {
  const providers = provider === null ? [] : [provider]
  const scene = await openRelayScene(
    t,
    ({ received, socket }) => {
      if (received.includes('river')) socket.end(ANSWER)
    },
    { providers, estimate },
  )
  const head = `POST /v1/some/v1/chat/completions HTTP/1.1\r\n${scene.headers}Connection: close\r\n`
  await rawCall(scene.proxy.port, `${head}Content-Length: ${BODY.length}\r\n\r\n${BODY}`)
  return scene
}

/** What the journal tells of the call, once it has so many lines of it. */
async function linesOf({ proxy }: RelayScene, count: number): Promise<JournalEntry[]> {
  for (;;) {
    const lines = (await proxy.entries()).filter(({ kind }) => kind !== 'start' && kind !== 'end')
    if (lines.length >= count) return lines
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a call whose tokens are being counted is held in the journal, then closed with them', async (t) => {
  let finish: ((tokens: EstimatedTokens | null) => void) | null = null
  const asked = Promise.withResolvers<void>()
  const scene = await call(t, (_, done) => {
    finish = done
    asked.resolve()
  })
  await asked.promise
  const [open, pending] = await linesOf(scene, 2)
  assert.ok(open?.kind === 'open' && pending?.kind === 'held')
  const { id, status, usage, tokens, model, httpStatus } = pending.event
  assert.deepEqual([id, status, usage, tokens], [open.opening.id, 'delivered', 'none', null])
  assert.deepEqual([model, httpStatus], ['m-1', 200])

  let isDrained = false
  const drained = scene.proxy.drain({ timeoutMs: 60_000, idleMs: 0 }).then(() => (isDrained = true))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isDrained, false)
  finish!({ input: 9, output: 2 })
  await drained

  const lines = await linesOf(scene, 3)
  const closed = lines[2]
  assert.ok(closed?.kind === 'close')
  assert.deepEqual([lines.length, closed.event.usage], [3, 'estimated'])
  assert.deepEqual([closed.event.tokens?.input, closed.event.tokens?.output], [9, 2])
  assert.deepEqual(
    { ...closed.event, usage: pending.event.usage, tokens: pending.event.tokens },
    pending.event,
  )
})

for (const [name, tokens, usage] of [
  ['made', { input: 9, output: 2 }, 'estimated'],
  ['given up', null, 'none'],
] as const) {
  test(`a call whose estimate is ${name} at once is not held`, async (t) => {
    const scene = await call(t, (_, done) => done(tokens))
    const lines = await linesOf(scene, 2)
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['open', 'close'],
    )
    const [, closed] = lines
    assert.ok(closed?.kind === 'close')
    assert.equal(closed.event.usage, usage)
  })
}
