import assert from 'node:assert/strict'
import { test } from 'node:test'

const early = new Map<string, Promise<Response>>()
Object.assign(globalThis, { weirEarly: early })
const { dropEarlyAnswers, takeEarlyAnswer } = await import('./early-answers.ts')
const { ask } = await import('./api-client.ts')

test('an answer that was asked for early is given once', async () => {
  early.set('/v1/session', Promise.resolve(Response.json({ is: 'early' })))
  assert.deepEqual(await ask('/v1/session'), { is: 'early' })
  assert.equal(takeEarlyAnswer('/v1/session'), undefined)
})

test('whoever takes one that failed is told as of any other', async () => {
  early.set('/v1/overview', Promise.reject(new TypeError('no network')))
  await assert.rejects(ask('/v1/overview'), { status: 0 })
})

test('a change is no question: it is sent, whatever was asked', async (t) => {
  early.set('/v1/session', Promise.resolve(Response.json({ is: 'early' })))
  const sent = t.mock.method(globalThis, 'fetch', async () => new Response(null, { status: 204 }))
  await ask('/v1/session', { method: 'DELETE' })
  assert.equal(sent.mock.callCount(), 1)
})

test('what nobody took is not kept for later', () => {
  early.set('/v1/info', Promise.resolve(Response.json({})))
  dropEarlyAnswers()
  assert.equal(takeEarlyAnswer('/v1/info'), undefined)
})
