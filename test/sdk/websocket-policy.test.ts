// Keys that may use certain models only, on WebSockets: every message of the caller's is read
// before it goes on, and one that is not allowed ends the connection without having reached the
// upstream.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { WebSocket } from 'ws'

import { google } from '../../src/providers/google.ts'
import { createProvider } from '../../src/providers/registry.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { createState, toReport, usd } from '../fakes/budget-states.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { openCaller, startCaller } from '../fakes/callers/socket-caller.ts'
import type { Caller, CallerOptions } from '../fakes/callers/socket-caller.ts'
import { openSocketUpstream } from '../fakes/upstreams/socket-upstream.ts'
import type { SocketUpstream } from '../fakes/upstreams/socket-upstream.ts'

const TIMEOUT = { timeout: 30_000 }
const REALTIME = '/v1/realtime?model=wren'
const RESPONSES = '/v1/responses'
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const PLAIN = { perMessageDeflate: false }

interface Scene {
  readonly proxy: TestProxy
  readonly upstream: SocketUpstream
  /** What reached it. */
  readonly received: string[]
}

/** The upstream greets, and sends everything back. */
async function openScene(t: TestContext, provider: Provider | null = null): Promise<Scene> {
  const received: string[] = []
  const talk = (socket: WebSocket): void => {
    socket.on('message', (data: Buffer, isBinary) => {
      received.push(data.toString())
      socket.send(data, { binary: isBinary })
    })
  }
  const upstream = await openSocketUpstream(talk, { perMessageDeflate: { threshold: 0 } })
  const shaped = createProvider({ id: 'some', shape: 'openai', upstream: upstream.url })
  const proxy = await openTestProxy({
    upstreams: { some: upstream.url },
    providers: [provider ?? (shaped as Provider)],
    key: { allowedModels: ['some/wren', 'some/wren-scribe'] },
  })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  return { proxy, upstream, received }
}

const GOOGLE: Provider = { ...google, id: 'some' }

interface Refused {
  readonly status: number
  readonly code: string | undefined
  readonly text: string
}

async function readRefusal(proxy: TestProxy, options: CallerOptions): Promise<Refused> {
  const socket = startCaller(proxy, options)
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode: number; headers: Record<string, string> },
  ]
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  return { status: response.statusCode, code: response.headers['x-svc-error'], text }
}

describe('messages that are allowed reach the upstream as they came', () => {
  const schema = { type: 'object', properties: { model: { type: 'string' } } }
  const cases: Readonly<Record<string, readonly [path: string, messages: readonly string[]]>> = {
    'of a conversation whose model stands in the query': [
      REALTIME,
      [
        '{"type":"session.update","session":{"instructions":"Say \\"model\\": owl."}}',
        '{ "type" : "response.create" }',
      ],
    ],
    'with the model of the transcription': [
      REALTIME,
      [
        '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"wren-scribe"}}}}}',
      ],
    ],
    'with a tool that has a property called model': [
      REALTIME,
      [
        JSON.stringify({
          type: 'session.update',
          session: { tools: [{ type: 'function', name: 'pick', parameters: schema }] },
        }),
      ],
    ],
    'that quote JSON in what is said': [
      REALTIME,
      [
        JSON.stringify({
          type: 'conversation.item.create',
          item: { type: 'message', content: [{ type: 'input_text', text: '{"model":"owl"}' }] },
        }),
      ],
    ],
    'with much sound': [
      REALTIME,
      [`{"type":"input_audio_buffer.append","audio":"${'UklGRg'.repeat(100_000)}"}`],
    ],
    'of Responses, each with its model': [
      RESPONSES,
      [
        '{"type":"response.create","model":"wren","input":"How wide?"}',
        '{"type":"response.steer","response_id":"resp_1","input":"In feet."}',
        '{"type":"response.create","model":"wren","input":"And how deep?"}',
      ],
    ],
  }
  for (const [name, [path, messages]] of Object.entries(cases)) {
    test(name, TIMEOUT, async (t) => {
      const { proxy, received } = await openScene(t)
      const caller = await openCaller(proxy, { path, ...PLAIN })
      for (const message of messages) {
        caller.socket.send(message)
        assert.equal((await caller.next()).data.toString(), message)
      }
      caller.socket.close(1000)
      assert.equal((await caller.closed).code, 1000)
      assert.deepEqual(received, messages)
      const [event] = await proxy.events(1)
      assert.deepEqual([event?.status, event?.errorCode], ['delivered', null])
    })
  }

  test('of a Live session, whose first one names the model', TIMEOUT, async (t) => {
    const { proxy, received } = await openScene(t, GOOGLE)
    const caller = await openCaller(proxy, { path: `${LIVE}?key=invented`, ...PLAIN })
    const messages = [
      '{"setup":{"model":"models/wren","tools":[{"functionDeclarations":[]}]}}',
      '{"realtimeInput":{"audio":{"data":"UklGRg=="}}}',
    ]
    for (const message of messages) {
      caller.socket.send(Buffer.from(message))
      await caller.next()
    }
    caller.socket.close()
    await caller.closed
    assert.deepEqual(received, messages)
  })
})

