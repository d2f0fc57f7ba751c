// One call by a provider's own client: what the provider answers, and what Weir has to know
// afterwards.

import type { CostSource } from '../../src/core/usage-record.ts'
import type { TokenCounts } from '../../src/core/token-counts.ts'
import type { UsageKnowledge } from '../../src/core/usage-event.ts'
import type { AnswerReply } from '../fakes/upstreams/replying-upstream.ts'

/** Where Weir offers the provider, and the headers that a caller adds. */
export interface Address {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

export interface ClientCase {
  readonly name: string
  readonly provider: string
  readonly reply: AnswerReply
  /** Resolves to the text that the client made of the answer. */
  call(address: Address): Promise<string>
  readonly text: string
  readonly expected: ExpectedRecord
}

export interface ExpectedRecord {
  readonly requestedModel: string
  readonly model: string
  /** Kinds that are left out are zero. */
  readonly tokens: Partial<TokenCounts>
  readonly usage?: UsageKnowledge
  /**
   * In USD, worked out by hand from the list prices that stand beside it; null when it is unknown.
   */
  readonly cost: string | null
  readonly source: CostSource
  readonly toolCalls?: Readonly<Record<string, number>>
}

/** One event of a stream. */
export function toEvent(document: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(document)}\n\n`
}

export const QUESTION = 'Name a river.'
export const MESSAGES = [{ role: 'user' as const, content: QUESTION }]
