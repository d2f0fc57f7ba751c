// The contract for alerts and their targets, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { ALERT_KINDS, TARGET_KINDS } from '../../core/alert.ts'
import { INCIDENT_STATES } from '../../core/alerts/incident-mark.ts'
import { number, string, time } from '../answer-members.ts'
import { integer, named, namedBody, oneOf } from '../parameter-schemas.ts'

export const TARGET_ADDRESS_CHARS_MAX = 2048
export const ALERTS_LIMIT_MAX = 200
export const ALERTS_LIMIT_DEFAULT = 50

const ADDRESS_FAULT = `address must have 1 to ${TARGET_ADDRESS_CHARS_MAX} characters and no control characters`
const ADDRESS = new RegExp(`^\\P{Cc}{1,${TARGET_ADDRESS_CHARS_MAX}}$`, 'u')

export const newTargetSchema = z
  .strictObject(
    {
      kind: z.enum(TARGET_KINDS, oneOf('kind', TARGET_KINDS)),
      address: z
        .string(ADDRESS_FAULT)
        .refine((text) => ADDRESS.test(text), ADDRESS_FAULT)
        .meta({
          description: 'The URL that is posted to; for email, the address.',
          minLength: 1,
          maxLength: TARGET_ADDRESS_CHARS_MAX,
          example: 'https://alerts.example.com/weir',
        }),
    },
    { error: 'a target must be { "kind", "address" }' },
  )
  .meta({ id: 'NewTarget' })

export const TARGET_ID_EXAMPLE = 'tgt_5c1e0d2f7a9b3468'
export const ALERT_ID_EXAMPLE = 'msg_7d0c1b2a39485f6e7d0c1b2a39485f6e'
const ADDRESS_EXAMPLE = { example: 'https://alerts.example.com/weir' }

const targetMembers = {
  id: string('`tgt_…`', TARGET_ID_EXAMPLE),
  kind: z.enum(TARGET_KINDS),
  // A Slack webhook's address is enough to post there.
  address: string(
    'Of a URL only the origin, unless the token has scope write:budgets: the rest may be a secret.',
    ADDRESS_EXAMPLE.example,
  ),
  secret: z
    .string()
    .optional()
    .describe('What webhooks are signed with, `whsec_…`; in the answer that makes it, only.')
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
}

export const targetSchema = z.object(targetMembers).meta({ id: 'Target' })

export const targetRowSchema = named('TargetRow', {
  ...targetMembers,
  budget_id: string.orNull(
    'The budget whose alerts it gets; null: the alerts that concern no budget.',
  ),
  created_at: time('UTC.'),
})

export const targetListSchema = named('TargetList', {
  rows: z.array(targetRowSchema).describe('The oldest first.'),
})

export const testOutcomeSchema = named('TestOutcome', {
  target_id: z.string(),
  delivered: z.boolean(),
  detail: string(
    'What came of it, in a few words. Why nothing was delivered, unless the target answered with a status, is for scope admin: it could say which names of the network resolve.',
  ),
})

export const alertParametersSchema = z.strictObject({
  budget: z
    .string()
    .regex(/^bud_[A-Za-z0-9]{1,32}$/, 'budget must be the id of a budget, bud_…')
    .optional()
    .describe('Only the alerts of this budget, which may be deleted by now.'),
  limit: integer('limit', { max: ALERTS_LIMIT_MAX, preset: ALERTS_LIMIT_DEFAULT }).describe(
    'The most rows of a page. It may differ from page to page.',
  ),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{27}$/, 'cursor must be the next_cursor of a page, as it was given')
    .optional()
    .describe('The next_cursor of a page; budget must be as it was for that page.'),
})

const deliverySchema = named('Delivery', {
  target_id: z.string(),
  kind: targetMembers.kind,
  address: targetMembers.address,
  state: z.enum(['pending', 'delivered', 'given_up']),
  next_at: time.orNull('When the next attempt is due; null when there will be none.'),
  attempts: z
    .array(
      z.object({
        at: time('UTC.'),
        delivered: z.boolean(),
        detail: testOutcomeSchema.shape.detail,
      }),
    )
    .describe('The newest last; of very many, the last ones.'),
})

const incidentState = z
  .enum(INCIDENT_STATES)
  .describe(
    '`over` after a full UTC day without a jump; until then its figures grow. A snoozed one is `open` again at its time, or once its excess is more than twice what it was.',
  )

const markMembers = {
  marked_at: time.orNull('When it was last acknowledged or snoozed; null: it was not.'),
  marked_by: string.orNull('By whom.', 'ada@example.com'),
  snoozed_until: time.orNull('Null where it is not snoozed.'),
}

const incidentSchema = named('Incident', {
  state: incidentState,
  ...markMembers,
  excess_usd: number('What was spent above the usual, on all its days.'),
})

export const alertRowSchema = named('Alert', {
  id: string('`msg_…`, the `webhook-id` of every delivery of it.', ALERT_ID_EXAMPLE),
  type: z.enum(ALERT_KINDS),
  budget_id: string.orNull('Null for what concerns no budget.'),
  at: time('When it came about, UTC.'),
  body: z
    .looseObject({
      type: z.enum(ALERT_KINDS),
      timestamp: time('As `at`.'),
      data: z.record(z.string(), z.unknown()),
    })
    .describe(
      'What webhooks are sent, of an incident with the figures of now; docs/budgets/alerts.md describes every member.',
    ),
  incident: incidentSchema
    .nullable()
    .describe('Of unusual spend, `spend.anomaly`: how it stands now. Null for the others.'),
  deliveries: z.array(deliverySchema),
})

export const incidentChangeSchema = named('IncidentChange', {
  id: string("The alert's.", ALERT_ID_EXAMPLE),
  state: incidentState,
  ...markMembers,
})

const UNTIL_FAULT = 'until must be a moment in UTC, YYYY-MM-DDThh:mm:ssZ'

export const snoozeSchema = namedBody('Snooze', {
  until: z.iso
    .datetime(UNTIL_FAULT)
    .describe('Until when it is not shown as open: still to come, and at most 30 days away.'),
})

export const alertPageSchema = named('AlertPage', {
  rows: z.array(alertRowSchema).describe('Newest first.'),
  next_cursor: string.orNull('To be sent as cursor for the next page; null on the last.'),
})

export const incidentListSchema = named('IncidentList', {
  rows: z.array(alertRowSchema).describe('Those that are not over, the largest excess first.'),
})

export type NewTarget = z.infer<typeof newTargetSchema>
export type TargetAnswer = z.infer<typeof targetSchema>
export type TargetRow = z.infer<typeof targetRowSchema>
export type TargetList = z.infer<typeof targetListSchema>
export type TestOutcome = z.infer<typeof testOutcomeSchema>
export type AlertRow = z.infer<typeof alertRowSchema>
export type IncidentChange = z.infer<typeof incidentChangeSchema>
export type IncidentList = z.infer<typeof incidentListSchema>
export type AlertPageAnswer = z.infer<typeof alertPageSchema>
