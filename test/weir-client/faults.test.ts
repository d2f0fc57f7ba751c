// What the client does when there is no answer: a limit, a network that fails, an address that is
// no Weir's. The server is a function here, so that each fault comes when the test wants it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createWeirClient, WeirApiError } from 'weir/client'
import type { WeirClient, WeirClientOptions } from 'weir/client'

const TOKEN = 'svc_agt_abc.a-secret'
const QUESTION = { metric: 'cost_usd', window: 'today' } as const
const ENVELOPE = { asOf: '2026-03-15T12:00:00.000Z', rows: [] }

type Answer = () => Response | Promise<Response>

const tooMany = (retryAfter?: string): Response =>
  Response.json(
    { error: 'Ask again later.', code: 'rate_limited' },
    { status: 429, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } },
  )

interface Scripted {
  readonly client: WeirClient
  readonly asked: string[]
}

/** Answers in this order; the last one for ever. */
function createScripted(
  answers: readonly Answer[],
  options: Partial<WeirClientOptions> = {},
): Scripted {
  const asked: string[] = []
  const fetch = async (address: unknown, init?: RequestInit): Promise<Response> => {
    asked.push(String(address))
    init?.signal?.throwIfAborted()
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    return answer === undefined ? Response.error() : answer()
  }
  const url = 'http://weir.test/'
  return { asked, client: createWeirClient({ url, token: TOKEN, fetch, ...options }) }
}

/** Timers that go off at once, and what they were asked to wait. */
function skipWaits(t: TestContext): number[] {
  const waits: number[] = []
  t.mock.method(globalThis, 'setTimeout', ((run: () => void, ms = 0) => {
    waits.push(ms)
    queueMicrotask(run)
    return undefined
  }) as unknown as typeof setTimeout)
  return waits
}

test('waits add up until waitMaxMs is used up', async (t) => {
  const waits = skipWaits(t)
  const { client, asked } = createScripted([() => tooMany('50')])
  await assert.rejects(client.usage(QUESTION), { status: 429, retryAfterSeconds: 50 })
  assert.deepEqual(waits, [50_000, 50_000])
  assert.equal(asked.length, 3)
})

test('a wait that just fits is waited for, and a longer one is an error at once', async (t) => {
  const waits = skipWaits(t)
  const answers = [() => tooMany('3'), () => Response.json(ENVELOPE)]
  const fits = createScripted(answers, { waitMaxMs: 3000 })
  assert.deepEqual(await fits.client.usage(QUESTION), ENVELOPE)
  const exceeds = createScripted(answers, { waitMaxMs: 2999 })
  await assert.rejects(exceeds.client.usage(QUESTION), { status: 429 })
  assert.deepEqual(waits, [3000])
  assert.equal(exceeds.asked.length, 1)
})

test('without a number of seconds, or with another status, nothing is asked again', async (t) => {
  const waits = skipWaits(t)
  const answers: readonly Answer[] = [
    () => tooMany(),
    () => tooMany('Sun, 15 Mar 2026 12:00:00 GMT'),
    () => Response.json({ error: 'Full.', code: 'overloaded' }, { status: 503 }),
  ]
  for (const answer of answers) {
    const { client, asked } = createScripted([answer])
    await assert.rejects(client.usage(QUESTION), WeirApiError)
    assert.equal(asked.length, 1)
  }
  assert.deepEqual(waits, [])
})

test('a wait of no seconds is one of a second: no server is asked without end', async (t) => {
  const waits = skipWaits(t)
  const { client, asked } = createScripted([() => tooMany('0')], { waitMaxMs: 2000 })
  await assert.rejects(client.usage(QUESTION), { status: 429 })
  assert.deepEqual(waits, [1000, 1000])
  assert.equal(asked.length, 3)
})

test('a wait can be ended, by the signal of the call or of the client', async () => {
  for (const isOfCall of [true, false]) {
    const controller = new AbortController()
    const { signal } = controller
    const other = new AbortController().signal
    const reason = new Error('enough')
    const options = { signal: isOfCall ? other : signal }
    const { client, asked } = createScripted([() => tooMany('60')], options)
    const call = client.usage(QUESTION, { signal: isOfCall ? signal : other })
    // The answer has come and the wait has begun once everything that is ready has run.
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(asked.length, 1)
    controller.abort(reason)
    await assert.rejects(call, reason)
    await assert.rejects(client.usage(QUESTION, { signal }), reason)
  }
})

