import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasAddress, parseNetworks } from './networks.ts'

const rows: readonly (readonly [text: string, address: string, isIn: boolean])[] = [
  ['', '127.0.0.1', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  [' 10.0.0.0/8 ,, fd00::/8,', '10.255.0.1', true],
  ['10.0.0.0/8, fd00::/8', 'fd12::1', true],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['0.0.0.0/0', '203.0.113.5', true],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['10.0.0.0/8', 'weir', false],
]

for (const [text, address, isIn] of rows) {
  test(`${address} is ${isIn ? '' : 'not '}in "${text}"`, () => {
    const list = parseNetworks(text)
    assert.ok(list !== null)
    assert.equal(hasAddress(list, address), isIn)
  })
}

for (const text of ['weir', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0/8', '10.0.0.1/8/8']) {
  test(`"${text}" is neither an address nor a network`, () => {
    assert.equal(parseNetworks(`127.0.0.1, ${text}`), null)
  })
}

test('an address with a zone is refused', () => assert.equal(parseNetworks('fe80::1%eth0'), null))
