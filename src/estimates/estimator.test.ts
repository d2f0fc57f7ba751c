import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { countTokens as countOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { systemClock } from '../core/clock.ts'
import type { EstimatedTokens, EstimateJob } from './estimates.ts'
import { countRoughly } from './estimator-count.ts'
import { createEstimator } from './estimator.ts'
import type { EstimatorOptions } from './estimator.ts'
import { createMeter } from '../app/meter.ts'

const FAILING = new URL('../../test/fakes/failing-estimator-thread.ts', import.meta.url)

/** Only what hangs takes so long; tests of a limit set their own. */
const AMPLE = { startMs: 60_000, waitMs: 60_000, jobMs: 60_000 }

function openEstimator(t: TestContext, options: Partial<EstimatorOptions> = {}) {
  const meter = createMeter()
  const limits = { ...AMPLE, ...options.limits }
  const estimator = createEstimator({ clock: systemClock, meter, ...options, limits })
  t.after(() => estimator.close())
  const estimate = (job: EstimateJob): Promise<EstimatedTokens | null> =>
    new Promise((resolve) => estimator.estimate(job, resolve))
  const count = (result: string): number =>
    meter.samples().find(({ metric, labels }) => metric === 'estimates' && labels[0] === result)
      ?.value ?? 0
  return { estimator, estimate, count }
}

function jobOf(body: unknown, changes: Partial<EstimateJob> = {}): EstimateJob {
  const request = [Buffer.from(JSON.stringify(body))]
  return {
    keyId: 'svc_k_one',
    model: 'gpt-4o',
    request,
    coding: null,
    text: 'The river.',
    ...changes,
  }
}

const QUESTION = 'Which river flows through Vienna?'
const CHAT = { model: 'gpt-4o', messages: [{ role: 'user', content: QUESTION }] }
// Three tokens for the message, one for its role, three for the reply.
const CHAT_INPUT = countTokens(QUESTION) + 7

test('counts the texts of a request and of its answer', async (t) => {
  const { estimate, count } = openEstimator(t)
  const output = countTokens('The river.')
  assert.deepEqual(await estimate(jobOf(CHAT)), { input: CHAT_INPUT, output })
  const pieces = Buffer.from(JSON.stringify(CHAT))
  const request = [pieces.subarray(0, 10), pieces.subarray(10, 11), pieces.subarray(11)]
  assert.deepEqual(await estimate(jobOf(CHAT, { request })), { input: CHAT_INPUT, output })
  const text = 'Es ist \\"die Donau\\".\\n\\u00c4'
  const spoken = countTokens('Es ist "die Donau".\nÄ')
  assert.equal((await estimate(jobOf(CHAT, { text })))?.output, spoken)
  const older = await estimate(jobOf(CHAT, { model: 'gpt-4' }))
  assert.deepEqual(older, { input: countOlder(QUESTION) + 7, output: countOlder('The river.') })
  assert.equal(count('made'), 4)
})

test('takes special words in a text for text', async (t) => {
  const { estimate } = openEstimator(t)
  const tokens = await estimate(jobOf(CHAT, { text: 'a <|endoftext|> b' }))
  assert.ok((tokens?.output ?? 0) > 5)
})

test('reads a compressed request, up to a limit', async (t) => {
  const { estimate, count } = openEstimator(t)
  const bytes = Buffer.from(JSON.stringify(CHAT))
  for (const [coding, request] of [
    ['gzip', gzipSync(bytes)],
    ['gzip, br', brotliCompressSync(gzipSync(bytes))],
  ] as const) {
    assert.equal((await estimate(jobOf(CHAT, { coding, request: [request] })))?.input, CHAT_INPUT)
  }
  const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024, ' '))
  assert.equal(await estimate(jobOf(CHAT, { coding: 'gzip', request: [bomb] })), null)
  assert.equal(await estimate(jobOf(CHAT, { coding: 'lzma' })), null)
  assert.equal(await estimate(jobOf(CHAT, { request: [Buffer.from('--form\r\n')] })), null)
  assert.equal(count('none'), 3)
})

test('comes to an end with texts made to take long', async (t) => {
  const { estimate, count } = openEstimator(t)
  let noise = ''
  for (let index = 0; index < 40_000; index++) noise += Math.imul(index, 2_654_435_761).toString(36)
  for (const text of ['a'.repeat(262_144), noise.slice(0, 262_144), '\\n'.repeat(131_072)]) {
    const body = { messages: [{ role: 'user', content: text }] }
    const tokens = await estimate(jobOf(body, { text }))
    assert.ok(tokens !== null && tokens.output > 1000 && tokens.input > 1000)
  }
  assert.equal(count('made'), 3)
})

