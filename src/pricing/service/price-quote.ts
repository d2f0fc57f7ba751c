// What usage given on the command line would cost, priced in the same way as a real call.

import { createTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import { toInterruptedEvent, USAGE_EVENT_VERSION } from '../../core/usage-event.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { WeirError } from '../../core/weir-error.ts'
import { quoteUse } from '../tables/explain.ts'
import type { Explanation } from '../tables/explain.ts'
import type { PriceTables } from '../tables/price-tables.ts'

export type { Explanation } from '../tables/explain.ts'

export interface QuoteQuestion {
  readonly provider: string
  readonly model: string
  readonly tokens: Partial<TokenCounts>
  readonly toolCalls: Readonly<Record<string, number>>
  readonly serviceTier: string | null
  readonly region?: string | undefined
  readonly atMs: number
}

export function quotePrice(priceTables: PriceTables, question: QuoteQuestion): Explanation {
  const tokens = createTokenCounts(question.tokens)
  refuseBeyondWhole(tokens)
  return quoteUse(toEvent(question, tokens), priceTables)
}

function toEvent(question: QuoteQuestion, tokens: TokenCounts): UsageEvent {
  const { provider, model, toolCalls, serviceTier, region, atMs } = question
  const opening = {
    version: USAGE_EVENT_VERSION,
    id: '',
    keyId: null,
    provider,
    operation: null,
    dims: {},
    startedAt: atMs,
  } as const
  return {
    ...toInterruptedEvent(opening, atMs),
    status: 'delivered',
    requestedModel: model,
    model,
    usage: 'reported',
    tokens,
    toolCalls,
    serviceTier,
    region,
  }
}

type Part = readonly [option: string, count: number]

/** Parts that cannot add up to more than the whole; but an audio token can also be a cached one. */
function refuseBeyondWhole(tokens: TokenCounts): void {
  refuseBeyond(
    ['--input', tokens.input],
    [
      ['--cache-read', tokens.cacheRead],
      ['--cache-write-5m', tokens.cacheWrite5m],
      ['--cache-write-1h', tokens.cacheWrite1h],
    ],
  )
  refuseBeyond(
    ['--cache-read', tokens.cacheRead],
    [
      ['--cache-read-audio', tokens.cacheReadAudio ?? 0],
      ['--cache-read-image', tokens.cacheReadImage ?? 0],
    ],
  )
  refuseBeyond(['--input', tokens.input], [['--input-audio', tokens.inputAudio]])
  refuseBeyond(['--input', tokens.input], [['--input-image', tokens.inputImage]])
  refuseBeyond(
    ['--output', tokens.output],
    [
      ['--reasoning', tokens.reasoning],
      ['--output-audio', tokens.outputAudio],
      ['--output-image', tokens.outputImage],
    ],
  )
}

function refuseBeyond([whole, count]: Part, parts: readonly Part[]): void {
  const sum = parts.reduce((total, [, part]) => total + part, 0)
  if (sum <= count) return
  const given = parts.filter(([, part]) => part > 0).map(([option, part]) => `${option} ${part}`)
  const message = `${given.join(' + ')} is more than the whole, ${whole} ${count}.`
  const hint = `${whole} counts all of them: write at least ${whole} ${sum}.`
  throw new WeirError('invalid_parameter', message, { hint })
}
