// The contract for budgets, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import {
  BUDGET_PERIODS,
  DEFAULT_THRESHOLDS,
  THRESHOLD_MAX,
  THRESHOLDS_MAX,
} from '../../core/budget.ts'
import { SCOPE_FORMS, parseScope } from '../../core/budget-scope.ts'
import { parseMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { newTargetSchema, targetSchema } from './alert-contract.ts'
import { integer, named, namedBody, oneOf, versionMember } from '../parameter-schemas.ts'

export const BUDGET_NAME_CHARS_MAX = 100
/** Far above any bill. */
export const BUDGET_LIMIT_MAX: Money = 10n ** 21n
export const BUDGET_LIMIT_USD_MAX = 1_000_000_000
/** Per body: each may need a DNS lookup. */
export const NEW_TARGETS_MAX = 20

const LIMIT_TEXT = /^\d{1,10}(?:\.\d{1,12})?$/

/** Null where a budget cannot have it. */
export function parseLimit(value: string | number): Money | null {
  if (typeof value === 'string' && !LIMIT_TEXT.test(value)) return null
  const limit = parseMoney(value)
  return limit !== null && limit > 0n && limit <= BUDGET_LIMIT_MAX ? limit : null
}

function isName(text: string): boolean {
  const name = text.trim()
  const { length } = Array.from(name)
  const isPlain = !/\p{Cc}/u.test(name) && name.isWellFormed()
  return isPlain && length >= 1 && length <= BUDGET_NAME_CHARS_MAX
}

const NAME_FAULT = `name must have 1 to ${BUDGET_NAME_CHARS_MAX} characters and no control characters`
const LIMIT_FAULT =
  `limit_usd must be a number, or a decimal as text with at most 12 decimals, ` +
  `above 0 and at most ${BUDGET_LIMIT_USD_MAX}`
const SCOPE_FAULT = `scope must be ${SCOPE_FORMS}`
const THRESHOLDS_FAULT = `thresholds must be at most ${THRESHOLDS_MAX} whole numbers from 1 to ${THRESHOLD_MAX}`

const threshold = z
  .int(THRESHOLDS_FAULT)
  .min(1, THRESHOLDS_FAULT)
  .max(THRESHOLD_MAX, THRESHOLDS_FAULT)

const budgetMembers = {
  name: z.string(NAME_FAULT).refine(isName, NAME_FAULT),
  limit_usd: z
    .union([z.number(), z.string()], LIMIT_FAULT)
    .refine((value) => parseLimit(value) !== null, LIMIT_FAULT)
    .describe(`Above 0, at most ${BUDGET_LIMIT_USD_MAX}; as text it is exact.`),
  period: z
    .enum(BUDGET_PERIODS, oneOf('period', BUDGET_PERIODS))
    .describe('The UTC day, the ISO week, which begins on Monday, or the UTC month.'),
  scope: z
    .string(SCOPE_FAULT)
    .superRefine((text, check) => {
      const parsed = parseScope(text)
      if ('fault' in parsed) {
        check.addIssue({ code: 'custom', message: `scope is wrong: ${parsed.fault}` })
      }
    })
    .describe(`Whose spend counts: ${SCOPE_FORMS}.`),
  thresholds: z
    .array(threshold, THRESHOLDS_FAULT)
    .max(THRESHOLDS_MAX, THRESHOLDS_FAULT)
    .optional()
    .describe(
      `The percentages of the limit that raise an alert. Left out at first: ${DEFAULT_THRESHOLDS.join(', ')}.`,
    ),
  blocking: z
    .boolean('blocking must be true or false')
    .optional()
    .describe('Whether calls are refused from 100 % on. Left out at first: false.'),
}

const TARGETS_FAULT = `targets must be a list of at most ${NEW_TARGETS_MAX} targets, { "kind", "address" }`

export const newBudgetSchema = namedBody('NewBudget', {
  ...budgetMembers,
  targets: z
    .array(newTargetSchema, TARGETS_FAULT)
    .max(NEW_TARGETS_MAX, TARGETS_FAULT)
    .optional()
    .describe('Whom its alerts are sent to.'),
})

export const budgetChangeSchema = z
  .strictObject(budgetMembers)
  .partial()
  .meta({ id: 'BudgetChange' })

const time = (description: string) => z.iso.datetime().meta({ description })
const usd = (description: string) => z.number().meta({ description })

export const budgetSchema = named('Budget', {
  id: z.string().describe('`bud_…`'),
  name: z.string(),
  scope: z
    .string()
    .describe(
      `${SCOPE_FORMS}; \`api_key=…\` unless the token has scope read:keys or write:budgets.`,
    ),
  period: z.enum(BUDGET_PERIODS),
  limit_usd: usd('USD, as are all that end so.'),
  thresholds: z.array(z.int()).describe('In percent, rising.'),
  blocking: z.boolean(),
  created_at: time('UTC.'),
  version: versionMember,
  period_start: time('The period that runs, UTC.'),
  period_end: time('The first moment behind it: the budget starts again.'),
  spent_usd: usd('What calls that ended in the period were charged.'),
  spent_percent: z.number().describe('Of the limit, rounded down to two decimals.'),
  is_exceeded: z.boolean().describe('Whether the limit is reached.'),
  forecast_usd: usd(
    'What the whole period is expected to cost; null for a day, and while it is too early to tell.',
  ).nullable(),
  forecast_from: time(
    'The forecast takes the pace since then: the start of the period, or the first call on record.',
  ).nullable(),
  unpriced_requests: z
    .int()
    .describe('Calls whose cost is not known: spent_usd is too low by theirs.'),
  unknown_cost_usd: usd(
    'What the calls of unknown cost count as until it is known, of a blocking budget only: calls are refused once it and spent_usd reach the limit.',
  ).nullable(),
  running_calls: z
    .int()
    .nullable()
    .describe('Calls that run; as the next two, of a blocking budget only.'),
  reserved_usd: usd('What the running calls are expected to cost.').nullable(),
  overshoot_max_usd: usd(
    'As much may be spent beyond the limit by the calls that are out, if none costs more than the most expensive of the period. With several nodes, once nothing is free: by all that is not on record yet.',
  ).nullable(),
  targets: z.array(targetSchema),
  webhook_secret: z
    .string()
    .optional()
    .describe('The secret of the first webhook; in the answer that makes it, only.'),
})

/** For who may change budgets but not read what was spent: the figures may all be null. */
export const changedBudgetSchema = named('ChangedBudget', {
  ...budgetSchema.shape,
  spent_usd: hidden(budgetSchema.shape.spent_usd),
  spent_percent: hidden(budgetSchema.shape.spent_percent),
  is_exceeded: hidden(budgetSchema.shape.is_exceeded),
  unpriced_requests: hidden(budgetSchema.shape.unpriced_requests),
})

function hidden<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().describe(`${schema.description ?? ''} Null without scope read:usage.`)
}

