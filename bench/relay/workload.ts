// The kinds of calls that are compared, and how many of each make a figure. Streams are sent in two
// ways: at full speed events are gathered on their way, which hides what each of them costs.

import { UPLOAD_BYTES, createChatBody, createStreamBody, createUploadBody } from './calls.ts'
import type { AnswerKind } from './messages.ts'

export interface CallCounts {
  readonly warmUp: number
  /** In each round, at full load. */
  readonly loaded: number
  /**
   * In each round, one after the other on one connection; none where the upstream sets the pace.
   */
  readonly light: number
}

export interface Workload {
  readonly title: string
  readonly answer: AnswerKind
  readonly body: string
  readonly connections: number
  readonly counts: CallCounts
  /** For contenders that would take all day. */
  readonly slowCounts: CallCounts
}

export const CHAT: Workload = {
  title: '(a) chat call: 1.2 KB up, 0.9 KB down, 32 connections',
  answer: 'chat',
  body: createChatBody(),
  connections: 32,
  counts: { warmUp: 20_000, loaded: 10_000, light: 1500 },
  slowCounts: { warmUp: 300, loaded: 600, light: 100 },
}

export const STREAM: Workload = {
  title: '(b) SSE stream: 200 events of 150 bytes, as fast as they go, 16 at once',
  answer: 'stream',
  body: createStreamBody(),
  connections: 16,
  counts: { warmUp: 300, loaded: 300, light: 50 },
  slowCounts: { warmUp: 20, loaded: 40, light: 10 },
}

export const PACED_STREAM: Workload = {
  title: '(b) SSE stream: 200 events of 150 bytes, 2 ms apart, 16 at once',
  answer: 'paced',
  body: createStreamBody(),
  connections: 16,
  counts: { warmUp: 32, loaded: 64, light: 0 },
  slowCounts: { warmUp: 16, loaded: 16, light: 0 },
}

export const UPLOAD: Workload = {
  title: '(c) upload: 5 MB up, 0.9 KB down, 4 connections',
  answer: 'chat',
  body: createUploadBody(),
  connections: 4,
  counts: { warmUp: 100, loaded: 100, light: 20 },
  slowCounts: { warmUp: 4, loaded: 12, light: 4 },
}

export const UPLOAD_MEGABYTES = UPLOAD_BYTES / 1_000_000
