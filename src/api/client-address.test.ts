import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNetworks } from '../config/networks.ts'
import { createClientAddress } from './client-address.ts'

const TRUSTED = '10.0.0.0/8, 192.0.2.9, fd00::/8'
const PROXY = '10.0.0.1'
const CLIENT = '203.0.113.5'

type Row = readonly [
  name: string,
  peer: string | undefined,
  headers: Readonly<Record<string, string>>,
  address: string,
]

const rows: readonly Row[] = [
  ['no header', PROXY, {}, PROXY],
  ['a peer that is not trusted', CLIENT, { 'x-forwarded-for': '1.1.1.1' }, CLIENT],
  ['the same by Forwarded', CLIENT, { forwarded: 'for=1.1.1.1' }, CLIENT],
  ['a connection that is gone', undefined, { 'x-forwarded-for': CLIENT }, 'unknown'],
  ['one hop', PROXY, { 'x-forwarded-for': CLIENT }, CLIENT],
  ['a forged hop on the left', PROXY, { 'x-forwarded-for': `1.1.1.1, ${CLIENT}` }, CLIENT],
  ['rubbish on the left', PROXY, { 'x-forwarded-for': `", ${CLIENT}` }, CLIENT],
  ['trusted hops', PROXY, { 'x-forwarded-for': `1.1.1.1,${CLIENT}, 192.0.2.9,10.9.9.9` }, CLIENT],
  ['trusted hops alone', PROXY, { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, '10.0.0.3'],
  ['a port', PROXY, { 'x-forwarded-for': `${CLIENT}:4711` }, CLIENT],
  ['IPv6', PROXY, { 'x-forwarded-for': '2001:DB8:0:0::1' }, '2001:db8::1'],
  ['IPv6 with a port', PROXY, { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
  ['IPv4 inside IPv6', PROXY, { 'x-forwarded-for': '::ffff:203.0.113.5' }, CLIENT],
  ['a peer of a dual-stack socket', `::ffff:${PROXY}`, { 'x-forwarded-for': CLIENT }, CLIENT],
  ['a trusted peer by IPv6', 'fd00::1', { 'x-forwarded-for': CLIENT }, CLIENT],
  ['a peer with a zone', 'fe80::1%eth0', { 'x-forwarded-for': CLIENT }, 'fe80::1'],
  ['a word', PROXY, { 'x-forwarded-for': `${CLIENT}, unknown` }, PROXY],
  ['an empty hop', PROXY, { 'x-forwarded-for': `${CLIENT}, ` }, PROXY],
  ['an empty header', PROXY, { 'x-forwarded-for': '' }, PROXY],
  ['a number', PROXY, { 'x-forwarded-for': '3405803781' }, PROXY],
  ['an octet too large', PROXY, { 'x-forwarded-for': '203.0.113.256' }, PROXY],
  ['Forwarded', PROXY, { forwarded: `for=${CLIENT};proto=https;by=10.0.0.1` }, CLIENT],
  [
    'Forwarded with names in any case and a list',
    PROXY,
    { forwarded: `for=1.1.1.1, proto=https; FOR="${CLIENT}:80" ,For="[fd00::7]:_x"` },
    CLIENT,
  ],
  ['Forwarded with IPv6', PROXY, { forwarded: 'for="[2001:db8::1]"' }, '2001:db8::1'],
  ['Forwarded with an escape', PROXY, { forwarded: 'for="203.0.113\\.5"' }, CLIENT],
  ['Forwarded without an address', PROXY, { forwarded: 'for=unknown' }, PROXY],
  ['Forwarded with a made-up name', PROXY, { forwarded: 'for=_hidden' }, PROXY],
  ['Forwarded without for', PROXY, { forwarded: `for=${CLIENT}, proto=https` }, PROXY],
  ['Forwarded with an open quote', PROXY, { forwarded: `for="1.1.1.1, for=${CLIENT}` }, PROXY],
  [
    'a quote that swallows what the proxy wrote',
    PROXY,
    { forwarded: 'for=1.1.1.1;x=", for="[2001:db8::1]"' },
    PROXY,
  ],
  ['an empty Forwarded', PROXY, { forwarded: '' }, PROXY],
  ['two that agree', PROXY, { forwarded: `for=${CLIENT}`, 'x-forwarded-for': CLIENT }, CLIENT],
  ['two that differ', PROXY, { forwarded: 'for=1.1.1.1', 'x-forwarded-for': CLIENT }, PROXY],
]

for (const [name, remoteAddress, headers, address] of rows) {
  test(`the client's address with ${name} is ${address}`, () => {
    const clientAddress = createClientAddress(parseNetworks(TRUSTED))
    assert.equal(clientAddress({ headers, socket: { remoteAddress } }), address)
  })
}

test('where no proxy is trusted, no header is read', () => {
  const request = { headers: { 'x-forwarded-for': CLIENT }, socket: { remoteAddress: PROXY } }
  assert.equal(createClientAddress(null)(request), PROXY)
  assert.equal(createClientAddress(parseNetworks(''))(request), PROXY)
})

test('a long header is read in a moment', () => {
  const clientAddress = createClientAddress(parseNetworks(TRUSTED))
  for (const forwarded of [
    'for="'.repeat(3000),
    `${'for=10.0.0.1;'.repeat(1000)}x`,
    ' '.repeat(16_000),
  ]) {
    const request = { headers: { forwarded }, socket: { remoteAddress: PROXY } }
    assert.equal(clientAddress(request), PROXY)
  }
})
