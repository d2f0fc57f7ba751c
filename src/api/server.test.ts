import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { readAuthority, readCertificate } from '../../test/fakes/certificates.ts'
import { rawCall } from '../../test/fakes/callers/raw-client.ts'
import { SITE } from '../../test/fakes/service-info.ts'
import { SIGN_IN } from '../../test/fakes/sign-in-options.ts'
import { systemClock } from '../core/clock.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import { openSqliteSettings } from '../store/settings/sqlite/store.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { API_LIMITS, openApiServer } from './server.ts'
import type { ApiServer, ApiServerOptions } from './server.ts'

let dir: string
let settings: SettingsStore
let store: LedgerStore
let server: ApiServer
let base: string

function open(change: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  return openApiServer({
    at: { host: '127.0.0.1', port: 0 },
    settings,
    usage: store.usage,
    ledgerProgress: store.progress,
    clock: systemClock,
    isReady: () => Promise.resolve(null),
    completeness: () => Promise.reject(new Error('these tests do not ask for it')),
    renderMetrics: () => Promise.resolve(''),
    slugOf: (provider, model) => `${provider}/${model}`,
    checkTarget: () => Promise.resolve(null),
    sendTest: () => Promise.reject(new Error('these tests do not ask for it')),
    checkKey: () => Promise.reject(new Error('these tests do not ask for it')),
    requireProviders: () => Promise.reject(new Error('these tests do not ask for it')),
    prices: () => Promise.reject(new Error('these tests do not ask for it')),
    teamAdoption: () => Promise.reject(new Error('these tests do not ask for it')),
    info: { version: '1.2.3', proxyUrl: 'http://127.0.0.1:7070', providers: [] },
    consoleDir: null,
    signIn: SIGN_IN,
    site: SITE,
    log: { warn: () => {}, error: () => {} },
    ...change,
  })
}

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'weir-api-'))
  settings = await openSqliteSettings({ file: join(dir, 'settings.sqlite'), clock: systemClock })
  store = await openSqliteLedger({ file: join(dir, 'usage.sqlite') })
  server = await open()
  base = `http://127.0.0.1:${server.port}`
})

after(async () => {
  await server.close()
  await store.close()
  await settings.close()
  rmSync(dir, { recursive: true })
})

test('close answers what is under way, then ends its kept-alive connection at once', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string | null>()
  const draining = await open({
    isReady: () => {
      asked.resolve()
      return answer.promise
    },
  })
  const idle = connect(draining.port, '127.0.0.1')
  await once(idle, 'connect')
  const busy = connect(draining.port, '127.0.0.1')
  busy.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n')
  await asked.promise
  const startedAt = performance.now()
  const closed = draining.close()
  await assert.rejects(fetch(`http://127.0.0.1:${draining.port}/healthz`))
  answer.resolve(null)
  assert.match((await busy.toArray()).join(''), /^HTTP\/1\.1 200 OK/)
  await closed
  assert.ok(performance.now() - startedAt < API_LIMITS.keepAliveTimeoutMs)
  idle.destroy()
})

test('with a successor on its port, close leaves a kept-alive connection one more request', async () => {
  const leaving = await open({})
  const caller = connect(leaving.port, '127.0.0.1')
  const ask = (): boolean => caller.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  ask()
  const [first] = await once(caller, 'data')
  assert.match(String(first), /^HTTP\/1\.1 200 OK[^]*keep-alive/i)
  const closed = leaving.close(API_LIMITS.keepAliveTimeoutMs)
  await assert.rejects(fetch(`http://127.0.0.1:${leaving.port}/healthz`))
  ask()
  const rest = (await caller.toArray()).join('')
  assert.match(rest, /^HTTP\/1\.1 200 OK[^]*Connection: close/i)
  await closed
})

test('a second close ends idle connections that the first would have kept', async () => {
  const leaving = await open({})
  const idle = connect(leaving.port, '127.0.0.1')
  idle.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(idle, 'data')
  const startedAt = performance.now()
  const closed = leaving.close(API_LIMITS.keepAliveTimeoutMs)
  await leaving.close()
  await closed
  assert.ok(performance.now() - startedAt < API_LIMITS.keepAliveTimeoutMs)
  idle.destroy()
})

