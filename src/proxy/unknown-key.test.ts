import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openRawClient, rawCall } from '../../test/fakes/callers/raw-client.ts'
import type { RawClient } from '../../test/fakes/callers/raw-client.ts'
import { createManualClock } from '../../test/fakes/manual-clock.ts'
import type { TestProxyOptions } from '../../test/fakes/open-proxy.ts'
import { OK, openRelayScene } from '../../test/fakes/relay-scene.ts'
import type { RelayScene } from '../../test/fakes/relay-scene.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import { answering } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { Script } from '../../test/fakes/upstreams/scripted-upstream.ts'
import type { ApiKey } from '../core/api-key.ts'
import { createKeyCredential, formatCredential } from '../core/ids.ts'

interface Scene extends RelayScene {
  readonly client: RawClient
  /** With the credential of the key that is not known yet. */
  readonly newHeaders: string
  /** Ids that calls wait for, in order; each ends once. */
  readonly waits: { readonly id: string; readonly end: () => void }[]
  readonly learn: (changes?: Partial<ApiKey>) => void
}

const REFUSED = /^HTTP\/1\.1 401 [^]*X-SVC-Error: invalid_api_key\r\n/

/** A proxy with one key that it knows, and one that it learns of when the test says so. */
async function openScene(
  t: TestContext,
  options: Partial<TestProxyOptions> = {},
  script = answering(OK),
): Promise<Scene> {
  const credential = createKeyCredential()
  const keys = new Map<string, ApiKey>()
  const waits: Scene['waits'] = []
  const scene = await openRelayScene(t, script, {
    findKey: (id) => (id === scene.proxy.key.id ? scene.proxy.key : keys.get(id)),
    awaitKey: (id) => new Promise((end) => void waits.push({ id, end })),
    ...options,
  })
  const client = await openRawClient(scene.proxy.port, true)
  t.after(() => client.socket.destroy())
  const newHeaders = `Host: proxy\r\nX-SVC-API-Key: ${formatCredential(credential)}\r\n`
  const learn = (changes: Partial<ApiKey> = {}): void =>
    void keys.set(credential.id, createTestKey(credential, changes))
  return { ...scene, client, newHeaders, waits, learn }
}

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}

async function firstWait({ waits }: Scene): Promise<Scene['waits'][0]> {
  await until(() => waits.length > 0)
  return waits[0] as Scene['waits'][0]
}

