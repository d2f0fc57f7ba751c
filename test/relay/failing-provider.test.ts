// A provider's defect costs nobody a call: whatever function of it throws, callers get their bytes,
// a key with allowed models is refused, the operator sees which function failed, and the worker
// goes on.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { UsageKnowledge } from '../../src/core/usage-event.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { ID_LINE, openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import { createFailingProvider, EVERY, SECRET } from '../fakes/upstreams/failing-provider.ts'
import { answering } from '../fakes/upstreams/scripted-upstream.ts'
import { CALLER_MASK, CLOSE, writeFrame } from '../fakes/upstreams/websocket-frame.ts'

const BODY = '{"model":"big-1"}'
const ANSWER = 'HTTP/1.1 200 OK\r\nX-One: 1\r\nContent-Length: 8\r\n\r\n{"a": 1}'
const RESTRICTED = { allowedModels: ['some/big-*'] }

function countOf({ meter }: TestProxy, metric: string): number {
  const samples = meter.samples().filter((sample) => sample.metric === metric)
  const [sample] = samples
  if (metric === 'providerFailures' && sample !== undefined) {
    assert.deepEqual([samples.length, sample.labels], [1, ['some', 'talk']])
  }
  return sample?.value ?? 0
}

async function call({ proxy, headers }: RelayScene, ending = '}'): Promise<string> {
  const client = await openRawClient(proxy.port)
  const length = `Content-Length: ${BODY.length}\r\n`
  client.send(`POST /v1/some/talk HTTP/1.1\r\n${headers}${length}\r\n${BODY}`)
  const received = await client.until((text) => text.endsWith(ending))
  client.socket.destroy()
  return received
}

/**
 * One line for each function, however often it fails; none of them quotes what the error quotes.
 */
function assertLogged({ proxy }: RelayScene, failing: string): void {
  const fields = proxy.warned as readonly Record<string, unknown>[]
  const functions = fields.map((each) => each['function'])
  assert.equal(new Set(functions).size, functions.length)
  if (failing !== EVERY) assert.deepEqual(functions, [failing])
  for (const each of fields) {
    assert.deepEqual([each['provider'], each['operation']], ['some', 'talk'])
    assert.equal(each['cause'], 'TypeError')
    assert.match(String((each['at'] as string[])[0]), /failing-provider\.ts/)
    assert.ok(!JSON.stringify(each).includes(SECRET))
  }
}

/**
 * What the readers that still work find is on record: a model's name is no reason to lose its
 * tokens.
 */
const CALLS: readonly (readonly [failing: string, usage: UsageKnowledge])[] = [
  [EVERY, 'none'],
  ['matches', 'none'],
  ['createUsageReader', 'none'],
  ['usageReader.feed', 'none'],
  ['usageReader.end', 'none'],
  ['usageReader.keptTextBytes', 'none'],
  ['usageReader.dropText', 'none'],
  ['createModelReader', 'reported'],
  ['modelReader.feed', 'reported'],
  ['modelReader.end', 'reported'],
  ['modelReader.complete', 'reported'],
]

describe('a call is relayed byte for byte when its provider throws in', () => {
  for (const [failing, usage] of CALLS) {
    test(failing, async (t) => {
      const providers = [createFailingProvider(failing)]
      const scene = await openRelayScene(t, answering(ANSWER), { providers })
      for (let round = 1; round <= 2; round++) {
        const received = await call(scene)
        assert.match(received, ID_LINE)
        assert.equal(received.replace(ID_LINE, ''), ANSWER)
      }
      const events = await scene.proxy.events(2)
      assert.deepEqual(
        events.map((event) => [event.status, event.httpStatus, event.usage]),
        Array.from({ length: 2 }, () => ['delivered', 200, usage]),
      )
      assert.ok(scene.upstream.received().endsWith(BODY))
      assert.ok(countOf(scene.proxy, 'providerFailures') >= 2)
      assertLogged(scene, failing)
    })
  }
})

describe('a call of a key with allowed models is refused when its provider throws in', () => {
  for (const failing of [
    EVERY,
    'matches',
    'createNamesReader',
    'namesReader.feed',
    'namesReader.end',
  ]) {
    test(failing, async (t) => {
      const providers = [createFailingProvider(failing)]
      const scene = await openRelayScene(t, answering(ANSWER), { providers, key: RESTRICTED })
      for (let round = 1; round <= 2; round++) {
        assert.match(await call(scene), /^HTTP\/1.1 403 [^]*X-SVC-Error: model_not_allowed\r\n/)
      }
      const events = await scene.proxy.events(2)
      assert.deepEqual(
        events.map(({ status, usage }) => [status, usage]),
        [
          ['denied', 'none'],
          ['denied', 'none'],
        ],
      )
      assert.equal(scene.upstream.received(), '')
      assert.ok(countOf(scene.proxy, 'providerFailures') >= 2)
      assertLogged(scene, failing)
    })
  }
})

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
const FRAME = writeFrame('hello').toString('latin1')
const SWITCHING = `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n${FRAME}`
const FAREWELL = writeFrame('\u0003\u00e8', { opcode: CLOSE })
const SENT = writeFrame('{}', { mask: CALLER_MASK }).toString('latin1')

async function openTunnel(t: TestContext, failing: string, key: object = {}) {
  const providers = [createFailingProvider(failing)]
  const scene = await openRelayScene(
    t,
    ({ received, socket }) => {
      if (received.endsWith('\r\n\r\n')) socket.write(SWITCHING, 'latin1')
      if (received.endsWith(SENT)) socket.end(FAREWELL)
    },
    { providers, key },
  )
  const client = await openRawClient(scene.proxy.port)
  client.send(`GET /v1/some/talk HTTP/1.1\r\n${scene.headers}${UPGRADE}\r\n`)
  await client.until((text) => text.includes(FRAME))
  client.send(SENT)
  const received = await client.closed()
  const [event] = await scene.proxy.events(1)
  return { scene, received, event }
}

const TUNNELS: readonly (readonly [failing: string, usage: UsageKnowledge])[] = [
  [EVERY, 'none'],
  ['tunnel.createUsageReader', 'none'],
  ['messageReader.read', 'none'],
  ['messageReader.end', 'none'],
  ['tunnel.readModel', 'reported'],
]

describe('messages pass through a tunnel when its provider throws in', () => {
  for (const [failing, usage] of TUNNELS) {
    test(failing, async (t) => {
      const { scene, received, event } = await openTunnel(t, failing)
      assert.ok(received.endsWith(FRAME + FAREWELL.toString('latin1')))
      assert.ok(scene.upstream.received().endsWith(SENT))
      assert.deepEqual([event?.status, event?.usage], ['delivered', usage])
      assert.ok(countOf(scene.proxy, 'providerFailures') >= 1)
      assertLogged(scene, failing)
    })
  }
})

test("a key's messages are refused when the provider cannot read their models", async (t) => {
  const { scene, event } = await openTunnel(t, 'tunnel.createNamesReader', RESTRICTED)
  assert.deepEqual([event?.status, event?.errorCode], ['aborted', 'model_not_allowed'])
  assert.ok(!scene.upstream.received().endsWith(SENT))
  assertLogged(scene, 'tunnel.createNamesReader')
})
