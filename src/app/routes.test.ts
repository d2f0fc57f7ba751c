// Providers with their addresses, certificates and outgoing proxies, from settings to calls.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { certificatePath, readAuthority } from '../../test/fakes/certificates.ts'
import { openRawClient } from '../../test/fakes/callers/raw-client.ts'
import { openTestProxy } from '../../test/fakes/open-proxy.ts'
import { answeringTls, openTlsUpstream } from '../../test/fakes/upstreams/tls-upstream.ts'
import { systemClock } from '../core/clock.ts'
import { loadConfig } from '../config/config.ts'
import { createMeter } from './meter.ts'
import { createRoutes } from './routes.ts'
import type { Routes } from './routes.ts'
import { readTlsFiles } from '../config/tls-files.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

function routesOf(t: TestContext, settings: Readonly<Record<string, string>>): Routes {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-routes-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const config = loadConfig({ env: settings, cwd })
  const deadlines = { add: () => {}, delete: () => {}, until: () => Infinity, close: () => {} }
  const { authorities } = readTlsFiles(config)
  const meter = createMeter()
  const warn = (): void => {}
  const files = { authorities, credentials: new Map() }
  return createRoutes(config, { clock: systemClock, meter, deadlines, ...files, warn })
}

const BASES: readonly (readonly [url: string, host: string, basePath: string])[] = [
  ['https://ai.example.com', 'ai.example.com', ''],
  ['https://ai.example.com/', 'ai.example.com', ''],
  ['https://ai.example.com:443/base', 'ai.example.com', '/base'],
  ['https://ai.example.com:8443/base//', 'ai.example.com:8443', '/base'],
  ['http://[::1]:8080/a/b%20c/', '[::1]:8080', '/a/b%20c'],
]

for (const [url, host, basePath] of BASES) {
  test(`puts the base path of ${url} in front of every path`, (t) => {
    const { upstream } = routesOf(t, { WEIR_PROVIDER_OPENAI_URL: url }).byId.get('openai') ?? {}
    assert.deepEqual([upstream?.host, upstream?.basePath], [host, basePath])
  })
}

test('gives a provider the region that the operator states, and others none', (t) => {
  const { byId } = routesOf(t, {
    WEIR_PROVIDER_AZURE_URL: 'https://acme.openai.azure.com',
    WEIR_PROVIDER_AZURE_REGION: 'data-zone-eu',
  })
  assert.deepEqual(
    [byId.get('azure')?.region, byId.get('openai')?.region],
    ['data-zone-eu', undefined],
  )
})

test('shares connections between providers at one origin that trust the same authorities', (t) => {
  const { byId } = routesOf(t, {
    WEIR_PROVIDER_OPENAI_URL: 'https://ai.example.com/one',
    WEIR_PROVIDER_GATEWAY_URL: 'https://ai.example.com/two',
    WEIR_PROVIDER_MINE_URL: 'https://ai.example.com/three',
    WEIR_PROVIDER_MINE_SHAPE: 'openai',
    WEIR_PROVIDER_MINE_CA: certificatePath('authority.pem'),
  })
  const poolOf = (id: string): unknown => byId.get(id)?.upstream.pool
  assert.equal(poolOf('openai'), poolOf('gateway'))
  assert.notEqual(poolOf('openai'), poolOf('mine'))
})

test('takes further authorities for a built-in provider at its own address', (t) => {
  const env = { WEIR_PROVIDER_OPENAI_CA: certificatePath('authority.pem') }
  const { provider, upstream } = routesOf(t, env).byId.get('openai') ?? {}
  assert.equal(upstream?.host, new URL(provider?.upstream ?? '').host)
})

async function openCaller(t: TestContext, port: number, ca: string | undefined) {
  const proxy = await openTestProxy({
    upstreams: { some: `https://localhost:${port}/base` },
    outgoing: { ca },
  })
  t.after(() => proxy.close())
  const client = await openRawClient(proxy.port)
  t.after(() => client.socket.destroy())
  const headers = `Host: p\r\nX-SVC-API-Key: ${proxy.credential}\r\n`
  return { client, get: (path: string) => `GET /v1/some${path} HTTP/1.1\r\n${headers}\r\n` }
}

test('carries calls over TLS, below a base path, on one connection', async (t) => {
  const seen: string[] = []
  const answer = answeringTls(OK)
  const upstream = await openTlsUpstream(t, {
    script: (connection) => {
      seen.push(connection.received.split('\r\n', 2).join(' '))
      answer(connection)
    },
  })
  const { client, get } = await openCaller(t, upstream.port, readAuthority())
  for (let round = 1; round <= 3; round++) {
    client.send(get(`/v1/${round}`))
    await client.until((text) => text.split('\r\n\r\nok').length === round + 1)
  }
  const host = `Host: localhost:${upstream.port}`
  assert.deepEqual(
    seen,
    [1, 2, 3].map((round) => `GET /base/v1/${round} HTTP/1.1 ${host}`),
  )
  assert.equal(upstream.connections.length, 1)
})

test('opens a new connection once the upstream has ended the idle one by TLS', async (t) => {
  const upstream = await openTlsUpstream(t, { script: answeringTls(OK) })
  const { client, get } = await openCaller(t, upstream.port, readAuthority())
  for (let round = 1; round <= 5; round++) {
    client.send(get('/'))
    await client.until((text) => text.split('\r\n\r\nok').length === round + 1)
    const ended = upstream.connections.at(-1)?.socket
    ended?.end()
    while (ended?.destroyed === false) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(upstream.connections.length, 5)
  assert.deepEqual(
    upstream.connections.map(({ isResumed }) => isResumed),
    [false, true, true, true, true],
  )
})

test('answers 502 with the reason when a certificate is not accepted', async (t) => {
  const upstream = await openTlsUpstream(t, { script: answeringTls(OK) })
  const { client, get } = await openCaller(t, upstream.port, undefined)
  client.send(get('/'))
  const text = await client.until((received) => received.endsWith('}'))
  assert.match(text, /^HTTP\/1.1 502 [^]*X-SVC-Error: upstream_unreachable\r\n/)
  assert.match(text, /UNABLE_TO_VERIFY_LEAF_SIGNATURE[^]*providers\.some\.ca/)
})
