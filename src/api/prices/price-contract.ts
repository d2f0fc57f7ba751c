// The contract for prices, in exact decimals; see contract.ts. It is only ever added to.

import { z } from 'zod'
import { boolean, count, number, string, time } from '../answer-members.ts'
import { COST_SOURCES } from '../requests/request-contract.ts'
import { PRICE_UPDATE_RESULTS } from '../../core/telemetry.ts'
import { NOTE_CHARACTERS_MAX, STEPS_MAX, UNITS_MAX } from '../../pricing/tables/rule-faults.ts'
import { STANDING_REASONS } from '../../pricing/data/standing-reason.ts'
import {
  integer,
  keyIdParameter,
  moment,
  named,
  namedBody,
  oneOf,
  pageCursor,
  text,
} from '../parameter-schemas.ts'
import { priceImportReportSchema } from './import-contract.ts'
import { priceDifferenceSchema, rateSchema, usd } from './rate-contract.ts'

export const PRICE_UPDATE_ROWS_MAX = 500
export const PRICES_LIMIT_MAX = 1000
export const PRICES_LIMIT_DEFAULT = 100

const provider = z.string().meta({ example: 'some-provider' })
const model = z.string().meta({ example: 'large-2026-01-15' })
const dataVersion = z.string().meta({ example: 'bundle@2026-10-30' })
const month = z.string().meta({ example: '2026-03' })
const ruleRates = { example: { input: '2.25', output: '9' } }

export const PRICE_RULE_ID_EXAMPLE = 'price_4e8b1c6d9f2a3057'

const originMembers = {
  sources: z
    .array(z.string().meta({ example: 'genai-prices' }))
    .describe("Where the listed price is from; empty for an operator's own rates."),
  differs: z
    .array(priceDifferenceSchema)
    .describe('Sources that have something else; empty where they agree.'),
}

export const modelPriceSchema = named('ModelPrice', {
  provider,
  model,
  source: z.enum(COST_SOURCES),
  since: time.orNull('Null: as long as is known.'),
  is_free: z.boolean(),
  is_override: boolean("An operator's rule decides it, or multiplies it."),
  rates: z.array(rateSchema),
  ...originMembers,
})

/** A row of the list. */
export const listedPriceSchema = named('ListedPrice', {
  ...modelPriceSchema.shape,
  used: z
    .object({
      requests: count(),
      cost_usd: number(),
      unpriced: count('Of requests: calls whose cost is not known.'),
      wants: z
        .enum(['price', 'reprice'])
        .nullable()
        .describe('What those need: a price, or repricing, since there is one by now.'),
    })
    .nullable()
    .describe('In the last 30 days, by order=used; null without a call, or by another order.'),
})

export const priceDataSchema = named('PriceData', {
  version: dataVersion,
  published_at: time(),
  age_days: z.int(),
  is_old: z.boolean(),
  imported_at: time.orNull(),
  imported_by: string.orNull(),
  is_import_outdated: z.boolean(),
  last_update: z
    .object({
      at: time(),
      result: z.enum(PRICE_UPDATE_RESULTS),
      words: string('What came of it, in words.', 'nothing new was published'),
    })
    .nullable()
    .describe('Null where none was ever asked for.'),
})

export const PRICE_ORDERS = ['name', 'used'] as const

export const priceParametersSchema = z.strictObject({
  search: text('search', 100).describe(
    'Only models whose name contains it; case makes no difference.',
  ),
  provider: text('provider', 64).describe('Only models of this provider.'),
  order: z.enum(PRICE_ORDERS, oneOf('order', PRICE_ORDERS)).optional().meta({
    default: 'name',
    description:
      'used: models that were used in the last 30 days first, by what they need, then by cost; those without a listed price are in it, too.',
  }),
  limit: integer('limit', { max: PRICES_LIMIT_MAX, preset: PRICES_LIMIT_DEFAULT }),
  cursor: pageCursor(/^[1-9]\d{0,6}$/),
})

export const pricePageSchema = named('PricePage', {
  rows: z.array(listedPriceSchema),
  used_as_of: time.orNull('When their use was read; null by another order.'),
  total: z.int(),
  next_cursor: string.orNull(),
  price_data: priceDataSchema,
})

export const pricePeriodSchema = named('PricePeriod', {
  tier: z.string().meta({ example: 'standard' }),
  source: z.enum(COST_SOURCES),
  price_version: z.string(),
  since: time.orNull(),
  hours: string.orNull('16:30-00:30 UTC, where it is in force at some hours only.'),
  matched: string("The list's name, or the rule's pattern, by which it was found."),
  rule: string.orNull("The id of the operator's rule behind it."),
  is_free: z.boolean(),
  is_current: z.boolean(),
  rates: z.array(rateSchema),
  ...originMembers,
})

export const priceHistoryParametersSchema = z.strictObject({
  provider: text('provider', 64)
    .unwrap()
    .meta({ description: 'The id of a provider.', example: 'some-provider' }),
  model: text('model', 256)
    .unwrap()
    .meta({ description: 'As calls name it.', example: 'large-2026-01-15' }),
  at: moment('at').describe('Which prices are current, and whether there is one. Left out: now.'),
})

