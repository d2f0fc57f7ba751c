// A provider and its callers in a thread of their own, so that the thread of the proxy does the proxy's
// work alone. One caller reads a stream of small events while another one makes a large call beside it.

import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

import { assert } from '../../src/core/assert.ts'
import { LARGE_CALLS } from './callers/large-calls.ts'
import type { LargeCall } from './callers/large-calls.ts'

export interface BusyTask {
  readonly proxyPort: number
  readonly credential: string
  readonly name: string
}

export type BusyMessage =
  | { readonly kind: 'ready'; readonly upstreamPort: number }
  /** Both calls ended; `status` is that of the large one. */
  | { readonly kind: 'done'; readonly status: number; readonly events: number }

const EVENT = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
const EVENT_INTERVAL_MS = 3
const PIECE_BYTES = 262_144

assert(parentPort !== null, 'this runs as a thread')
const port = parentPort
const say = (message: BusyMessage): void => port.postMessage(message)

const server = createServer((request, response) => {
  const call = LARGE_CALLS[request.headers['x-case'] as string]
  if (call === undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(EVENT), EVENT_INTERVAL_MS)
    response.on('close', () => clearInterval(timer))
    request.resume()
    return
  }
  request.resume()
  request.on('end', () => response.writeHead(200, call.answerHeaders).end(call.answer()))
})
server.listen(0, '127.0.0.1', () => {
  say({ kind: 'ready', upstreamPort: (server.address() as AddressInfo).port })
})

port.on('message', (task: BusyTask) => void run(task))

async function run(task: BusyTask): Promise<void> {
  let events = 0
  const gone = new AbortController()
  const url = `http://127.0.0.1:${task.proxyPort}/v1/some/v1/chat/completions`
  const headers = { 'x-svc-api-key': task.credential, 'content-type': 'application/json' }
  const stream = await fetch(url, {
    method: 'POST',
    headers,
    body: '{"model":"m","stream":true}',
    signal: gone.signal,
  })
  const reading = (async () => {
    for await (const _ of stream.body ?? []) events += 1
  })()
  const status = await callLarge(task, LARGE_CALLS[task.name] as LargeCall)
  gone.abort()
  await reading.catch(() => {})
  say({ kind: 'done', status, events })
}

/** Written and read as fast as it goes: an HTTP client would be the slowest of all. */
function callLarge({ proxyPort, credential, name }: BusyTask, call: LargeCall): Promise<number> {
  const body = call.request()
  const head = [
    'POST /v1/some/v1/chat/completions HTTP/1.1',
    'Host: proxy',
    `X-SVC-API-Key: ${credential}`,
    `X-Case: ${name}`,
    'Content-Type: application/json',
    'Connection: close',
    `Content-Length: ${body.length}`,
  ]
  const socket = connect({ host: '127.0.0.1', port: proxyPort })
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    socket.write(body.subarray(at, at + PIECE_BYTES))
  }
  let start = ''
  socket.on('data', (bytes) => {
    if (start.length < 12) start += bytes.toString('latin1', 0, 12)
  })
  socket.on('error', () => {})
  return new Promise((resolve) => socket.on('close', () => resolve(Number(start.slice(9, 12)))))
}
