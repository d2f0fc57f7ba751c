// The contract for budgets, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { boolean, count, number, string, time } from '../answer-members.ts'
import { toAnswerMembers, toChangeMembers, toNewMembers } from '../field-schemas.ts'
import { TARGETS_MAX } from '../../store/settings/target-store.ts'
import { COVERS } from '../keys/key-contract.ts'
import { newTargetSchema, targetSchema } from './alert-contract.ts'
import { integer, named, namedBody, versionMember } from '../parameter-schemas.ts'

/** Per body: each may need a DNS lookup. */
export const NEW_TARGETS_MAX = 20

const newTargets = (name: string) => {
  const fault = `${name} must be a list of at most ${NEW_TARGETS_MAX} targets, { "kind", "address" }`
  return z.array(newTargetSchema, fault).max(NEW_TARGETS_MAX, fault)
}

export const newBudgetSchema = namedBody('NewBudget', {
  ...toNewMembers(BUDGET_FIELDS),
  targets: newTargets('targets').optional().describe('Whom its alerts are sent to.'),
})

const REMOVED_FAULT = `remove_targets must be a list of ids of the budget's targets, tgt_…`

export const budgetChangeSchema = namedBody('BudgetChange', {
  ...toChangeMembers(BUDGET_FIELDS),
  add_targets: newTargets('add_targets')
    .optional()
    .describe('Whom its alerts are sent to as well; all of the change is made, or nothing.'),
  remove_targets: z
    .array(z.string(REMOVED_FAULT), REMOVED_FAULT)
    .max(TARGETS_MAX, REMOVED_FAULT)
    .optional()
    .describe('Ids of those who get no more. One that is also added gets another secret.'),
})

export const newTargetsSchema = namedBody('NewTargets', { targets: newTargets('targets') })

export const BUDGET_ID_EXAMPLE = 'bud_9f2c4e6a8b0d1357'

/** From this percent of the limit on a member is near it. */
export const NEAR_PERCENT = 80

const membersSchema = named('BudgetMembers', {
  spending: count('Those whose calls of the period cost something, or are of unknown cost.'),
  near: count(`Of them, those who have used ${NEAR_PERCENT} % of their limit and not all.`),
  over: count('Those who have used all.'),
})

