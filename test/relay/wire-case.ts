// One row of the wire table: what a caller sends and what an upstream answers, in steps, as they
// would speak to each other without Weir. Texts are bytes in Latin-1.

export type CallerStep =
  /**
   * A request from its first byte: through Weir its head is changed as a caller of Weir would write
   * it.
   */
  | { readonly kind: 'request'; readonly text: string }
  /** More bytes, the same on both ways: of a body, or in a tunnel. */
  | { readonly kind: 'bytes'; readonly text: string }
  /** Goes on when this text has come, behind what was waited for before. */
  | { readonly kind: 'await'; readonly text: string }
  /** Goes on when the other side has said that it sends nothing more. */
  | { readonly kind: 'await-end' }
  /** Says that nothing more will be sent. */
  | { readonly kind: 'end' }

export interface UpstreamStep {
  /**
   * Goes on when this text has come, behind what was waited for before; null: when the other side
   * ended.
   */
  readonly after: string | null
  /**
   * Where it starts with `HTTP/1.` it is a response (informational ones in front), else more of
   * one.
   */
  readonly write: string
  /** Ends the connection behind the bytes. */
  readonly isEnd?: boolean
}

export interface WireCase {
  readonly name: string
  readonly caller: readonly CallerStep[]
  readonly upstream: readonly UpstreamStep[]
  /**
   * Weir closes the caller's connection at the end although no head says so: see the case's
   * comment.
   */
  readonly isCut?: boolean
  /** The answer comes before the request's end, and says that the connection ends after it. */
  readonly isEarly?: boolean
  /** All requests go over one connection to the upstream. */
  readonly isKept?: boolean
  /** The upstream gets a part of the last body only, since it has answered already. */
  readonly isBodyUnwanted?: boolean
}

export const BLANK_LINE = '\r\n\r\n'

/** A head with a Host, blank line included. */
export function head(requestLine: string, ...headers: readonly string[]): string {
  return [requestLine, 'Host: api.example', ...headers].join('\r\n') + BLANK_LINE
}

/** A response's head, blank line included. */
export function answer(statusLine: string, ...headers: readonly string[]): string {
  return [statusLine, ...headers].join('\r\n') + BLANK_LINE
}

/** A request with a sized body. */
export function sized(requestLine: string, body: string, ...headers: readonly string[]): string {
  return head(requestLine, ...headers, `Content-Length: ${body.length}`) + body
}

export const OK = `${answer('HTTP/1.1 200 OK', 'Content-Length: 2')}ok`
export const GET = head('GET /v1/models HTTP/1.1')
export const CHUNKED = 'Transfer-Encoding: chunked'

/** Answers when the whole request has come. */
export function replyTo(request: string, write: string): UpstreamStep {
  return { after: request.slice(request.indexOf(BLANK_LINE)), write }
}

/** One request, sent at once, and its answer. */
export function exchange(name: string, request: string, write: string = OK): WireCase {
  return {
    name,
    caller: [{ kind: 'request', text: request }],
    upstream: [replyTo(request, write)],
  }
}

/** The same, with the end of the connection behind the answer. */
export function exchangeAndEnd(name: string, request: string, write: string): WireCase {
  return {
    name,
    caller: [{ kind: 'request', text: request }],
    upstream: [{ ...replyTo(request, write), isEnd: true }],
  }
}

/** Every value that a byte can have. */
export const ALL_BYTES = String.fromCharCode(...Array.from({ length: 256 }, (_, value) => value))
