// Fetching over TLS: through the outgoing proxy, and where redirects may lead.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { readAuthority } from '../../../test/fakes/certificates.ts'
import { openPriceServer } from '../../../test/fakes/peers/price-server.ts'
import { openConnectProxy } from '../../../test/fakes/upstreams/connect-proxy.ts'
import { answeringTls, openTlsUpstream } from '../../../test/fakes/upstreams/tls-upstream.ts'
import { createProxyChooser } from '../../config/outgoing-proxy.ts'
import type { OutgoingProxySettings } from '../../config/outgoing-proxy.ts'
import { fetchPriceData } from './fetch-price-data.ts'

const usual = getCACertificates('default')
before(() => setDefaultCACertificates([...usual, readAuthority()]))
after(() => setDefaultCACertificates(usual))

const fetchFrom = (address: string, proxy: OutgoingProxySettings = {}) =>
  fetchPriceData(address, {
    etag: null,
    chooseProxy: createProxyChooser(proxy),
    timeLimitMs: 60_000,
    signal: new AbortController().signal,
  })

const ANSWER = 'HTTP/1.1 200 OK\r\nETag: "one"\r\nContent-Length: 2\r\n\r\n[]'

test('goes through the proxy, with its credentials, and checks the certificate', async (t) => {
  const server = await openTlsUpstream(t, { script: answeringTls(ANSWER) })
  const proxy = await openConnectProxy(t)
  const settings = { httpsProxy: `http://me:secret@127.0.0.1:${proxy.port}` }
  const address = `https://upstream.test:${server.port}/data.json`
  const fetched = await fetchFrom(address, settings)
  assert.deepEqual(fetched, { kind: 'fetched', text: '[]', etag: '"one"' })
  assert.match(proxy.heads[0] ?? '', /^CONNECT upstream\.test:\d+ /)
  // `me:secret` in Base64.
  assert.match(proxy.heads[0] ?? '', /proxy-authorization: Basic bWU6c2VjcmV0\r\n/i)

  const foreign = await openTlsUpstream(t, { certificate: 'elsewhere' })
  const refused = await fetchFrom(`https://upstream.test:${foreign.port}/`, settings)
  assert.equal(refused.kind, 'unreachable')
})

test('noProxy is honoured', async (t) => {
  const proxy = await openConnectProxy(t)
  const settings = { httpsProxy: `http://127.0.0.1:${proxy.port}`, noProxy: '.invalid' }
  const { kind } = await fetchFrom('https://prices.invalid/data.json', settings)
  assert.deepEqual([kind, proxy.heads], ['unreachable', []])
})

test('a proxy that refuses is named, without its password', async (t) => {
  const answer = ['HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n']
  const proxy = await openConnectProxy(t, { answer, canTunnel: false })
  const settings = { httpsProxy: `http://me:secret@127.0.0.1:${proxy.port}` }
  const outcome = await fetchFrom('https://upstream.test/data.json', settings)
  assert.equal(outcome.kind, 'unreachable')
  assert.match(JSON.stringify(outcome), /through the proxy of upstream\.httpsProxy/)
  assert.doesNotMatch(JSON.stringify(outcome), /secret/)
})

test('a server elsewhere cannot redirect to this machine, not even by TLS', async (t) => {
  const inside = await openPriceServer(t)
  inside.publish('[]')
  const proxy = await openConnectProxy(t)
  for (const location of [inside.url, inside.url.replace('http:', 'https:')]) {
    const moved = `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
    const server = await openTlsUpstream(t, { script: answeringTls(moved) })
    const settings = { httpsProxy: `http://127.0.0.1:${proxy.port}` }
    const outcome = await fetchFrom(`https://upstream.test:${server.port}/`, settings)
    assert.equal(outcome.kind, 'redirect')
  }
  assert.deepEqual(inside.asked, [])
})