export const budgetListSchema = named('BudgetList', {
  rows: z.array(budgetSchema).describe('The oldest first.'),
})

export const PERIODS_LIMIT_MAX = 60
export const PERIODS_LIMIT_DEFAULT = 12

export const periodParametersSchema = z.strictObject({
  limit: integer('limit', { max: PERIODS_LIMIT_MAX, preset: PERIODS_LIMIT_DEFAULT }).describe(
    'The most periods, the newest ones.',
  ),
})

export const budgetPeriodSchema = named('BudgetPeriod', {
  period_start: time('UTC.'),
  period_end: time('The first moment behind it.'),
  is_running: z.boolean().describe('Whether it is the one that runs.'),
  limit_usd: usd('The limit that it ended with; of the one that runs, the limit now.'),
  spent_usd: usd(
    'What calls that ended in it were charged; null where that is no longer on record.',
  ).nullable(),
  spent_percent: z
    .number()
    .nullable()
    .describe('Of its limit, rounded down to two decimals; null with spent_usd.'),
  is_exceeded: z.boolean().nullable().describe('Whether its limit was reached.'),
  unpriced_requests: z
    .int()
    .nullable()
    .describe('Calls whose cost is not known: spent_usd is too low by theirs.'),
})

export const budgetPeriodListSchema = named('BudgetPeriodList', {
  rows: z.array(budgetPeriodSchema).describe('The newest first.'),
})

export type BudgetPeriodRow = z.infer<typeof budgetPeriodSchema>
export type BudgetPeriodList = z.infer<typeof budgetPeriodListSchema>
export type NewBudget = z.infer<typeof newBudgetSchema>
export type BudgetChange = z.infer<typeof budgetChangeSchema>
export type BudgetRow = z.infer<typeof budgetSchema>
export type ChangedBudget = z.infer<typeof changedBudgetSchema>
export type BudgetList = z.infer<typeof budgetListSchema>
