import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { openApi, openApiBeside } from '../../test/fakes/open-api.ts'
import type { OpenApi } from '../../test/fakes/open-api.ts'
import { SIGN_IN } from '../../test/fakes/sign-in-options.ts'
import { errorBodySchema } from './contract.ts'
import type { ApiHosts } from './host-check.ts'

const PUBLIC_URL = 'https://weir.example.com'

let api: OpenApi

before(async () => {
  api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'))
})

after(() => api.close())

interface Asked {
  readonly url?: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(host: string, { url = api.url, path = '/v1/info', ...asked }: Asked = {}) {
  const { method = 'GET', headers = {} } = asked
  const outgoing = request(url + path, { method, headers: { ...headers, host } }).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString()
  return { status: incoming.statusCode, text, headers: incoming.headers }
}

/** What it is opened with, and the hosts that it answers to or refuses. */
interface Row {
  readonly name: string
  readonly hosts?: ApiHosts
  readonly publicUrl?: string
  readonly answered: readonly string[]
  readonly refused: readonly string[]
}

const ROWS: readonly Row[] = [
  {
    name: 'loopback names, with and without a port',
    hosts: { bound: '127.0.0.1', allowed: [] },
    answered: ['localhost', 'LOCALHOST:7071', 'localhost.', '127.0.0.1', '127.8.9.1:1', '[::1]:80'],
    refused: [
      'evil.example',
      'evil.example:7071',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'a.localhost',
      '10.0.0.5',
      '0.0.0.0',
      '[::]',
      '[fd00::1]:7071',
      'weir.example.com',
    ],
  },
  {
    name: 'the address that it is bound to',
    hosts: { bound: '10.0.0.5', allowed: [] },
    answered: ['10.0.0.5', '10.0.0.5:7071', 'localhost'],
    refused: ['10.0.0.6', 'weir'],
  },
  {
    name: 'the name that it is bound to',
    hosts: { bound: 'Weir.Internal', allowed: [] },
    answered: ['weir.internal:7071', 'WEIR.internal.'],
    refused: ['internal', 'other.internal', '10.0.0.5'],
  },
  {
    name: 'the IPv6 address that it is bound to',
    hosts: { bound: 'fd00:0::1', allowed: [] },
    answered: ['[fd00::1]:7071', '[fd00::1]'],
    refused: ['[fd00::2]', '10.0.0.5'],
  },
  ...['0.0.0.0', '::'].map((bound) => ({
    name: `any address where it is bound to ${bound}, but no name`,
    hosts: { bound, allowed: [] },
    answered: ['10.0.0.5:7071', '192.0.2.1', '[fd00::1]:7071', 'localhost'],
    refused: ['evil.example', 'weir', '10.0.0.5.evil.example'],
  })),
  {
    name: 'the host of console.publicUrl, on any port',
    publicUrl: PUBLIC_URL,
    answered: ['weir.example.com', 'weir.example.com:443', 'Weir.Example.com:7071'],
    refused: ['example.com', 'a.weir.example.com'],
  },
  {
    name: 'what the configuration names',
    hosts: { bound: '0.0.0.0', allowed: ['weir', 'weir.prod.svc.cluster.local', 'fd00::7'] },
    answered: ['weir', 'weir:7071', 'WEIR.prod.svc.cluster.local.:7071', '[fd00::7]'],
    refused: ['weir.prod', 'prod'],
  },
]

for (const { name, hosts, publicUrl = null, answered, refused } of ROWS) {
  test(`it answers to ${name}, and to no other host`, async () => {
    const other = await openApiBeside(api, () => ({
      signIn: { ...SIGN_IN, publicUrl },
      ...(hosts !== undefined && { hosts }),
    }))
    try {
      for (const host of answered) assert.equal((await ask(host, other)).status, 200, host)
      for (const host of refused) assert.equal((await ask(host, other)).status, 421, host)
    } finally {
      await other.close()
    }
  })
}

test('a refusal has our shape and headers, and names the setting that helps', async () => {
  const { status, text, headers } = await ask('weir.corp.example:7071')
  const { error, code } = errorBodySchema.parse(JSON.parse(text))
  assert.deepEqual([status, code], [421, 'misdirected_request'])
  assert.match(
    error,
    /the host weir\.corp\.example\. .*api\.allowedHosts \(WEIR_API_ALLOWED_HOSTS\)/,
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('another host is refused on every path but those of probes and scrapers', async () => {
  const authorization = await api.authorize('admin')
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/v1/usage?metric=cost_usd&window=today'],
    ['GET', '/v1/openapi.json'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/session'],
    ['POST', '/v1/setup'],
    ['POST', '/mcp'],
    ['GET', '/healthz/more'],
    ['GET', '/.well-known/any'],
  ] as const) {
    const { status } = await ask('evil.example', { method, path, headers: { authorization } })
    assert.equal(status, 421, path)
  }
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal((await ask('weir.prod.svc:7071', { path })).status, 200, path)
    assert.equal((await ask('10.2.3.4:7071', { path, method: 'HEAD' })).status, 200, path)
  }
})

test('neither the target in absolute form nor the Host header hides the other', async () => {
  const { port } = new URL(api.url)
  for (const [target, host, status] of [
    ['http://localhost/v1/info', 'localhost', 200],
    ['http://evil.example/v1/info', 'localhost', 421],
    ['http://localhost/v1/info', 'evil.example', 421],
  ] as const) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    const answer = (await socket.toArray()).join('')
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), `${target} ${host}: ${answer.slice(0, 40)}`)
  }
})

test('POST /mcp refuses origins that are not its own, and none is fine', async () => {
  const other = await openApiBeside(api, () => ({ signIn: { ...SIGN_IN, publicUrl: PUBLIC_URL } }))
  const { host } = new URL(other.url)
  const rows: readonly (readonly [string | null, number])[] = [
    [null, 401],
    [other.url, 401],
    [PUBLIC_URL, 401],
    ['https://evil.example', 403],
    ['http://weir.example.com', 403],
    ['http://localhost:1', 403],
    ['https://weir.example.com.evil.example', 403],
    ['null', 403],
    ['', 403],
  ]
  try {
    for (const [origin, expected] of rows) {
      const headers: Record<string, string> = origin === null ? {} : { origin }
      const asked = { url: other.url, path: '/mcp', method: 'POST', headers }
      const { status, text } = await ask(host, asked)
      const code = expected === 403 ? 'cross_site' : 'unauthorized'
      assert.deepEqual([status, JSON.parse(text).code], [expected, code], String(origin))
    }
  } finally {
    await other.close()
  }
})