test('gives up a thread that does not come to an end, and has the next job done by another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { estimate, count } = openEstimator(t, { thread: FAILING })
  // The thread of the test numbers its answers; a rough count has other figures.
  const ask = async (text: string): Promise<boolean> => {
    const job = jobOf({}, { text })
    return (await estimate(job))?.output !== countRoughly(job).output
  }
  for (const text of ['hang', 'throw', 'exit', 'silence']) {
    // The thread is there, so that the next job is given to it at once.
    assert.ok(await ask('fine'))
    const asked = Promise.all([ask(text), ask('fine')])
    if (text === 'hang' || text === 'silence') t.mock.timers.tick(AMPLE.jobMs)
    assert.deepEqual(await asked, [false, true])
  }
  assert.deepEqual([count('made'), count('failed')], [8, 4])
})

test('counts what does not fit into the queue roughly, and says so at once', async (t) => {
  const { estimate, estimator, count } = openEstimator(t, { limits: { jobsMax: 2 } })
  const waiting = [estimate(jobOf(CHAT)), estimate(jobOf(CHAT))]
  let refused: EstimatedTokens | null | undefined
  estimator.estimate(jobOf(CHAT), (tokens) => (refused = tokens))
  assert.deepEqual(refused, countRoughly(jobOf(CHAT)))
  assert.equal(count('queue_full'), 1)
  for (const tokens of await Promise.all(waiting)) assert.equal(tokens?.input, CHAT_INPUT)
})

test('takes the keys in turn, so that one key’s many jobs leave another’s alone', async (t) => {
  const { estimate, count } = openEstimator(t, { limits: { jobsMax: 100, keyJobsMax: 5 } })
  // Empty parts, as many as fit into a request that is kept.
  const parts = Array.from({ length: 330_000 }, () => ({}))
  const hostile = jobOf({ messages: [{ role: 'user', content: parts }] }, { keyId: 'svc_k_greedy' })
  const order: string[] = []
  const ask = async (name: string, job: EstimateJob): Promise<EstimatedTokens | null> => {
    const tokens = await estimate(job)
    order.push(name)
    return tokens
  }
  const greedy = Array.from({ length: 20 }, () => ask('greedy', hostile))
  const other = ask('other', jobOf(CHAT, { keyId: 'svc_k_other' }))
  assert.equal((await other)?.input, CHAT_INPUT)
  for (const tokens of await Promise.all(greedy)) assert.notEqual(tokens, null)
  assert.deepEqual([count('made'), count('queue_full')], [6, 15])
  // The fifteen beyond the share are answered at once; of the others, at most one comes first.
  assert.ok(order.indexOf('other') <= 16, String(order.indexOf('other')))
})

test('counts roughly what has waited too long', async (t) => {
  let now = 0
  const clock = { now: () => 0, monotonic: () => now }
  const { estimate, count } = openEstimator(t, { clock, thread: FAILING, limits: { waitMs: 5000 } })
  const late = estimate(jobOf({}))
  now = 5001
  assert.deepEqual(await late, countRoughly(jobOf({})))
  assert.equal(count('late'), 1)
  assert.notEqual(await estimate(jobOf({})), null)
})

test('answers everybody when the thread cannot be started', async (t) => {
  const thread = new URL('../app/no-such-file.ts', import.meta.url)
  const { estimate, count } = openEstimator(t, { thread })
  const rough = countRoughly(jobOf(CHAT))
  const asked = [estimate(jobOf(CHAT)), estimate(jobOf(CHAT))]
  assert.deepEqual(await Promise.all(asked), [rough, rough])
  assert.equal(count('failed'), 2)
})

test('answers everybody when it is closed, and starts again when it is asked again', async (t) => {
  const { estimator, estimate } = openEstimator(t)
  const waiting = [estimate(jobOf(CHAT)), estimate(jobOf(CHAT))]
  await estimator.close()
  const rough = countRoughly(jobOf(CHAT))
  assert.deepEqual(await Promise.all(waiting), [rough, rough])
  assert.equal((await estimate(jobOf(CHAT)))?.input, CHAT_INPUT)
})

test('ends its thread when there is nothing to do, and starts another for the next job', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { estimate } = openEstimator(t, { thread: FAILING })
  const seen = async (): Promise<number | undefined> => (await estimate(jobOf(CHAT)))?.input
  assert.deepEqual([await seen(), await seen()], [1, 2])
  t.mock.timers.tick(60_000)
  assert.deepEqual([await seen(), await seen()], [1, 2])
})
