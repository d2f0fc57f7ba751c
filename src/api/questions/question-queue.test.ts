import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

import { AskerLeft, createQuestionQueue, TooManyQuestions } from './question-queue.ts'
import type { Asker, QueueLimits } from './question-queue.ts'

const LIMITS: QueueLimits = { placesMax: 2, waitingPerAskerMax: 3, waitingMax: 4 }

function createScene(limits: Partial<QueueLimits> = {}) {
  let refused = 0
  const queue = createQuestionQueue({ ...LIMITS, ...limits }, () => (refused += 1))
  /** In the order in which they began. */
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (asker: Asker | string, name: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(name, resolve)
    return queue.run(typeof asker === 'string' ? { id: asker } : asker, async () => {
      begun.push(name)
      await promise
      return name
    })
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await turn()
  }
  return { ask, end, begun, refused: () => refused }
}

test('an asker has one of two places, and the other is for others', async () => {
  const { ask, end, begun } = createScene()
  const first = ask('a', 'a1')
  void ask('a', 'a2')
  void ask('b', 'b1')
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('a1')
  assert.equal(await first, 'a1')
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
})

test('who wait have their turns one after the other, however many questions one has', async () => {
  const { ask, end, begun } = createScene({ placesMax: 1 })
  void ask('a', 'a1')
  for (const name of ['a2', 'a3']) void ask('a', name)
  for (const name of ['b1', 'c1']) void ask(name.slice(0, 1), name)
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('so many wait, of one asker and of all, and the next is refused at once', async () => {
  const { ask, refused } = createScene()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name).catch(() => {})
  await assert.rejects(ask('a', 'a5'), (error) => {
    assert.ok(error instanceof TooManyQuestions)
    assert.deepEqual([error.status, error.retryAfterSeconds], [429, 2])
    return true
  })
  assert.equal(refused(), 1)
})

test('when all are full, the newest of whoever has most makes room for others', async () => {
  const { ask, begun, end } = createScene({ placesMax: 1 })
  void ask('a', 'a1')
  void ask('a', 'a2')
  void ask('a', 'a3')
  const newest = ask('a', 'a4')
  void ask('b', 'b1')
  const refusal = assert.rejects(newest, TooManyQuestions)
  const other = ask('c', 'c1')
  await refusal
  // Now nobody has two more than the next one would have.
  void ask('b', 'b2').catch(() => {})
  await assert.rejects(ask('c', 'c2'), TooManyQuestions)
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name)
  assert.equal(await other, 'c1')
  assert.deepEqual(begun.slice(0, 4), ['a1', 'a2', 'b1', 'c1'])
})

test('an asker that leaves waits no longer, and its place is free for the next', async () => {
  const { ask, end, begun } = createScene({ waitingPerAskerMax: 1 })
  const leaving = new AbortController()
  void ask('a', 'a1')
  const left = ask({ id: 'a', signal: () => leaving.signal }, 'a2')
  await assert.rejects(ask('a', 'a3'), TooManyQuestions)
  leaving.abort()
  await assert.rejects(left, AskerLeft)
  const next = ask('a', 'a4')
  await end('a1')
  await end('a4')
  assert.equal(await next, 'a4')
  assert.deepEqual(begun, ['a1', 'a4'])
  await assert.rejects(async () => {
    void ask('a', 'a5')
    await ask({ id: 'a', signal: () => leaving.signal }, 'a6')
  }, AskerLeft)
})

test('who is admitted elsewhere waits, however many do', async () => {
  const { ask, end } = createScene({ waitingMax: 1, placesMax: 1 })
  void ask('a', 'a1')
  void ask('a', 'a2')
  const exporting = ask({ id: 'export', isAdmitted: true }, 'e1')
  for (const name of ['a1', 'a2', 'e1']) await end(name)
  assert.equal(await exporting, 'e1')
})

test('a question that fails gives its place back', async () => {
  const queue = createQuestionQueue(LIMITS)
  const fail = () => queue.run({ id: 'a' }, () => Promise.reject(new Error('no disk')))
  for (let time = 0; time < 5; time += 1) await assert.rejects(fail(), /no disk/)
})
