import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { NOON } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { createLongQuestions } from './long-questions.ts'
import { QUEUE_LIMITS } from './question-queue.ts'

/** An API whose first page waits until it is told to go on. */
async function openScene(t: TestContext) {
  const going = Promise.withResolvers<void>()
  const hits: string[] = []
  const state = { asked: 0 }
  const api = await openApi(NOON, ({ usage }) => {
    const questions = createLongQuestions(usage)
    const readOverview: typeof questions.readOverview = async (...asked) => {
      state.asked += 1
      await going.promise
      return questions.readOverview(...asked)
    }
    return {
      longQuestions: { questionsOf: () => ({ ...questions, readOverview }), placesMax: 2 },
      limitHit: (limit) => hits.push(limit),
    }
  })
  t.after(() => api.close())
  /** Answers are kept, so every question is another one. */
  let count = 0
  const ask = (authorization: string, signal?: AbortSignal): Promise<Response> => {
    count += 1
    const url = `${api.url}/v1/overview?dim_key=k${count}`
    return fetch(url, { headers: { authorization }, signal: signal ?? null })
  }
  return { api, ask, state, hits, goOn: going.resolve }
}

const MOST = QUEUE_LIMITS.waitingPerAskerMax + 1

/** Asks until so many run or wait: requests arrive in any order. */
async function fill(ask: () => Promise<Response>) {
  const running = Array.from({ length: MOST }, () => ask())
  // With all places taken, one more is refused; it is asked again until then.
  for (;;) {
    const first = await Promise.race([ask(), ...running])
    if (first.status === 429) return { running, refused: first }
    running.push(Promise.resolve(first))
  }
}

test('beyond its places a token is refused with when to ask again, and others are answered', async (t) => {
  const { api, ask, state, hits, goOn } = await openScene(t)
  const [greedy, other] = [await api.authorize('read:usage'), await api.authorize('read:usage')]
  const { running, refused } = await fill(() => ask(greedy))
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '2'])
  assert.equal(((await refused.json()) as { code: string }).code, 'rate_limited')
  assert.ok(hits.includes('api_questions'))
  assert.equal(state.asked, 1)
  const answering = ask(other)
  while (state.asked < 2) await api.get('/healthz')
  goOn()
  assert.equal((await answering).status, 200)
  for (const response of await Promise.all(running)) assert.ok([200, 429].includes(response.status))
})

test('a caller who leaves waits no longer: another question has its place', async (t) => {
  const { api, ask, goOn, state } = await openScene(t)
  const reader = await api.authorize('read:usage')
  const leaving = new AbortController()
  const first = ask(reader)
  while (state.asked < 1) await api.get('/healthz')
  const { running } = await fill(() => ask(reader, leaving.signal))
  const settled = Promise.allSettled(running)
  leaving.abort()
  await settled
  const next = ask(reader).then(async (response) => {
    // That a connection is gone is seen a moment after it is.
    let last = response
    while (last.status === 429) last = await ask(reader)
    return last.status
  })
  goOn()
  assert.deepEqual([(await first).status, await next], [200, 200])
})

test('who shares a question with one who leaves has an answer all the same', async (t) => {
  const { api, state, goOn, ask } = await openScene(t)
  const reader = await api.authorize('read:usage')
  const first = ask(reader)
  while (state.asked < 1) await api.get('/healthz')
  const leaving = new AbortController()
  const shared = (signal: AbortSignal | null) =>
    fetch(`${api.url}/v1/overview?dim_key=same`, { headers: { authorization: reader }, signal })
  const left = shared(leaving.signal)
  await api.get('/healthz')
  const stays = shared(null)
  await api.get('/healthz')
  leaving.abort()
  await assert.rejects(left)
  goOn()
  assert.deepEqual([(await first).status, (await stays).status], [200, 200])
})
