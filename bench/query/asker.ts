// Asks the API on a kept-alive connection. An answer other than 200 fails the benchmark.

import { REQUESTS_PER_MINUTE_MAX } from '../../src/api/contract.ts'
import { openConnection } from '../harness/connection.ts'

export interface Answer {
  /** From sending the question to the answer's last byte. */
  readonly ms: number
  /** When its figures were read. */
  readonly asOfMs: number
  readonly bytes: number
}

export interface Asker {
  /** One question at a time: a path with its search. */
  ask(target: string): Promise<Answer>
  close(): Promise<void>
}

const AS_OF = /"asOf":"([^"]+)"/

/** A header of each token as often as it may ask in a minute, then the next, at last the first. */
export function createPurse(tokens: readonly string[]): () => string {
  let asked = 0
  return () => {
    asked += 1
    const token = tokens[Math.floor(asked / REQUESTS_PER_MINUTE_MAX) % tokens.length] as string
    return `authorization: Bearer ${token}`
  }
}

/**
 * To be asked at once: the API ends a connection on which nothing comes. `nextHeader` is the line
 * of the head that says who asks.
 */
export async function openAsker(api: string, nextHeader: () => string): Promise<Asker> {
  const connection = await openConnection(Number(new URL(api).port))
  return {
    async ask(target) {
      const head = [
        `GET ${target} HTTP/1.1`,
        'host: 127.0.0.1',
        nextHeader(),
        'accept: application/json',
      ]
      const { ms, bytes, beginning } = await connection.ask(`${head.join('\r\n')}\r\n\r\n`)
      return { ms, bytes, asOfMs: Date.parse(AS_OF.exec(beginning)?.[1] ?? '') }
    },
    close: connection.close,
  }
}
