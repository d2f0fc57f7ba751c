import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { ask, askAged, toMaxAgeMs, toPath } from './api-client.ts'
import { ApiError } from './api-error.ts'

const browserFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = browserFetch
})

/** What the browser would be asked to send. */
function answerWith(answer: () => Response | Promise<Response>): { sent: RequestInit | undefined } {
  const seen: { sent: RequestInit | undefined } = { sent: undefined }
  globalThis.fetch = async (_, init) => {
    seen.sent = init
    return await answer()
  }
  return seen
}

test('a change is sent as JSON to this host alone', async () => {
  const seen = answerWith(() => Response.json({ id: 'x' }, { status: 201 }))
  assert.deepEqual(await ask('/v1/keys', { method: 'POST', body: { name: 'a' } }), { id: 'x' })
  assert.equal(seen.sent?.credentials, 'same-origin')
  assert.equal(seen.sent?.body, '{"name":"a"}')
  assert.equal(new Headers(seen.sent?.headers).get('Content-Type'), 'application/json')
})

test('an answer without a body is undefined', async () => {
  answerWith(() => new Response(null, { status: 204 }))
  assert.equal(await ask('/v1/session', { method: 'DELETE' }), undefined)
})

test('a refusal is thrown with its code', async () => {
  answerWith(() => Response.json({ error: 'no', code: 'not_found' }, { status: 404 }))
  await assert.rejects(ask('/v1/keys/x'), { name: 'ApiError', status: 404, code: 'not_found' })
})

test('a refusal by something in between is thrown with its status', async () => {
  answerWith(() => new Response('<html>', { status: 502 }))
  await assert.rejects(ask('/v1/keys'), { status: 502, code: 'unreadable' })
})

test('a page where JSON was due is an error, not an answer', async () => {
  answerWith(() => new Response('<html>'))
  await assert.rejects(ask('/v1/keys'), { status: 200, code: 'unreadable' })
})

test('no answer at all says to look whether Weir runs', async () => {
  answerWith(() => Promise.reject(new TypeError('fetch failed')))
  await assert.rejects(ask('/v1/keys'), /not responding/)
})

test('a question that was given up is no fault of Weir', async () => {
  const given = new AbortController()
  given.abort()
  answerWith(() => Promise.reject(given.signal.reason as Error))
  const error = await ask('/v1/keys', { signal: given.signal }).catch((thrown: unknown) => thrown)
  assert.ok(!(error instanceof ApiError))
})

test('an answer says for how long it is fresh', async () => {
  const headers = { 'Cache-Control': 'private, max-age=297' }
  answerWith(() => Response.json({}, { headers }))
  assert.equal((await askAged('/v1/usage')).maxAgeMs, 297_000)
})

for (const [header, ms] of [
  [null, null],
  ['no-store', null],
  ['max-age=0', 0],
  ['private, max-age=60, must-revalidate', 60_000],
  ['s-maxage=60', null],
  ['max-age=x', null],
] as const) {
  test(`Cache-Control ${header} is fresh for ${ms} ms`, () => assert.equal(toMaxAgeMs(header), ms))
}

test('a path leaves out what has no value and writes the rest safely', () => {
  const path = toPath('/v1/keys', { search: 'a&b=c', limit: 5, status: undefined, cursor: '' })
  assert.equal(path, '/v1/keys?search=a%26b%3Dc&limit=5')
  assert.equal(toPath('/v1/keys', {}), '/v1/keys')
})
