// Every recorded case through the relay, over connections that are used again, with the memory of
// each read overwritten as soon as it was handled: whatever the record needs later was copied.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { UsageEvent } from '../../src/core/usage-event.ts'
import { PROVIDERS } from '../../src/providers/registry.ts'
import type { UpstreamConnector } from '../../src/proxy/upstream-connector.ts'
import { listFolders, readFixture } from '../contracts/provider-fixture.ts'
import type { Fixture } from '../contracts/provider-fixture.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { readAuthority } from '../fakes/certificates.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import { openTlsUpstream } from '../fakes/upstreams/tls-upstream.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/providers')
const FRAMING = /^(?:content-length|content-encoding|transfer-encoding|connection|host)$/i
const SCRIBBLE = 0x7b

interface Asking {
  readonly socket: Socket
  received: string
}

class Scene {
  readonly proxy: TestProxy
  readonly connections: readonly Asking[]

  constructor(proxy: TestProxy, connections: readonly Asking[]) {
    this.proxy = proxy
    this.connections = connections
  }

  /** The upstream's side of the next call, once its request has come whole. */
  async asked(body: string): Promise<Asking['socket']> {
    for (;;) {
      const asking = this.connections.find(
        ({ received }) => received.includes('\r\n\r\n') && received.endsWith(body),
      )
      if (asking !== undefined) {
        asking.received = ''
        return asking.socket
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Where the caller's socket still needs the memory, the connection has taken other. */
function scribbling(connector: UpstreamConnector): UpstreamConnector {
  return ({ onread, ...attempt }) => {
    assert.ok(onread !== undefined)
    const toMemory = onread.buffer as () => Uint8Array
    const scribbled = (length: number, memory: Uint8Array): boolean => {
      const isGoingOn = onread.callback(length, memory)
      if (toMemory() === memory) memory.fill(SCRIBBLE, 0, length)
      return isGoingOn
    }
    return connector({ ...attempt, onread: { ...onread, callback: scribbled } })
  }
}

async function openScene(t: TestContext, provider: string, isTls: boolean): Promise<Scene> {
  const upstream = isTls ? await openTlsUpstream(t) : await openScriptedUpstream(() => {})
  const url = 'url' in upstream ? upstream.url : `https://localhost:${upstream.port}`
  if ('close' in upstream) t.after(() => upstream.close())
  const proxy = await openTestProxy({
    upstreams: { [provider]: url },
    providers: PROVIDERS,
    aroundConnector: scribbling,
    ...(isTls ? { outgoing: { ca: readAuthority() } } : {}),
  })
  t.after(() => proxy.close())
  return new Scene(proxy, upstream.connections)
}

function toLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).filter(([name]) => !FRAMING.test(name))
  return lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

function toRequest(provider: string, fixture: Fixture, credential: string): string {
  const { method, path, query, headers } = fixture.request
  const target = `/v1/${provider}${path}${query === undefined ? '' : `?${query}`}`
  const body = fixture.requestBody.toString('latin1')
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
  const head = `${method} ${target} HTTP/1.1\r\nHost: proxy\r\nX-SVC-API-Key: ${credential}\r\n`
  return `${head}${toLines(headers)}${length}\r\n${body}`
}

/** The answer's head and its body come in a segment each. Returns the call's id. */
async function play(provider: string, fixture: Fixture, scene: Scene): Promise<string> {
  const { status, headers, cut } = fixture.head
  const { body } = fixture
  const client = await openRawClient(scene.proxy.port)
  client.send(toRequest(provider, fixture, scene.proxy.credential))
  const socket = await scene.asked(fixture.requestBody.toString('latin1'))
  const length = body.length + (cut === true ? 1 : 0)
  const head = `HTTP/1.1 ${status} OK\r\n${toLines(headers)}Content-Length: ${length}\r\n\r\n`
  socket.setNoDelay(true)
  socket.write(Buffer.from(head, 'latin1'))
  const answer = await client.until((received) => received.includes('\r\n\r\n'))
  socket.write(body)
  await client.until((received) => received.endsWith(body.toString('latin1')))
  if (cut === true) socket.destroy()
  client.socket.destroy()
  return /X-SVC-Request-Id: (\S+)/.exec(answer)?.[1] ?? ''
}

function toFacts(event: UsageEvent | undefined): unknown {
  const { model, requestedModel, tokens, toolCalls, serviceTier, shares } = event ?? {}
  return { model, requestedModel, tokens, toolCalls, serviceTier, shares }
}

function toExpectedFacts({ expected }: Fixture): unknown {
  const { requestedModel, tokens, toolCalls, serviceTier, shares } = expected
  return {
    model: expected['model'] ?? requestedModel,
    requestedModel,
    tokens,
    toolCalls,
    serviceTier,
    shares,
  }
}

async function playAll(provider: string, scene: Scene): Promise<void> {
  const dir = join(FIXTURES, provider)
  const played = new Map<string, { readonly name: string; readonly fixture: Fixture }>()
  for (const name of listFolders(dir)) {
    const fixture = readFixture(join(dir, name))
    if (fixture.head.status === 101) continue
    played.set(await play(provider, fixture, scene), { name, fixture })
  }
  const events = await scene.proxy.events(played.size)
  for (const [id, { name, fixture }] of played) {
    const event = events.find((each) => each.id === id)
    assert.deepEqual(toFacts(event), toExpectedFacts(fixture), `${provider}/${name}`)
  }
  assert.ok(scene.connections.length < played.size, 'connections are used again')
}

for (const { id } of PROVIDERS) {
  test(`records the cases of ${id} although each read's memory is overwritten`, async (t) => {
    await playAll(id, await openScene(t, id, false))
  })
}

test('records what Bedrock reports in headers over TLS in the same way', async (t) => {
  await playAll('bedrock', await openScene(t, 'bedrock', true))
})
