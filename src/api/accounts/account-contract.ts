// The contract for sign-in, users and audit, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { MEMBER_ROLES } from '../../core/teams/team.ts'
import { AUDIT_ACTIONS } from '../../core/user.ts'
import { USER_FIELDS } from '../../resources/user.ts'
import { boolean, string, time } from '../answer-members.ts'
import { toAnswerMembers, toBodyMembers } from '../field-schemas.ts'
import {
  integer,
  moment,
  named,
  namedBody,
  oneOf,
  pageCursor,
  text,
  versionMember,
} from '../parameter-schemas.ts'

export const PASSWORD_CHARS_MIN = 12
export const PASSWORD_CHARS_MAX = 256
export const CODE_CHARS_MAX = 256
export const AUDIT_LIMIT_MAX = 500
export const AUDIT_LIMIT_DEFAULT = 100

const PASSWORD_FAULT = `password must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`

export const USER_ID_EXAMPLE = 'user_0123456789abcdef'
export const SESSION_ID_EXAMPLE = 'session_0123456789abcdef'
const PASSWORD = { example: 'twelve letters or more' }

const { email, name, role } = toBodyMembers(USER_FIELDS)
const newPassword = z
  .string(PASSWORD_FAULT)
  .min(PASSWORD_CHARS_MIN, PASSWORD_FAULT)
  .max(PASSWORD_CHARS_MAX, PASSWORD_FAULT)
  .meta(PASSWORD)
/** A password that is too short is wrong rather than malformed: it was never a user's. */
const givenPassword = (called: string) => {
  const fault = `${called} must be a password of at most ${PASSWORD_CHARS_MAX} characters`
  return z.string(fault).max(PASSWORD_CHARS_MAX, fault).meta(PASSWORD)
}
const code = z
  .string('code must be the code of the link')
  .min(1, 'code must be the code of the link')
  .max(CODE_CHARS_MAX, 'code must be the code of the link')
  .meta({ example: 'as-in-the-link' })

export const signInSchema = named('SignIn', {
  needs_setup: boolean('The one-time link of the first start waits.'),
  has_password: boolean('Whether signing in by password is allowed.'),
  oidc_name: string.orNull(
    'What the identity provider is called; null where there is none.',
    'Example SSO',
  ),
})

export const setupRequestSchema = namedBody('SetupRequest', {
  code,
  email,
  name,
  password: newPassword,
})

export const welcomeRequestSchema = namedBody('WelcomeRequest', { code, password: newPassword })

export const sessionRequestSchema = namedBody('SessionRequest', {
  email,
  password: givenPassword('password'),
})

export const passwordChangeSchema = namedBody('PasswordChange', {
  current_password: givenPassword('current_password'),
  password: newPassword,
})

export const userSchema = named('User', {
  id: z.string().meta({ example: USER_ID_EXAMPLE }),
  ...toAnswerMembers(USER_FIELDS),
  has_password: z.boolean(),
  is_oidc: boolean('Has signed in through the identity provider.'),
  is_provisioned: boolean('A directory keeps this user here by SCIM.'),
  is_disabled: z.boolean(),
  unknown_groups: z
    .array(z.string())
    .describe('Groups of the last sign-in by the identity provider that gave nothing.')
    .meta({ example: ['all-staff'] }),
  created_at: time(),
  last_sign_in_at: time.orNull(),
  version: versionMember,
  teams: z
    .array(
      z.object({
        team_id: string('team_…', 'team_0123456789abcdef'),
        name: string(undefined, 'Search'),
        role: z.enum(MEMBER_ROLES),
      }),
    )
    .optional()
    .describe('The teams that they lead or are in, by name; only in the list of users.'),
})

export const userListSchema = named('UserList', { rows: z.array(userSchema) })

export const newUserSchema = namedBody('NewUser', { email, name, role })

export const userChangeSchema = namedBody('UserChange', {
  name: name.optional(),
  role: role.optional(),
  is_disabled: z.boolean('is_disabled must be true or false').optional(),
})