export const priceHistorySchema = named('PriceHistory', {
  provider,
  model,
  periods: z.array(pricePeriodSchema).describe('The ordinary tier first, each tier newest first.'),
  near_models: z
    .array(z.string())
    .describe('Where the model has no price at that moment: names that are like it.'),
})

const RATES_FAULT =
  `rates must be at most ${UNITS_MAX} units, each with a decimal as text, "2.5", or ` +
  `{ "base": "2.5", "steps": [{ "above": 200000, "rate": "5" }] } with at most ${STEPS_MAX} steps`
const MULTIPLIER_FAULT =
  'multiplier must be a decimal as text, above 0 and up to 100, such as "0.8"'
const FROM_FAULT = 'effective_from must be a moment in UTC, YYYY-MM-DDThh:mm:ssZ'

const rateText = z.string(RATES_FAULT).max(64, RATES_FAULT)
const ruleRate = z.union(
  [
    rateText,
    z.strictObject({
      base: rateText,
      steps: z.array(z.strictObject({ above: z.int(), rate: rateText })).max(STEPS_MAX),
    }),
  ],
  { error: RATES_FAULT },
)

const line = (name: string, charsMax: number) => {
  const error = `${name} must be 1 to ${charsMax} characters`
  return z.string(error).trim().min(1, error).max(charsMax, error)
}

