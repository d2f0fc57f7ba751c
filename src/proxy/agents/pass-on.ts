// A request at an agent's URL that is no call: its body is read, bounded, and the API answers it;
// telemetry is read and dropped. No call depends on it, and it is no part of the record.

import { refuse } from '../../policy/refusal.ts'
import type { Refusal } from '../../policy/refusal.ts'
import { BodyScanner, slice } from '../../wire/http/body-scanner.ts'
import type { RequestHead } from '../../wire/http/http-head.ts'
import type { CallerSide, Exchange } from '../caller-side.ts'
import type { ProxyServices } from '../services.ts'
import { findAgentPath } from './agent-gateway.ts'
import type { AgentGateway, PassedAnswer } from './agent-gateway.ts'
import { toAgentRefusal } from './agent-refusal.ts'

const BODY_BYTES_MAX = 65_536
/** Nothing of it is kept. */
const TELEMETRY_BYTES_MAX = 33_554_432
const ANSWER_MS_MAX = 15_000

/** What the API may know of the request. */
const PASSED = [
  'authorization',
  'content-type',
  'if-none-match',
  'user-agent',
  'host',
  'forwarded',
  'x-forwarded-for',
]
/** What the caller is told of the answer. */
const RETURNED = [
  'content-type',
  'cache-control',
  'etag',
  'retry-after',
  'x-should-retry',
  'www-authenticate',
]
const DROPPED: PassedAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
}

/** Null for all that is no such request: calls go their own way. */
export function openPassOn(
  head: RequestHead,
  caller: CallerSide,
  services: ProxyServices,
): Exchange | null {
  const gateway = services.agentGateway
  const path = findAgentPath(head, gateway)
  if (gateway === null || path === null || path.kind === 'call') return null
  return new PassOn({ head, kind: path.kind, gateway, caller, services })
}

interface PassOnOptions {
  readonly head: RequestHead
  readonly kind: 'api' | 'telemetry'
  readonly gateway: AgentGateway
  readonly caller: CallerSide
  readonly services: Pick<ProxyServices, 'clock' | 'deadlines' | 'limits' | 'meter'>
}

class PassOn implements Exchange {
  readonly isUntilClose = false
  readonly #options: PassOnOptions
  readonly #scanner: BodyScanner
  /** The head is valid only as long as the bytes it came in. */
  readonly #request: { readonly method: string; readonly target: string }
  readonly #headers: Readonly<Record<string, string>>
  readonly #pieces: Buffer[] = []
  readonly #abort = new AbortController()
  #bytes = 0
  #overdueAt: number
  #isAsked = false
  #isOver = false

  constructor(options: PassOnOptions) {
    const { head, caller, services } = options
    this.#options = options
    this.#scanner = new BodyScanner(head.framing)
    this.#request = { method: head.method, target: head.target }
    this.#headers = pick(PASSED, (name) => head.lines.find(name))
    this.#overdueAt = services.deadlines.until(services.limits.bodyTimeoutMs)
    caller.connection.slot.begin(true)
    if (head.isExpecting) caller.socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  }

  get isRequestDone(): boolean {
    return this.#scanner.isDone
  }

  start(): void {
    if (this.isRequestDone) this.#ask()
  }

  feedRequest(bytes: Buffer, from: number): number {
    const { kind, services } = this.#options
    const scanner = this.#scanner
    const end = scanner.scan(bytes, from)
    this.#overdueAt = services.deadlines.until(services.limits.bodyTimeoutMs)
    for (let at = 0; at < scanner.payload.length; at += 2) {
      const part = slice(bytes, scanner.payload[at] as number, scanner.payload[at + 1] as number)
      this.#bytes += part.length
      if (kind === 'api' && this.#bytes <= BODY_BYTES_MAX) this.#pieces.push(Buffer.from(part))
    }
    const bytesMax = kind === 'api' ? BODY_BYTES_MAX : TELEMETRY_BYTES_MAX
    if (scanner.fault !== null) {
      this.#refuse(refuse('bad_request', `The request's body has ${scanner.fault}.`))
    } else if (this.#bytes > bytesMax) {
      this.#refuse(refuse('body_too_large', `At most ${bytesMax} bytes are taken here.`))
    } else if (scanner.isDone) {
      this.#ask()
    }
    return end
  }

  callerGone(): void {
    this.#end()
  }

  callerDrained(): void {}

  checkDeadline(nowMs: number): void {
    if (this.#isOver || nowMs < this.#overdueAt) return
    if (this.#isAsked) return this.#refuse(AWAY)
    this.#options.services.meter.add('limitsHit', 1, 'body_time')
    this.#refuse(refuse('bad_request', "The request's body stopped coming."))
  }

  #ask(): void {
    if (this.#isAsked || this.#isOver) return
    this.#isAsked = true
    const { kind, gateway, caller, services } = this.#options
    if (kind === 'telemetry') return this.#answer(DROPPED)
    this.#overdueAt = services.deadlines.until(ANSWER_MS_MAX)
    const address = caller.socket.remoteAddress ?? ''
    const body = Buffer.concat(this.#pieces)
    const request = { ...this.#request, headers: this.#headers, body, address }
    gateway.passOn(request, this.#abort.signal).then(
      (answer) => this.#answer(answer),
      () => this.#refuse(AWAY),
    )
  }

  #answer({ status, headers, body }: PassedAnswer): void {
    if (this.#isOver) return
    const { caller } = this.#options
    const hasBody = this.#request.method !== 'HEAD' && status !== 304
    const isClosing = caller.willClose(false)
    const returned = pick(RETURNED, (name) => headers[name] ?? null)
    const lines = [
      `HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Error'}`,
      ...Object.entries(returned).map(([name, value]) => `${name}: ${value}`),
      ...(status === 304 ? [] : [`Content-Length: ${body.length}`]),
      ...(isClosing ? ['Connection: close'] : []),
    ]
    this.#end()
    caller.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (hasBody && body.length > 0) caller.socket.write(body)
    caller.callEnded(!isClosing)
  }

  #refuse(refusal: Refusal): void {
    if (this.#isOver) return
    const { caller, services } = this.#options
    const { isDone } = this.#scanner
    this.#end()
    services.meter.add('refusals', 1, refusal.code)
    caller.answer(toAgentRefusal(refusal, services.clock.now()), !isDone)
    caller.callEnded(isDone)
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#abort.abort()
    this.#options.caller.connection.slot.end()
  }
}

const AWAY: Refusal = {
  ...refuse('overloaded', 'The gateway cannot sign anybody in now. Try again in a moment.'),
  retryAfterSeconds: 5,
}

function pick(
  names: readonly string[],
  read: (name: string) => string | null,
): Readonly<Record<string, string>> {
  const found = names.map((name) => [name, read(name)] as const)
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== null))
}