export const budgetSchema = named('Budget', {
  id: string('`bud_…`', BUDGET_ID_EXAMPLE),
  ...toAnswerMembers(BUDGET_FIELDS),
  scope_name: string.orNull(
    'Of a team its name, of a person their address; null for every other scope.',
    null,
  ),
  default_of: string.orNull(
    'The team that gives it to each of its keys, by `key_budget`: its scope and `each` stay, and its leads do not change it.',
    null,
  ),
  created_at: time('UTC.'),
  version: versionMember,
  period_start: time('The period that runs, UTC.'),
  period_end: time('The first moment behind it: the budget starts again.'),
  spent_usd: number('What calls that ended in the period were charged.'),
  spent_percent: number(
    'Of the limit, rounded down to two decimals; where each has it, of whoever has spent most.',
  ),
  is_exceeded: boolean('Whether the limit is reached; where each has it, by anybody.'),
  members: membersSchema
    .nullable()
    .describe('How those stand who have the limit for themselves; null unless `each` has it.'),
  forecast_usd: number.orNull(
    'What the whole period is expected to cost; null for a day, and while it is too early to tell.',
  ),
  forecast_from: time.orNull(
    'The forecast takes the pace since then: the start of the period, or the first call on record.',
  ),
  unpriced_requests: count('Calls whose cost is not known: spent_usd is too low by theirs.'),
  unknown_cost_usd: number.orNull(
    'What the calls of unknown cost count as until it is known, of a blocking budget only: calls are refused once it and spent_usd reach the limit.',
  ),
  running_calls: count.orNull('Calls that run; as the next two, of a blocking budget only.'),
  reserved_usd: number.orNull('What the running calls are expected to cost.'),
  overshoot_max_usd: number.orNull(
    'As much may be spent beyond the limit by the calls that are out, if none costs more than the most expensive of the period. With several nodes, once nothing is free: by all that is not on record yet.',
  ),
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

const keyBudgetSchema = named('KeyBudget', { ...budgetSchema.shape, covers: COVERS })

export const keyBudgetListSchema = named('KeyBudgetList', {
  rows: z
    .array(keyBudgetSchema)
    .describe('Those that count every call first, then by how much of them is spent.'),
})

export const budgetParametersSchema = z.strictObject({
  min_percent: integer('min_percent', { min: 0, max: 100_000, preset: 0 }).describe(
    'Only those of which this percent is spent, or counts so while its cost is not known.',
  ),
})

export const budgetListSchema = named('BudgetList', {
  rows: z.array(budgetSchema).describe('The oldest first.'),
})

export const PERIODS_LIMIT_MAX = 60
export const PERIODS_LIMIT_DEFAULT = 12

export const MEMBERS_LIMIT_MAX = 10_000
export const MEMBERS_LIMIT_DEFAULT = 100
const MEMBER_STATUSES = ['near', 'over'] as const

export const memberParametersSchema = z.strictObject({
  status: z
    .enum(MEMBER_STATUSES, `status must be one of ${MEMBER_STATUSES.join(', ')}`)
    .optional()
    .describe(
      `near: those who have used ${NEAR_PERCENT} % of their limit and not all; over: all of it.`,
    ),
  limit: integer('limit', { max: MEMBERS_LIMIT_MAX, preset: MEMBERS_LIMIT_DEFAULT }).describe(
    'The most members, those who have used most.',
  ),
})

export const budgetMemberSchema = named('BudgetMember', {
  kind: z.enum(['key', 'person', 'team']),
  id: string('`…`, as its name, unless the token has scope read:keys or write:budgets.', 'svc_k_…'),
  name: string.orNull('Of a person the address; null once there is no such member any more.'),
  limit_usd: number('What they have the limit of.'),
  spent_usd: number('What their calls of the period were charged.'),
  spent_percent: number('Of the limit, rounded down to two decimals.'),
  is_exceeded: boolean('Whether the limit is reached.'),
  unpriced_requests: count('Calls whose cost is not known.'),
  unknown_cost_usd: number.orNull('What these count as; of a blocking budget only.'),
})

export const budgetMemberListSchema = named('BudgetMemberList', {
  rows: z.array(budgetMemberSchema).describe('Who has used most first.'),
  count: count('How many there are, with those beyond the limit.'),
})

export const nearestMemberListSchema = named('NearestMemberList', {
  rows: z
    .array(
      named('NearestMember', {
        budget_id: string('`bud_…`', BUDGET_ID_EXAMPLE),
        budget_name: string('Of the rule.', 'Each key of search'),
        period: budgetSchema.shape.period,
        ...budgetMemberSchema.shape,
      }),
    )
    .describe('Who has used most of their own limit first.'),
  count: count('How many there are, with those beyond the limit.'),
})

export const periodParametersSchema = z.strictObject({
  limit: integer('limit', { max: PERIODS_LIMIT_MAX, preset: PERIODS_LIMIT_DEFAULT }).describe(
    'The most periods, the newest ones.',
  ),
})

export const budgetPeriodSchema = named('BudgetPeriod', {
  period_start: time('UTC.'),
  period_end: time('The first moment behind it.'),
  is_running: boolean('Whether it is the one that runs.'),
  limit_usd: number('The limit that it ended with; of the one that runs, the limit now.'),
  spent_usd: number.orNull(
    'What calls that ended in it were charged; null where that is no longer on record.',
  ),
  spent_percent: number.orNull(
    'Of its limit, rounded down to two decimals; null with spent_usd, and where each has the limit.',
  ),
  is_exceeded: boolean.orNull('Whether its limit was reached; null with spent_percent.'),
  unpriced_requests: count.orNull('Calls whose cost is not known: spent_usd is too low by theirs.'),
})

export const budgetPeriodListSchema = named('BudgetPeriodList', {
  rows: z.array(budgetPeriodSchema).describe('The newest first.'),
})

export type BudgetMemberRow = z.infer<typeof budgetMemberSchema>
export type BudgetMemberList = z.infer<typeof budgetMemberListSchema>
export type NearestMemberList = z.infer<typeof nearestMemberListSchema>
export type BudgetPeriodRow = z.infer<typeof budgetPeriodSchema>
export type BudgetPeriodList = z.infer<typeof budgetPeriodListSchema>
export type NewBudget = z.infer<typeof newBudgetSchema>
export type BudgetChange = z.infer<typeof budgetChangeSchema>
export type BudgetRow = z.infer<typeof budgetSchema>
export type ChangedBudget = z.infer<typeof changedBudgetSchema>
export type BudgetList = z.infer<typeof budgetListSchema>
export type KeyBudget = z.infer<typeof keyBudgetSchema>
export type KeyBudgetList = z.infer<typeof keyBudgetListSchema>
