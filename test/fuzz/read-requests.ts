// The same bytes as two readers see them: Weir's framing, and Node's own HTTP server as the oracle.

import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { Duplex } from 'node:stream'

import { BLANK_LINES_MAX, skipBlankLines } from '../../src/wire/http/blank-lines.ts'
import { BodyScanner } from '../../src/wire/http/body-scanner.ts'
import { findHeadEnd, isFault, parseRequestHead } from '../../src/wire/http/http-head.ts'

export interface ReadRequest {
  readonly method: string
  readonly target: string
  /** Names in lower case with their values, in order. */
  readonly headers: readonly string[]
  readonly body: string
  readonly isWhole: boolean
}

export interface ReadOutcome {
  readonly requests: ReadRequest[]
  /** The reader refused what came after the last of them. */
  readonly isRefused: boolean
}

const HEADERS_MAX = 128

export function readWithWeir(text: string): ReadOutcome {
  const bytes = Buffer.from(text, 'latin1')
  const requests: ReadRequest[] = []
  let at = 0
  for (;;) {
    at = skipBlankLines(bytes, at, BLANK_LINES_MAX)
    const end = findHeadEnd(bytes, at)
    if (end === -1) return { requests, isRefused: false }
    const head = parseRequestHead({ bytes, start: at, end }, HEADERS_MAX)
    if (isFault(head)) return { requests, isRefused: true }
    const { method, target, framing } = head
    const scanner = new BodyScanner(framing)
    const bodyEnd = scanner.scan(bytes, end)
    let body = ''
    for (let span = 0; span < scanner.payload.length; span += 2) {
      body += bytes.toString('latin1', scanner.payload[span], scanner.payload[span + 1])
    }
    if (scanner.fault !== null) return { requests, isRefused: true }
    const isWhole = scanner.isDone
    const headers = head.lines.toList().map(({ name, value }) => `${name}: ${value}`)
    requests.push({ method, target, headers, body, isWhole })
    if (!isWhole) return { requests, isRefused: false }
    at = bodyEnd
    // What follows an upgrade, or a request after which the caller closes, is no request any more.
    if (head.isUpgrade || !head.isKeepAlive) return { requests, isRefused: false }
  }
}

export interface NodeReader {
  read(text: string): Promise<ReadOutcome>
  close(): void
}

/** Node's server over a stream in memory: its parser as it stands, without a network. */
export function openNodeReader(): NodeReader {
  const server: Server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAlive: false })
  return {
    read: (text) => readOnce(server, text),
    close: () => void server.close(),
  }
}

function readOnce(server: Server, text: string): Promise<ReadOutcome> {
  return new Promise((resolve) => {
    const requests: (ReadRequest & { isWhole: boolean; body: string })[] = []
    let isRefused = false
    const socket = new Duplex({
      read() {},
      write: (_chunk, _encoding, done) => done(),
    })
    const take = (message: IncomingMessage): void => {
      if (message.socket !== (socket as unknown)) return
      const headers: string[] = []
      for (let at = 0; at < message.rawHeaders.length; at += 2) {
        headers.push(`${message.rawHeaders[at]?.toLowerCase()}: ${message.rawHeaders[at + 1]}`)
      }
      const request = {
        method: message.method ?? '',
        // Weir goes by the path of an absolute target.
        target: (message.url ?? '').replace(/^https?:\/\/[^/]*(?=\/)/, ''),
        headers,
        body: '',
        isWhole: false,
      }
      requests.push(request)
      message.on('data', (bytes: Buffer) => (request.body += bytes.toString('latin1')))
      message.on('end', () => (request.isWhole = message.complete))
      message.on('error', () => {})
    }
    const refuse = (): void => {
      isRefused = true
    }
    const onClientError = (_error: Error, failed: unknown): void => {
      if (failed === socket) refuse()
    }
    server.on('request', take)
    server.on('checkContinue', take)
    server.on('checkExpectation', take)
    server.on('clientError', onClientError)
    server.emit('connection', socket)
    socket.push(Buffer.from(text, 'latin1'))
    // Two turns: one in which the bytes are parsed, one in which the bodies are handed out.
    setImmediate(() =>
      setImmediate(() => {
        server.off('request', take)
        server.off('checkContinue', take)
        server.off('checkExpectation', take)
        socket.destroy()
        server.off('clientError', onClientError)
        resolve({ requests, isRefused })
      }),
    )
  })
}
