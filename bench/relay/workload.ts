// The kinds of calls that are compared, and how many of each make a figure. Streams are sent in two
// ways: at full speed events are gathered on their way, which hides what each of them costs.

import { CHAT_BODY, createBody, STREAM_BODY } from '../harness/calls.ts'
import type { AnswerKind } from '../harness/answers.ts'

export interface Workload {
  readonly title: string
  readonly answer: AnswerKind
  readonly body: string
  readonly connections: number
  /**
   * At first; in each round at full load; in each round one after the other on one connection, none
   * where the upstream sets the pace.
   */
  readonly counts: Readonly<Record<'warmUp' | 'loaded' | 'light', number>>
  /** A contender that would take all day gets one call in so many. */
  readonly slowDivisor: number
}

export const UPLOAD_MEGABYTES = 5

export const CHAT: Workload = {
  title: '(a) chat call: 1.2 KB up, 0.9 KB down, 32 connections',
  answer: 'chat',
  body: CHAT_BODY,
  connections: 32,
  counts: { warmUp: 20_000, loaded: 10_000, light: 1500 },
  slowDivisor: 40,
}

export const STREAM: Workload = {
  title: '(b) SSE stream: 200 events of 150 bytes, as fast as they go, 16 at once',
  answer: 'stream',
  body: STREAM_BODY,
  connections: 16,
  counts: { warmUp: 300, loaded: 300, light: 50 },
  slowDivisor: 10,
}

export const PACED_STREAM: Workload = {
  ...STREAM,
  title: '(b) SSE stream: 200 events of 150 bytes, 2 ms apart, 16 at once',
  answer: 'paced',
  counts: { warmUp: 32, loaded: 64, light: 0 },
  slowDivisor: 8,
}

/** A picture in a message, as large calls mostly are. */
export const UPLOAD: Workload = {
  title: '(c) upload: 5 MB up, 0.9 KB down, 4 connections',
  answer: 'chat',
  body: createBody({}, UPLOAD_MEGABYTES * 1_000_000),
  connections: 4,
  counts: { warmUp: 100, loaded: 100, light: 20 },
  slowDivisor: 10,
}