export const userLinkSchema = named('UserLink', {
  user: userSchema,
  path: string('/welcome?code=…, on this host. Shown this once.', '/welcome?code=shown-this-once'),
  expires_at: time(),
})

export const sessionSchema = named('Session', {
  id: z.string().meta({ example: SESSION_ID_EXAMPLE }),
  user: userSchema,
  scopes: z
    .array(z.string())
    .describe('What the role may do, as scopes of tokens.')
    .meta({ example: ['admin'] }),
  created_at: time(),
  expires_at: time(),
})

export const sessionRowSchema = named('SessionRow', {
  id: z.string().meta({ example: SESSION_ID_EXAMPLE }),
  is_current: z.boolean(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
  agent: z.string().nullable().meta({ example: 'Mozilla/5.0' }),
  address: z.string().nullable().meta({ example: '192.0.2.7' }),
})

export const sessionListSchema = named('SessionList', { rows: z.array(sessionRowSchema) })

export const auditParametersSchema = z.strictObject({
  noun: text('noun', 20).describe('Only changes of this kind: key, token, budget, …'),
  action: z
    .enum(AUDIT_ACTIONS, oneOf('action', AUDIT_ACTIONS))
    .optional()
    .describe('Only changes of just this kind.'),
  actor: text('actor', 256).describe(
    'Only changes by the user or token of this id, or by whoever has this name: a command is done in the name of the user of its machine.',
  ),
  subject: text('subject', 100).describe('Only changes of what has this id.'),
  from: moment('from').meta({
    type: 'string',
    description:
      'Only changes at this moment or later: a date, which is its midnight, or a moment in UTC.',
  }),
  to: moment('to').meta({ type: 'string', description: 'Only changes before this moment.' }),
  limit: integer('limit', { max: AUDIT_LIMIT_MAX, preset: AUDIT_LIMIT_DEFAULT }),
  cursor: pageCursor(/^[1-9]\d{0,15}$/),
})

export const auditCsvParametersSchema = auditParametersSchema.omit({ limit: true, cursor: true })

export const auditRowSchema = named('AuditRow', {
  number: z.int(),
  at: time(),
  actor: z.object({
    kind: z.enum(['user', 'token', 'command', 'system']),
    id: z.string().nullable().meta({ example: USER_ID_EXAMPLE }),
    name: z.string().meta({ example: USER_FIELDS.email.example }),
  }),
  action: z.enum(AUDIT_ACTIONS),
  subject: z.object({ id: z.string().nullable(), name: z.string().nullable() }),
  changes: z
    .record(z.string(), z.object({ before: z.unknown().optional(), after: z.unknown().optional() }))
    .describe('By name: what it was, and what it became.')
    .meta({ example: { role: { before: 'viewer', after: 'admin' } } }),
})

export const auditPageSchema = named('AuditPage', {
  rows: z.array(auditRowSchema),
  next_cursor: string.orNull(),
})

export type SignIn = z.infer<typeof signInSchema>
export type SetupRequest = z.input<typeof setupRequestSchema>
export type WelcomeRequest = z.infer<typeof welcomeRequestSchema>
export type SessionRequest = z.input<typeof sessionRequestSchema>
export type PasswordChange = z.infer<typeof passwordChangeSchema>
export type UserRow = z.infer<typeof userSchema>
export type UserList = z.infer<typeof userListSchema>
export type NewUserBody = z.input<typeof newUserSchema>
export type UserChangeBody = z.input<typeof userChangeSchema>
export type UserLinkAnswer = z.infer<typeof userLinkSchema>
export type SessionAnswer = z.infer<typeof sessionSchema>
export type SessionRow = z.infer<typeof sessionRowSchema>
export type SessionList = z.infer<typeof sessionListSchema>
export type AuditRow = z.infer<typeof auditRowSchema>
export type AuditPageAnswer = z.infer<typeof auditPageSchema>
