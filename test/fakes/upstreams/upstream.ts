// A simulated provider on a loopback port, for tests, benchmarks and trying Weir without an
// account. It speaks the gateway's chat below `/gateway` and OpenAI's below `/openai`; without such
// a prefix, the dialect that it was opened with. Requests steer it, see steering.ts. It needs no
// credential.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { formatMoney } from '../../../src/core/money.ts'
import { createChatAnswer, createErrorBody } from './chat-answer.ts'
import type { ChatAnswer, ChatRequest, Dialect } from './chat-answer.ts'
import { parseSteering } from '../steering.ts'
import type { Steering } from '../steering.ts'

const BODY_BYTES_MAX = 64 * 1024 * 1024
const CALLS_MAX = 10_000

export interface FakeUpstreamOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly dialect?: Dialect
  /** How many calls are remembered; older ones are forgotten first. */
  readonly callsMax?: number
}

export interface FakeCall {
  /** Counted from 1. */
  readonly number: number
  readonly method: string
  /** As it was sent, with prefix and query. */
  readonly url: string
  /** Names and values by turns, in their order and letter case. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** aborted: the other side left. cut: a fault that was asked for ended it. */
  readonly outcome: 'running' | 'finished' | 'aborted' | 'cut'
  /** What the answer said it costs, in USD; null when it did not come to say so. */
  readonly charged: string | null
}

export interface FakeUpstream {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string
  readonly calls: readonly FakeCall[]
  readonly callCount: number
  /** Resolves once so many calls, counted from the opening, have ended. */
  whenEnded(count: number): Promise<void>
  close(): Promise<void>
}

type Mutable<Type> = { -readonly [Member in keyof Type]: Type[Member] }
type Call = Mutable<FakeCall>

export async function openFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const upstream = new Upstream(options)
  await upstream.listen(options.port ?? 0)
  return upstream
}

class Upstream implements FakeUpstream {
  readonly calls: Call[] = []
  callCount = 0
  readonly #server: Server
  readonly #dialect: Dialect
  readonly #callsMax: number
  #endedCount = 0
  #waiting: { count: number; resolve: () => void }[] = []

