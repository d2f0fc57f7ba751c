// The same response bytes as two readers see them: Weir's framing, and Node's own HTTP client.

import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'

import { BodyScanner } from '../../src/wire/http/body-scanner.ts'
import { isFault } from '../../src/wire/http/http-head.ts'
import { ResponseHeadReader } from '../../src/wire/http/response-head-reader.ts'
import type { GeneratedResponse } from './generate-responses.ts'

export interface ReadHead {
  readonly status: number
  /** Names in lower case with their values, in order. */
  readonly headers: readonly string[]
}

export interface ReadResponse {
  readonly informational: readonly ReadHead[]
  /** The final one, or one that switches protocols; null when it did not come whole. */
  readonly head: ReadHead | null
  readonly body: string
  readonly isWhole: boolean
  /** Why what came cannot be understood, if so. */
  readonly refusal: string | null
}

const LIMITS = { headBytesMax: 65_536, headersMax: 128 }

function refused(refusal: string): ReadResponse {
  return { informational: [], head: null, body: '', isWhole: false, refusal }
}

/** As the relay reads: a head at a time, then the body, then the end of the connection. */
export function readResponseWithWeir({ method, text }: GeneratedResponse): ReadResponse {
  const heads = new ResponseHeadReader(method, LIMITS)
  const informational: ReadHead[] = []
  for (let bytes = Buffer.from(text, 'latin1'); ;) {
    const read = heads.read(bytes)
    if (read === null) {
      return { informational, head: null, body: '', isWhole: false, refusal: null }
    }
    if (isFault(read)) return refused(read.fault)
    const { status, lines, framing } = read
    const headers = lines.toList().map(({ name, value }) => `${name}: ${value}`)
    const head = { status, headers }
    if (status < 200 && status !== 101) {
      informational.push(head)
      bytes = Buffer.from(heads.rest)
      continue
    }
    const scanner = new BodyScanner(framing)
    scanner.scan(heads.rest, 0)
    let body = ''
    for (let span = 0; span < scanner.payload.length; span += 2) {
      body += heads.rest.toString('latin1', scanner.payload[span], scanner.payload[span + 1])
    }
    if (scanner.fault !== null) return refused(scanner.fault)
    scanner.endOfConnection()
    return { informational, head, body, isWhole: scanner.isDone, refusal: null }
  }
}

/** Node's client over a stream in memory: its parser as it stands, without a network. */
export function readResponseWithNode({ method, text }: GeneratedResponse): Promise<ReadResponse> {
  return new Promise((resolve) => {
    const informational: ReadHead[] = []
    const seen = { head: null as ReadHead | null, body: '', refusal: null as string | null }
    let isWhole = (): boolean => false
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const call = request({ method, createConnection: () => socket, path: '/' })
    const refuse = (error: NodeJS.ErrnoException): void => {
      // An end before the end is no matter of framing; what the parser says is.
      if (error.code?.startsWith('HPE_') === true) seen.refusal = error.code
    }
    call.on('information', ({ statusCode, rawHeaders }) => {
      informational.push({ status: statusCode, headers: toLines(rawHeaders) })
    })
    const take = (message: IncomingMessage): void => {
      seen.head = { status: message.statusCode ?? 0, headers: toLines(message.rawHeaders) }
      message.on('data', (bytes: Buffer) => (seen.body += bytes.toString('latin1')))
      isWhole = () => message.complete
      message.on('error', refuse)
    }
    call.on('response', take)
    call.on('upgrade', (message) => {
      take(message)
      isWhole = () => true
    })
    call.on('error', refuse)
    call.end()
    // The request goes out first, then its answer is parsed, then its body is handed out.
    setImmediate(() => {
      socket.push(Buffer.from(text, 'latin1'))
      socket.push(null)
      setImmediate(() =>
        setImmediate(() => {
          socket.destroy()
          resolve({ ...seen, informational, isWhole: isWhole() })
        }),
      )
    })
  })
}

function toLines(raw: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < raw.length; at += 2) lines.push(`${raw[at]?.toLowerCase()}: ${raw[at + 1]}`)
  return lines
}
