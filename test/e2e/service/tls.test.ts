// The real program behind TLS and in front of it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent as HttpAgent, request as requestPlain } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestTls } from 'node:https'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'
import { certificatePath, readAuthority } from '../../fakes/certificates.ts'
import { openConnectProxy } from '../../fakes/upstreams/connect-proxy.ts'
import { createEnvironment, openProgram, runWeir } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { answeringTls, openTlsUpstream } from '../../fakes/upstreams/tls-upstream.ts'
import { openFakeUpstream } from '../../fakes/upstreams/upstream.ts'

const TLS = { TLS_CERT: certificatePath('server.pem'), TLS_KEY: certificatePath('server.key') }
const CHAT = JSON.stringify({ model: 'acme/writer', messages: [], metadata: { cost: '0.5' } })
/** Only what hangs takes so long. */
const WAIT_MS_MAX = 120_000
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

interface Caller {
  readonly post: (path: string) => Promise<Answer>
}

/** A key that the proxy knows, and calls with it on connections that are kept. */
async function openCaller(t: TestContext, program: Program): Promise<Caller> {
  const { proxy } = program.addresses
  const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'app')
  const agent = proxy.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true, ca: readAuthority() })
    : new HttpAgent({ keepAlive: true })
  t.after(() => agent.destroy())
  const send = proxy.startsWith('https:') ? requestTls : requestPlain
  async function post(path: string): Promise<Answer> {
    const headers = { 'x-svc-api-key': key, 'content-length': CHAT.length }
    const sent = send(proxy + path, { agent, method: 'POST', headers })
    sent.end(CHAT)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response) text += String(chunk)
    return { status: response.statusCode, text }
  }
  // A new key is known within a second; until then its calls are answered 401.
  const until = systemClock.monotonic() + WAIT_MS_MAX
  while ((await post('/v1/unknown/')).status === 401) {
    assert.ok(systemClock.monotonic() < until, 'the key is still unknown')
    await pause(20)
  }
  return { post }
}

test('serves callers by TLS on its own port, and says so', async (t) => {
  const upstream = await openFakeUpstream()
  t.after(() => upstream.close())
  const program = await openProgram({
    settings: { ...TLS, PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`, PROXY_WORKERS: '2' },
  })
  t.after(() => program.close())
  const { proxy } = program.addresses
  assert.match(proxy, /^https:\/\/127\.0\.0\.1:\d+$/)
  assert.match(program.addresses.api, /^http:/)
  const caller = await openCaller(t, program)
  for (let count = 1; count <= 10; count++) {
    const { status, text } = await caller.post('/v1/gateway/v1/chat/completions')
    assert.equal(status, 200, text)
  }
  assert.equal(upstream.callCount, 10)
  assert.equal(await program.stop(), 0)
})

test('a process that is started again needs no file that is gone by then', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-tls-e2e-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const copy = (name: string): string => {
    copyFileSync(certificatePath(name), join(folder, name))
    return join(folder, name)
  }
  const [cert, key] = [copy('server.pem'), copy('server.key')]
  const program = await openProgram({
    settings: { TLS_CERT: cert, TLS_KEY: key, API_TLS_CERT: cert, API_TLS_KEY: key },
  })
  t.after(() => program.close())
  const { post } = await openCaller(t, program)
  rmSync(key)
  const workers = program.pids('proxy')
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (let isServed = false; !isServed;) {
    assert.ok(systemClock.monotonic() < until, 'no worker has started')
    await pause(40)
    const answered = post('/v1/unknown/').then(({ status }) => status === 404)
    isServed = await Promise.race([answered.catch(() => false), pause(1000, false)])
  }
  assert.ok(program.pids('proxy').every((pid) => !workers.includes(pid)))
})

test('trusts what NODE_EXTRA_CA_CERTS names, through the proxy that HTTPS_PROXY names', async (t) => {
  const upstream = await openTlsUpstream(t, { script: answeringTls(OK) })
  // TLS to the proxy and TLS inside its tunnel, both by an authority that the variable alone names.
  const outgoing = await openConnectProxy(t, { isTls: true })
  const program = await openProgram({
    settings: {
      PROVIDER_OPENAI_URL: `https://upstream.test:${upstream.port}/base`,
      PROVIDER_GATEWAY_URL: `https://localhost:${upstream.port}/direct`,
      PROXY_WORKERS: '1',
    },
    environment: {
      NODE_EXTRA_CA_CERTS: certificatePath('authority.pem'),
      HTTPS_PROXY: `https://me:hunter2@localhost:${outgoing.port}`,
      NO_PROXY: '',
      no_proxy: '',
    },
  })
  t.after(() => program.close())
  const caller = await openCaller(t, program)
  for (let count = 0; count < 3; count++) {
    assert.deepEqual(await caller.post('/v1/openai/v1/models'), { status: 200, text: 'ok' })
  }
  assert.equal(outgoing.heads.length, 1)
  assert.match(outgoing.heads[0] ?? '', /^CONNECT upstream\.test:\d+ HTTP\/1\.1\r\n/)
  assert.match(outgoing.heads[0] ?? '', /\r\nProxy-Authorization: Basic bWU6aHVudGVyMg==\r\n/)
  // This machine is reached without it.
  assert.equal((await caller.post('/v1/gateway/v1/models')).text, 'ok')
  assert.equal(outgoing.heads.length, 1)
  assert.deepEqual(
    upstream.connections.map(({ servername }) => servername),
    ['upstream.test', 'localhost'],
  )
})

test('does not start with a certificate that is not there, and says which', async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-tls-e2e-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const env = createEnvironment({ ...TLS, TLS_CERT: 'gone.pem', PROXY_PORT: '0', API_PORT: '0' })
  const { code, err } = await runWeir(['start'], { cwd, env })
  assert.equal(code, 1)
  assert.match(err, /tls\.cert \(\S+gone\.pem\): does not exist; write the path of a PEM file/)
})