/** Either `rates`, USD per million tokens or per unit, or a `multiplier` on the listed price. */
export const newPriceRuleSchema = z
  .strictObject({
    provider: line('provider', 64),
    model: line('model', 256).describe('* for any characters; the longest that fits decides.'),
    tier: line('tier', 64).nullable().optional(),
    effective_from: z.iso.datetime(FROM_FAULT).optional().describe('Left out: now.'),
    rates: z
      .record(z.string().max(64, RATES_FAULT), ruleRate, RATES_FAULT)
      .refine((rates) => Object.keys(rates).length <= UNITS_MAX, RATES_FAULT)
      .optional(),
    multiplier: z.string(MULTIPLIER_FAULT).max(32, MULTIPLIER_FAULT).optional(),
    note: line('note', NOTE_CHARACTERS_MAX).nullable().optional(),
  })
  .refine((rule) => (rule.rates === undefined) !== (rule.multiplier === undefined), {
    error: 'a rule has either rates or a multiplier',
    // Otherwise it would be reported only once everything else is right.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({ id: 'NewPriceRule' })

export const priceRuleSchema = named('PriceRule', {
  id: z.string().meta({ example: PRICE_RULE_ID_EXAMPLE }),
  provider,
  model,
  tier: string.orNull(),
  effective_from: time(),
  rates: z.record(z.string(), ruleRate).nullable().meta(ruleRates),
  multiplier: z.string().nullable().meta({ example: null }),
  note: z.string().nullable().meta({ example: 'Contract of March' }),
  origin: z
    .enum(['command', 'file'])
    .describe('file: from the configuration; it can only be changed there.'),
  created_at: time.orNull(),
})

export const priceRuleListSchema = named('PriceRuleList', { rows: z.array(priceRuleSchema) })

export const missingPriceSchema = named('MissingPrice', {
  provider,
  model: model.nullable(),
  requests: z.int(),
  tokens: z.int(),
  is_partial: boolean('Not all of these calls could be read: there are more tokens.'),
  first_month: month,
  last_month: month,
  wants: z
    .enum(['price', 'reprice', 'nothing'])
    .describe(
      'price: what it costs is not known; reprice: it has a price by now; nothing: no price can fit.',
    ),
  units: z
    .array(z.string())
    .describe('What a price has to cover, as rules name it: ["input", "output"], ["image"].'),
})

export const missingPriceListSchema = named('MissingPriceList', {
  rows: z.array(missingPriceSchema),
})

/** Changes nothing without `apply`. */
export const repriceRequestSchema = namedBody('RepriceRequest', {
  provider: line('provider', 64).optional(),
  model: line('model', 256).optional().describe('* for any characters.'),
  api_key: keyIdParameter,
  from: moment('from'),
  to: moment('to'),
  all: z
    .boolean('all must be true or false')
    .optional()
    .describe('Those too whose cost was computed, not only unpriced ones.'),
  apply: z.boolean('apply must be true or false').optional(),
})

const diffMembers = { calls: z.int(), before_usd: usd, after_usd: usd, difference_usd: usd }

export const repricingSchema = named('Repricing', {
  id: z.int(),
  at: time(),
  who: z.string().meta({ example: 'ada@example.com' }),
  what: string('Which calls were meant.', 'unpriced calls'),
  ...diffMembers,
  months: z
    .array(z.object({ month, ...diffMembers }))
    .nullable()
    .describe('Null: an earlier version did not keep them.'),
})

export const repricingListSchema = named('RepricingList', {
  rows: z.array(repricingSchema).describe('The newest first.'),
})

export const repriceAnswerSchema = named('RepriceAnswer', {
  applied: z.boolean(),
  checked: count('Calls that were meant.'),
  repricing: repricingSchema.nullable().describe('What was changed; null where nothing was.'),
  ...diffMembers,
  by_key: z.array(z.object({ api_key: z.string().nullable(), ...diffMembers })),
  by_model: z.array(z.object({ provider, model: model.nullable(), ...diffMembers })),
  unpriced: z.array(
    z.object({
      provider,
      model: model.nullable(),
      reason: z.string(),
      calls: z.int(),
    }),
  ),
  kept: z.int(),
})

/** Applies newer data unless `check`; what looks like a mistake only with `force`. */
export const priceUpdateRequestSchema = namedBody('PriceUpdateRequest', {
  check: z.boolean('check must be true or false').optional(),
  force: z.boolean('force must be true or false').optional(),
  version: line('version', 256)
    .optional()
    .describe('Of the data that was checked before: other data is not applied.'),
  report: z
    .boolean('report must be true or false')
    .optional()
    .describe('With all that changes, however much it is, in report.'),
})

const listedModel = z.object({ provider, model })

export const priceUpdateAnswerSchema = named('PriceUpdateAnswer', {
  result: z.enum(PRICE_UPDATE_RESULTS),
  words: string('The result in words, with its reason where it failed.'),
  version: string.orNull('Of what was fetched; null without newer data.'),
  added: count('Models that get a price.'),
  removed: count('Models that lose theirs.'),
  changed: count('Rates that change.'),
  added_models: z.array(listedModel).describe(`At most ${PRICE_UPDATE_ROWS_MAX}, also below.`),
  removed_models: z.array(listedModel),
  changed_rates: z.array(
    listedModel.extend({
      tier: z.string(),
      unit: z.string(),
      before_usd: usd.nullable(),
      after_usd: usd.nullable(),
      is_large: z.boolean(),
    }),
  ),
  corrections: z
    .object({
      replaced: z.int(),
      standing: z.int(),
      replaced_models: z.array(listedModel),
      standing_models: z.array(listedModel.extend({ why: z.enum(STANDING_REASONS) })),
    })
    .describe(
      "Weir's own corrections that the data replaces, and those that stand: it still has what was corrected (unchanged), is not newer (older), or has no price for the model (no-price).",
    ),
  doubts: z.array(z.string()).describe('Why applying it needs force, in sentences.'),
  impact: z
    .object({
      days: z.int(),
      is_estimate: boolean('Projected from a part of the calls.'),
      ...diffMembers,
      by_model: z.array(listedModel.extend(diffMembers)),
    })
    .nullable()
    .describe(
      'What the last days would cost at the prices before and after. Null without newer data, or without scope read:usage.',
    ),
  report: priceImportReportSchema
    .optional()
    .describe('All of it, where it was asked for and there is newer data.'),
})

const shownDiffMembers = {
  calls: count.orNull(),
  before_usd: usd.nullable(),
  after_usd: usd.nullable(),
  difference_usd: usd.nullable(),
}

/** For who may change prices but not read what was spent, or by which key. */
export const repriceOutcomeSchema = named('RepriceOutcome', {
  applied: z.boolean(),
  checked: count.orNull(),
  repricing: repricingSchema.nullable(),
  ...shownDiffMembers,
  by_key: repriceAnswerSchema.shape.by_key
    .nullable()
    .describe('Null without scopes read:usage and read:keys.'),
  by_model: repriceAnswerSchema.shape.by_model.nullable(),
  unpriced: repriceAnswerSchema.shape.unpriced.nullable(),
  kept: count.orNull(),
})

export type ModelPrice = z.infer<typeof modelPriceSchema>
export type ListedPrice = z.infer<typeof listedPriceSchema>
export type PriceDataAnswer = z.infer<typeof priceDataSchema>
export type PricePage = z.infer<typeof pricePageSchema>
export type PricePeriod = z.infer<typeof pricePeriodSchema>
export type PriceHistory = z.infer<typeof priceHistorySchema>
export type NewPriceRuleBody = z.input<typeof newPriceRuleSchema>
export type PriceRuleAnswer = z.infer<typeof priceRuleSchema>
export type PriceRuleList = z.infer<typeof priceRuleListSchema>
export type MissingPriceAnswer = z.infer<typeof missingPriceSchema>
export type MissingPriceList = z.infer<typeof missingPriceListSchema>
export type PriceUpdateRequest = z.input<typeof priceUpdateRequestSchema>
export type PriceUpdateAnswer = z.infer<typeof priceUpdateAnswerSchema>
export type RepriceRequest = z.input<typeof repriceRequestSchema>
export type RepriceOutcome = z.infer<typeof repriceOutcomeSchema>
export type RepricingRow = z.infer<typeof repricingSchema>
export type RepricingList = z.infer<typeof repricingListSchema>
export type RepriceAnswer = z.infer<typeof repriceAnswerSchema>
