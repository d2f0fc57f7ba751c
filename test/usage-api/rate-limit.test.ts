// Sixty requests a minute a token, over real connections and with a clock that stands until it is
// set.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const LIMIT = 60
const MINUTE_MS = 60_000
const TOTAL = 'metric=cost_usd&window=today'
const NOT_SERVED = `${TOTAL}&dimension=model`
const BY_KEY = `${TOTAL}&dimension=api_key`

let api: OpenApi
let authorization: string

before(async () => {
  api = await openApi(NOW)
})

after(() => api.close())

/** A token of its own for each test: no two share a limit. */
async function begin(): Promise<void> {
  authorization = await api.authorize('read:usage')
}

interface Counted {
  readonly status: number
  readonly limit: string | null
  readonly remaining: string | null
  readonly reset: string | null
  readonly retryAfter: string | null
}

async function ask(search = TOTAL, method = 'GET'): Promise<Counted> {
  const response = await fetch(`${api.url}/v1/usage?${search}`, {
    method,
    headers: { authorization },
  })
  await response.arrayBuffer()
  const { status, headers } = response
  return {
    status,
    limit: headers.get('ratelimit-limit'),
    remaining: headers.get('ratelimit-remaining'),
    reset: headers.get('ratelimit-reset'),
    retryAfter: headers.get('retry-after'),
  }
}

/** So many requests by eight clients at once, each one after the other. */
async function askTogether(count: number): Promise<readonly Counted[]> {
  const answers: Counted[] = []
  let left = count
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      answers.push(await ask())
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
  return answers
}

test('of 61 by eight clients at once exactly 60 pass, and each learns what is left', async () => {
  await begin()
  const answers = await askTogether(LIMIT + 1)
  const passed = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(passed.length, LIMIT)
  assert.deepEqual(refused, [
    { status: 429, limit: '60', remaining: '0', reset: '60', retryAfter: '60' },
  ])
  const left = passed.map(({ remaining }) => Number(remaining)).toSorted((a, b) => a - b)
  assert.deepEqual(
    left,
    Array.from({ length: LIMIT }, (_, index) => index),
  )
  for (const { limit, reset, retryAfter } of passed) {
    assert.deepEqual([limit, reset, retryAfter], ['60', '60', null])
  }
})

test('who waits as long as Retry-After says passes, a millisecond earlier does not', async () => {
  await begin()
  await ask()
  api.clock.monotonicMs += 12_000
  for (let count = 1; count < LIMIT; count += 1) await ask()
  const refused = await ask()
  assert.deepEqual([refused.status, refused.retryAfter], [429, '48'])
  const refusedAt = api.clock.monotonicMs
  for (const earlierMs of [1000, 1]) {
    api.clock.monotonicMs = refusedAt + 48_000 - earlierMs
    const { status, retryAfter } = await ask()
    assert.deepEqual([status, retryAfter], [429, '1'])
  }
  api.clock.monotonicMs = refusedAt + 48_000
  assert.equal((await ask()).status, 200)
  // Only the first had become free; the others came twelve seconds after it.
  const { status, retryAfter } = await ask()
  assert.deepEqual([status, retryAfter], [429, '12'])
})

test('the window slides: a burst on both sides of a minute is one burst', async () => {
  await begin()
  api.clock.monotonicMs = Math.ceil(api.clock.monotonicMs / MINUTE_MS) * MINUTE_MS - 1
  for (let count = 0; count < LIMIT; count += 1) assert.equal((await ask()).status, 200)
  api.clock.monotonicMs += 1
  assert.equal((await ask()).status, 429)
  api.clock.monotonicMs += MINUTE_MS - 2
  assert.equal((await ask()).status, 429)
  api.clock.monotonicMs += 1
  assert.equal((await ask()).status, 200)
})

test('what was refused with 429 does not count', async () => {
  await begin()
  for (let count = 0; count < LIMIT; count += 1) await ask()
  api.clock.monotonicMs += 30_000
  for (let count = 0; count < LIMIT; count += 1) assert.equal((await ask()).status, 429)
  api.clock.monotonicMs += 30_000
  for (let count = 0; count < LIMIT; count += 1) assert.equal((await ask()).status, 200)
  assert.equal((await ask()).status, 429)
})

test('any other result counts, and every answer says how many are left', async () => {
  await begin()
  for (const [index, [search, status]] of [
    [TOTAL, 200],
    ['limit=x', 400],
    [NOT_SERVED, 400],
    [BY_KEY, 403],
    [TOTAL, 200],
  ].entries()) {
    const answer = await ask(String(search))
    assert.deepEqual(answer, {
      status,
      limit: '60',
      remaining: String(LIMIT - 1 - index),
      reset: '60',
      retryAfter: null,
    })
  }
  assert.equal((await ask(TOTAL, 'HEAD')).remaining, '54')
  // Neither a method that the path does not take nor another path is a question.
  assert.deepEqual(await ask(TOTAL, 'POST'), {
    status: 405,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
  })
  assert.equal((await ask()).remaining, '53')
})

test('a token without the scope is counted, and refused for it', async () => {
  authorization = await api.authorize('read:keys')
  const { status, remaining } = await ask()
  assert.deepEqual([status, remaining], [403, '59'])
})

test('tokens do not share', async () => {
  await begin()
  for (let count = 0; count <= LIMIT; count += 1) await ask()
  const spent = authorization
  await begin()
  assert.deepEqual((await ask()).remaining, '59')
  authorization = spent
  assert.equal((await ask()).status, 429)
})

test('the wall clock has no part in it', async () => {
  await begin()
  for (let count = 0; count < LIMIT; count += 1) await ask()
  api.clock.nowMs = NOW + 10 * MINUTE_MS
  assert.equal((await ask()).status, 429)
  api.clock.nowMs = NOW
})
