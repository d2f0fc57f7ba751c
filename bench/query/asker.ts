// Asks the usage API on kept-alive connections. Must stay true: an answer other than 200 fails the benchmark, and no
// token asks more often than the API lets it.

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
  /** One question at a time. */
  ask(search: string): Promise<Answer>
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

/** Each is used as often as it may, then rests. */
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
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const reader = new AnswerReader()
    let pieces: Buffer[] = []
    let waiting: { answered(endedAt: number): void; failed(error: Error): void } | null = null

    const fail = (error: Error): void => {
      waiting?.failed(error)
      reject(error)
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('The API closed a connection.')))
    socket.on('data', (bytes: Buffer) => {
      const endedAt = performance.now()
      pieces.push(bytes)
      try {
        if (reader.feed(bytes)) waiting?.answered(endedAt)
      } catch (error) {
        fail(error as Error)
      }
    })
    socket.once('connect', () => {
      resolve({
        ask: (search) =>
          new Promise((answered, failed) => {
            const request = toRequest(search, purse.next())
            pieces = []
            const startedAt = performance.now()
            waiting = {
              answered: (endedAt) => answered(toAnswer(pieces, endedAt - startedAt)),
              failed,
            }
            socket.write(request)
          }),
        close: async () => void socket.destroy(),
      })
    })
  })
}

function toRequest(search: string, token: string): string {
  const head = [
    `GET /v1/usage?${search} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'accept: application/json',
  ]
  return `${head.join('\r\n')}\r\n\r\n`
}

function toAnswer(pieces: readonly Buffer[], ms: number): Answer {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  // Behind the head, which may come in a piece of its own.
  const beginning = pieces.slice(0, 2).map((piece) => piece.toString('latin1'))
  const asOf = AS_OF.exec(beginning.join(''))?.[1] ?? ''
  return { ms, asOfMs: Date.parse(asOf), bytes }
}
