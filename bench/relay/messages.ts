// What the benchmark and the processes it starts send each other. One answer of the upstream is in
// force at a time: workloads run one after the other, and an upstream that looked into requests
// would cost more than some proxies do.

/**
 * chat    a chat completion as one JSON document
 * stream  a chat completion of many events, each in a write of its own, as fast as they go
 * paced   the same with a pause between events, so that each goes its way alone
 * steady    a stream that stays open, with a stamped event now and then, until it is released
 */
export type AnswerKind = 'chat' | 'stream' | 'paced' | 'steady'

export type ToUpstream =
  | { readonly kind: 'answer'; readonly answer: AnswerKind }
  /** Ends every steady stream as a finished call. */
  | { readonly kind: 'release' }

/** Sent once listening, and again when a message has been obeyed. */
export interface FromUpstream {
  readonly port: number
  /** Steady streams that are open. */
  readonly steady: number
  /** Events sent on steady streams so far. */
  readonly events: number
}

/** From the relay by itself: once listening, and whenever it is asked. */
export interface FromProxy {
  readonly port: number
  /** The value of X-SVC-API-Key. */
  readonly credential: string
  /** Lines that its journal took so far. */
  readonly journalLines: number
}
