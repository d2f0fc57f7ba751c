// A provider's HTTP server that answers as it is told, one reply for each attempt, and remembers
// what it saw. Must stay true: nothing in it depends on who asks, so two of them given the same
// replies differ only by what their callers did.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'

/** Only what hangs takes so long. */
const WAIT_MS = 120_000

export interface AnswerReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Each leaves in a turn of its own, as providers send their events. */
  readonly pieces: readonly (string | Uint8Array)[]
  /** What follows the pieces. cut: once released, so that all of them have arrived. */
  readonly ending?: 'end' | 'cut' | 'hang'
  /** Before the head. */
  readonly delayMs?: number
}

/** cut: the connection is closed without an answer. hang: no answer comes. */
export type Reply = AnswerReply | 'cut' | 'hang'

export interface Attempt {
  readonly method: string
  readonly url: string
  /** Names and values by turns, in their order and letter case. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** left: the other side closed before the end. */
  readonly outcome: 'running' | 'finished' | 'left' | 'cut'
  /** On the monotonic clock. */
  readonly endedAt: number | null
}

type MutableAttempt = { -readonly [Member in keyof Attempt]: Attempt[Member] }

export interface ReplyingUpstream {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string
  readonly attempts: readonly Attempt[]
  /** Resolves once so many attempts have come whole. */
  whenSeen(count: number): Promise<void>
  /** Resolves once so many attempts have ended. */
  whenEnded(count: number): Promise<void>
  /** Lets a cut happen that waits for what was sent before it to arrive. */
  release(): void
  close(): Promise<void>
}

/** The last reply serves all further attempts. */
export async function openReplyingUpstream(replies: readonly Reply[]): Promise<ReplyingUpstream> {
  const upstream = new Upstream(replies)
  await upstream.listen()
  return upstream
}

/** A whole JSON answer, framed by its length. */
export function jsonReply(body: unknown, reply: Partial<AnswerReply> = {}): AnswerReply {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...reply.headers,
  }
  return { pieces: [bytes], ...reply, headers }
}

/** Server-sent events, chunked, one piece each. */
export function eventsReply(
  pieces: readonly string[],
  reply: Partial<AnswerReply> = {},
): AnswerReply {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers }
  return { pieces, ...reply, headers }
}

class Upstream implements ReplyingUpstream {
  readonly attempts: MutableAttempt[] = []
  readonly #replies: readonly Reply[]
  readonly #server: Server
  readonly #released = Promise.withResolvers<void>()
  #waiting: { isDue: () => boolean; resolve: () => void }[] = []
  #seenCount = 0

  constructor(replies: readonly Reply[]) {
    this.#replies = replies
    this.#server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
      this.#take(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  whenSeen(count: number): Promise<void> {
    return this.#until(() => this.#seenCount >= count)
  }

  whenEnded(count: number): Promise<void> {
    return this.#until(() => this.attempts.filter((each) => each.endedAt !== null).length >= count)
  }

  release(): void {
    this.#released.resolve()
  }

  async close(): Promise<void> {
    this.#released.resolve()
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders } = request
    const attempt: MutableAttempt = {
      method,
      url,
      rawHeaders,
      body: Buffer.alloc(0),
      outcome: 'running',
      endedAt: null,
    }
    const reply = this.#replies[Math.min(this.attempts.length, this.#replies.length - 1)] as Reply
    this.attempts.push(attempt)
    const gone = new AbortController()
    response.on('close', () => {
      if (attempt.outcome === 'running') {
        attempt.outcome = response.writableFinished ? 'finished' : 'left'
      }
      attempt.endedAt = systemClock.monotonic()
      gone.abort()
      this.#wake()
    })
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    attempt.body = Buffer.concat(parts)
    this.#seenCount += 1
    this.#wake()
    if (reply === 'cut') cut(attempt, response)
    else if (reply !== 'hang') await this.#answer({ attempt, response, reply, isGone: gone.signal })
  }

  async #answer({ attempt, response, reply, isGone }: Answering): Promise<void> {
    const { status = 200, headers = {}, pieces, ending = 'end', delayMs } = reply
    if (delayMs !== undefined) await wait(delayMs, null, { signal: isGone }).catch(() => null)
    response.writeHead(status, headers)
    response.flushHeaders()
    for (const piece of pieces) {
      if (isGone.aborted) return
      response.write(piece)
      await new Promise(setImmediate)
    }
    if (ending === 'end') response.end()
    if (ending !== 'cut') return
    await this.#released.promise
    cut(attempt, response)
  }

  #until(isDue: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      const outcomes = this.attempts.map(({ outcome }) => outcome).join(', ')
      reject(new Error(`still waiting, after these attempts: ${outcomes || 'none'}`))
    }
    const timer = setTimeout(giveUp, WAIT_MS)
    const settle = (): void => {
      clearTimeout(timer)
      resolve()
    }
    this.#waiting.push({ isDue, resolve: settle })
    this.#wake()
    return promise
  }

  #wake(): void {
    for (const { isDue, resolve } of this.#waiting) if (isDue()) resolve()
    this.#waiting = this.#waiting.filter(({ isDue }) => !isDue())
  }
}

interface Answering {
  readonly attempt: MutableAttempt
  readonly response: ServerResponse
  readonly reply: AnswerReply
  readonly isGone: AbortSignal
}

function cut(attempt: MutableAttempt, { socket }: ServerResponse): void {
  attempt.outcome = 'cut'
  socket?.end(() => socket.destroy())
}