/** What was sent before has come when a later request of another caller has been answered. */
async function whenReceived({ proxy }: Scene): Promise<void> {
  await rawCall(proxy.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
}

function count({ proxy }: Scene, metric: string): number {
  const samples = proxy.meter.samples().filter((sample) => sample.metric === metric)
  return samples.reduce((sum, { value }) => sum + value, 0)
}

test('a call whose key becomes known while it waits goes on as if it had been known', async (t) => {
  const scene = await openScene(t)
  const { client, headers, newHeaders, upstream } = scene
  const request = (lines: string): string =>
    `POST /v1/some/a?b=1 HTTP/1.1\r\n${lines}Content-Length: 10\r\n\r\n`
  client.send(`${request(headers)}0123456789`)
  await client.until((text) => text.endsWith('ok'))
  const expected = upstream.received()
  client.send(`${request(newHeaders)}012`)
  const wait = await firstWait(scene)
  client.send('345')
  client.send('6789')
  scene.learn()
  wait.end()
  await client.until((text) => text.split('\r\n\r\nok').length === 3)
  await until(() => upstream.received().length === 2 * expected.length)
  assert.equal(upstream.received(), expected + expected)
  assert.equal(scene.waits.length, 1)
  const [first, second] = await scene.proxy.events(2)
  assert.deepEqual([first?.requestBytes, second?.requestBytes], [10, 10])
})

test('a key that stays unknown is refused as without the wait, and asked for once', async (t) => {
  const plain = await openScene(t, { awaitKey: () => null })
  const scene = await openScene(t)
  const answers: string[] = []
  for (const each of [plain, scene]) {
    each.client.send(`GET /v1/some/ HTTP/1.1\r\n${each.newHeaders}\r\n`)
    if (each === scene) (await firstWait(each)).end()
    answers.push(await each.client.until((text) => text.endsWith('}')))
  }
  const withoutIds = answers.map((text) => text.replaceAll(/[0-9a-f-]{36}/g, 'ID'))
  assert.match(withoutIds[0] as string, REFUSED)
  assert.equal(withoutIds[1], withoutIds[0])
  assert.equal(scene.waits.length, 1)
  assert.equal(count(scene, 'refusals'), 1)
  assert.deepEqual(await scene.proxy.entries(), await plain.proxy.entries())
})

test('more of a body than may wait is not lost while its key is looked for', async (t) => {
  const body = Array.from({ length: 300_000 }, (_, at) => String.fromCharCode(at % 251)).join('')
  const script: Script = ({ received, socket }) => {
    if (received.endsWith(body)) socket.write(OK)
  }
  const scene = await openScene(t, { limits: { headBytesMax: 1024 } }, script)
  const { client, newHeaders, upstream } = scene
  client.send(`POST /v1/some/ HTTP/1.1\r\n${newHeaders}Content-Length: ${body.length}\r\n\r\n`)
  const wait = await firstWait(scene)
  client.send(body)
  await whenReceived(scene)
  scene.learn()
  wait.end()
  await client.until((text) => text.endsWith('ok'))
  assert.equal(upstream.received().split('\r\n\r\n').slice(1).join('\r\n\r\n'), body)
})

test('requests behind one that waits are answered after it, in their order', async (t) => {
  const scene = await openScene(t)
  const { client, headers, newHeaders } = scene
  const get = (place: string, lines: string): string =>
    `GET /v1/some/${place} HTTP/1.1\r\n${lines}\r\n`
  client.send(get('1', newHeaders) + get('2', headers) + get('3', newHeaders))
  ;(await firstWait(scene)).end()
  await until(() => scene.waits.length === 2)
  await client.until((text) => text.endsWith('ok'))
  scene.learn()
  scene.waits[1]?.end()
  const text = await client.until((received) => received.split('\r\n\r\nok').length === 3)
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200', 'HTTP/1.1 200'])
  assert.deepEqual(scene.upstream.received().match(/GET \S+/g), ['GET /base/2', 'GET /base/3'])
})

test('a caller that leaves while its key is looked for starts no call', async (t) => {
  const scene = await openScene(t)
  const { client, newHeaders, proxy } = scene
  client.send(`GET /v1/some/ HTTP/1.1\r\n${newHeaders}\r\n`)
  const wait = await firstWait(scene)
  client.socket.resetAndDestroy()
  await until(() => count(scene, 'clientConnections') === 0)
  scene.learn()
  wait.end()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(scene.upstream.connections.length, 0)
  assert.deepEqual(
    (await proxy.entries()).map(({ kind }) => kind),
    ['start'],
  )
})

test('a caller that has sent all it will still gets its refusal', async (t) => {
  const scene = await openScene(t)
  const { client, newHeaders } = scene
  client.send(`GET /v1/some/ HTTP/1.1\r\n${newHeaders}\r\n`)
  const wait = await firstWait(scene)
  client.socket.end()
  await whenReceived(scene)
  wait.end()
  assert.match(await client.closed(), REFUSED)
})

test('a caller that waits for "100 Continue" gets it once its key is known', async (t) => {
  const script: Script = ({ received, socket }) => {
    socket.write(received.endsWith('body') ? OK : 'HTTP/1.1 100 Continue\r\n\r\n')
  }
  const scene = await openScene(t, {}, script)
  const { client, newHeaders } = scene
  const lines = `${newHeaders}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`
  client.send(`PUT /v1/some/ HTTP/1.1\r\n${lines}`)
  const wait = await firstWait(scene)
  assert.equal(client.received, '')
  scene.learn()
  wait.end()
  await client.until((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n')
  client.send('body')
  await client.until((text) => text.endsWith('ok'))
})

test('a wrong secret of a known key is looked for, and what is no credential is not', async (t) => {
  const scene = await openScene(t)
  const { client, proxy } = scene
  const send = (...credentials: string[]): void => {
    const lines = credentials.map((credential) => `X-SVC-API-Key: ${credential}\r\n`)
    client.send(`GET /v1/some/ HTTP/1.1\r\nHost: proxy\r\n${lines.join('')}\r\n`)
  }
  const rotated = formatCredential({ ...createKeyCredential(), id: proxy.key.id })
  send(rotated)
  const wait = await firstWait(scene)
  assert.equal(wait.id, proxy.key.id)
  wait.end()
  await client.until((text) => text.endsWith('}'))
  send('svc_k_nonsense')
  send(rotated, rotated)
  send()
  await client.until((text) => text.split('HTTP/1.1 401').length === 5)
  assert.equal(scene.waits.length, 1)
})

test('neither the idle limit nor a drain ends a connection whose key is looked for', async (t) => {
  const limitsClock = createManualClock()
  const scene = await openScene(t, { limits: { idleTimeoutMs: 20 }, limitsClock })
  const { client, newHeaders, proxy } = scene
  client.send(`GET /v1/some/ HTTP/1.1\r\n${newHeaders}\r\n`)
  const wait = await firstWait(scene)
  await limitsClock.pass(100)
  const drained = proxy.drain({ timeoutMs: 30_000, idleMs: 0 })
  scene.learn()
  wait.end()
  assert.match(await client.until((text) => text.endsWith('ok')), /^HTTP\/1\.1 200 /)
  client.socket.end()
  await drained
})

test("a key in the place of the provider's credential is waited for alike", async (t) => {
  const scene = await openScene(t, { credentials: { some: { choose: () => 'sk-stored' } } })
  const { client, newHeaders, upstream } = scene
  const lines = newHeaders.replace('X-SVC-API-Key: ', 'authorization: bearer ')
  client.send(`GET /v1/some/a HTTP/1.1\r\n${lines}\r\n`)
  const wait = await firstWait(scene)
  scene.learn({ useCredentials: ['some'] })
  wait.end()
  await client.until((text) => text.endsWith('ok'))
  assert.match(upstream.received(), /\r\nauthorization: bearer sk-stored\r\n/)
  assert.doesNotMatch(upstream.received(), /svc_k_/)
})
