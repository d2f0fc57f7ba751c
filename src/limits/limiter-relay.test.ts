import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import { createState, DAY_START_MS, toReport, usd } from '../../test/fakes/budget-states.ts'
import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import { OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'
import { createTalkProvider, talkAnswer } from '../../test/fakes/upstreams/talk-provider.ts'
import type { MetricSample } from '../app/meter.ts'
import type { ApiKey } from '../core/api-key.ts'
import type { BudgetScope } from '../core/budget.ts'
import type { BudgetState } from '../core/budget-state.ts'
import { systemClock } from '../core/clock.ts'
import type { OnOutage } from './call-reservation.ts'
import { defineProvider } from '../providers/provider.ts'
import type { ErrorShape } from '../providers/provider.ts'

const SHAPES: readonly ErrorShape[] = ['openai', 'gateway', 'google', 'ollama', 'bedrock']
const clock = { now: () => DAY_START_MS + 1000, monotonic: () => systemClock.monotonic() }
const USED_UP = createState({
  id: 'bud_abc',
  scope: { kind: 'dim', key: 'team', value: 'search' },
  spent: usd(1.0234),
})

interface Given {
  readonly states?: readonly BudgetState[]
  readonly key?: Partial<ApiKey>
  readonly shape?: ErrorShape
  readonly onOutage?: OnOutage
}

async function openScene(t: TestContext, given: Given) {
  const { states = [], key = {}, shape, onOutage = 'refuse' } = given
  const talk = createTalkProvider('some')
  const provider = shape === undefined ? talk : defineProvider({ ...talk, errorShape: shape })
  const script = answering(talkAnswer('big-1'))
  const defaultDims = { team: 'search' }
  const options = { providers: [provider], clock, key: { ...key, defaultDims }, onOutage }
  const scene = await openRelayScene(t, script, options)
  scene.proxy.local.report(toReport(states))
  const client = await openRawClient(scene.proxy.port)
  t.after(() => void client.socket.destroy())
  /** One call on the same connection; its head, and its body as JSON. */
  async function call(model = 'big-1', path = '/talk') {
    client.received = ''
    const body = JSON.stringify({ model, max_tokens: 5 })
    client.send(
      `POST /v1/some${path} HTTP/1.1\r\n${scene.headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    const text = await client.until((received) => received.endsWith('}'))
    const [head = '', answer = ''] = text.split('\r\n\r\n')
    return { head, status: Number(head.slice(9, 12)), json: JSON.parse(answer) as Answer }
  }
  return { ...scene, call, client }
}

interface Answer {
  readonly code?: string
  readonly budget?: object
  readonly message?: string
  readonly error?: { readonly message: string; readonly status?: string } | string
}

describe('a used-up budget is 402 with all that there is to know, in the shape of', () => {
  for (const shape of SHAPES) {
    test(shape, async (t) => {
      const { call, proxy } = await openScene(t, { states: [USED_UP], shape })
      const { head, status, json } = await call()
      assert.equal(status, 402)
      assert.match(head, /X-SVC-Error: budget_exceeded\r\n/)
      assert.match(head, /x-should-retry: false/)
      assert.doesNotMatch(head, /Retry-After/)
      const { error } = json
      assert.equal(
        typeof error === 'string' ? error : (error?.message ?? json.message),
        'The budget "name of bud_abc" (bud_abc) is used up: $1.02 of $1.00 spent in this UTC day (dim:team=search). It resets at 2026-11-17T00:00:00Z. Ask an operator of Weir to raise it.',
      )
      assert.deepEqual(
        [json.code, json.budget],
        [
          'budget_exceeded',
          {
            id: 'bud_abc',
            name: 'name of bud_abc',
            scope: 'dim:team=search',
            period: 'day',
            limit_usd: 1,
            spent_usd: 1.0234,
            resets_at: '2026-11-17T00:00:00.000Z',
          },
        ],
      )
      const [event] = await proxy.events(1)
      assert.deepEqual(
        [event?.status, event?.errorCode, event?.operation, event?.dims, event?.chargeable],
        ['denied', 'budget_exceeded', 'talk', { team: 'search' }, false],
      )
    })
  }
})

test('calls of a key with limits pass until there are too many, and the connection goes on', async (t) => {
  const { call, proxy, upstream } = await openScene(t, { key: { rateLimitRpm: 2, maxParallel: 1 } })
  assert.deepEqual([(await call()).status, (await call()).status], [200, 200])
  const { head, status } = await call()
  assert.equal(status, 429)
  assert.match(head, /X-SVC-Error: rate_limited\r\n[^]*Retry-After: 60/)
  assert.doesNotMatch(head, /x-should-retry/)
  const events = await proxy.events(3)
  assert.deepEqual(
    events.map((event) => event.errorCode),
    [null, null, 'rate_limited'],
  )
  assert.equal(upstream.connections.length, 1)
  assert.equal(proxy.local.bank.calls, 0)
})

test('an answer leaves when its call takes no place any more', async (t) => {
  const { call, proxy } = await openScene(t, { key: { maxParallel: 1 } })
  await call()
  await proxy.events(1)
  assert.deepEqual(
    proxy.local.messages.map(({ kind }) => kind),
    ['reserve', 'vacate', 'release'],
  )
  assert.deepEqual(
    proxy.local.urgent.map(({ kind }) => kind),
    ['vacate'],
  )
})

test('a running call counts until it has ended, and one that its caller gave up has ended', async (t) => {
  const scene = await openRelayScene(t, () => {}, { clock, key: { maxParallel: 1 } })
  const { local } = scene.proxy
  const first = await openRawClient(scene.proxy.port)
  const request = `GET /v1/some/x HTTP/1.1\r\n${scene.headers}\r\n`
  first.send(request)
  await until(() => scene.upstream.connections.length === 1)
  const second = await openRawClient(scene.proxy.port)
  second.send(request)
  assert.match(await second.until((text) => text.endsWith('}')), /^HTTP\/1.1 429 [^]*max_parallel/)
  assert.equal(local.bank.calls, 1)
  first.socket.destroy()
  await until(() => local.bank.calls === 0)
  second.socket.destroy()
  assert.deepEqual(
    local.messages.map(({ kind }) => kind),
    ['reserve', 'reserve', 'release'],
  )
})

test('a tunnel counts until it is closed', async (t) => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const answer = `HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`
  const scene = await openRelayScene(t, answering(answer), { clock, key: { maxParallel: 1 } })
  const { bank } = scene.proxy.local
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${scene.headers}${upgrade}\r\n`)
  await client.until((text) => text.endsWith('\r\n\r\n'))
  assert.equal(bank.calls, 1)
  client.socket.destroy()
  await until(() => bank.calls === 0)
})

test('a caller that leaves while it waits at the limiter reaches no provider, and its place is free', async (t) => {
  const scene = await openRelayScene(t, answering(OK), { clock, key: { maxParallel: 1 } })
  const { local } = scene.proxy
  local.way = 'silent'
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/x HTTP/1.1\r\n${scene.headers}\r\n`)
  await until(() => local.messages.length === 1)
  client.socket.destroy()
  await until(() => local.messages.length === 2)
  local.deliver()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([local.bank.calls, scene.upstream.connections.length], [0, 0])
})

test('a call that the limit bank does not answer reaches its provider where that is allowed', async (t) => {
  const given = { key: { rateLimitRpm: 1 }, onOutage: 'allow' } as const
  const { call, proxy, upstream } = await openScene(t, given)
  proxy.local.way = 'silent'
  assert.equal((await call()).status, 200)
  assert.match(upstream.received(), /\{"model":"big-1","max_tokens":5\}$/)
  const sample = proxy.meter.samples().find(({ metric }) => metric === 'limiterUnanswered')
  assert.equal(sample?.value, 1)
})

test('a call that the limit bank does not answer is refused, kept in the log, and reaches no provider', async (t) => {
  const { call, proxy, upstream } = await openScene(t, { key: { maxParallel: 1 } })
  proxy.local.way = 'cut'
  const { head, status } = await call()
  assert.equal(status, 503)
  assert.match(head, /X-SVC-Error: overloaded\r\n[^]*Retry-After: 1/)
  const [event] = await proxy.events(1)
  assert.deepEqual([event?.status, event?.errorCode], ['denied', 'overloaded'])
  assert.equal(upstream.connections.length, 0)
})

test('a call under a budget reserves what it is expected to cost, by its size and its limit', async (t) => {
  const usual = { cost: usd(0.04), requestBytes: 32, outputTokens: 10 }
  const states = [createState({ spent: usd(0.5), usual })]
  const { call, proxy } = await openScene(t, { states })
  assert.equal((await call()).status, 200)
  const [message] = proxy.local.messages
  assert.ok(message?.kind === 'report')
  assert.deepEqual(message.request.budgets, [{ id: 'bud_1', expected: usd(0.02) }])
  assert.equal(proxy.local.bank.calls, 0)
})

const MODEL: BudgetScope = { kind: 'model', pattern: 'some/big-*' }
const MODEL_USED_UP = createState({ id: 'bud_model', scope: MODEL, spent: usd(1) })

describe('a used-up budget for models', () => {
  test('refuses the models it covers and no others', async (t) => {
    const { call, proxy } = await openScene(t, { states: [MODEL_USED_UP] })
    assert.deepEqual([(await call('big-1')).status, (await call('small')).status], [402, 200])
    const [event] = await proxy.events(2)
    assert.deepEqual([event?.status, event?.requestedModel], ['denied', 'big-1'])
  })

  test('refuses what could not be determined, and says why', async (t) => {
    const { call } = await openScene(t, { states: [MODEL_USED_UP] })
    const { status, json } = await call('big-1', '/unknown')
    assert.equal(status, 402)
    assert.match(
      JSON.stringify(json),
      /could not be determined: Weir does not know what POST \/unknown/,
    )
    const odd = await call('big-1 ')
    assert.match(JSON.stringify(odd.json), /names a model in other than plain characters/)
  })

  test("leaves a key's own policy its say", async (t) => {
    const key = { allowedModels: ['some/big-1', 'some/small'] }
    const { call } = await openScene(t, { states: [MODEL_USED_UP], key })
    const found = [await call('big-2'), await call('big-1'), await call('small')]
    assert.deepEqual(
      [...found, await call('x', '/unknown')].map(({ status }) => status),
      [403, 402, 200, 403],
    )
  })

  test('holds nothing while it is not used up, and the model is asked about as soon as it is known', async (t) => {
    const { call, proxy } = await openScene(t, {
      states: [createState({ scope: MODEL }), createState({ id: 'bud_all' })],
    })
    assert.deepEqual([(await call('big-1')).status, (await call('small')).status], [200, 200])
    const asked = proxy.local.messages.flatMap((message) =>
      'request' in message ? [message.request.budgets] : [],
    )
    assert.deepEqual(
      asked.map((budgets) => budgets.map(({ id }) => id)),
      [['bud_all', 'bud_1'], ['bud_all']],
    )
  })
})

describe('a refusal that is there before the body', () => {
  const BODY = '{"model":"big-1"}'
  const headOf = (headers: string, length: number, more = ''): string =>
    `POST /v1/some/talk HTTP/1.1\r\n${headers}${more}Content-Length: ${length}\r\n\r\n`

  test('drops a short one, and the connection goes on behind it', async (t) => {
    const { client, headers, proxy, call } = await openScene(t, { states: [USED_UP] })
    client.send(headOf(headers, BODY.length))
    const refused = await client.until((text) => text.endsWith('}'))
    assert.match(refused, /^HTTP\/1\.1 402 /)
    assert.doesNotMatch(refused, /Connection: close/)
    client.send(BODY.slice(0, 5))
    client.send(BODY.slice(5))
    assert.equal((await call()).status, 402)
    proxy.local.report(toReport([]))
    assert.equal((await call()).status, 200)
  })

  const cases: readonly [string, number, string][] = [
    ['a long one', 65_537, ''],
    ['one that waits to be asked for', 20, 'Expect: 100-continue\r\n'],
  ]
  for (const [name, length, more] of cases) {
    test(`says of ${name} that the connection ends`, async (t) => {
      const { client, headers } = await openScene(t, { states: [USED_UP] })
      client.send(headOf(headers, length, more))
      assert.match(await client.closed(), /^HTTP\/1\.1 402 [^]*\r\nConnection: close\r\n/)
    })
  }
})

test('under a budget for models a body that comes behind its head is waited for', async (t) => {
  const { client, headers, proxy, upstream } = await openScene(t, {
    states: [createState({ scope: MODEL, usual: null })],
  })
  const body = '{"model":"big-1"}'
  client.send(`POST /v1/some/talk HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n`)
  const isOpen = ({ metric, value }: MetricSample): boolean => metric === 'openCalls' && value === 1
  await until(() => proxy.meter.samples().some(isOpen))
  assert.deepEqual([proxy.local.messages.length, upstream.connections.length], [0, 0])
  client.send(body)
  await client.until((text) => text.endsWith('}'))
  const [message] = proxy.local.messages
  assert.ok(message !== undefined && 'request' in message)
  assert.deepEqual(
    message.request.budgets.map(({ id }) => id),
    ['bud_1'],
  )
  assert.match(upstream.received(), /\{"model":"big-1"\}$/)
})

async function until(isSo: () => boolean): Promise<void> {
  const end = systemClock.monotonic() + 60_000
  while (!isSo()) {
    if (systemClock.monotonic() > end) throw new Error('it took too long')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
