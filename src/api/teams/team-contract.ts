// The contract for teams, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { MEMBER_ROLES, MEMBER_SOURCES } from '../../core/teams/team.ts'
import { KEY_BUDGET_FIELDS } from '../../resources/key-budget.ts'
import { TEAM_FIELDS } from '../../resources/team.ts'
import { USER_FIELDS } from '../../resources/user.ts'
import { USER_ID_EXAMPLE } from '../accounts/account-contract.ts'
import { boolean, count, string, time } from '../answer-members.ts'
import { toAnswerMembers, toBodyMembers, toChangeMembers, toNewMembers } from '../field-schemas.ts'
import {
  integer,
  named,
  namedBody,
  oneOf,
  pageCursor,
  text,
  versionMember,
} from '../parameter-schemas.ts'

export const TEAM_ID_EXAMPLE = 'team_0123456789abcdef'
export const TEAMS_LIMIT_MAX = 1000
export const TEAMS_LIMIT_DEFAULT = 100
export const TEAM_STATUSES = ['active', 'archived'] as const

/** Absent members are empty or null. */
export const newTeamSchema = namedBody('NewTeam', toNewMembers(TEAM_FIELDS))

/** Absent members stay. */
export const teamChangeSchema = namedBody('TeamChange', toChangeMembers(TEAM_FIELDS))

export const teamRowSchema = named('TeamRow', {
  id: string('team_…', TEAM_ID_EXAMPLE),
  ...toAnswerMembers(TEAM_FIELDS),
  parent: string.orNull('The name of the team that it is a part of.', 'Engineering'),
  status: z.enum(TEAM_STATUSES),
  created_at: time(),
  archived_at: time.orNull('Since then no key is made or moved there; null: it is not archived.'),
  keys: count('Its keys, without those that are revoked.'),
  members: count('Who is in it, leads included.'),
  leads: count('How many of them lead it.'),
  version: versionMember,
})

export const teamSchema = named('Team', {
  ...teamRowSchema.shape,
  keys_beyond_limits: count(
    'Of its keys, those that may do more than its limits allow now: they were made or changed before.',
  ),
  key_budget: named('TeamKeyBudget', {
    ...toAnswerMembers(KEY_BUDGET_FIELDS),
    budget_id: string('The budget that counts it, for each key apart.', 'bud_9f2c4e6a8b0d1357'),
  })
    .nullable()
    .describe('What each of its keys may spend; null where it gives them no budget.'),
})

/** What is left out stays; of the first it is month, and does not block. */
export const teamKeyBudgetSchema = namedBody('NewTeamKeyBudget', toNewMembers(KEY_BUDGET_FIELDS))

export const teamParametersSchema = z.strictObject({
  status: z.enum(TEAM_STATUSES, oneOf('status', TEAM_STATUSES)).optional(),
  search: text('search', 100).describe(
    'Only teams whose name, short name or id contains it; case makes no difference.',
  ),
  limit: integer('limit', { max: TEAMS_LIMIT_MAX, preset: TEAMS_LIMIT_DEFAULT }),
  cursor: pageCursor(/^[1-9]\d{0,6}$/),
})

export const teamPageSchema = named('TeamPage', {
  rows: z.array(teamRowSchema).describe('By name.'),
  total: count('How many there are on all pages.'),
  next_cursor: string.orNull(),
})

const USER_FAULT = 'user_id must be the id of a user, user_…'
const { email } = toBodyMembers(USER_FIELDS)

/** One of them. */
const person = {
  email: email.optional(),
  user_id: z
    .string(USER_FAULT)
    .min(1, USER_FAULT)
    .max(64, USER_FAULT)
    .meta({ example: USER_ID_EXAMPLE })
    .optional()
    .describe('In place of the address.'),
}

export const newMemberSchema = namedBody('NewTeamMember', {
  ...person,
  role: z
    .enum(MEMBER_ROLES, oneOf('role', MEMBER_ROLES))
    .optional()
    .describe('`member` where it is left out.'),
})

export const removedMemberSchema = namedBody('RemovedTeamMember', person)

export const memberSchema = named('TeamMember', {
  user_id: string('user_…', USER_ID_EXAMPLE),
  email: string(undefined, USER_FIELDS.email.example),
  name: string(undefined, USER_FIELDS.name.example),
  role: z.enum(MEMBER_ROLES),
  source: z
    .enum(MEMBER_SOURCES)
    .describe('Who put them there: somebody by hand, the identity provider, or a directory.'),
  since: time(),
  is_disabled: boolean('They may not sign in.'),
  keys: count('Their personal keys in this team, without those that are revoked.'),
})

export const memberListSchema = named('TeamMemberList', {
  rows: z.array(memberSchema).describe('Leads first, then by address.'),
})

export type NewTeamBody = z.input<typeof newTeamSchema>
export type TeamChangeBody = z.input<typeof teamChangeSchema>
export type TeamRow = z.infer<typeof teamRowSchema>
export type TeamAnswer = z.infer<typeof teamSchema>
export type TeamKeyBudgetBody = z.input<typeof teamKeyBudgetSchema>
export type TeamPage = z.infer<typeof teamPageSchema>
export type NewMemberBody = z.input<typeof newMemberSchema>
export type MemberRow = z.infer<typeof memberSchema>
export type MemberList = z.infer<typeof memberListSchema>
