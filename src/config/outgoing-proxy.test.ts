import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createProxyChooser, toProxyUrl } from './outgoing-proxy.ts'

const API = 'https://api.example.com'

const CHOICES: readonly (readonly [noProxy: string, origin: string, isProxied: boolean])[] = [
  ['', API, true],
  ['*', API, false],
  ['other.com, *', API, false],
  ['api.example.com', API, false],
  ['API.Example.COM', API, false],
  ['api.example.com.', API, false],
  ['api.example.com', 'https://api.example.com.', false],
  ['example.com', API, false],
  ['.example.com', API, false],
  ['*.example.com', API, false],
  ['.example.com', 'https://example.com', true],
  ['*.example.com', 'https://example.com', true],
  ['ample.com', API, true],
  ['example.co', API, true],
  ['com', API, false],
  ['a.com,example.com', API, false],
  ['a.com example.com', API, false],
  ['a.com ,\t example.com ,', API, false],
  ['example.com:443', API, false],
  ['example.com:8443', API, true],
  ['example.com:8443', 'https://api.example.com:8443', false],
  ['10.1.2.3', 'https://10.1.2.3', false],
  ['10.1.2.3:443', 'https://10.1.2.3', false],
  ['10.1.2.3:444', 'https://10.1.2.3', true],
  ['10.1.2.3', 'https://10.1.2.4', true],
  ['10.0.0.0/8', 'https://10.1.2.3', false],
  ['10.0.0.0/8', 'https://11.1.2.3', true],
  ['10.0.0.0/0', 'https://11.1.2.3', false],
  ['10.0.0.0/33', 'https://10.1.2.3', true],
  ['10.0.0.0/8/8', 'https://10.1.2.3', true],
  ['0.0.0.0/0', API, true],
  ['fd00::/8', 'https://[fd12::1]', false],
  ['fd00::/8', 'https://[fe80::1]', true],
  ['[fd12::1]', 'https://[fd12::1]', false],
  ['fd12:0:0::1', 'https://[fd12::1]', false],
  ['[fd12::1]:443', 'https://[fd12::1]', false],
  ['[fd12::1]:444', 'https://[fd12::1]', true],
  ['10.0.0.0/8', 'https://[::ffff:10.1.2.3]', false],
  ['/', API, true],
  [':443', API, true],
  ['', 'http://api.example.com', false],
  ['', 'https://localhost:8443', false],
  ['', 'https://llm.localhost', false],
  ['', 'https://127.0.0.1', false],
  ['', 'https://127.9.9.9', false],
  ['', 'https://[::1]:8443', false],
  ['', 'https://localhost.example.com', true],
]

for (const [noProxy, origin, isProxied] of CHOICES) {
  const how = isProxied ? 'through the proxy' : 'directly'
  test(`reaches ${origin} ${how} with NO_PROXY "${noProxy.replace('\t', '\\t')}"`, () => {
    const choose = createProxyChooser({ httpsProxy: 'http://proxy.test:3128', noProxy })
    const chosen = choose(new URL(origin))
    assert.equal(chosen?.href ?? null, isProxied ? 'http://proxy.test:3128/' : null)
  })
}

test('reaches everything directly where no proxy is set', () => {
  assert.equal(createProxyChooser({})(new URL(API)), null)
})

const ADDRESSES: readonly (readonly [text: string, href: string | null])[] = [
  ['http://proxy:3128', 'http://proxy:3128/'],
  ['http://proxy:3128/', 'http://proxy:3128/'],
  ['https://proxy', 'https://proxy/'],
  ['proxy:3128', 'http://proxy:3128/'],
  ['user:pass@proxy:3128', 'http://user:pass@proxy:3128/'],
  ['http://us%40er:p%3Ass@[::1]:3128', 'http://us%40er:p%3Ass@[::1]:3128/'],
  ['http://user:50%@proxy', null],
  ['http://user:%ff@proxy', null],
  ['socks5://proxy:1080', null],
  ['http://proxy/path', null],
  ['http://proxy?a', null],
  ['http://', null],
  ['', null],
  ['http://pro xy', null],
]

for (const [text, href] of ADDRESSES) {
  test(`${href === null ? 'refuses' : 'takes'} "${text}" as a proxy's address`, () => {
    assert.equal(toProxyUrl(text)?.href ?? null, href)
  })
}