/** With the reason, as an error of the protocol and in the close frame. */
async function assertClosed(caller: Caller, code: string): Promise<void> {
  const { data } = await caller.next()
  const said = JSON.parse(data.toString()) as { type: string; error: { code: string } }
  assert.deepEqual([said.type, said.error.code], ['error', code])
  const closed = await caller.closed
  assert.equal(closed.code, 1008)
  assert.ok(closed.reason.startsWith(`${code}: `), closed.reason)
}

describe('a message that is not allowed ends the connection', () => {
  const update = (session: string): string => `{"type":"session.update","session":${session}}`
  const cases: Readonly<Record<string, readonly [path: string, message: string | Buffer]>> = {
    'another model for the session': [REALTIME, update('{"model":"owl"}')],
    'another model in a binary message': [REALTIME, Buffer.from(update('{"model":"owl"}'))],
    'another model to write speech down': [
      REALTIME,
      update('{"audio":{"input":{"transcription":{"model":"owl-scribe"}}}}'),
    ],
    'the same in the older spelling': [
      REALTIME,
      update('{"input_audio_transcription":{"model":"owl-scribe"}}'),
    ],
    'a stored prompt': [
      REALTIME,
      '{"type":"response.create","response":{"prompt":{"id":"pmpt_1"}}}',
    ],
    'two models under one name': [REALTIME, update('{"model":"wren","model":"owl"}')],
    'an escaped name': [REALTIME, update('{"\\u006dodel":"owl"}')],
    'a name in capitals': [REALTIME, update('{"Model":"owl"}')],
    'JSON with something behind it': [REALTIME, '{"type":"response.create"}{"model":"owl"}'],
    'no JSON': [REALTIME, 'hello'],
    'a list': [REALTIME, `[${update('{"model":"wren"}')}]`],
    'a broken letter': [REALTIME, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    'another model for a response': [RESPONSES, '{"type":"response.create","model":"owl"}'],
    'another model for a tool': [
      RESPONSES,
      '{"type":"response.create","model":"wren","tools":[{"type":"image_generation","model":"owl"}]}',
    ],
    'no model at all, where none was named': [RESPONSES, '{"type":"response.create","input":"x"}'],
    'a larger message than is read': [
      REALTIME,
      `{"type":"input_audio_buffer.append","audio":"${'A'.repeat(4_200_000)}"}`,
    ],
  }
  for (const [name, [path, message]] of Object.entries(cases)) {
    test(name, TIMEOUT, async (t) => {
      const { proxy, upstream, received } = await openScene(t)
      const caller = await openCaller(proxy, { path, ...PLAIN })
      caller.socket.send(message)
      await assertClosed(caller, 'model_not_allowed')
      assert.equal((await upstream.closed).code, 1006)
      assert.deepEqual(received, [])
      const [event] = await proxy.events(1)
      assert.deepEqual([event?.status, event?.errorCode], ['aborted', 'model_not_allowed'])
      const refusals = proxy.meter.samples().find(({ metric }) => metric === 'refusals')
      assert.deepEqual([refusals?.labels, refusals?.value], [['model_not_allowed'], 1])
    })
  }

  test('after others that were', TIMEOUT, async (t) => {
    const { proxy, received } = await openScene(t)
    const caller = await openCaller(proxy, { path: RESPONSES, ...PLAIN })
    caller.socket.send('{"type":"response.create","model":"wren"}')
    await caller.next()
    caller.socket.send('{"type":"response.create","model":', { fin: false })
    caller.socket.send('"owl"}', { fin: true })
    assert.equal((await caller.closed).code, 1008)
    assert.equal(received.length, 1)
  })

  const UNNAMED: Readonly<Record<string, string>> = {
    'no model for a response': '{"type":"response.create","previous_response_id":"resp_owl"}',
    'no model but that of a tool':
      '{"type":"response.create","tools":[{"type":"image_generation","model":"wren"}]}',
    'no model but inside': '{"type":"response.create","response":{"model":"wren"}}',
    'no model, and two kinds': '{"type":"response.steer","type":"response.create"}',
    'no model, and a kind in other letters': '{"type":"response.steer","Type":"response.create"}',
    'no model, and no kind': '{"input":"x"}',
  }
  for (const [name, message] of Object.entries(UNNAMED)) {
    test(`${name}, after one with an allowed model`, TIMEOUT, async (t) => {
      const { proxy, received } = await openScene(t)
      const caller = await openCaller(proxy, { path: RESPONSES, ...PLAIN })
      caller.socket.send('{"type":"response.create","model":"wren"}')
      await caller.next()
      caller.socket.send(message)
      await assertClosed(caller, 'model_not_allowed')
      assert.equal(received.length, 1)
    })
  }

  test("another model in a Live session's second setup", TIMEOUT, async (t) => {
    const { proxy, received } = await openScene(t, GOOGLE)
    const caller = await openCaller(proxy, { path: LIVE, ...PLAIN })
    caller.socket.send('{"setup":{"model":"models/wren"}}')
    await caller.next()
    caller.socket.send('{"setup":{"model":"publishers/google/models/owl"}}')
    assert.equal((await caller.closed).code, 1008)
    assert.equal(received.length, 1)
  })
})

describe('a connection that could not be guarded is not opened', () => {
  const cases: Readonly<Record<string, string>> = {
    'another model in the query': '/v1/realtime?model=owl',
    'two models in the query': '/v1/realtime?model=wren&model=owl',
    'a name of the query in capitals': '/v1/realtime?Model=owl',
    'a call that was begun elsewhere': '/v1/realtime?call_id=rtc_1',
    'a path of which nothing is known': '/v1/elsewhere?model=wren',
  }
  for (const [name, path] of Object.entries(cases)) {
    test(name, TIMEOUT, async (t) => {
      const { proxy, upstream } = await openScene(t)
      const refused = await readRefusal(proxy, { path, ...PLAIN })
      assert.deepEqual([refused.status, refused.code], [403, 'model_not_allowed'])
      assert.equal(upstream.requests.length, 0)
      assert.equal((await proxy.events(1))[0]?.status, 'denied')
    })
  }

  test('a Live session whose token fixes the model', TIMEOUT, async (t) => {
    const { proxy, upstream } = await openScene(t, GOOGLE)
    const path = `${LIVE}Constrained?access_token=invented`
    assert.equal((await readRefusal(proxy, { path, ...PLAIN })).status, 403)
    assert.equal(upstream.requests.length, 0)
  })

  test('compressed messages, which the upstream agrees to', TIMEOUT, async (t) => {
    const { proxy, upstream } = await openScene(t)
    const refused = await readRefusal(proxy, { path: REALTIME, perMessageDeflate: true })
    assert.deepEqual([refused.status, refused.code], [403, 'model_not_allowed'])
    assert.match(refused.text, /without permessage-deflate/)
    assert.equal((await upstream.closed).code, 1006)
    const [event] = await proxy.events(1)
    assert.deepEqual(
      [event?.status, event?.errorCode, event?.httpStatus, event?.chargeable],
      ['aborted', 'model_not_allowed', null, false],
    )
  })
})

describe('where a budget for certain models is used up, a key that may use all', () => {
  const scope = { kind: 'model', pattern: 'some/owl*' } as const
  const USED_UP = createState({ scope, spent: usd(1), endMs: Date.UTC(2100, 0) })

  async function openUsedUp(t: TestContext): Promise<Scene> {
    const scene = await openScene(t)
    scene.proxy.key = { ...scene.proxy.key, allowedModels: [] }
    scene.proxy.local.report(toReport([USED_UP]))
    return scene
  }

  test('is cut when a message names one of them, until it is free again', TIMEOUT, async (t) => {
    const { proxy, received } = await openUsedUp(t)
    const [first, second] = [
      await openCaller(proxy, { path: RESPONSES, ...PLAIN }),
      await openCaller(proxy, { path: RESPONSES, ...PLAIN }),
    ]
    first.socket.send('{"type":"response.create","model":"wren"}')
    await first.next()
    second.socket.send('{"type":"response.create","model":"owl-1"}')
    await assertClosed(second, 'budget_exceeded')
    assert.equal(received.length, 1)
    const [event] = await proxy.events(1)
    assert.deepEqual([event?.status, event?.errorCode], ['aborted', 'budget_exceeded'])
    proxy.local.report(toReport([{ ...USED_UP, spent: 0n }]))
    first.socket.send('{"type":"response.create","model":"owl-1"}')
    await first.next()
    first.socket.close()
    await first.closed
  })

  test('is not let in where its messages could not be read', TIMEOUT, async (t) => {
    const { proxy } = await openUsedUp(t)
    const refused = await readRefusal(proxy, { path: RESPONSES, perMessageDeflate: true })
    assert.deepEqual([refused.status, refused.code], [402, 'budget_exceeded'])
    assert.match(refused.text, /without permessage-deflate/)
  })

  test('goes on as ever where the head names another', TIMEOUT, async (t) => {
    const { proxy } = await openUsedUp(t)
    const caller = await openCaller(proxy, { path: REALTIME, perMessageDeflate: true })
    caller.socket.send('hello')
    await caller.next()
    caller.socket.close()
    await caller.closed
  })
})
