// Rates, and where sources of price data differ about them, as prices and calls show them; see
// contract.ts.

import { z } from 'zod'
import { count, string } from '../answer-members.ts'
import { named } from '../parameter-schemas.ts'

export const usd = z
  .string()
  .regex(/^-?\d+(?:\.\d+)?$/)
  .meta({ example: '2.5' })

export const rateSchema = named('Rate', {
  unit: string('input, output, cache_read, …, or what is billed per unit.', 'output'),
  per: count('The rate is for so many of the unit: 1000000 of tokens, else 1.', 1_000_000),
  rate_usd: usd,
  steps: z
    .array(z.object({ above_input_tokens: z.int(), rate_usd: usd }))
    .describe('Above so many input tokens, the rate of the whole call.'),
})

export const priceDifferenceSchema = named('PriceDifference', {
  source: string('Who publishes the other figures; no cost is computed from them.', 'LiteLLM'),
  rates: z.array(rateSchema).describe('The other figures, of the units that differ.'),
  listed_rates: z
    .array(rateSchema)
    .describe(
      "What the price list has for these units, before an operator's factor. Left out: what it has no rate of its own for.",
    ),
})

export type RateAnswer = z.infer<typeof rateSchema>
export type PriceDifference = z.infer<typeof priceDifferenceSchema>