test('listens on a socket that another process bound and handed over', async () => {
  // A child, as the supervisor's are: a process gets its own copy of the socket.
  const script = `
    const { BoundSocket } = require('node:net')
    const { spawn } = require('node:child_process')
    const socket = new BoundSocket({ host: '127.0.0.1', port: 0 })
    spawn(process.execPath, ['--input-type=module', '-e', process.argv[1]], {
      stdio: ['ignore', 'inherit', 'inherit', socket.fd()],
    }).on('exit', (code) => process.exit(code))`
  const child = `
    import { openApiServer } from ${JSON.stringify(new URL('server.ts', import.meta.url).href)}
    const api = await openApiServer({
      at: { fd: 3 }, consoleDir: null, signIn: { oidc: null, publicUrl: null, isTls: false }, info: { version: '', proxyUrl: '', providers: [] },
      settings: {}, clock: { now: () => 0, monotonic: () => 0 },
    })
    const response = await fetch('http://127.0.0.1:' + api.port + '/healthz')
    process.stdout.write(await response.text())
    await api.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, child])
  assert.equal(stdout, '{"status":"ok"}')
})

test('a port that is taken is named, with what to do', async () => {
  await assert.rejects(open({ at: { host: '127.0.0.1', port: server.port } }), {
    code: 'port_taken',
    message: `The API cannot listen on 127.0.0.1:${server.port}: the port is taken.`,
    hint: /WEIR_API_PORT/,
  })
})

test('an address that is not of this machine is named, with what to check', async () => {
  await assert.rejects(open({ at: { host: '192.0.2.1', port: 0 } }), {
    code: 'invalid_config',
    hint: /WEIR_API_HOST/,
  })
})

test('a request without a valid host is refused in our shape', async () => {
  const outgoing = request(`${base}/v1/info`, { headers: { host: 'a b' } }).end()
  const [incoming] = await once(outgoing, 'response')
  assert.equal(incoming.statusCode, 400)
  assert.equal(JSON.parse((await incoming.toArray()).join('')).code, 'bad_request')
})

test('a head above the limit is refused, one below it is not', async () => {
  const ask = async (bytes: number): Promise<number> =>
    (await fetch(`${base}/healthz`, { headers: { 'x-long': 'x'.repeat(bytes) } })).status
  assert.equal(await ask(API_LIMITS.headBytesMax), 431)
  assert.equal(await ask(API_LIMITS.headBytesMax - 1024), 200)
})

test('a body that was refused does not keep the connection', async () => {
  const socket = connect(server.port, '127.0.0.1')
  const head = 'POST /v1/setup HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n'
  socket.write(head + 'x'.repeat(10_000))
  const [bytes] = await once(socket, 'data')
  assert.match(String(bytes), /^HTTP\/1\.1 413/)
  socket.destroy()
})

test('probes are answered and others refused while every connection waits for its answer', async (t) => {
  const answer = Promise.withResolvers<string | null>()
  let asked = 0
  const hits: string[] = []
  const busy = await open({
    isReady: () => {
      asked++
      return answer.promise
    },
    limitHit: (limit) => void hits.push(limit),
  })
  const sockets = Array.from({ length: API_LIMITS.connectionsMax }, () => {
    const socket = connect(busy.port, '127.0.0.1')
    socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    return socket
  })
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await busy.close()
  })
  while (asked < sockets.length) await new Promise((resolve) => setImmediate(resolve))
  const address = `http://127.0.0.1:${busy.port}`
  const probe = await fetch(`${address}/healthz`)
  assert.deepEqual([probe.status, probe.headers.get('connection')], [200, 'close'])
  const refused = await fetch(`${address}/v1/info`)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.equal(((await refused.json()) as { code: string }).code, 'overloaded')
  assert.deepEqual(hits, ['api_connections', 'api_connections'])
  answer.resolve(null)
  for (const socket of sockets)
    assert.match((await socket.toArray()).join(''), /^HTTP\/1\.1 200 OK/)
})

const BODIES: readonly (readonly [framing: string, lines: string])[] = [
  ['without a body', '\r\n'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['with its length', 'Content-Length: 2\r\n\r\n{}'],
]

for (const [framing, lines] of BODIES) {
  for (const [path, status] of [
    ['/v1/setup', 400],
    ['/v1/session', 400],
    ['/mcp', 401],
  ] as const) {
    test(`a POST to ${path} ${framing} is answered ${status}`, async () => {
      const head = 'Host: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n'
      const origin = 'Sec-Fetch-Site: same-origin\r\n'
      const answer = await rawCall(server.port, `POST ${path} HTTP/1.1\r\n${head}${origin}${lines}`)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
    })
  }
}

test('close waits neither for TLS handshakes nor for idle connections inside TLS', async () => {
  const tls = readCertificate('server')
  const draining = await open({ tls })
  const stranger = connect(draining.port, '127.0.0.1')
  stranger.on('error', () => {})
  await once(stranger, 'connect')
  const known = connectTls({ port: draining.port, host: '127.0.0.1', ca: readAuthority() })
  known.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(known, 'data')
  const startedAt = performance.now()
  await draining.close()
  assert.ok(performance.now() - startedAt < API_LIMITS.keepAliveTimeoutMs)
  stranger.destroy()
  known.destroy()
})
