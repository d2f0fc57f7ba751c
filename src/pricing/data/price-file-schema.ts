// What a price file of ours may contain; the format of genai-prices shares some of it. Must stay
// true: every list has a limit, and a regular expression from outside cannot run for long.

import type { MatchLogic } from './model-price.ts'
import { z } from 'zod'
import { parseMoment } from '../../core/moment.ts'
import type { RuleRate, RuleRates } from '../../core/price-rule.ts'
import { MODEL_LENGTH_MAX } from '../tables/model-match.ts'
import { findRateFaults, findUnitFaults, STEPS_MAX, UNITS_MAX } from '../tables/rule-faults.ts'

export const MODELS_MAX = 50_000
export const PROVIDERS_MAX = 500
const NAMES_MAX = 500
/** A model whose hours change with the days of the week has hundreds. */
export const PRICES_MAX = 2000
const LAYERS_MAX = 8
export const USD_MAX = 1_000_000
const REGEX_CHARACTERS_MAX = 200

const name = z
  .string()
  .min(1)
  .max(MODEL_LENGTH_MAX)
  .regex(/^[!-~]+$/, 'has spaces or unusual characters')

/** As it stands in price versions, which are joined by ` + ` and ` × `. */
export const label = z
  .string()
  .min(1)
  .max(MODEL_LENGTH_MAX)
  .regex(/^[A-Za-z0-9~][\w@.:/+~-]*$/, 'has characters that are not allowed in a version')

export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a day such as 2026-11-01')
  // Date.parse turns February 30 into March 2.
  .refine((text) => parseMoment(text) !== null, 'is not a day of the calendar')

export const timeOfDay = z
  .string()
  .regex(
    /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-]\d{2}:\d{2})?$/,
    'is not a time of day such as 00:30',
  )

// Without repeated groups no search is exponential, and with one or two open ends in bounded names
// none lasts.
const OPEN_ENDS_MAX = 2
const regex = z
  .string()
  .min(1)
  .max(REGEX_CHARACTERS_MAX)
  .refine((source) => {
    const bare = source.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_')
    const openEnds = bare.match(/[*+]|\{\d+,\d*\}/g) ?? []
    return !/\)[*+?{]/.test(bare) && openEnds.length <= OPEN_ENDS_MAX && !/\\[1-9k]/.test(source)
  }, 'repeats groups or has too many open ends')
  .refine(isRegex, 'is not a regular expression')

function isRegex(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

export const match: z.ZodType<MatchLogic> = z.union([
  z.strictObject({ equals: name }),
  z.strictObject({ starts_with: name }),
  z.strictObject({ ends_with: name }),
  z.strictObject({ contains: name }),
  z.strictObject({ regex }),
  z.strictObject({ or: z.array(z.lazy(() => match)).max(NAMES_MAX) }),
  z.strictObject({ and: z.array(z.lazy(() => match)).max(NAMES_MAX) }),
])

const ruleRate: z.ZodType<RuleRate> = z.union([
  z.string().max(64),
  z.strictObject({
    base: z.string().max(64),
    steps: z.array(z.strictObject({ above: z.number(), rate: z.string().max(64) })).max(STEPS_MAX),
  }),
])

const rates: z.ZodType<RuleRates> = z.record(z.string().max(64), ruleRate).check((context) => {
  const units = Object.entries(context.value)
  const faults = units.flatMap(([unit, rate]) => {
    return [...findUnitFaults(unit), ...findRateFaults(unit, rate)]
  })
  if (units.length > UNITS_MAX) faults.push(`has more than ${UNITS_MAX} rates`)
  for (const message of faults) {
    context.issues.push({ code: 'custom', message, input: context.value })
  }
})

export const tierName = z.string().regex(/^[a-z0-9][a-z0-9_.+-]{0,63}$/, 'is not a service tier')

const filePrice = z
  .strictObject({
    from: day.optional(),
    hours: z.strictObject({ start: timeOfDay, end: timeOfDay }).optional(),
    tier: tierName.optional(),
    free: z.boolean().optional(),
    rates: rates.optional(),
  })
  .refine(({ free, rates: own }) => (free === true) !== (own !== undefined), {
    error: 'must have either rates or "free": true',
  })

const moment = z.iso.datetime({ offset: true, error: 'is not a time in ISO 8601' })

const fileModel = z
  .strictObject({
    provider: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'is not a provider id'),
    id: label.optional(),
    names: z.array(name).min(1).max(NAMES_MAX).optional(),
    match: match.optional(),
    layer: z
      .int()
      .min(0)
      .max(LAYERS_MAX - 1)
      .default(0),
    against: day.optional(),
    prices: z.array(filePrice).min(1).max(PRICES_MAX),
  })
  .refine((model) => (model.names === undefined) !== (model.match === undefined), {
    error: 'must have either names or match',
  })
  .refine((model) => model.match === undefined || model.id !== undefined, {
    error: 'needs an id besides match',
  })

export type FilePrice = z.infer<typeof filePrice>
export type FileModel = z.infer<typeof fileModel>

export const FILE_FORMAT = 'weir-prices/1'

/**
 *     {
 *       "format": "weir-prices/1",
 *       "version": "acme-2026-11",
 *       "published_at": "2026-11-01T00:00:00Z",
 *       "models": [
 *         {
 *           "provider": "openai",
 *           "names": ["gpt-4o", "gpt-4o-2024-11-20"],
 *           "prices": [
 *             { "rates": { "input": "2.5", "cache_read": "1.25", "output": "10" } },
 *             { "tier": "batch", "rates": { "input": "1.25", "output": "5" } },
 *             { "from": "2027-01-01", "rates": { "input": "2", "output": "8" } }
 *           ]
 *         }
 *       ]
 *     }
 *
 * Units and figures are those of price rules. A price that starts on a day replaces all before it,
 * of every service tier. `match` instead of `names` has conditions as in genai-prices. Models of a
 * lower `layer` come before those of a higher one, whatever their names. In what `export` writes,
 * `layers` says when each layer was published, and `against` which day's data a model corrects:
 * there, too, what was published last comes first.
 */
export const WEIR_FILE = z
  .strictObject({
    format: z.literal(FILE_FORMAT, { error: `is not "${FILE_FORMAT}"` }),
    version: label.max(64),
    published_at: moment,
    layers: z.array(moment).max(LAYERS_MAX).optional(),
    models: z.array(fileModel).min(1).max(MODELS_MAX),
  })
  .check(({ value: { published_at: publishedAt, layers = [], models }, issues }) => {
    const isLater = (date: string): boolean => Date.parse(date) > Date.parse(publishedAt)
    const message = 'is later than published_at'
    for (const [index, date] of layers.entries()) {
      if (isLater(date)) {
        issues.push({ code: 'custom', message, input: date, path: ['layers', index] })
      }
    }
    for (const [index, { against = publishedAt }] of models.entries()) {
      if (isLater(against)) {
        issues.push({
          code: 'custom',
          message,
          input: against,
          path: ['models', index, 'against'],
        })
      }
    }
  })

/** With the place of each. */
export function toFaults(
  { issues }: z.ZodError,
  start: readonly PropertyKey[] = [],
): readonly string[] {
  return issues.map(({ path, message }) => {
    const place = [...start, ...path].map(String).join('.')
    return place === '' ? message : `${place}: ${message}`
  })
}
