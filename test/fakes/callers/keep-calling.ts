// Callers that go on calling, each on one connection that it keeps, JSON and streamed by turns.
// They hide nothing: no call is tried again, and every outcome is kept with the connection it ran
// on. Each call waits a little at the upstream: there are always calls under way, and processor
// time is left to start processes.

import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'

export interface CallOutcome {
  /** The caller's end of the connection; 0 when there was none. */
  readonly port: number
  /** False when an earlier call had used the connection. */
  readonly isFresh: boolean
  readonly requestId: string | null
  readonly status: number
  /** Why there is no whole answer: ECONNREFUSED, ECONNRESET, cut; null when there is one. */
  readonly fault: string | null
}

export interface Callers {
  readonly outcomes: readonly CallOutcome[]
  /** Resolves when so many more calls have ended. */
  more(count: number): Promise<void>
  /** Resolves when the last calls have ended. */
  stop(): Promise<void>
}

export interface CallersOptions {
  /** Of the chat, through the proxy. */
  readonly url: string
  readonly key: string
  readonly count: number
  readonly callsMax: number
}

const MORE_MS_MAX = 120_000

export function keepCalling(options: CallersOptions): Callers {
  const outcomes: CallOutcome[] = []
  let isStopped = false
  async function run(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = 0; !isStopped && outcomes.length < options.callsMax; turn++) {
      outcomes.push(await callOnce({ ...options, agent, isStreamed: turn % 2 === 1 }))
    }
    agent.destroy()
  }
  const running = Array.from({ length: options.count }, run)
  return {
    outcomes,
    more: async (count) => {
      const goal = outcomes.length + count
      const until = systemClock.monotonic() + MORE_MS_MAX
      while (outcomes.length < goal) {
        if (systemClock.monotonic() > until) throw new Error(`only ${outcomes.length} calls ended`)
        await pause(1)
      }
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
    },
  }
}

interface OneCall {
  readonly url: string
  readonly key: string
  readonly agent: Agent
  readonly isStreamed: boolean
}

export async function callOnce({ url, key, agent, isStreamed }: OneCall): Promise<CallOutcome> {
  const outgoing = request(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'x-svc-api-key': key },
  })
  let port = 0
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => (port = socket.localPort ?? 0))
    else port = socket.localPort ?? 0
  })
  const answer = new Promise<IncomingMessage | string>((resolve) => {
    outgoing.once('response', resolve)
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  outgoing.end(
    JSON.stringify({
      model: 'acme/writer',
      messages: [{ role: 'user', content: 'Where are rivers measured?' }],
      stream: isStreamed,
      metadata: { cost: '0.001', chunks: '3', delay_ms: '20' },
    }),
  )
  const response = await answer
  const about = { isFresh: !outgoing.reusedSocket, requestId: null, status: 0 }
  if (typeof response === 'string') return { ...about, port, fault: response }
  const text = await readWhole(response)
  const isWhole = text !== null && (!isStreamed || text.endsWith('data: [DONE]\n\n'))
  return {
    ...about,
    port,
    requestId: (response.headers['x-svc-request-id'] as string | undefined) ?? null,
    status: response.statusCode ?? 0,
    fault: isWhole || response.statusCode !== 200 ? null : 'cut',
  }
}

async function readWhole(response: IncomingMessage): Promise<string | null> {
  try {
    let text = ''
    for await (const chunk of response as AsyncIterable<Buffer>) text += chunk.toString()
    return text
  } catch {
    return null
  }
}
