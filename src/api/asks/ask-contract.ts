// The contract for asks, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { ASK_KINDS, ASK_NOTE_CHARS_MAX, ASK_STATUSES } from '../../core/asks/ask.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import { USER_ID_EXAMPLE } from '../accounts/account-contract.ts'
import { number, string, time } from '../answer-members.ts'
import { BUDGET_ID_EXAMPLE } from '../budgets/budget-contract.ts'
import { toBodyMembers } from '../field-schemas.ts'
import { integer, named, namedBody, oneOf, text } from '../parameter-schemas.ts'
import { TEAM_ID_EXAMPLE } from '../teams/team-contract.ts'

export const ASK_ID_EXAMPLE = 'ask_0123456789abcdef'
export const ASKS_LIMIT_MAX = 1000
export const ASKS_LIMIT_DEFAULT = 100
const KEY_ID_EXAMPLE = 'svc_k_abcdefghjkmnpqrs'

const { limit_usd: amount } = toBodyMembers({
  limit_usd: { ...BUDGET_FIELDS.limit_usd, help: 'What the limit should be.' },
})
const { note } = toBodyMembers({
  note: { ...KEY_FIELDS.note, charsMax: ASK_NOTE_CHARS_MAX, help: 'Why, or what is wanted.' },
})
const { note: answer } = toBodyMembers({
  note: { ...KEY_FIELDS.note, charsMax: ASK_NOTE_CHARS_MAX, help: 'What the asker is told.' },
})

const id = (name: string, example: string) => {
  const fault = `${name} must be an id, 1 to 64 characters`
  return z.string(fault).min(1, fault).max(64, fault).meta({ example })
}

export const newAskSchema = namedBody('NewAsk', {
  kind: z
    .enum(ASK_KINDS, oneOf('kind', ASK_KINDS))
    .describe(
      'budget: more of a budget that limits a key; limit: more of anything else, in words.',
    ),
  key_id: id('key_id', KEY_ID_EXAMPLE).optional().describe('A personal key of yours, in a team.'),
  team_id: id('team_id', TEAM_ID_EXAMPLE)
    .optional()
    .describe('In place of key_id, of a limit: a team that you are in, by id or slug.'),
  budget_id: id('budget_id', BUDGET_ID_EXAMPLE)
    .optional()
    .describe('Of kind budget: one that limits this key, or you, alone.'),
  amount_usd: amount.optional().describe('Of kind budget: what the limit should be.'),
  note: note.optional(),
})

export const approvalSchema = namedBody('AskApproval', {
  amount_usd: amount.optional().describe('Another limit than the one that was asked for.'),
  note: answer.optional(),
})
export const answerSchema = namedBody('AskAnswer', { note: answer.optional() })

export const askSchema = named('Ask', {
  id: string('`ask_…`', ASK_ID_EXAMPLE),
  kind: z.enum(ASK_KINDS),
  status: z.enum(ASK_STATUSES).describe('closed: withdrawn, or the person has left.'),
  team_id: string(undefined, TEAM_ID_EXAMPLE),
  team: string.orNull('Its name.', 'Search'),
  person_id: string('Who asks.', USER_ID_EXAMPLE),
  person: string('Their address.', 'max@example.com'),
  key_id: string.orNull(undefined, KEY_ID_EXAMPLE),
  key: string.orNull('Its name.', 'laptop'),
  budget_id: string.orNull('Whose limit is asked to be another.', BUDGET_ID_EXAMPLE),
  budget: string.orNull('Its name.', 'Each key of Search'),
  period: z.enum(['day', 'week', 'month']).nullable().describe('Of that budget, as it is now.'),
  limit_usd: number.orNull('The limit that the person has of it now.'),
  amount_usd: number.orNull('The limit that was asked for.'),
  granted_usd: number.orNull('The limit that was given.'),
  note: string.orNull("The asker's.", 'Evaluations this month'),
  answer: string.orNull('The note of whoever decided.', null),
  created_at: time('UTC.'),
  decided_at: time.orNull('Null while it is open.'),
  decided_by: string.orNull('Their address.', null),
})

export const askParametersSchema = z.strictObject({
  status: z.enum(ASK_STATUSES, oneOf('status', ASK_STATUSES)).optional(),
  team: text('team', 64).describe('Only of this team, by id or slug.'),
  limit: integer('limit', { max: ASKS_LIMIT_MAX, preset: ASKS_LIMIT_DEFAULT }),
})

export const askListSchema = named('AskList', {
  rows: z.array(askSchema).describe('The newest first.'),
})

export type NewAskBody = z.input<typeof newAskSchema>
export type AskApprovalBody = z.input<typeof approvalSchema>
export type AskRow = z.infer<typeof askSchema>
export type AskList = z.infer<typeof askListSchema>
