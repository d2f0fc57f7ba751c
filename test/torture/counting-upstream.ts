// The provider of the torture. It keeps its own count of the calls that reached it, by the number
// that each carries in a header, and answers each by its plan, slowly enough for a kill to hit
// calls under way.

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { planCall } from './call-plan.ts'

/** Passed on like every header that is not Weir's. */
export const CALL_HEADER = 'x-torture-call'
const PAUSE_MS_MAX = 8

export interface CountingUpstream {
  readonly url: string
  /** How often each call came. */
  readonly received: ReadonlyMap<number, number>
  close(): Promise<void>
}

export async function openCountingUpstream(): Promise<CountingUpstream> {
  const received = new Map<number, number>()
  const server = createServer((request, response) => {
    const n = Number(request.headers[CALL_HEADER])
    received.set(n, (received.get(n) ?? 0) + 1)
    // Whoever called may be dead by now.
    response.on('error', () => {})
    void answer(n, request, response)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(n: number, request: IncomingMessage, response: ServerResponse) {
  request.resume()
  await new Promise((resolve) => request.once('close', resolve))
  const { status, pieces, isStreamed } = planCall(n)
  const type = isStreamed ? 'text/event-stream' : 'application/json'
  await pause(n % PAUSE_MS_MAX)
  response.writeHead(status, { 'content-type': type })
  for (const piece of pieces) {
    if (response.destroyed) return
    response.write(piece)
    await pause(isStreamed ? n % PAUSE_MS_MAX : 0)
  }
  response.end()
}