  constructor(options: FakeUpstreamOptions) {
    this.#dialect = options.dialect ?? 'gateway'
    this.#callsMax = options.callsMax ?? CALLS_MAX
    // Connections of a proxy's pool may rest for as long as they like.
    this.#server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
      this.#take(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  whenEnded(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ count, resolve })
    this.#wake()
    return promise
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders } = request
    const call: Call = {
      number: (this.callCount += 1),
      method,
      url,
      rawHeaders,
      body: Buffer.alloc(0),
      outcome: 'running',
      charged: null,
    }
    this.calls.push(call)
    if (this.calls.length > this.#callsMax) this.calls.shift()
    const gone = new AbortController()
    response.on('close', () => {
      if (call.outcome === 'running')
        call.outcome = response.writableFinished ? 'finished' : 'aborted'
      gone.abort()
      this.#endedCount += 1
      this.#wake()
    })
    const body = await readBody(request)
    if (body === null) return
    call.body = body
    await new Answering({ call, response, isGone: gone.signal, dialect: this.#dialect }).answer()
  }

  #wake(): void {
    for (const each of this.#waiting) if (each.count <= this.#endedCount) each.resolve()
    this.#waiting = this.#waiting.filter((each) => each.count > this.#endedCount)
  }
}

/** Null when the other side left before its body was whole. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes <= BODY_BYTES_MAX) parts.push(part)
    }
  } catch {
    return null
  }
  return Buffer.concat(parts)
}

interface AnsweringOptions {
  readonly call: Call
  readonly response: ServerResponse
  readonly isGone: AbortSignal
  readonly dialect: Dialect
}

class Answering {
  readonly #call: Call
  readonly #response: ServerResponse
  readonly #isGone: AbortSignal
  readonly #dialect: Dialect
  readonly #path: string

  constructor(options: AnsweringOptions) {
    this.#call = options.call
    this.#response = options.response
    this.#isGone = options.isGone
    const path = options.call.url.split('?')[0] as string
    const prefix = /^\/(gateway|openai)(?=\/)/.exec(path)
    this.#dialect = prefix === null ? options.dialect : (prefix[1] as Dialect)
    this.#path = prefix === null ? path : path.slice(prefix[0].length)
  }

  async answer(): Promise<void> {
    const { method } = this.#call
    if (method === 'GET' && this.#path === '/v1/models') {
      this.#sendJson(200, { object: 'list', data: [{ id: 'acme/writer', object: 'model' }] })
    } else if (method === 'POST' && this.#path === '/v1/chat/completions') {
      await this.#answerChat()
    } else {
      this.#sendError(404, `There is nothing at ${method} ${this.#path}`)
    }
  }

  async #answerChat(): Promise<void> {
    let request: ChatRequest
    let steering: Steering
    try {
      request = JSON.parse(this.#call.body.toString()) as ChatRequest
      steering = parseSteering(String(request.model), request.metadata)
    } catch (error) {
      this.#sendError(400, error instanceof Error ? error.message : String(error))
      return
    }
    const { fault } = steering
    if (!(await this.#pause(steering.delayMs))) return
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'cut-before-head') return this.#cut()
    if (fault?.kind === 'status') return this.#sendError(fault.status, `As asked: ${fault.status}`)
    const { number } = this.#call
    const answer = createChatAnswer({ dialect: this.#dialect, request, steering, number })
    if (request.stream === true) await this.#stream(answer, steering)
    else await this.#sendCompletion(answer, steering)
  }

  async #sendCompletion(answer: ChatAnswer, { fault }: Steering): Promise<void> {
    if (fault === null) {
      this.#charge(answer)
      return this.#sendJson(200, answer.completion)
    }
    if (fault.kind === 'error-after') return this.#sendError(500, 'As asked: an error')
    const text = JSON.stringify(answer.completion)
    this.#response.writeHead(200, jsonHeaders(text))
    await this.#write(text.slice(0, text.length / 2))
    if (fault.kind === 'cut-after') this.#cut()
  }

  async #stream(answer: ChatAnswer, { chunks, delayMs, fault }: Steering): Promise<void> {
    const faultAt = fault !== null && 'chunks' in fault ? fault.chunks : Infinity
    this.#response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    this.#response.flushHeaders()
    for (let index = 0; index < Math.min(chunks, faultAt); index += 1) {
      if (index > 0 && !(await this.#pause(delayMs))) return
      await this.#write(toEvent(answer.chunk(index)))
      if (this.#isGone.aborted) return
    }
    if (faultAt <= chunks) {
      if (!(await this.#pause(delayMs))) return
      if (fault?.kind === 'cut-after') this.#cut()
      if (fault?.kind !== 'error-after') return
      await this.#write(toEvent(createErrorBody(this.#dialect, 500, 'As asked: an error')))
    } else {
      this.#charge(answer)
      for (const chunk of answer.lastChunks) await this.#write(toEvent(chunk))
    }
    this.#response.end('data: [DONE]\n\n')
  }

  #charge({ cost }: ChatAnswer): void {
    this.#call.charged = cost === null ? null : formatMoney(cost)
  }

  /**
   * False when the other side has left meanwhile. Even no delay ends the turn: what is written in
   * one turn leaves as one chunk, and providers send their events one by one.
   */
  async #pause(delayMs: number): Promise<boolean> {
    if (delayMs > 0) await wait(delayMs, null, { signal: this.#isGone }).catch(() => null)
    else await new Promise(setImmediate)
    return !this.#isGone.aborted
  }

  async #write(text: string): Promise<void> {
    if (this.#isGone.aborted || this.#response.write(text)) return
    await once(this.#response, 'drain', { signal: this.#isGone }).catch(() => null)
  }

  /**
   * What was written goes out before: the response hands it to the socket at the end of this turn.
   */
  #cut(): void {
    this.#call.outcome = 'cut'
    const { socket } = this.#response
    setImmediate(() => socket?.end(() => socket.destroy()))
  }

  #sendError(status: number, message: string): void {
    this.#sendJson(status, createErrorBody(this.#dialect, status, message))
  }

  #sendJson(status: number, body: unknown): void {
    const text = JSON.stringify(body)
    this.#response.writeHead(status, jsonHeaders(text)).end(text)
  }
}

function jsonHeaders(text: string): Record<string, string | number> {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
}

function toEvent(document: unknown): string {
  return `data: ${JSON.stringify(document)}\n\n`
}
