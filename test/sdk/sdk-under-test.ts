// How an SDK is called and how its provider answers, as the parity suite needs to know it; and how
// a stream of any of them is read to its end.

import type { AnswerReply } from '../fakes/upstreams/replying-upstream.ts'
import type { Side } from './compare.ts'
import { describeError } from './describe-error.ts'
import type { CallOptions } from './sdk-clients.ts'

export interface SdkUnderTest {
  readonly provider: string
  /** One call that is answered whole; what the SDK makes of it, as plain data. */
  call(side: Side, options: CallOptions): Promise<unknown>
  /**
   * One call that is answered by a stream: one item for each text, and whatever else the SDK shows.
   */
  stream(side: Side, options: CallOptions): AsyncIterable<unknown>
  isText(item: unknown): boolean
  answer(text: string): AnswerReply
  answerStream(texts: readonly string[]): AnswerReply
  /** How many pieces of a streamed answer come before its first text. */
  readonly piecesBeforeText: number
  /** An error inside a stream that began well. */
  readonly errorPiece: string
  error(status: number, headers?: Readonly<Record<string, string>>): AnswerReply
  /** Statuses this SDK tries again, as its documentation has it. */
  readonly retriedStatuses: readonly number[]
  /** How many attempts it makes when two are allowed and the first answer does not come in time. */
  readonly attemptsOnTimeout: number
  /** Whether the header x-should-retry is above its own rules. */
  readonly obeysRetryHeader: boolean
  /** Whether it tries again when the connection is cut before an answer. */
  readonly isCutRetried: boolean
  /** Statuses at which this SDK drops what the provider said. */
  readonly hiddenStatuses: readonly number[]
}

/** What a stream says, cut into its events. */
export const TEXTS = ['Rivers ', 'are ', 'measured ', 'at ', 'weirs: ', 'Fluß, 川, река, 🌊.']

export interface Streamed {
  readonly items: readonly unknown[]
  readonly error: unknown
}

export interface ReadOptions extends CallOptions {
  /** The upstream may cut once so many texts have arrived. */
  readonly releaseAfter?: number
  readonly afterText?: (count: number) => void
}

export async function readStream(
  sdk: SdkUnderTest,
  side: Side,
  options: ReadOptions,
): Promise<Streamed> {
  const items: unknown[] = []
  let texts = 0
  try {
    for await (const item of sdk.stream(side, options)) {
      items.push(item)
      if (!sdk.isText(item)) continue
      texts += 1
      options.afterText?.(texts)
      if (texts === options.releaseAfter) side.upstream.release()
    }
  } catch (error) {
    return { items, error: describeError(error, side.baseUrl) }
  }
  return { items, error: null }
}
