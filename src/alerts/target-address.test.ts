import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { TargetKind } from '../core/alert.ts'
import { checkTargetAddress } from './target-address.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inner.example.com': ['10.1.2.3'],
  'both.example.com': ['93.184.215.14', '192.168.1.1'],
  'six.example.com': ['93.184.215.14', 'fd00:ec2::254'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'zoned.example.com': ['fe80::1%2'],
  'odd.example.com': ['no address'],
}

const lookup = async (host: string): Promise<readonly string[]> => {
  const found = NAMES[host]
  if (found === undefined) throw new Error(`queryA ENOTFOUND ${host}`)
  return found
}

function check(kind: TargetKind, address: string, allowPrivate = false): Promise<string | null> {
  return checkTargetAddress(kind, address, { allowPrivate, lookup, canMail: true })
}

// Each with a part of the sentence.
const INSIDE: readonly (readonly [address: string, where: RegExp])[] = [
  ['http://169.254.169.254/', /169\.254\.169\.254 is on the local link/],
  ['http://169.254.169.254/latest/meta-data/iam', /the local link/],
  ['http://localhost:1', /localhost is inside the network/],
  ['http://localhost./', /localhost is inside/],
  ['http://LOCALHOST/', /localhost is inside/],
  ['https://api.localhost/', /api\.localhost is inside/],
  ['http://metadata.google.internal/', /metadata\.google\.internal is inside/],
  ['http://metadata.google.internal./', /is inside/],
  ['http://host.docker.internal:8080/', /is inside/],
  ['http://printer.local/', /is inside/],
  ['http://127.0.0.1/', /on this machine/],
  ['http://127.255.255.254/', /on this machine/],
  ['http://127.1/', /on this machine/],
  ['http://0x7f.1/', /127\.0\.0\.1 is on this machine/],
  ['http://0x7f000001/', /on this machine/],
  ['http://2130706433/', /127\.0\.0\.1 is on this machine/],
  ['http://017700000001/', /on this machine/],
  ['http://0177.0.0.1/', /on this machine/],
  ['http://127.0.0.1./', /on this machine/],
  ['http://１２７.０.０.１/', /on this machine/],
  ['http://%31%32%37.0.0.1/', /on this machine/],
  ['http://0.0.0.0/', /on this machine/],
  ['http://0/', /on this machine/],
  ['http://0.1.2.3/', /on this machine/],
  ['http://10.0.0.1/', /a private network/],
  ['http://10.255.255.255/', /a private network/],
  ['http://172.16.0.1/', /a private network/],
  ['http://172.31.255.255/', /a private network/],
  ['http://192.168.0.1/', /a private network/],
  ['http://3232235777/', /192\.168\.1\.1 is in a private network/],
  ['http://100.64.0.1/', /a provider's internal network/],
  ['http://100.100.100.200/latest/meta-data', /a provider's internal network/],
  ['http://100.127.255.255/', /a provider's internal network/],
  ['http://168.63.129.16/', /the local link/],
  ['http://192.0.0.192/', /a reserved range/],
  ['http://198.18.0.1/', /a reserved range/],
  ['http://198.19.255.255/', /a reserved range/],
  ['http://224.0.0.1/', /a multicast range/],
  ['http://239.255.255.255/', /a multicast range/],
  ['http://240.0.0.1/', /a reserved range/],
  ['http://255.255.255.255/', /a reserved range/],
  ['http://[::]/', /on this machine/],
  ['http://[::1]/', /on this machine/],
  ['http://[0:0:0:0:0:0:0:1]:8080/', /on this machine/],
  ['http://[::ffff:127.0.0.1]/', /on this machine/],
  ['http://[::ffff:7f00:1]/', /on this machine/],
  ['http://[::ffff:10.0.0.1]/', /a private network/],
  ['http://[::ffff:169.254.169.254]/', /the local link/],
  ['http://[::ffff:0:127.0.0.1]/', /a reserved range/],
  ['http://[::127.0.0.1]/', /a reserved range/],
  ['http://[64:ff9b::127.0.0.1]/', /on this machine/],
  ['http://[64:ff9b::a9fe:a9fe]/', /the local link/],
  ['http://[64:ff9b::10.9.8.7]/', /a private network/],
  ['http://[64:ff9b:1::10.9.8.7]/', /a reserved range/],
  ['http://[2002:7f00:1::]/', /on this machine/],
  ['http://[2002:a9fe:a9fe::1]/', /the local link/],
  ['http://[2002:c0a8:101:1::1]/', /a private network/],
  ['http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', /a reserved range/],
  ['http://[fe80::1]/', /the local link/],
  ['http://[febf::1]/', /the local link/],
  ['http://[fc00::1]/', /a private network/],
  ['http://[fd00:ec2::254]/', /a private network/],
  ['http://[fec0::1]/', /a reserved range/],
  ['http://[ff02::1]/', /a multicast range/],
  ['http://[100::1]/', /a reserved range/],
  ['http://[4000::1]/', /a reserved range/],
  ['https://inner.example.com/hook', /inner\.example\.com resolves to 10\.1\.2\.3, which is in/],
  ['https://INNER.example.com./hook', /inner\.example\.com resolves to 10\.1\.2\.3/],
  ['https://both.example.com/hook', /both\.example\.com resolves to 192\.168\.1\.1/],
  ['https://six.example.com/hook', /resolves to fd00:ec2::254/],
  ['https://mapped.example.com/hook', /on this machine/],
  ['https://zoned.example.com/hook', /the local link/],
  ['https://odd.example.com/hook', /a reserved range/],
]

for (const [address, where] of INSIDE) {
  test(`refuses ${address}, unless the configuration allows it`, async () => {
    for (const kind of ['webhook', 'slack'] as const) {
      const fault = await check(kind, address)
      assert.match(fault ?? 'taken', where)
      assert.match(
        fault ?? 'taken',
        /unless the configuration says alerts\.allowPrivateTargets: true\.$/,
      )
      assert.equal(await check(kind, address, true), null)
    }
  })
}

const PUBLIC = [
  'https://hooks.example.com/services/T0/B0/x?y=z#w',
  'http://hooks.example.com:8080/',
  'https://not-known-yet.example.com/hook',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://mylocalhost/',
  'http://8.8.8.8/',
  'http://9.255.255.255/',
  'http://11.0.0.0/',
  'http://172.15.255.255/',
  'http://172.32.0.0/',
  'http://100.63.255.255/',
  'http://100.128.0.0/',
  'http://169.253.255.255/',
  'http://192.169.0.0/',
  'http://223.255.255.255/',
  'http://[2606:4700:4700::1111]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::8.8.8.8]/',
  'http://[2002:808:808::1]/',
]

for (const address of PUBLIC) {
  test(`takes ${address}`, async () => {
    assert.equal(await check('webhook', address), null)
  })
}

const MALFORMED: readonly (readonly [kind: TargetKind, address: string, fault: RegExp])[] = [
  ['webhook', '', /http:\/\/ or https:\/\//],
  ['webhook', 'hooks.example.com', /http:\/\/ or https:\/\//],
  ['webhook', 'ftp://hooks.example.com/', /http:\/\/ or https:\/\//],
  ['webhook', 'file:///etc/passwd', /http:\/\/ or https:\/\//],
  ['webhook', 'https://', /http:\/\/ or https:\/\//],
  ['webhook', 'https://hooks.example.com/a b', /http:\/\/ or https:\/\//],
  ['webhook', 'https://hooks.example\n.com/', /http:\/\/ or https:\/\//],
  ['webhook', 'http:\\\\hooks.example.com', /http:\/\/ or https:\/\//],
  ['webhook', 'https://user:secret@hooks.example.com/', /not contain a user name or a password/],
  ['slack', 'https://user@hooks.example.com/', /a user name/],
  ['webhook', `https://hooks.example.com/${'x'.repeat(2048)}`, /at most 2048 characters/],
  ['email', 'team', /single address/],
  ['email', 'Team <team@example.com>', /single address/],
  ['email', 'a@example.com, b@example.com', /single address/],
  ['email', 'a@example.com\r\nBcc: b@example.com', /single address/],
  ['email', 'a@example.com\n', /single address/],
  ['email', '"a b"@example.com', /single address/],
]

for (const [kind, address, fault] of MALFORMED) {
  test(`refuses ${kind} ${JSON.stringify(address.slice(0, 60))}, whatever is allowed`, async () => {
    for (const isAllowed of [false, true]) {
      const said = await check(kind, address, isAllowed)
      assert.match(said ?? 'taken', fault)
      assert.doesNotMatch(said ?? '', /secret/)
    }
  })
}

test('takes an address of e-mail', async () => {
  assert.equal(await check('email', "o'neil+weir@mail.example.com"), null)
})

test('a name that nobody answers for is taken after three seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lookup = () => new Promise<never>(() => {})
  const silent = { allowPrivate: false, canMail: true, lookup }
  const checked = checkTargetAddress('webhook', 'https://slow.example.com/', silent)
  t.mock.timers.tick(3000)
  assert.equal(await checked, null)
})
