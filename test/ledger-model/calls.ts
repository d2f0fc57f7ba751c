// Calls for random histories: priced by the book, told by the provider, free, unknown, counted
// once, and those that cannot be stored until something is mended. The cost of each is worked out
// here by hand.

import { createRequestId } from '../../src/core/ids.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { PriceTables } from '../../src/pricing/tables/price-tables.ts'
import type { PriceEntry, Rates } from '../../src/pricing/tables/price-table.ts'
import { fromRuleRates } from '../../src/pricing/tables/rate-text.ts'

export type Random = (below: number) => number

export const NOW = Date.UTC(2026, 9, 20, 12)
const DAY_MS = 86_400_000

/** 3 USD a million tokens in, 15 USD out. */
export const PRICED_MODEL = 'priced'
const RATES = fromRuleRates({ input: '3', output: '15' })
const INPUT_PICO = 3_000_000n
const OUTPUT_PICO = 15_000_000n

/** What breaks the pricing, and what the store refuses, until they are mended. */
export const POISON = 'poison'
export const UNSTORABLE = 'unstorable'

export function createBook(isMended: () => boolean): PriceTables {
  const entry: PriceEntry = { rates: RATES as Rates, source: 'price-book', version: 'model 1' }
  return {
    find: ({ model }) => {
      if (model === POISON && !isMended()) throw new Error('no rate can be made of it')
      return model === PRICED_MODEL ? entry : null
    },
  }
}

export const KEYS = ['svc_k_aaaaaaaaaaaaaaaa', 'svc_k_bbbbbbbbbbbbbbbb'] as const

export function createCall(random: Random): UsageEvent {
  const startedAt = NOW - random(3 * DAY_MS)
  const tokens = createTokenCounts({ input: random(5000), output: random(5000) })
  const event: UsageEvent = {
    version: 1,
    id: createRequestId(startedAt),
    keyId: KEYS[random(KEYS.length)] ?? null,
    provider: 'north',
    operation: 'chat',
    dims: random(2) === 0 ? {} : { team: `t${random(3)}`, '@tool': `tool-${random(2)}` },
    ...(random(2) === 0 && { agent: { session: `s${random(4)}`, retry: random(2) } }),
    startedAt,
    requestedModel: PRICED_MODEL,
    model: PRICED_MODEL,
    status: 'delivered',
    httpStatus: 200,
    errorCode: null,
    streamed: random(2) === 0,
    firstByteAt: startedAt + 10,
    endedAt: startedAt + random(5000),
    requestBytes: random(1000),
    responseBytes: random(1000),
    chargeable: true,
    usage: 'reported',
    tokens,
    toolCalls: {},
    serviceTier: null,
    billing: null,
    ownMicros: random(1000),
  }
  return vary(event, random)
}

function vary(event: UsageEvent, random: Random): UsageEvent {
  switch (random(40)) {
    case 0:
      return { ...event, model: POISON }
    case 1:
      return { ...event, model: UNSTORABLE }
    case 2:
    case 3:
    case 4:
    case 5: {
      const cost = BigInt(random(1_000_000_000))
      const billing = { cost, marketCost: null, isByok: null, generationId: 'gen_1' }
      return { ...event, billing }
    }
    case 6:
    case 7:
      return { ...event, status: 'refused', chargeable: false, usage: 'none', tokens: null }
    case 8:
    case 9:
      return { ...event, status: 'aborted', usage: 'none', tokens: null }
    case 10:
    case 11:
    case 12:
      return { ...event, countedAs: `response:r${random(4)}` }
    default:
      return event
  }
}

/** Null: not known. `isRepeat` for one whose object another call has counted. */
export function costOf(event: UsageEvent, isRepeat: boolean): bigint | null {
  if (event.status === 'denied' || !event.chargeable || isRepeat) return 0n
  if (event.billing?.cost !== undefined && event.billing.cost !== null) return event.billing.cost
  if (event.model !== PRICED_MODEL || event.tokens === null) return null
  const { input, output } = event.tokens
  return BigInt(input) * INPUT_PICO + BigInt(output) * OUTPUT_PICO
}
