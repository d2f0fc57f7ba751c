// Asks the API on kept-alive connections. An answer other than 200 fails the benchmark, and
// no token asks more often than the API lets it.

import { connect } from 'node:net'

import { REQUESTS_PER_MINUTE_MAX } from '../../src/api/contract.ts'
import { AnswerReader } from '../relay/answer-reader.ts'

export interface Answer {
  /** From sending the question to the answer's last byte. */
  readonly ms: number
  /** When its figures were read. */
  readonly asOfMs: number
  readonly bytes: number
}

export interface Asker {
  /** One question at a time, by default to GET /v1/usage. */
  ask(search: string, path?: string): Promise<Answer>
  close(): Promise<void>
}

export interface Purse {
  /** A token that may ask once more. */
  next(): string
}

const MINUTE_MS = 60_000
/** A little more than the minute: the API counts from when a question reaches it. */
const REST_MS = MINUTE_MS + 1000
const AS_OF = /"asOf":"([^"]+)"/
/** Behind the head, the answer begins with it. */
const BEGINNING_BYTES = 2048
/** Has room for the longest answer. */
const READ_BYTES = 262_144

/** Each is used as often as it may, then left alone. */
export function createPurse(tokens: readonly string[]): Purse {
  const resting = tokens.map((token) => ({ token, until: 0 }))
  let token = ''
  let left = 0
  return {
    next() {
      if (left === 0) {
        const rested = resting.shift()
        if (rested === undefined || rested.until > performance.now()) {
          throw new Error('All tokens have asked as often as they may within a minute.')
        }
        ;({ token } = rested)
        left = REQUESTS_PER_MINUTE_MAX
      }
      left -= 1
      if (left === 0) resting.push({ token, until: performance.now() + REST_MS })
      return token
    },
  }
}

export function openAsker(port: number, purse: Purse): Promise<Asker> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader()
    let beginning = ''
    let bytes = 0
    let waiting: { answered(endedAt: number): void; failed(error: Error): void } | null = null
    let fault: Error | null = null

    const fail = (error: Error): void => {
      fault ??= error
      waiting?.failed(error)
      reject(error)
    }
    // Read into one place again and again: garbage of the asker's own would be taken for the API's
    // time.
    const read = (length: number, buffer: Uint8Array): boolean => {
      const endedAt = performance.now()
      const piece = Buffer.from(buffer.buffer, buffer.byteOffset, length)
      bytes += length
      if (beginning.length < BEGINNING_BYTES) {
        beginning += piece.toString('latin1', 0, BEGINNING_BYTES)
      }
      try {
        if (reader.feed(piece)) waiting?.answered(endedAt)
      } catch (error) {
        fail(error as Error)
      }
      return true
    }
    const onread = { buffer: Buffer.alloc(READ_BYTES), callback: read }
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('The API closed a connection.')))
    socket.once('connect', () => {
      resolve({
        ask: (search, path = '/v1/usage') =>
          new Promise((answered, failed) => {
            if (fault !== null) return failed(fault)
            const request = toRequest(`${path}?${search}`, purse.next())
            beginning = ''
            bytes = 0
            const startedAt = performance.now()
            waiting = {
              answered: (endedAt) =>
                answered({ ms: endedAt - startedAt, asOfMs: readAsOf(beginning), bytes }),
              failed,
            }
            socket.write(request)
          }),
        close: async () => void socket.destroy(),
      })
    })
  })
}

function toRequest(target: string, token: string): string {
  const head = [
    `GET ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'accept: application/json',
  ]
  return `${head.join('\r\n')}\r\n\r\n`
}

function readAsOf(beginning: string): number {
  return Date.parse(AS_OF.exec(beginning)?.[1] ?? '')
}
