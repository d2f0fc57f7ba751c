// The samples for nginx and Caddy: what reaches Weir through them is what the caller sent, and each
// piece as it comes.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import type { ScriptedUpstream, UpstreamConnection } from '../fakes/upstreams/scripted-upstream.ts'
import { checkSample, openReverseProxy, REVERSE_PROXIES } from './reverse-proxies.ts'
import type { ReverseProxy, ReverseProxyName } from './reverse-proxies.ts'
import { lacking } from './tools.ts'

const HEADERS = {
  host: 'ai.example.com',
  'X-SVC-API-Key': 'svc_k_a.b',
  // Names that reverse proxies drop unless they are asked not to.
  odd_name: 'kept',
  'X-Long': 'x'.repeat(30_000),
} as const

for (const name of REVERSE_PROXIES) {
  test(`the sample for ${name} is valid`, { skip: lacking(name) }, async () => {
    const { code, said } = await checkSample(name)
    assert.equal(code, 0, said)
  })
  suite(`through the sample for ${name}`, { skip: lacking(name) }, () => describeTraffic(name))
}

function describeTraffic(name: ReverseProxyName): void {
  let weir: ScriptedUpstream
  let front: ReverseProxy
  let steps: Step[] = []

  before(async () => {
    weir = await openScriptedUpstream((connection) => {
      const [next] = steps
      if (next === undefined || !connection.received.includes(next.when)) return
      steps.shift()
      next.act(connection)
    })
    const port = Number(new URL(weir.url).port)
    front = await openReverseProxy(name, { proxyPort: port, apiPort: port })
  })
  after(async () => {
    await front.close()
    await weir.close()
  })

  test('a call arrives as it was sent, and nothing is added that a provider would see', async () => {
    steps = [{ when: 'whole', act: answer('hello') }]
    const call = request({ ...to(front.proxyPort, '/v1/openai//v1/a%2Fb?x=%20'), headers: HEADERS })
    call.end('whole')
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    assert.equal(await textOf(response), 'hello')
    assert.equal(response.headers['x-svc-request-id'], 'some')
    const [head = ''] = last(weir).received.split('\r\n\r\n')
    const [line, ...lines] = head.split('\r\n')
    assert.equal(line, 'POST /v1/openai//v1/a%2Fb?x=%20 HTTP/1.1')
    const names = lines.map((text) => (text.split(':')[0] ?? '').toLowerCase())
    const expected = ['host', 'odd_name', 'x-long', 'x-svc-api-key']
    const framing = ['connection', 'content-length', 'transfer-encoding']
    assert.deepEqual(names.filter((header) => !framing.includes(header)).toSorted(), expected)
    assert.ok(lines.includes('Host: ai.example.com'))
  })

  test('the first event is there before the last is sent', async () => {
    let stream: UpstreamConnection | null = null
    steps = [
      {
        when: '/stream',
        act: (connection) => {
          stream = connection
          connection.socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
          )
          connection.socket.write(chunk('data: first\n\n'))
        },
      },
    ]
    const call = request({ ...to(front.proxyPort, '/stream'), method: 'GET' })
    call.end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    const [first] = (await once(response, 'data')) as [Buffer]
    assert.equal(first.toString(), 'data: first\n\n')
    const socket = (stream as UpstreamConnection | null)?.socket as Socket
    socket.end(`${chunk('data: last\n\n')}0\r\n\r\n`)
    assert.equal(await textOf(response), 'data: last\n\n')
  })

  test('a body arrives while the caller still sends it', async () => {
    const begun = Promise.withResolvers<void>()
    steps = [
      { when: 'beginning', act: () => begun.resolve() },
      { when: 'ending', act: answer('thanks') },
    ]
    const call = request(to(front.proxyPort, '/upload'))
    call.write('beginning')
    await begun.promise
    call.end('ending')
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    assert.equal(await textOf(response), 'thanks')
  })

  test('a WebSocket is a tunnel', async () => {
    steps = [
      {
        when: '/realtime',
        act: ({ socket }) =>
          socket.write(
            'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
          ),
      },
      { when: 'ping', act: ({ socket }) => socket.write('pong') },
    ]
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    const call = request({ ...to(front.proxyPort, '/realtime'), method: 'GET', headers })
    call.end()
    const [, socket] = (await once(call, 'upgrade')) as [IncomingMessage, Socket]
    socket.write('ping')
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    assert.equal(bytes.toString(), 'pong')
    socket.destroy()
  })

  test('the API is given the address of the client, and its metrics stay inside', async () => {
    steps = [{ when: '/v1/usage', act: answer('{}') }]
    const call = request({ ...to(front.apiPort, '/v1/usage'), method: 'GET' })
    call.end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    assert.equal(await textOf(response), '{}')
    assert.match(last(weir).received, /\r\nX-Forwarded-For: 127\.0\.0\.1\r\n/i)
    const metrics = await fetch(`http://127.0.0.1:${front.apiPort}/metrics`)
    assert.equal(metrics.status, 404)
  })
}

/** What is done once a connection has received a text. */
interface Step {
  readonly when: string
  readonly act: (connection: UpstreamConnection) => void
}

function to(port: number, path: string) {
  return { host: '127.0.0.1', port, path, method: 'POST', agent: false } as const
}

function answer(body: string): Step['act'] {
  return ({ socket }) => {
    const head = `HTTP/1.1 200 OK\r\nX-SVC-Request-Id: some\r\nContent-Length: ${body.length}`
    socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
  }
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

function last({ connections }: ScriptedUpstream): UpstreamConnection {
  return connections.at(-1) as UpstreamConnection
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const bytes of response) text += String(bytes)
  return text
}