test('an engine without AbortSignal.any joins signals all the same', async (t) => {
  const any: unknown = Reflect.get(AbortSignal, 'any')
  Reflect.set(AbortSignal, 'any', undefined)
  t.after(() => Reflect.set(AbortSignal, 'any', any))
  const [first, second] = [new AbortController(), new AbortController()]
  const options = { signal: first.signal }
  const { client } = createScripted([() => tooMany('60')], options)
  const call = client.usage(QUESTION, { signal: second.signal })
  await new Promise((resolve) => setImmediate(resolve))
  const reason = new Error('enough')
  second.abort(reason)
  await assert.rejects(call, reason)
  await assert.rejects(client.usage(QUESTION, { signal: second.signal }), reason)
})

test('a page of another server is no export', async () => {
  const headers = { 'Content-Type': 'text/html' }
  for (const method of ['exportUsage', 'exportFocus'] as const) {
    const { client } = createScripted([() => new Response('<html></html>', { headers })])
    await assert.rejects(client[method]({ month: '2026-03' }), {
      status: 200,
      code: 'unexpected_answer',
      message: /^http:\/\/weir\.test answered something else than CSV\./,
    })
  }
})

test('a network that fails is one error, asked once, that says where and why', async () => {
  const cause = new Error(`connect ECONNREFUSED, sent Bearer ${TOKEN}`)
  const failing = (): never => {
    throw new TypeError('fetch failed', { cause })
  }
  const { client, asked } = createScripted([failing])
  await assert.rejects(client.usage(QUESTION), (error) => {
    assert.ok(error instanceof WeirApiError)
    assert.equal(
      error.message,
      'Weir at http://weir.test could not be reached: connect ECONNREFUSED, sent Bearer …',
    )
    assert.deepEqual([error.status, error.code], [null, 'unreachable'])
    assert.equal(error.cause, undefined)
    return true
  })
  assert.equal(asked.length, 1)
})

test('an answer that breaks off is an error of the same kind', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
    response.write('{ "asOf":', () => response.destroy())
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const client = createWeirClient({ url: `http://127.0.0.1:${port}`, token: TOKEN })
  await assert.rejects(client.usage(QUESTION), { code: 'unreachable', status: null })
})

test('what is not in the words of Weir is reported as such', async () => {
  const page = '<html>Bad gateway</html>'
  for (const [status, text] of [
    [200, page],
    [200, '"text"'],
    [502, page],
    [500, '{"message":"x"}'],
  ] as const) {
    const { client } = createScripted([() => new Response(text, { status })])
    await assert.rejects(client.info(), { code: 'unexpected_answer', status }, text)
  }
})

test('a token in the text of a refusal is left out', async () => {
  const answer = { error: `No such token: ${TOKEN}`, code: 'unauthorized' }
  const { client } = createScripted([() => Response.json(answer, { status: 401 })])
  await assert.rejects(client.info(), { message: 'No such token: …' })
})

test('an address or a token that cannot be used is refused without being repeated', () => {
  for (const url of ['', 'weir', 'ftp://weir', 'http://u:secret@weir', 'http://weir/?a=secret']) {
    assert.throws(
      () => createWeirClient({ url, token: TOKEN }),
      (error: Error) => error instanceof TypeError && !error.message.includes('secret'),
    )
  }
  for (const token of ['', 'a-secret\n', 'a secret', 'ä-secret']) {
    assert.throws(
      () => createWeirClient({ url: 'http://weir', token }),
      (error: Error) => error instanceof TypeError && !error.message.includes('secret'),
    )
  }
})

test('a list is a parameter that is given several times', async () => {
  const { client, asked } = createScripted([() => Response.json({})], { url: 'https://a' })
  await client.requests({ status: ['cut', 'refused'], model: 'a&b', limit: 3 })
  assert.deepEqual(asked, ['https://a/v1/requests?status=cut&status=refused&model=a%26b&limit=3'])
})

test('the path of the address is kept, slashes at its end are not', async () => {
  const { client, asked } = createScripted([() => Response.json({})], { url: 'https://a/weir//' })
  await client.info()
  await client.usage({ ...QUESTION, api_key: undefined, limit: 3 })
  assert.deepEqual(asked, [
    'https://a/weir/v1/info',
    'https://a/weir/v1/usage?metric=cost_usd&window=today&limit=3',
  ])
})
